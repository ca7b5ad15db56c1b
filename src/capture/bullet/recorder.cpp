#include <algorithm>
#include <unordered_map>

#include "capture/bullet/mlcp.hpp"
#include "capture/bullet/rows.hpp"
#include "perpend/capture.hpp"
#include "perpend/capture/bullet.hpp"

namespace perpend::capture {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Time until its end is the recorder's.
class Recorded {
 public:
  Recorded(double& seconds, Clock::time_point& mark) : seconds_(seconds), mark_(mark) {}
  ~Recorded() {
    seconds_ += seconds_since(start_);
    mark_ = Clock::now();
  }

 private:
  double& seconds_;
  Clock::time_point& mark_;
  Clock::time_point start_ = Clock::now();
};

struct JointRows {
  Index first, second;
  std::size_t start, count;
};

PointRows rows_of(const BulletPools& pools, int contact, bool two_directions) {
  const btSolverConstraint& normal = pools.contacts[contact];
  const int at = normal.m_frictionIndex;
  const auto row = [&](int k) {
    return k >= 0 && k < pools.friction.size() ? &pools.friction[k] : nullptr;
  };
  return {&normal, row(at), two_directions ? row(at + 1) : nullptr};
}

template <class Rows, class Column>
void put(Column& column, const std::vector<Rows>& rows, auto&& value) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    column.row(static_cast<Index>(i)) = value(rows[i]).transpose();
}

}  // namespace

struct BulletRecorder::Step {
  std::vector<BodyRow> bodies;
  std::unordered_map<const btCollisionObject*, Index> places;  // only looked up
  std::vector<ContactRow> contacts;
  std::vector<JointRow> joint_rows;
  std::vector<JointRows> joints;
  std::vector<BulletGroup> groups;
  // Of the group in work, which is the last.
  std::vector<std::vector<JointAsked>> asked;
  std::size_t first_body = 0;
  bool two_directions = false;
  double mlcp_cfm = 0;  // on the diagonal of every row, where an MLCP is solved

  double h = 0;
  double formulation = 0, solver = 0, recording = 0;
  Clock::time_point began, mark;

  Index place(const btCollisionObject& object) {
    const auto [at, added] = places.emplace(&object, static_cast<Index>(bodies.size()));
    if (added) bodies.push_back(body_row(object));
    return at->second;
  }
  const BodyRow& body(Index i) const { return bodies[static_cast<std::size_t>(i)]; }
  bool fixed(Index i) const { return body(i).mass == 0; }

  void as_mixed(const BulletPools&, const std::vector<double>& bounds);
  Frame frame(const std::function<std::int64_t(const btCollisionObject&)>& id_of) const;
  Impulses start() const;
  std::int64_t iterations() const;
};

BulletRecorder::BulletRecorder(Sink sink, bool measured)
    : id([](const btCollisionObject& object) { return object.getWorldArrayIndex(); }),
      step_(std::make_unique<Step>()),
      listener_(std::make_unique<MlcpListener>()),
      sink_(std::move(sink)),
      measured_(measured) {}

BulletRecorder::~BulletRecorder() = default;

void BulletRecorder::begin_step() {
  *step_ = {};
  step_->began = Clock::now();
}

void BulletRecorder::before_setup(btTypedConstraint** joints, int count,
                                  const btContactSolverInfo& info) {
  const Recorded recorded(step_->recording, step_->mark);
  step_->asked.clear();
  for (int k = 0; k < count; ++k) step_->asked.push_back(ask(*joints[k], info));
}

void BulletRecorder::spent(Part part) {
  (part == Part::formulation ? step_->formulation : step_->solver) += seconds_since(step_->mark);
}

