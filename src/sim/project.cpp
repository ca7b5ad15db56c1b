// Positions onto joints and gaps: what a linearized step leaves, velocities untouched.
//
// One pass is a mass-weighted Newton step: min 1/2 dx' M dx with J dx + gap >= 0 and J dx + Phi = 0
// at the present poses. That is a frame without velocity, force and friction, and with step 1: dx
// is its v+.
#include <algorithm>
#include <cmath>

#include "perpend/measure.hpp"
#include "sim/bullet_body.hpp"
#include "sim/step.hpp"

namespace perpend::sim {
namespace {

// Violations below this are left to the next step: far below what geometry is worth. m
constexpr double kAccurate = 1e-10;
// Contacts this near take part, so that nothing is pushed into them. m
constexpr double kNear = 1e-3;

double violation(const Frame& frame) {
  double worst = 0;
  for (Index i = 0; i < frame.contacts.count(); ++i)
    worst = std::max(worst, -frame.contacts.gap[i]);
  for (Index r = 0; r < frame.joints.row_count(); ++r) {
    const bool limit = frame.joints.bounds(r, 0) == 0;
    worst =
        std::max(worst, limit ? -frame.joints.violation[r] : std::abs(frame.joints.violation[r]));
  }
  return worst;
}

}  // namespace

void Step::correct() {
  for (int pass = 0; pass < options.correct; ++pass)
    if (!project()) break;
}

// A step that turns bodies by |w| h leaves second-order errors; where nothing turns, none.
bool Step::may_violate() const {
  double curved = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].moves) continue;
    const auto row = static_cast<Index>(i);
    const double turn = h_ * velocities_plus_.row(row).tail<3>().norm();
    const double path = h_ * velocities_plus_.row(row).head<3>().norm();
    curved = std::max(curved, turn * (turn * bodies_[i].radius / 2 + path));
  }
  for (const Kinematic& k : kinematic_)
    curved = std::max(curved, h_ * k.body->getAngularVelocity().length());
  // Anitescu and Potra's step does not look ahead: what approaches overlaps by up to v h.
  const bool straight = options.stepper == perpend::Stepper::st && curved < kAccurate;
  return !straight || report.unconverged > 0 || report.errors[Measure::own_error] * h_ > kAccurate;
}

Frame Step::positions_frame(double reach) {
  for (Moving& m : bodies_)
    if (m.moves) m.inertia = world_inertia(*m.rigid);  // it has turned
  Frame frame;
  fill_bodies(frame);
  frame.step = 1;
  frame.stepper = perpend::Stepper::st;
  frame.bodies.velocities.setZero();
  frame.bodies.forces.setZero();
  std::vector<ContactPoint> points;
  std::vector<std::pair<Index, Index>> owners;
  const Vector3d zero = Vector3d::Zero();
  for (const Pair& pair : pairs_) {
    const btCollisionObject& a = *bodies_[static_cast<std::size_t>(pair.first)].object;
    const btCollisionObject& b = *bodies_[static_cast<std::size_t>(pair.second)].object;
    finder_.find_contacts(a, b, reach,
                          {from_bullet(a.getWorldTransform().getOrigin()), zero, zero,
                           from_bullet(b.getWorldTransform().getOrigin()), zero, zero},
                          points);
    owners.resize(points.size(), {pair.first, pair.second});
  }
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
  const std::vector<HeldJoint> joints = joints_;
  const std::vector<JointRow> rows = joint_rows_;
  fill_joints(frame, h_, true);
  frame.joints.rate.setZero();
  joints_ = joints;
  joint_rows_ = rows;
  return frame;
}

bool Step::project() {
  const SolverInfo* info = solver_named("ncp/auto");
  if (!may_violate()) return false;
  Frame frame = positions_frame(kNear);
  const double worst = violation(frame);
  if (worst < kAccurate) return false;
  // Bodies are pushed about as far as they overlap; what is within that must be known.
  if (4 * worst > kNear) frame = positions_frame(4 * worst);

  if (!corrector_) corrector_ = info->make();
  Options how;
  how.tolerance = kAccurate / 10;  // metres here
  how.measure_all = false;
  how.max_iterations = options.solve.max_iterations;
  bool moved = false;
  for (const Island& island : islands(frame)) {
    const Frame own = part(frame, island);
    const double before = violation(own);
    if (before < kAccurate) continue;
    const System system = assemble(own);
    const Result result = perpend::solve(system, *info, *corrector_, how);
    if (result.impulses.size() != system.rows()) continue;
    if (result.status != Status::converged && !(result.errors[Measure::own_error] < before / 2))
      continue;
    ++report.corrected;
    moved = true;
    const Rows6 shift = velocity_plus(own, system, result.impulses);
    for (std::size_t i = 0; i < island.bodies.size(); ++i) {
      const auto body = static_cast<std::size_t>(island.bodies[i]);
      if (body >= bodies_.size() || !bodies_[body].moves) continue;
      const auto row = static_cast<Index>(i);
      move(*bodies_[body].rigid, shift.row(row).head<3>().transpose(),
           shift.row(row).tail<3>().transpose());
    }
  }
  return moved;
}

}  // namespace perpend::sim
