#include "capture/ode/step_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "capture/ode/answerers.hpp"
#include "capture/ode/frozen.hpp"

namespace perpend::capture::from_ode {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoBound = 1e30;   // N s, where infinity means mu lambda_n
constexpr double kNoSlipMu = 1e10;  // mu = infinity

Vector6 wrench(const dReal* force, const dReal* torque) {
  Vector6 out;
  out << eigen(force), eigen(torque);
  return out;
}

// Bound of a friction row whose coefficient is a force, N s.
double constant_bound(double force, double h) {
  return std::isfinite(force) ? std::min(force * h, kNoBound) : kNoBound;
}

// A friction impulse that ODE left at its bound is that bound; ours is known up to what redundant
// contacts make of rounding: 1e-5 of it, or 1e-6 of the largest impulse, which is shared among
// them.
void snap_to_answer(io::Record& record) {
  Rows<2>& bounds = record.frame.contacts.friction_bounds;
  const Rows3& z = record.answer.z;
  const double noise = 1e-6 * z.cwiseAbs().maxCoeff();
  for (Index i = 0; i < bounds.rows(); ++i)
    for (Index d = 0; d < 2; ++d)
      if (const double friction = std::abs(z(i, d + 1));
          bounds(i, d) > 0 &&
          std::abs(friction - bounds(i, d)) < std::max(noise, 1e-5 * bounds(i, d)))
        bounds(i, d) = friction;
}

// The frame of one step.
class FrameFiller {
 public:
  FrameFiller(OdeStepRecord& made, io::Record& record);
  void run();

 private:
  const OdeBody& body(Index i) const { return bodies_[static_cast<std::size_t>(i)]; }
  const OdeContact& rows(Index i) const { return contacts_[static_cast<std::size_t>(i)]; }
  void take_opaque();
  void add_bodies(RecordBuilder&) const;
  void add_contacts(RecordBuilder&);
  void add_joints(RecordBuilder&);
  void add_rolling(RecordBuilder&);
  void fill_bounds();

  OdeStepRecord& made_;
  io::Record& record_;
  const OdeWorld& settings_;
  std::vector<OdeBody> bodies_;
  std::vector<OdeContact> contacts_;
  std::vector<const JointOfOde*> joints_;  // those that have rows
  Index rolling_rows_ = 0;
};

FrameFiller::FrameFiller(OdeStepRecord& made, io::Record& record)
    : made_(made), record_(record), settings_(made.settings) {
  bodies_.reserve(made.bodies.size());
  for (const OdeBodyCopy& copy : made.bodies) bodies_.push_back(body_of(copy, settings_));
  contacts_.reserve(made.contacts.size());
  for (const ContactOfOde& one : made.contacts)
    contacts_.push_back(
        contact_rows(one.made, one.reversed, settings_, body(one.first), body(one.second)));
}

// What a motor at its stop does beside its row, and the whole force of joints whose rows are not
// known.
void FrameFiller::take_opaque() {
  made_.opaque = 0;
  for (const JointOfOde& one : made_.joints) {
    OdeBody &first = bodies_[static_cast<std::size_t>(one.first)],
            &second = bodies_[static_cast<std::size_t>(one.second)];
    if (one.rows) {
      first.force += one.rows->force_first;
      second.force += one.rows->force_second;
    } else {
      ++made_.opaque;
      first.force += wrench(one.felt->f1, one.felt->t1);
      if (one.pair.second) second.force += wrench(one.felt->f2, one.felt->t2);
    }
    if (one.rows && !one.rows->rows.empty()) joints_.push_back(&one);
  }
  std::ranges::stable_sort(joints_, {}, &JointOfOde::id);
}

void FrameFiller::run() {
  take_opaque();
  Integers counts;
  for (const JointOfOde* one : joints_)
    counts.push_back(static_cast<std::int64_t>(one->rows->rows.size()));
  for (const OdeContact& one : contacts_)
    if (const Index rolling = (one.rho.array() > 0).count(); rolling > 0) {
      counts.push_back(rolling);
      rolling_rows_ += rolling;
    }
  RecordBuilder::Columns columns;
  columns.rolling = rolling_rows_ > 0;
  columns.joint_ids = std::ranges::any_of(joints_, [](const auto* one) { return one->id >= 0; });
  RecordBuilder builder(
      record_, {static_cast<Index>(bodies_.size()), static_cast<Index>(contacts_.size()), counts},
      columns, settings_.h, made_.time);
  made_.contact_joints.clear();
  made_.row_joints.clear();
  made_.bounds_known = true;
  add_bodies(builder);
  add_contacts(builder);
  add_joints(builder);
  add_rolling(builder);
  fill_bounds();
}

void FrameFiller::add_bodies(RecordBuilder& builder) const {
  std::vector<Vector6> pulled(bodies_.size(), Vector6::Zero());
  const auto pull = [&](const auto& joint) {
    const dJointFeedback& felt = *joint.felt;
    pulled[static_cast<std::size_t>(joint.first)] += wrench(felt.f1, felt.t1);
    if (!body(joint.second).fixed)
      pulled[static_cast<std::size_t>(joint.second)] += wrench(felt.f2, felt.t2);
  };
  for (const ContactOfOde& one : made_.contacts) pull(one);
  for (const JointOfOde* one : joints_) pull(*one);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const OdeBody& one = bodies_[i];
    const OdeBodyCopy& copy = made_.bodies[i];
    const Eigen::Quaterniond& q = one.orientation;
    const Eigen::Vector4d wxyz(q.w(), q.x(), q.y(), q.z());
    BodyRow row{copy.id, one.mass, one.inertia, one.position, wxyz, one.velocity};
    row.plus = one.fixed ? one.velocity : solved_velocity(copy, one, pulled[i], settings_.h);
    if (!one.fixed) row.force = one.force;
    builder.add(row);
  }
}