void BulletRecorder::after_setup(const BulletPools& pools, btPersistentManifold** manifolds,
                                 int count, btTypedConstraint** joints,
                                 const btContactSolverInfo& info) {
  Step& s = *step_;
  const Recorded recorded(s.recording, s.mark);
  s.h = info.m_timeStep;
  s.mlcp_cfm = info.m_globalCfm / info.m_timeStep;
  s.two_directions = (info.m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS) != 0;
  BulletGroup& group = s.groups.emplace_back();
  s.first_body = s.bodies.size();
  for (int k = 0; k < pools.bodies.size(); ++k) {
    if (!pools.bodies[k].m_originalBody) continue;  // the one that stands for all fixed bodies
    const BodyRow row = body_row(pools.bodies[k], s.h);
    if (s.places.emplace(row.object, static_cast<Index>(s.bodies.size())).second)
      s.bodies.push_back(row);
  }

  group.first_joint_row = static_cast<Index>(s.joint_rows.size());
  int next = 0;
  for (int k = 0; k < pools.joint_sizes.size(); ++k) {
    const int rows = pools.joint_sizes[k].m_numConstraintRows;
    if (rows <= 0) continue;
    const Index first = s.place(joints[k]->getRigidBodyA());
    const Index second = s.place(joints[k]->getRigidBodyB());
    if (s.fixed(first) && s.fixed(second)) {  // nothing that it holds can move
      next += rows;
      continue;
    }
    s.joints.push_back({first, second, s.joint_rows.size(), static_cast<std::size_t>(rows)});
    const std::vector<JointAsked>& asked = s.asked[static_cast<std::size_t>(k)];
    for (int r = 0; r < rows; ++r, ++next) {
      s.joint_rows.push_back(joint_row(pools.joints[next],
                                       static_cast<std::size_t>(r) < asked.size()
                                           ? asked[static_cast<std::size_t>(r)]
                                           : JointAsked{},
                                       s.body(first), s.body(second)));
      s.joint_rows.back().place = next;
    }
  }
  group.joint_rows = static_cast<Index>(s.joint_rows.size()) - group.first_joint_row;

  std::unordered_map<const void*, const btPersistentManifold*> owners;  // only looked up
  for (int k = 0; k < count; ++k)
    for (int p = 0; p < manifolds[k]->getNumContacts(); ++p)
      owners[&manifolds[k]->getContactPoint(p)] = manifolds[k];
  group.first_contact = static_cast<Index>(s.contacts.size());
  group.contacts = pools.contacts.size();
  for (int k = 0; k < pools.contacts.size(); ++k) {
    const PointRows rows = rows_of(pools, k, s.two_directions);
    const auto* point = static_cast<const btManifoldPoint*>(rows.normal->m_originalContactPoint);
    const btPersistentManifold& manifold = *owners.at(point);
    const Index first = s.place(*manifold.getBody0()), second = s.place(*manifold.getBody1());
    s.contacts.push_back(contact_row(*point, rows, first, s.body(first), second, s.body(second)));
  }
}

btMLCPSolverInterface* BulletRecorder::overhear(btMLCPSolverInterface* method) {
  listener_->listen_to(method);
  solver = listener_->name();
  return listener_.get();
}

void BulletRecorder::before_finish(const BulletPools& pools, int iterations, bool fell_back) {
  Step& s = *step_;
  const Recorded recorded(s.recording, s.mark);
  BulletGroup& group = s.groups.back();
  for (int k = 0; k < pools.contacts.size(); ++k) {
    ContactRow& contact = s.contacts[static_cast<std::size_t>(group.first_contact + k)];
    contact.z = impulses(contact, rows_of(pools, k, s.two_directions));
  }
  for (Index r = 0; r < group.joint_rows; ++r) {
    JointRow& row = s.joint_rows[static_cast<std::size_t>(group.first_joint_row + r)];
    row.z = pools.joints[row.place].m_appliedImpulse;
  }
  group.iterations = iterations;
  group.fell_back = fell_back;
  if (pools.mixed && !fell_back) s.as_mixed(pools, listener_->bounds());
}

// The group in work as its MLCP has it: `bounds` of its rows, and one compliance for all of them in
// place of their own.
void BulletRecorder::Step::as_mixed(const BulletPools& pools, const std::vector<double>& bounds) {
  std::unordered_map<const btSolverConstraint*, double> bound;  // only looked up
  for (std::size_t row = 0; row < bounds.size(); ++row)
    bound.emplace((*pools.mixed)[static_cast<int>(row)], bounds[row]);
  const BulletGroup& group = groups.back();
  for (int k = 0; k < pools.contacts.size(); ++k) {
    ContactRow& contact = contacts[static_cast<std::size_t>(group.first_contact + k)];
    const PointRows rows = rows_of(pools, k, two_directions);
    const btSolverConstraint* const along[2] = {rows.along_t, rows.along_o};
    contact.cfm[0] = mlcp_cfm;
    for (Index d = 0; d < 2; ++d)
      if (const double scale = contact.scale[d]; scale > 0) {
        contact.cfm[d + 1] = mlcp_cfm / (scale * scale);
        contact.bounds[d] = scale * bound.at(along[d]);
      }
  }
  for (Index r = 0; r < group.joint_rows; ++r)
    joint_rows[static_cast<std::size_t>(group.first_joint_row + r)].cfm = mlcp_cfm;
}

void BulletRecorder::after_finish() {
  Step& s = *step_;
  const Recorded recorded(s.recording, s.mark);
  for (std::size_t i = s.first_body; i < s.bodies.size(); ++i) {
    BodyRow& body = s.bodies[i];
    if (!body.moving) continue;
    const btVector3 &v = body.moving->getLinearVelocity(), &w = body.moving->getAngularVelocity();
    body.plus << v.x(), v.y(), v.z(), w.x(), w.y(), w.z();
  }
}

