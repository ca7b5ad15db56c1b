#include "sim/project.hpp"

#include <algorithm>
#include <cmath>

#include "perpend/measure.hpp"
#include "sim/bullet_body.hpp"
#include "sim/drives.hpp"

namespace perpend::sim {
namespace {

// Contacts this near take part, so that nothing is pushed into them. m
constexpr double kNear = 1e-3;
// Iterations of all passes of a step, for one island, unless one solve may take more.
constexpr long kTogether = 2000;

// Where the pairs touch at the present poses, but for those between two bodies that are left alone.
class PresentPoints {
 public:
  PresentPoints(const std::vector<TouchPair>& pairs, const StepBodies& bodies,
                const std::vector<bool>& alone, std::vector<ContactFinder>& finders,
                Executor& executor)
      : pairs_(pairs),
        bodies_(bodies),
        alone_(alone),
        finders_(finders),
        executor_(executor),
        points_(pairs.size()),
        reach_(pairs.size(), -1),
        moved_(bodies.list.size(), 0) {
    while (static_cast<int>(finders.size()) < executor.workers()) finders.emplace_back();
  }

  void moved(Index body) { moved_[static_cast<std::size_t>(body)] = 1; }

  // `deep`: how deep the bodies' islands overlap, m. Bodies are pushed about as far; what is within
  // that must be known. Pairs are looked at where they have moved or must be known farther.
  const std::vector<std::vector<ContactPoint>>& find(const std::vector<double>& deep) {
    const auto at = [](Index i) { return static_cast<std::size_t>(i); };
    const auto left = [&](Index body) { return alone_[at(body)] || !bodies_.moves(body); };
    for_pairs(pairs_, bodies_, executor_, [&](Index i, int worker) {
      const TouchPair& pair = pairs_[at(i)];
      if (left(pair.first) && left(pair.second)) return;
      const double reach =
          std::max(kNear, 4 * std::max(deep[at(pair.first)], deep[at(pair.second)]));
      if (reach == reach_[at(i)] && !moved_[at(pair.first)] && !moved_[at(pair.second)]) return;
      reach_[at(i)] = reach;
      points_[at(i)].clear();
      const btCollisionObject &a = *bodies_[pair.first].object, &b = *bodies_[pair.second].object;
      const Vector3d zero = Vector3d::Zero();
      finders_[at(worker)].find_contacts(
          a, b, reach,
          {from_bullet(a.getWorldTransform().getOrigin()), zero, zero,
           from_bullet(b.getWorldTransform().getOrigin()), zero, zero},
          points_[at(i)]);
    });
    std::fill(moved_.begin(), moved_.end(), 0);
    return points_;
  }

 private:
  const std::vector<TouchPair>& pairs_;
  const StepBodies& bodies_;
  const std::vector<bool>& alone_;
  std::vector<ContactFinder>& finders_;
  Executor& executor_;
  std::vector<std::vector<ContactPoint>> points_;
  std::vector<double> reach_;  // with which they were found; -1: never
  std::vector<char> moved_;    // bodies, since then
};

// Islands of the frame in which one of these bodies is.
std::vector<Island> islands_with(const Frame& frame, const std::vector<bool>& wanted) {
  std::vector<Island> list = islands(frame);
  std::erase_if(list, [&](const Island& island) {
    return std::none_of(island.bodies.begin(), island.bodies.end(), [&](Index row) {
      return static_cast<std::size_t>(row) < wanted.size() && wanted[static_cast<std::size_t>(row)];
    });
  });
  return list;
}

// The iterations that all passes of a step may take, island by island: islands change from pass to
// pass, so bodies count them.
class Budget {
 public:
  Budget(const StepBodies& bodies, long most)
      : bodies_(bodies), most_(std::max(most, kTogether)), taken_(bodies.list.size(), 0) {}
  long left(const Island& island) const { return most_ - taken(island); }
  void spend(const Island& island, const Shift& shift) {
    const bool failed = shift.end != Status::not_called && shift.bodies.rows() == 0;
    const long sum = taken(island) + (failed ? most_ : shift.iterations);
    for (Index row : island.bodies)
      if (bodies_.moves(row)) taken_[static_cast<std::size_t>(row)] = sum;
  }

