// Positions onto joints and gaps: what a linearized step leaves, velocities untouched.
//
// One pass is a mass-weighted Newton step: min 1/2 dx' M dx with J dx + gap >= 0 and J dx + Phi = 0
// at the present poses. That is a frame without velocity, force and friction, and with step 1: dx
// is its v+. The passes of a step share their iterations, island by island, and an island that
// cannot be projected is not asked again: where no positions keep gaps and joints, each pass would
// take all that it may.
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
// Iterations of all passes of a step, for one island, unless one solve may take more.
constexpr long kTogether = 2000;

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
  std::vector<long> iterations(bodies_.size(), 0);
  for (int pass = 0; pass < options.correct; ++pass)
    if (!project(iterations)) break;
}

// Bodies of islands whose positions the step may have left off. A step that turns bodies by |w| h
// leaves second-order errors; where nothing turns, none.
std::vector<bool> Step::may_violate() const {
  std::vector<bool> may(static_cast<std::size_t>(frame_.bodies.count()), false);
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    double curved = 0;
    for (Index row : islands_[k].bodies) {
      if (row >= static_cast<Index>(bodies_.size())) continue;  // the world itself
      const Moving& m = bodies_[static_cast<std::size_t>(row)];
      if (m.moves) {
        const double turn = h_ * velocities_plus_.row(row).tail<3>().norm();
        const double path = h_ * velocities_plus_.row(row).head<3>().norm();
        curved = std::max(curved, turn * (turn * m.radius / 2 + path));
      } else if (m.rigid && m.rigid->isKinematicObject()) {
        curved = std::max(curved, h_ * m.rigid->getAngularVelocity().length());
      }
    }
    // Anitescu and Potra's step does not look ahead: what approaches overlaps by up to v h.
    const bool straight = options.stepper == perpend::Stepper::st && curved < kAccurate;
    if (straight && outcomes_[k].converged && !(outcomes_[k].own_error * h_ > kAccurate)) continue;
    for (Index row : islands_[k].bodies)
      if (!frame_.bodies.fixed(row)) may[static_cast<std::size_t>(row)] = true;
  }
  return may;
}

// `deep`: how deep the bodies' islands overlap, m. Bodies are pushed about as far; what is within
// that must be known.
Frame Step::positions_frame(const std::vector<double>& deep) {
  for (Moving& m : bodies_)
    if (m.moves) m.inertia = world_inertia(*m.rigid);  // it has turned
  Frame frame;
  fill_bodies(frame);
  frame.step = 1;
  frame.stepper = perpend::Stepper::st;
  frame.bodies.velocities.setZero();
  frame.bodies.forces.setZero();
  std::vector<std::vector<ContactPoint>> points(pairs_.size());
  while (static_cast<int>(finders_.size()) < executor().workers()) finders_.emplace_back();
  for_pairs([&](Index i, int worker) {
    const Pair& pair = pairs_[static_cast<std::size_t>(i)];
    const btCollisionObject& a = *bodies_[static_cast<std::size_t>(pair.first)].object;
    const btCollisionObject& b = *bodies_[static_cast<std::size_t>(pair.second)].object;
    const double deepest = std::max(deep[static_cast<std::size_t>(pair.first)],
                                    deep[static_cast<std::size_t>(pair.second)]);
    const Vector3d zero = Vector3d::Zero();
    finders_[static_cast<std::size_t>(worker)].find_contacts(
        a, b, std::max(kNear, 4 * deepest),
        {from_bullet(a.getWorldTransform().getOrigin()), zero, zero,
         from_bullet(b.getWorldTransform().getOrigin()), zero, zero},
        points[static_cast<std::size_t>(i)]);
  });
  Index count = 0;
  for (const auto& list : points) count += static_cast<Index>(list.size());
  Contacts& c = frame.contacts;
  c.pairs.resize(count, 2);
  c.normals.resize(count, 3);
  c.points.resize(count, 3);
  c.gap.resize(count);
  c.mu = VectorXd::Zero(count);
  Index i = 0;
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    for (const ContactPoint& point : points[k]) {
      c.pairs.row(i) << pairs_[k].first, pairs_[k].second;
      c.normals.row(i) = point.normal.transpose();
      c.points.row(i) = point.first.transpose() - frame.bodies.positions.row(pairs_[k].first);
      c.gap[i++] = std::max(point.gap, -options.max_push * h_);
    }
  const std::vector<HeldJoint> joints = joints_;
  const std::vector<JointRow> rows = joint_rows_;
  fill_joints(frame, h_, true);
  frame.joints.rate.setZero();
  joints_ = joints;
  joint_rows_ = rows;
  return frame;
}

