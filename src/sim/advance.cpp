// After v+: positions x + h v+ and the exponential map of h w+, impulses to where Bullet's users
// read them, and the projection of positions onto joints and gaps.
#include <algorithm>
#include <cmath>

#include "perpend/measure.hpp"
#include "sim/bullet_types.hpp"
#include "sim/integrate.hpp"
#include "sim/step.hpp"

namespace perpend::sim {
namespace {

// Violations below this are left to the next step: far below what geometry is worth. m
constexpr double kAccurate = 1e-10;

void move(btRigidBody& body, const Vector3d& shift, const Vector3d& turn) {
  btTransform pose = body.getCenterOfMassTransform();
  pose.setOrigin(pose.getOrigin() + to_bullet(shift));
  if (!turn.isZero(0)) {
    const btQuaternion q = pose.getRotation();
    Eigen::Quaterniond turned = exponential(turn) * Eigen::Quaterniond(q.w(), q.x(), q.y(), q.z());
    turned.normalize();
    pose.setRotation(btQuaternion(turned.x(), turned.y(), turned.z(), turned.w()));
  }
  body.proceedToTransform(pose);
}

}  // namespace

void Step::advance() {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Moving& m = bodies_[i];
    if (!m.moves) continue;
    const Vector3d v = velocities_plus_.row(static_cast<Index>(i)).head<3>().transpose();
    const Vector3d w = velocities_plus_.row(static_cast<Index>(i)).tail<3>().transpose();
    m.rigid->setLinearVelocity(to_bullet(v));
    m.rigid->setAngularVelocity(to_bullet(w));
    move(*m.rigid, h_ * v, h_ * w);
  }
  for (Kinematic& k : kinematic_) k.elapsed += h_;
  place_kinematic();
  write_back();
}

void Step::write_back() {
  std::vector<Vector3d> impulses;
  for (const Pair& pair : pairs_) {
    if (!pair.contacts) continue;
    impulses.clear();
    for (Index i = pair.start; i < pair.start + pair.count; ++i) {
      const Vector3d& normal = touches_[static_cast<std::size_t>(i)].point.normal;
      const Tangents directions = tangents(normal);
      const auto z = impulses_.segment<3>(3 * i);
      impulses.emplace_back(z[0] * normal + z[1] * directions.t + z[2] * directions.o);
    }
    pair.contacts->keep(std::span(touches_).subspan(static_cast<std::size_t>(pair.start),
                                                    static_cast<std::size_t>(pair.count)),
                        impulses);
  }
  const Index m = frame_.contacts.count();
  for (const HeldJoint& held : joints_) {
    if (!held.joint) continue;
    std::vector<Remembered>& kept = joint_impulses_[held.joint];
    kept.clear();
    const auto rows =
        std::span(joint_rows_)
            .subspan(static_cast<std::size_t>(held.start), static_cast<std::size_t>(held.count));
    const auto impulses_of = impulses_.segment(3 * m + held.start, held.count);
    for (std::size_t r = 0; r < rows.size(); ++r)
      kept.push_back({rows[r].key, impulses_of[static_cast<Index>(r)]});
    write_joint_impulses(*held.joint, rows, impulses_of, h_);
  }
}

void Step::correct() {
  for (int pass = 0; pass < options.correct; ++pass)
    if (!project()) break;
}