 private:
  long taken(const Island& island) const {
    long most = 0;
    for (Index row : island.bodies)
      if (row < bodies_.count()) most = std::max(most, taken_[static_cast<std::size_t>(row)]);
    return most;
  }
  const StepBodies& bodies_;
  long most_;
  std::vector<long> taken_;  // by the body's island
};

double row_violation(const Joints& joints, Index row) {
  const bool limit = joints.bounds(row, 0) == 0;
  return limit ? -joints.violation[row] : std::abs(joints.violation[row]);
}

void shift_bodies(const StepBodies& bodies, const Island& island, const Rows6& shifts) {
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    if (!bodies.moves(island.bodies[i])) continue;
    const auto row = shifts.row(static_cast<Index>(i));
    move(*bodies[island.bodies[i]].rigid, row.head<3>().transpose(), row.tail<3>().transpose());
  }
}

// Of the shift: the error of second order, m.
double bend(const StepBodies& bodies, const Island& island, const Shift& shift) {
  double worst = 0;
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    if (!bodies.moves(island.bodies[i])) continue;
    const auto row = shift.bodies.row(static_cast<Index>(i));
    const double path = row.head<3>().norm(), turn = row.tail<3>().norm();
    worst = std::max(worst, turn * (turn * bodies[island.bodies[i]].radius / 2 + path));
  }
  return worst;
}

// Whether the shift, which is linear in the turns, may leave something: an error of second order, a
// joint whose anchor is anywhere, a contact that was too far to take part.
bool leaves_more(const StepBodies& bodies, const Island& island, const Shift& shift) {
  if (shift.end != Status::converged || !island.joint_rows.empty()) return true;
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    if (!bodies.moves(island.bodies[i])) continue;
    const auto row = shift.bodies.row(static_cast<Index>(i));
    const double path = row.head<3>().norm(), turn = row.tail<3>().norm();
    const double radius = bodies[island.bodies[i]].radius;
    if (turn * (turn * radius / 2 + path) > kAccurate / 10 || path + turn * radius > kNear / 2)
      return true;
  }
  return false;
}

}  // namespace

double violation(const Frame& frame) {
  double worst = 0;
  for (Index i = 0; i < frame.contacts.count(); ++i)
    worst = std::max(worst, -frame.contacts.gap[i]);
  for (Index r = 0; r < frame.joints.row_count(); ++r)
    worst = std::max(worst, row_violation(frame.joints, r));
  return worst;
}

double violation(const Frame& frame, const Island& island) {
  double worst = 0;
  for (const Index i : island.contacts) worst = std::max(worst, -frame.contacts.gap[i]);
  for (const Index r : island.joint_rows) worst = std::max(worst, row_violation(frame.joints, r));
  return worst;
}

std::vector<bool> may_violate(const StepBodies& bodies, const Frame& frame,
                              const Solution& solution) {
  const double h = frame.step;
  std::vector<bool> may(static_cast<std::size_t>(frame.bodies.count()), false);
  for (std::size_t k = 0; k < solution.islands.size(); ++k) {
    const Island& island = solution.islands[k];
    double curved = 0;
    for (Index row : island.bodies) {
      if (row >= bodies.count()) continue;  // the world itself
      const StepBody& m = bodies[row];
      if (m.moves) {
        const double turn = h * solution.velocities_plus.row(row).tail<3>().norm();
        const double path = h * solution.velocities_plus.row(row).head<3>().norm();
        curved = std::max(curved, turn * (turn * m.radius / 2 + path));
      } else if (m.rigid && m.rigid->isKinematicObject()) {
        curved = std::max(curved, h * m.rigid->getAngularVelocity().length());
      }
    }
    // Anitescu and Potra's step does not look ahead: what approaches overlaps by up to v h.
    const bool straight = frame.stepper == Stepper::st && curved < kAccurate;
    const Outcome& outcome = solution.outcomes[k];
    if (outcome.closed || outcome.held) continue;
    if (straight && outcome.converged && !(outcome.own_error * h > kAccurate)) continue;
    for (Index row : island.bodies)
      if (!frame.bodies.fixed(row)) may[static_cast<std::size_t>(row)] = true;
  }
  return may;
}