bool Step::project(std::vector<long>& iterations) {
  const std::vector<bool> may = may_violate();
  if (std::find(may.begin(), may.end(), true) == may.end() || over()) return false;
  std::vector<double> deep(may.size() + 1, 0);  // and the world's row, where it is needed only now
  Frame frame = positions_frame(deep);
  // Each island by itself, whatever the others need.
  const auto wanted = [&](const Island& island) {
    return std::any_of(island.bodies.begin(), island.bodies.end(), [&](Index row) {
      return static_cast<std::size_t>(row) < may.size() && may[static_cast<std::size_t>(row)];
    });
  };
  std::vector<Island> list = islands(frame);
  std::erase_if(list, [&](const Island& island) { return !wanted(island); });
  bool any = false, deeper = false;
  for (const Island& island : list) {
    const double worst = violation(part(frame, island));
    any |= worst >= kAccurate;
    if (4 * worst <= kNear) continue;
    deeper = true;
    for (Index row : island.bodies)
      if (!frame.bodies.fixed(row)) deep[static_cast<std::size_t>(row)] = worst;
  }
  if (!any || over()) return false;
  if (deeper) {
    frame = positions_frame(deep);
    list = islands(frame);
    std::erase_if(list, [&](const Island& island) { return !wanted(island); });
  }

  const SolverInfo* info = solver_named("ncp/auto");
  while (static_cast<int>(correctors_.size()) < executor().workers())
    correctors_.push_back(info->make());
  const auto taken = [&](const Island& island) {
    long most = 0;
    for (Index row : island.bodies)
      if (row < static_cast<Index>(bodies_.size()))
        most = std::max(most, iterations[static_cast<std::size_t>(row)]);
    return most;
  };
  const long together = std::max(options.solve.max_iterations, kTogether);
  std::vector<Status> ends(list.size(), Status::converged);
  std::vector<long> spent(list.size(), 0);
  std::vector<Rows6> shifts(list.size());  // no rows: stays where it is
  executor().for_each(
      static_cast<Index>(list.size()), [&, order = largest_first(list)](Index i, int worker) {
        const std::size_t k = order[static_cast<std::size_t>(i)];
        const Frame own = part(frame, list[k]);
        const double before = violation(own);
        const long most = std::min(options.solve.max_iterations, together - taken(list[k]));
        if (before < kAccurate || most <= 0) return;
        const System system = assemble(own);
        Options how;
        how.tolerance = kAccurate / 10;  // metres here
        how.measure_all = false;
        how.max_iterations = most;
        how.memory_limit = options.solve.memory_limit;
        how.cancelled = options.solve.cancelled;
        how.clock = options.solve.clock;
        how.time_limit = left();
        const Result result =
            perpend::solve(system, *info, *correctors_[static_cast<std::size_t>(worker)], how);
        ends[k] = result.status;
        spent[k] = together;
        if (result.impulses.size() != system.rows()) return;
        if (result.status != Status::converged && !(result.errors[Measure::own_error] < before / 2))
          return;
        Rows6 shift = velocity_plus(own, system, result.impulses);
        if (!shift.allFinite()) return;
        shifts[k] = std::move(shift);
        spent[k] = result.iterations;
      });
  for (const Status end : ends) {
    stopped_ |= end == Status::stopped;
    limited_ |= end == Status::time_limit;
  }
  bool moved = false;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const long sum = taken(list[k]) + spent[k];
    for (Index row : list[k].bodies)
      if (row < static_cast<Index>(bodies_.size()) && bodies_[static_cast<std::size_t>(row)].moves)
        iterations[static_cast<std::size_t>(row)] = sum;
    if (shifts[k].rows() == 0) continue;
    ++report.corrected;
    moved = true;
    for (std::size_t i = 0; i < list[k].bodies.size(); ++i) {
      const auto body = static_cast<std::size_t>(list[k].bodies[i]);
      if (body >= bodies_.size() || !bodies_[body].moves) continue;
      const auto row = static_cast<Index>(i);
      move(*bodies_[body].rigid, shifts[k].row(row).head<3>().transpose(),
           shifts[k].row(row).tail<3>().transpose());
    }
  }
  return moved;
}

}  // namespace perpend::sim