void FrameFiller::add_contacts(RecordBuilder& builder) {
  const double h = settings_.h;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactOfOde& one = made_.contacts[i];
    const OdeContact& asked = contacts_[i];
    made_.contact_joints.push_back(one.joint);
    const Vector3d r1 = asked.point - body(one.first).position;
    const Vector3d r2 = asked.point - body(one.second).position;
    ContactRow row{one.first, one.second, asked.n, asked.t, asked.o, r1, r2};
    row.gap = kOde.gap(asked.depth);
    row.mu = std::min(asked.mu, kNoSlipMu);
    row.restitution = asked.restitution;
    row.rolling = asked.rho[0];
    row.torsional = asked.rho[2];
    row.bias = -asked.c;
    row.cfm = asked.cfm / h;
    const Vector3d impulse = h * eigen(one.felt->f1);
    row.z << kOde.z(asked.n.dot(impulse)), asked.row_t ? kOde.z(asked.t.dot(impulse)) : 0.0,
        asked.row_o ? kOde.z(asked.o.dot(impulse)) : 0.0;
    builder.add(row);
  }
}

void FrameFiller::add_joints(RecordBuilder& builder) {
  const double h = settings_.h;
  for (const JointOfOde* one : joints_) {
    made_.row_joints.push_back(one->joint);
    builder.add_joint(one->turned ? one->second : one->first,
                      one->turned ? one->first : one->second, one->id);
    const Vector6 on_second =
        one->pair.second ? wrench(one->felt->f2, one->felt->t2) : Vector6(Vector6::Zero());
    const VectorXd forces =
        impulses_of(one->rows->rows, wrench(one->felt->f1, one->felt->t1), on_second);
    for (std::size_t i = 0; i < one->rows->rows.size(); ++i) {
      const OdeRow& asked = one->rows->rows[i];
      builder.add(JointRow{one->turned ? asked.second : asked.first,
                           one->turned ? asked.first : asked.second, h * asked.lower,
                           h * asked.upper, asked.violation, asked.rate, -asked.c, asked.cfm / h,
                           h * forces[static_cast<Index>(i)]});
    }
  }
}

// Rolling and spinning friction: rows without a place among contacts, about t, o, n.
void FrameFiller::add_rolling(RecordBuilder& builder) {
  const double h = settings_.h;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactOfOde& one = made_.contacts[i];
    const OdeContact& of = contacts_[i];
    if (!(of.rho.array() > 0).any()) continue;
    made_.row_joints.push_back(one.joint);
    builder.add_joint(one.first, one.second);
    const Vector3d arm = of.point - body(one.first).position;
    const Vector3d torque = eigen(one.felt->t1) - arm.cross(eigen(one.felt->f1));
    const Vector3d axes[3] = {of.t, of.o, of.n};
    for (int k = 0; k < 3; ++k) {
      if (!(of.rho[k] > 0)) continue;
      JointRow row;
      row.on_first.tail<3>() = -axes[k];
      row.on_second.tail<3>() = axes[k];
      row.cfm = settings_.cfm / h;
      row.z = kOde.z(h * axes[k].dot(torque));
      builder.add(row);
    }
  }
}