std::vector<bool> left_alone(const Frame& frame, const Solution& solution, std::string_view solver,
                             const Account* account) {
  std::vector<bool> alone(static_cast<std::size_t>(frame.bodies.count()), false);
  const bool limited = account && account->limited();
  if (!limited && !sweeps(solver)) return alone;
  for (std::size_t k = 0; k < solution.islands.size(); ++k) {
    const Island& island = solution.islands[k];
    if (solution.outcomes[k].converged) continue;
    if (limited && (!large(island) || !swept(solver, account->first_share()))) continue;
    for (Index row : island.bodies)
      if (!frame.bodies.fixed(row)) alone[static_cast<std::size_t>(row)] = true;
  }
  return alone;
}

std::vector<double> still_overlapping(const Touches& touches, double max_push, double h) {
  std::vector<double> still;
  for (const TouchPair& pair : touches.pairs) {
    double began = 0;
    for (Index i = pair.start; i < pair.start + pair.count; ++i)
      began = std::max(began, -touches.list[static_cast<std::size_t>(i)].point.gap);
    still.push_back(std::max(0.0, began - max_push * h));
  }
  return still;
}

Frame positions_frame(Bodies bodies, const std::vector<TouchPair>& pairs,
                      const std::vector<std::vector<ContactPoint>>& points,
                      const HeldJoints& joints, const std::vector<double>& still) {
  Frame frame;
  frame.step = 1;
  bodies.velocities.setZero();
  bodies.forces.setZero();
  Index count = 0;
  for (const auto& list : points) count += static_cast<Index>(list.size());
  Contacts& c = frame.contacts;
  c.pairs.resize(count, 2);
  c.normals.resize(count, 3);
  c.points.resize(count, 3);
  c.gap.resize(count);
  c.mu = VectorXd::Zero(count);
  Index i = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    for (const ContactPoint& point : points[k]) {
      c.pairs.row(i) << pairs[k].first, pairs[k].second;
      c.normals.row(i) = point.normal.transpose();
      c.points.row(i) = point.first.transpose() - bodies.positions.row(pairs[k].first);
      c.gap[i++] = point.gap + still[k];
    }
  frame.joints = joint_columns(joints);
  frame.joints.rate.setZero();
  frame.bodies = joints.world ? with_world(bodies) : std::move(bodies);
  return frame;
}

Shift project_island(const Frame& own, const Options& how, const SolverInfo& info, Solver& solver) {
  Shift shift;
  const System system = assemble(own);
  const Result result = perpend::solve(system, info, solver, how);
  shift.end = result.status;
  shift.iterations = result.iterations;
  shift.sweeps = result.sweeps;
  if (result.impulses.size() != system.rows()) return shift;
  if (result.status != Status::converged &&
      !(result.errors[Measure::own_error] < violation(own) / 2))
    return shift;
  Rows6 bodies = velocity_plus(own, system, result.impulses);
  if (bodies.allFinite()) shift.bodies = std::move(bodies);
  return shift;
}

