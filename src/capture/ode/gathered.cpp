#include "capture/ode/gathered.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "capture/ode/answerers.hpp"
#include "capture/ode/frozen.hpp"

namespace perpend::capture {
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
class Filling {
 public:
  Filling(OdeGathered& made, io::Record& record);
  void run();

 private:
  const OdeBody& body(Index i) const { return bodies_[static_cast<std::size_t>(i)]; }
  const OdeContact& rows(Index i) const { return contacts_[static_cast<std::size_t>(i)]; }
  void take_opaque();
  void fill_bodies();
  void fill_contacts();
  void fill_joints();
  void fill_bounds();
  Index rolling_rows() const;

  OdeGathered& made_;
  io::Record& record_;
  const OdeWorld& settings_;
  std::vector<OdeBody> bodies_;
  std::vector<OdeContact> contacts_;
  std::vector<const JointOfOde*> joints_;  // those that have rows
};

Filling::Filling(OdeGathered& made, io::Record& record)
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
void Filling::take_opaque() {
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
}

void Filling::run() {
  take_opaque();
  Integers counts;
  for (const JointOfOde* one : joints_)
    counts.push_back(static_cast<std::int64_t>(one->rows->rows.size()));
  for (const OdeContact& one : contacts_)
    if (const Index rolling = (one.rho.array() > 0).count(); rolling > 0) counts.push_back(rolling);
  record_.frame =
      make_frame(static_cast<Index>(bodies_.size()), static_cast<Index>(contacts_.size()), counts);
  record_.frame.step = settings_.h;
  record_.frame.time = made_.time;
  made_.contact_joints.clear();
  made_.row_joints.clear();
  made_.bounds_known = true;
  fill_bodies();
  fill_contacts();
  fill_joints();
  fill_bounds();
}

void Filling::fill_bodies() {
  Bodies& b = record_.frame.bodies;
  Rows6& plus = record_.answer.velocities_plus;
  plus.resize(b.count(), 6);
  std::vector<Vector6> pulled(bodies_.size(), Vector6::Zero());
  const auto pull = [&](const auto& joint) {
    const dJointFeedback& felt = *joint.felt;
    pulled[static_cast<std::size_t>(joint.first)] += wrench(felt.f1, felt.t1);
    if (!body(joint.second).fixed)
      pulled[static_cast<std::size_t>(joint.second)] += wrench(felt.f2, felt.t2);
  };
  for (const ContactOfOde& one : made_.contacts) pull(one);
  for (const JointOfOde* one : joints_) pull(*one);
  for (Index i = 0; i < b.count(); ++i) {
    const OdeBody& one = body(i);
    const OdeBodyCopy& copy = made_.bodies[static_cast<std::size_t>(i)];
    b.ids[static_cast<std::size_t>(i)] = copy.id;
    b.positions.row(i) = one.position.transpose();
    b.quaternions.row(i) << one.orientation.w(), one.orientation.vec().transpose();
    b.velocities.row(i) = one.velocity.transpose();
    plus.row(i) = one.velocity.transpose();
    b.masses[i] = one.mass;
    if (one.fixed) continue;
    b.inertia.row(i) = one.inertia.reshaped<Eigen::RowMajor>().transpose();
    b.forces.row(i) = one.force.transpose();
    plus.row(i) =
        solved_velocity(copy, one, pulled[static_cast<std::size_t>(i)], settings_.h).transpose();
  }
}

void Filling::fill_contacts() {
  Contacts& k = record_.frame.contacts;
  const Index m = k.count();
  const double h = settings_.h;
  k.points2.resize(m, 3);
  k.tangents.resize(m, 6);
  k.restitution.resize(m);
  k.bias.resize(m, 3);
  k.cfm.resize(m, 3);
  k.friction_bounds.resize(m, 2);
  Rows3& z = record_.answer.z;
  z.resize(m, 3);
  const bool rolls = std::any_of(contacts_.begin(), contacts_.end(),
                                 [](const OdeContact& one) { return (one.rho.array() > 0).any(); });
  if (rolls) {
    k.rolling_mu = VectorXd::Zero(m);
    k.torsional_mu = VectorXd::Zero(m);
  }
  for (Index i = 0; i < m; ++i) {
    const ContactOfOde& one = made_.contacts[static_cast<std::size_t>(i)];
    const OdeContact& row = rows(i);
    made_.contact_joints.push_back(one.joint);
    k.pairs.row(i) << one.first, one.second;
    k.normals.row(i) = row.n.transpose();
    k.tangents.row(i) << row.t.transpose(), row.o.transpose();
    k.points.row(i) = (row.point - body(one.first).position).transpose();
    k.points2.row(i) = (row.point - body(one.second).position).transpose();
    k.gap[i] = -row.depth;
    k.mu[i] = std::min(row.mu, kNoSlipMu);
    k.restitution[i] = row.restitution;
    k.bias.row(i) = -row.c.transpose();
    k.cfm.row(i) = row.cfm.transpose() / h;
    const Vector3d impulse = h * eigen(one.felt->f1);  // on the first body
    z.row(i) << -row.n.dot(impulse), row.row_t ? -row.t.dot(impulse) : 0.0,
        row.row_o ? -row.o.dot(impulse) : 0.0;
    if (rolls) {
      k.rolling_mu[i] = row.rho[0];
      k.torsional_mu[i] = row.rho[2];
    }
  }
}

void Filling::fill_joints() {
  Joints& j = record_.frame.joints;
  const double h = settings_.h;
  const Index r = j.row_count();
  j.rate = VectorXd::Zero(r);
  j.cfm.resize(r);
  j.bias = VectorXd::Zero(r);
  VectorXd& z = record_.answer.z_joints;
  z.resize(r);
  Index row = 0, joint = 0;
  for (const JointOfOde* of_two : joints_) {
    const JointOfOde& one = *of_two;
    made_.row_joints.push_back(one.joint);
    j.pairs.row(joint++) << one.first, one.second;
    const Vector6 on_second =
        one.pair.second ? wrench(one.felt->f2, one.felt->t2) : Vector6(Vector6::Zero());
    const VectorXd forces =
        impulses_of(one.rows->rows, wrench(one.felt->f1, one.felt->t1), on_second);
    for (std::size_t i = 0; i < one.rows->rows.size(); ++i, ++row) {
      const OdeRow& asked = one.rows->rows[i];
      j.jacobian.row(row) << asked.first.transpose(), asked.second.transpose();
      j.bounds.row(row) << h * asked.lower, h * asked.upper;
      j.violation[row] = asked.violation;
      j.rate[row] = asked.rate;
      j.cfm[row] = asked.cfm / h;
      j.bias[row] = -asked.c;
      z[row] = h * forces[static_cast<Index>(i)];
    }
  }
  // Rolling and spinning friction: rows without a place among contacts, about t, o, n.
  for (Index i = 0; i < static_cast<Index>(contacts_.size()); ++i) {
    const ContactOfOde& one = made_.contacts[static_cast<std::size_t>(i)];
    const OdeContact& of = rows(i);
    if (!(of.rho.array() > 0).any()) continue;
    made_.row_joints.push_back(one.joint);
    j.pairs.row(joint++) << one.first, one.second;
    const Vector3d arm = of.point - body(one.first).position;
    const Vector3d torque = eigen(one.felt->t1) - arm.cross(eigen(one.felt->f1));
    const Vector3d axes[3] = {of.t, of.o, of.n};
    for (int k = 0; k < 3; ++k) {
      if (!(of.rho[k] > 0)) continue;
      j.jacobian.row(row) << 0, 0, 0, -axes[k].transpose(), 0, 0, 0, axes[k].transpose();
      j.cfm[row] = settings_.cfm / h;
      z[row] = -h * axes[k].dot(torque);
      ++row;
    }
  }
}

Index Filling::rolling_rows() const {
  Index count = 0;
  for (const OdeContact& one : contacts_) count += (one.rho.array() > 0).count();
  return count;
}

// Bounds of friction, by the normal impulses that they belong to: of the first solve (dWorldStep),
// or of the answer where a row of ours cannot be bounded by mu lambda_n itself.
void Filling::fill_bounds() {
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
    Index row = frame.joints.row_count() - rolling_rows();
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

void OdeGathered::clear() {
  bodies.clear();
  contacts.clear();
  joints.clear();
  feedback.clear();
}

std::size_t OdeGathered::bytes() const {
  std::size_t of_joints = 0;
  for (const JointOfOde& one : joints)
    if (one.rows) of_joints += one.rows->rows.capacity() * sizeof(OdeRow);
  return sizeof *this + bodies.capacity() * sizeof(OdeBodyCopy) +
         contacts.capacity() * (sizeof(ContactOfOde) + sizeof(dJointID)) +
         joints.capacity() * (sizeof(JointOfOde) + sizeof(dJointID)) + of_joints + feedback.bytes();
}

void OdeGathered::fill(io::Record& record) {
  Filling(*this, record).run();
  if (method == OdeMethod::quick_step && !bodies.empty()) record.answer.iterations = iterations;
  record.answer.answered = gave_up ? kGaveUp : method == OdeMethod::step ? kWorldStep : kQuickStep;
}

}  // namespace perpend::capture