Frame BulletRecorder::Step::frame(
    const std::function<std::int64_t(const btCollisionObject&)>& id_of) const {
  Integers counts;
  for (const JointRows& joint : joints) counts.push_back(static_cast<std::int64_t>(joint.count));
  const auto m = static_cast<Index>(contacts.size());
  const auto r = static_cast<Index>(joint_rows.size());
  Frame f = make_frame(static_cast<Index>(bodies.size()), m, counts);
  f.step = h;

  for (std::size_t i = 0; i < bodies.size(); ++i) f.bodies.ids[i] = id_of(*bodies[i].object);
  for (Index i = 0; i < f.bodies.count(); ++i) {
    f.bodies.masses[i] = body(i).mass;
    f.bodies.inertia.row(i) = body(i).inertia.reshaped<Eigen::RowMajor>().transpose();
  }
  put(f.bodies.positions, bodies, [](const BodyRow& b) { return b.position; });
  put(f.bodies.quaternions, bodies, [](const BodyRow& b) { return b.quaternion; });
  put(f.bodies.velocities, bodies, [](const BodyRow& b) { return b.velocity; });
  put(f.bodies.forces, bodies, [](const BodyRow& b) { return b.force; });

  Contacts& k = f.contacts;
  k.points2.resize(m, 3);
  k.tangents.resize(m, 6);
  k.restitution.resize(m);
  k.bias.resize(m, 3);
  k.cfm.resize(m, 3);
  k.friction_bounds.resize(m, 2);
  bool rolls = false;
  for (Index i = 0; i < m; ++i) {
    const ContactRow& c = contacts[static_cast<std::size_t>(i)];
    k.pairs.row(i) << c.first, c.second;
    k.gap[i] = c.gap;
    k.mu[i] = c.mu;
    k.restitution[i] = c.restitution;
    k.tangents.row(i) << c.t.transpose(), c.o.transpose();
    rolls = rolls || c.rolling != 0 || c.torsional != 0;
  }
  put(k.normals, contacts, [](const ContactRow& c) { return c.n; });
  put(k.points, contacts, [](const ContactRow& c) { return c.r1; });
  put(k.points2, contacts, [](const ContactRow& c) { return c.r2; });
  put(k.bias, contacts, [](const ContactRow& c) { return c.bias; });
  put(k.cfm, contacts, [](const ContactRow& c) { return c.cfm; });
  put(k.friction_bounds, contacts, [](const ContactRow& c) { return c.bounds; });
  if (rolls) {
    k.rolling_mu.resize(m);
    k.torsional_mu.resize(m);
    for (Index i = 0; i < m; ++i) {
      k.rolling_mu[i] = contacts[static_cast<std::size_t>(i)].rolling;
      k.torsional_mu[i] = contacts[static_cast<std::size_t>(i)].torsional;
    }
  }

  Joints& j = f.joints;
  for (std::size_t i = 0; i < joints.size(); ++i)
    j.pairs.row(static_cast<Index>(i)) << joints[i].first, joints[i].second;
  j.rate.resize(r);
  j.cfm.resize(r);
  j.bias.resize(r);
  for (Index i = 0; i < r; ++i) {
    const JointRow& row = joint_rows[static_cast<std::size_t>(i)];
    j.jacobian.row(i) = row.jacobian.transpose();
    j.bounds.row(i) << row.lower, row.upper;
    j.violation[i] = row.violation;
    j.rate[i] = row.rate;
    j.cfm[i] = row.cfm;
    j.bias[i] = row.bias;
  }
  return f;
}

Impulses BulletRecorder::Step::start() const {
  const auto m = static_cast<Index>(contacts.size());
  Impulses out = Impulses::Zero(3 * m + static_cast<Index>(joint_rows.size()));
  for (Index i = 0; i < m; ++i) out.segment<3>(3 * i) = contacts[static_cast<std::size_t>(i)].start;
  return out;
}

// The most of any group; -1 where one of them counts none.
std::int64_t BulletRecorder::Step::iterations() const {
  std::int64_t most = 0;
  for (const BulletGroup& group : groups) {
    if (group.iterations < 0) return -1;
    most = std::max(most, group.iterations);
  }
  return most;
}

void BulletRecorder::end_step() {
  Step& s = *step_;
  BulletStep out;
  {
    const Recorded recorded(s.recording, s.mark);
    io::Record& record = out.record;
    record.frame = s.frame(id);
    record.frame.time = time_;
    time_ += s.h;
    record.answer.velocities_plus.resize(record.frame.bodies.count(), 6);
    put(record.answer.velocities_plus, s.bodies, [](const BodyRow& b) { return b.plus; });
    record.answer.z.resize(record.frame.contacts.count(), 3);
    put(record.answer.z, s.contacts, [](const ContactRow& c) { return c.z; });
    record.answer.z_joints.resize(record.frame.joints.row_count());
    for (std::size_t r = 0; r < s.joint_rows.size(); ++r)
      record.answer.z_joints[static_cast<Index>(r)] = s.joint_rows[r].z;
    out.fell_back = std::any_of(s.groups.begin(), s.groups.end(),
                                [](const BulletGroup& group) { return group.fell_back; });
    record.answer.iterations = s.iterations();
    record.answer.answered = out.fell_back ? kSequential : solver;
    record.timing.formulation = s.formulation;
    record.timing.solver = s.solver;
    out.start = s.start();
    out.groups = std::move(s.groups);
    out.began = s.began;
    if (measured_) measure_answer(record);
  }
  out.seconds = s.recording;
  sink_(out);
}

}  // namespace perpend::capture