// One mass-weighted Newton projection: min 1/2 dx' M dx with J dx + gap >= 0 and J dx + Phi = 0 at
// the present poses, which is a frame without velocity, force and friction, and with step 1.
// False when there was nothing to do.
bool Step::project() {
  // A step that turns bodies by |w| h leaves second-order errors; where nothing turns, none.
  double curved = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].moves) continue;
    const auto row = static_cast<Index>(i);
    const double turn = h_ * velocities_plus_.row(row).tail<3>().norm();
    const double path = h_ * velocities_plus_.row(row).head<3>().norm();
    curved = std::max(curved, turn * (turn * bodies_[i].radius / 2 + path));
  }
  for (const Kinematic& k : kinematic_) {
    const double turn = h_ * k.body->getAngularVelocity().length();
    curved = std::max(curved, turn);
  }
  const double left = report.errors[Measure::own_error];
  // Anitescu and Potra's step does not look ahead: what approaches overlaps by up to v h.
  const bool straight = options.stepper == perpend::Stepper::st && curved < kAccurate;
  if (straight && !(report.unconverged > 0) && !(left * h_ > kAccurate)) return false;

  std::vector<ContactPoint> points;
  std::vector<std::pair<Index, Index>> owners;
  Frame frame;
  fill_bodies(frame);
  frame.step = 1;
  frame.stepper = perpend::Stepper::st;
  frame.bodies.velocities.setZero();
  frame.bodies.forces.setZero();
  const Vector3d zero = Vector3d::Zero();
  double worst = 0;
  for (const Pair& pair : pairs_) {
    const Moving &a = bodies_[static_cast<std::size_t>(pair.first)],
                 &b = bodies_[static_cast<std::size_t>(pair.second)];
    const Sweep rest{from_bullet(a.object->getWorldTransform().getOrigin()), zero, zero,
                     from_bullet(b.object->getWorldTransform().getOrigin()), zero, zero};
    const double reach = 1e-3;
    const std::size_t before = points.size();
    sim::find_contacts(*a.object, *b.object, reach, rest, points);
    for (std::size_t i = before; i < points.size(); ++i) {
      owners.emplace_back(pair.first, pair.second);
      worst = std::max(worst, -points[i].gap);
    }
  }
  const std::vector<HeldJoint> joints = joints_;
  const std::vector<JointRow> rows = joint_rows_;
  const auto count = static_cast<Index>(points.size());
  Contacts& c = frame.contacts;
  c.pairs.resize(count, 2);
  c.normals.resize(count, 3);
  c.points.resize(count, 3);
  c.gap.resize(count);
  c.mu = VectorXd::Zero(count);
  for (Index i = 0; i < count; ++i) {
    const ContactPoint& point = points[static_cast<std::size_t>(i)];
    const auto [a, b] = owners[static_cast<std::size_t>(i)];
    c.pairs.row(i) << a, b;
    c.normals.row(i) = point.normal.transpose();
    c.points.row(i) = point.first.transpose() - frame.bodies.positions.row(a);
    c.gap[i] = std::max(point.gap, -options.max_push * h_);
  }
  fill_joints(frame, h_, true);
  for (Index r = 0; r < frame.joints.row_count(); ++r) {
    const bool limit = frame.joints.bounds(r, 0) == 0;
    worst =
        std::max(worst, limit ? -frame.joints.violation[r] : std::abs(frame.joints.violation[r]));
  }
  frame.joints.rate.setZero();
  joints_ = joints;
  joint_rows_ = rows;
  if (worst < kAccurate) return false;

  const SolverInfo* info = solver_named(options.solver);
  const std::unique_ptr<Solver> solver = info->make();
  Options how;
  how.tolerance = kAccurate / 10;  // metres here
  how.measure_all = false;
  how.max_iterations = options.solve.max_iterations;
  for (const Island& island : islands(frame)) {
    const Frame own = part(frame, island);
    double before = 0;
    for (Index i = 0; i < own.contacts.count(); ++i)
      before = std::max(before, -own.contacts.gap[i]);
    for (Index r = 0; r < own.joints.row_count(); ++r)
      before = std::max(before, own.joints.bounds(r, 0) == 0 ? -own.joints.violation[r]
                                                             : std::abs(own.joints.violation[r]));
    if (before < kAccurate) continue;
    const System system = assemble(own);
    const Result result = perpend::solve(system, *info, *solver, how);
    if (result.impulses.size() != system.rows()) continue;
    if (result.status != Status::converged && !(result.errors[Measure::own_error] < before / 2))
      continue;
    ++report.corrected;
    const Rows6 shift = velocity_plus(own, system, result.impulses);
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
      const auto body = static_cast<std::size_t>(island.bodies[i]);
      if (body >= bodies_.size() || !bodies_[body].moves) continue;
      const auto row = static_cast<Index>(i);
      move(*bodies_[body].rigid, shift.row(row).head<3>().transpose(),
           shift.row(row).tail<3>().transpose());
    }
  }
  return true;
}

double Step::penetration() {
  world_.updateAabbs();
  world_.computeOverlappingPairs();
  btBroadphasePairArray& array =
      world_.getBroadphase()->getOverlappingPairCache()->getOverlappingPairArray();
  double deepest = 0;
  for (int i = 0; i < array.size(); ++i) {
    auto* first = static_cast<btCollisionObject*>(array[i].m_pProxy0->m_clientObject);
    auto* second = static_cast<btCollisionObject*>(array[i].m_pProxy1->m_clientObject);
    if (first->isStaticOrKinematicObject() && second->isStaticOrKinematicObject()) continue;
    if (!world_.getDispatcher()->needsCollision(first, second) ||
        !world_.getDispatcher()->needsResponse(first, second))
      continue;
    deepest = std::max(deepest, sim::penetration(*first, *second));
  }
  return deepest;
}

double Step::joint_violation() {
  double worst = 0;
  for (int k = 0; k < world_.getNumConstraints(); ++k)
    if (world_.getConstraint(k)->isEnabled())
      worst = std::max(worst, separation(*world_.getConstraint(k)));
  return worst;
}

// Bullet moves kinematic bodies to the end of the step before it; the step starts where they were.
void Step::kinematic_before() {
  kinematic_.clear();
  const btCollisionObjectArray& objects = world_.getCollisionObjectArray();
  for (int i = 0; i < objects.size(); ++i) {
    btRigidBody* body = btRigidBody::upcast(objects[i]);
    if (body && body->isKinematicObject() && body->getActivationState() != ISLAND_SLEEPING)
      kinematic_.push_back({body, body->getInterpolationWorldTransform(), {}, 0, 0, false});
  }
}

void Step::kinematic_after(double time) {
  for (Kinematic& k : kinematic_) {
    k.to = k.body->getWorldTransform();
    k.duration = time;
  }
}

void Step::place_kinematic() {
  for (Kinematic& k : kinematic_) {
    if (k.arrived) continue;
    if (k.elapsed >= k.duration * (1 - 1e-9)) {
      k.body->setWorldTransform(k.to);
      k.arrived = true;
      continue;
    }
    btTransform pose = k.from;
    if (k.elapsed > 0)
      btTransformUtil::integrateTransform(k.from, k.body->getLinearVelocity(),
                                          k.body->getAngularVelocity(), k.elapsed, pose);
    k.body->setWorldTransform(pose);
  }
}

void Step::call_on_step() { on_step({frame_, impulses_, velocities_plus_}, report); }

void Step::forget(const btTypedConstraint* joint) { joint_impulses_.erase(joint); }

void Step::forget(const btRigidBody* body) {
  std::erase_if(kinematic_, [&](const Kinematic& k) { return k.body == body; });
}

}  // namespace perpend::sim