// Bounds of friction, by the normal impulses that they belong to: of the first solve (dWorldStep),
// or of the answer where a row of ours cannot be bounded by mu lambda_n itself.
void FrameFiller::fill_bounds() {
  Frame& frame = record_.frame;
  Contacts& k = frame.contacts;
  const double h = settings_.h;
  const Rows3& z = record_.answer.z;
  VectorXd pressing = z.col(0);
  const auto bounds = [&](bool row, bool coulomb, double mu, double lambda) {
    if (!row) return 0.0;
    return coulomb ? std::min(mu * std::abs(lambda), kNoBound) : constant_bound(mu, h);
  };
  const auto set = [&](auto&& pressing_of) {
    Index row = frame.joints.row_count() - rolling_rows_;
    for (Index i = 0; i < k.count(); ++i) {
      const OdeContact& one = rows(i);
      const double lambda = pressing_of(i);
      k.friction_bounds.row(i) << bounds(one.row_t, one.coulomb_t, one.mu, lambda),
          bounds(one.row_o, one.coulomb_o, one.mu2, lambda);
      for (std::size_t a = 0; a < 3; ++a)
        if (const double rho = one.rho[static_cast<Index>(a)]; rho > 0) {
          const double bound = bounds(true, one.coulomb_rho[a], rho, lambda);
          frame.joints.bounds.row(row++) << -bound, bound;
        }
    }
  };
  if (made_.method == OdeMethod::step && !made_.gave_up && k.count() > 0) {
    set([](Index) { return 0.0; });
    if (invalid(frame).empty()) {
      const System system = assemble(frame, Model::engine);
      const Impulses first = solve_exactly(system, from_rows(system, z, record_.answer.z_joints));
      made_.bounds_known = first.size() > 0;
      for (Index i = 0; made_.bounds_known && i < k.count(); ++i) pressing[i] = first[3 * i];
    }
    set([&](Index i) { return pressing[i]; });
    snap_to_answer(record_);
    return;
  }
  set([&](Index i) { return pressing[i]; });
  // QuickStep's bounds follow the normal impulse, as ours do. What dWorldStep froze before it broke
  // off is not known.
  for (Index i = 0; i < k.count(); ++i) {
    const OdeContact& one = rows(i);
    if (one.row_t && one.coulomb_t && std::isfinite(one.mu)) k.friction_bounds(i, 0) = kInfinity;
    if (one.row_o && one.coulomb_o && one.mu2 == one.mu && std::isfinite(one.mu))
      k.friction_bounds(i, 1) = kInfinity;
  }
}

}  // namespace

dJointFeedback* Feedback::next() {
  if (count_ == blocks_.size() * kBlock)
    blocks_.push_back(std::make_unique<dJointFeedback[]>(kBlock));
  const std::size_t at = count_++;
  return &blocks_[at / kBlock][at % kBlock];
}

void OdeStepRecord::clear() {
  bodies.clear();
  contacts.clear();
  joints.clear();
  feedback.clear();
}

std::size_t OdeStepRecord::bytes() const {
  std::size_t of_joints = 0;
  for (const JointOfOde& one : joints)
    if (one.rows) of_joints += one.rows->rows.capacity() * sizeof(OdeRow);
  return sizeof *this + bodies.capacity() * sizeof(OdeBodyCopy) +
         contacts.capacity() * (sizeof(ContactOfOde) + sizeof(dJointID)) +
         joints.capacity() * (sizeof(JointOfOde) + sizeof(dJointID)) + of_joints + feedback.bytes();
}

void OdeStepRecord::fill(io::Record& record) {
  FrameFiller(*this, record).run();
  if (method == OdeMethod::quick_step && !bodies.empty()) record.answer.iterations = iterations;
  record.answer.answered = gave_up ? kGaveUp : method == OdeMethod::step ? kWorldStep : kQuickStep;
}

}  // namespace perpend::capture::from_ode