std::vector<Shift> project_islands(const Frame& frame, const std::vector<Island>& list,
                                   const std::vector<long>& most, const Options& options,
                                   const Solving& with) {
  with.solvers.prepare(*solver_named("ncp/auto"), with.executor.workers());
  std::vector<Shift> shifts(list.size());
  const std::vector<std::size_t> order = largest_first(list);
  with.executor.for_each(static_cast<Index>(list.size()), [&](Index i, int worker) {
    const std::size_t k = order[static_cast<std::size_t>(i)];
    const long iterations = std::min(options.max_iterations, most[k]);
    if (violation(frame, list[k]) < kAccurate || iterations <= 0) return;
    Options how;
    how.tolerance = kAccurate / 10;  // metres here
    how.measure_all = false;
    how.max_iterations = iterations;
    how.memory_limit = options.memory_limit;
    how.cancelled = options.cancelled;
    how.clock = options.clock;
    how.time_limit = with.clock.left();
    if (with.account && with.account->limited()) how.effort = with.account->share();
    shifts[k] =
        project_island(part(frame, list[k]), how, with.solvers.info(), with.solvers.of(worker));
  });
  if (with.account)
    for (std::size_t k = 0; k < list.size(); ++k) with.account->pay(list[k], shifts[k].sweeps);
  return shifts;
}

Index correct_positions(StepSetup& setup, const Solution& solution,
                        const std::vector<btTypedConstraint*>& joints, const StepOptions& options,
                        std::vector<ContactFinder>& finders, const Solving& with) {
  if (options.correct <= 0) return 0;
  StepBodies& bodies = setup.bodies;
  const std::vector<TouchPair>& pairs = setup.touches.pairs;
  const double h = setup.frame.step;
  std::vector<bool> may = may_violate(bodies, setup.frame, solution);
  const std::vector<bool> alone = left_alone(setup.frame, solution, options.solver, with.account);
  for (std::size_t i = 0; i < may.size(); ++i) may[i] = may[i] && !alone[i];
  if (std::find(may.begin(), may.end(), true) == may.end()) return 0;

  const std::vector<double> still = still_overlapping(setup.touches, options.max_push, h);
  PresentPoints present(pairs, bodies, alone, finders, with.executor);
  const auto present_frame = [&](const std::vector<double>& deep) {
    for (StepBody& m : bodies.list)
      if (m.moves) m.inertia = world_inertia(*m.rigid);  // it has turned
    HeldJoints now = held_joints(joints, bodies, h, setup.joints.drives);
    leave_as(setup.joints, now);
    return positions_frame(body_columns(bodies), pairs, present.find(deep), positions_alone(now),
                           still);
  };
  Budget budget(bodies, options.solve.max_iterations);
  Index shifted = 0;
  for (int pass = 0; pass < options.correct && !with.over(); ++pass) {
    // Of each body, and the world's row, where it is needed only now.
    std::vector<double> deep(may.size() + 1, 0);
    Frame frame = present_frame(deep);
    // Each island by itself, whatever the others need.
    std::vector<Island> list = islands_with(frame, may);
    bool any = false, deeper = false;
    for (const Island& island : list) {
      const double worst = violation(frame, island);
      any |= worst >= kAccurate;
      if (4 * worst <= kNear) continue;
      deeper = true;
      for (Index row : island.bodies)
        if (!frame.bodies.fixed(row)) deep[static_cast<std::size_t>(row)] = worst;
    }
    if (!any || with.over()) break;
    if (deeper) {
      frame = present_frame(deep);
      list = islands_with(frame, may);
    }
    std::vector<long> most(list.size());
    std::transform(list.begin(), list.end(), most.begin(),
                   [&](const Island& island) { return budget.left(island); });
    std::vector<Shift> shifts = project_islands(frame, list, most, options.solve, with);
    bool again = false;
    for (std::size_t k = 0; k < list.size(); ++k) {
      with.clock.note(shifts[k].end);
      budget.spend(list[k], shifts[k]);
      if (shifts[k].bodies.rows() == 0) continue;
      ++shifted;
      // Near a stretched chain joints close by huge turns only: as far as they are linear.
      if (!list[k].joint_rows.empty())
        if (const double bent = bend(bodies, list[k], shifts[k]), open = violation(frame, list[k]);
            bent > open)
          shifts[k].bodies *= open / bent;
      shift_bodies(bodies, list[k], shifts[k].bodies);
      for (const Index row : list[k].bodies)
        if (bodies.moves(row)) present.moved(row);
      again |= leaves_more(bodies, list[k], shifts[k]);
    }
    if (!again) break;
  }
  return shifted;
}

}  // namespace perpend::sim
