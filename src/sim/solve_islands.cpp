// v+ of a step: its islands one by one, each a problem of its own. What happens in one island is a
// function of that island alone, whatever else is in the world: the same bits with any other bodies
// far away.
#include <algorithm>
#include <cmath>

#include "perpend/measure.hpp"
#include "sim/settle_groups.hpp"
#include "sim/step.hpp"
#include "sim/stopwatch.hpp"

namespace perpend::sim {

Impulses Step::last_impulses() {
  const Index m = frame_.contacts.count(), r = frame_.joints.row_count();
  known_.assign(static_cast<std::size_t>(m), false);
  Impulses last = Impulses::Zero(3 * m + r);
  for (const Pair& pair : pairs_) {
    const std::span<const ContactMemory::Impulse> old =
        memory_.of(bodies_[static_cast<std::size_t>(pair.first)].id,
                   bodies_[static_cast<std::size_t>(pair.second)].id);
    for (Index i = pair.start; i < pair.start + pair.count; ++i) {
      const PairContacts::Touch& touch = touches_[static_cast<std::size_t>(i)];
      const auto found = std::find_if(
          old.begin(), old.end(),
          [&](const ContactMemory::Impulse& one) { return one.feature == touch.point.feature; });
      if (found == old.end()) continue;
      known_[static_cast<std::size_t>(i)] = true;
      last.segment<3>(3 * i) << found->impulse.dot(touch.point.normal),
          found->impulse.dot(touch.tangents.t), found->impulse.dot(touch.tangents.o);
    }
  }
  for (const HeldJoint& held : joints_) {
    const auto found = joint_impulses_.find(held.joint);
    if (!held.joint || found == joint_impulses_.end()) continue;
    for (Index row = held.start; row < held.start + held.count; ++row)
      for (const Remembered& old : found->second)
        if (old.key == joint_rows_[static_cast<std::size_t>(row)].key)
          last[3 * m + row] = old.impulse;
  }
  return last;
}

const SolverInfo* Step::solver_info() {
  const SolverInfo* info = solver_named(options.solver);
  if (!info) {  // a world that is told a wrong name still holds its bodies apart
    report.status = Status::invalid_input;
    report.message = "no solver is called '" + options.solver + "'; ncp/auto was taken";
    info = solver_named("ncp/auto");
  }
  if (solver_name_ != info->name) solvers_.clear();
  solver_name_ = info->name;
  while (static_cast<int>(solvers_.size()) < executor().workers()) solvers_.push_back(info->make());
  return info;
}

bool Step::doubtful(const Island& island) const {
  const Integers& ids = frame_.bodies.ids;
  for (Index body : island.bodies)
    if (std::binary_search(fell_short_.begin(), fell_short_.end(),
                           ids[static_cast<std::size_t>(body)]))
      return true;
  for (Index i : island.contacts)
    if (!known_[static_cast<std::size_t>(i)]) return true;
  return false;
}

Step::IslandAnswer Step::solve_island(const Island& island, const Impulses& last,
                                      const SolverInfo& info, Solver& solver) const {
  IslandAnswer answer;
  Frame own;
  System system;
  Options how = for_solve();
  {
    Stopwatch watch(answer.formulation_seconds);
    own = part(frame_, island);
    system = assemble(own);
    if (options.warm) {
      Rows3 contacts(static_cast<Index>(island.contacts.size()), 3);
      VectorXd joints(static_cast<Index>(island.joint_rows.size()));
      for (Index i = 0; i < contacts.rows(); ++i)
        contacts.row(i) =
            last.segment<3>(3 * island.contacts[static_cast<std::size_t>(i)]).transpose();
      for (Index r = 0; r < joints.size(); ++r)
        joints[r] =
            last[3 * frame_.contacts.count() + island.joint_rows[static_cast<std::size_t>(r)]];
      const Impulses start = from_rows(system, contacts, joints);
      // Where contacts are new or the last step fell short, its answer may be worse than nothing.
      if (!doubtful(island) ||
          measure(system, start, Measure::velocity_error) <
              measure(system, Impulses::Zero(start.size()), Measure::velocity_error))
        how.warm_start = start;
    }
  }
  {
    Stopwatch watch(answer.solver_seconds);
    answer.result = perpend::solve(system, info, solver, how);
    GroupSettler settler;
    while (answer.result.status == Status::converged && !system.groups.empty()) {
      Impulses start = answer.result.impulses;
      if (!settler.settle(system, start)) break;
      ++answer.settled;
      how = for_solve();
      how.warm_start = start;
      Result again = perpend::solve(system, info, solver, how);
      again.iterations += answer.result.iterations;
      for (std::size_t w = 0; w < kWorks; ++w) again.work[w] += answer.result.work[w];
      answer.result = std::move(again);
    }
  }
  const Impulses& found = answer.result.impulses;
  if (found.size() != system.rows()) return answer;
  answer.contacts = contact_rows(system, found);
  answer.joints = found.tail(static_cast<Index>(island.joint_rows.size()));
  answer.velocities_plus = velocity_plus(own, system, found);
  return answer;
}

void Step::count(const IslandAnswer& answer) {
  report.formulation_seconds += answer.formulation_seconds;
  report.solver_seconds += answer.solver_seconds;
  report.settled += answer.settled;
  report.iterations += answer.result.iterations;
  for (std::size_t w = 0; w < kWorks; ++w) report.work[w] += answer.result.work[w];
  stopped_ |= answer.result.status == Status::stopped;
  limited_ |= answer.result.status == Status::time_limit;
}

void Step::tell(const Result& result) {
  ++report.paths[result.path.substr(0, result.path.find(','))];
  if (result.status != Status::converged) {
    ++report.unconverged;
    report.status = result.status;
    report.message = result.message;
  }
  for (const MeasureInfo& one : measures())
    if (result.errors.has(one.measure) &&
        !(std::abs(report.errors[one.measure]) >= std::abs(result.errors[one.measure])))
      report.errors[one.measure] = result.errors[one.measure];
}

void Step::take(const Island& island, const IslandAnswer& answer) {
  if (answer.velocities_plus.rows() == 0) return;
  for (std::size_t i = 0; i < island.contacts.size(); ++i)
    impulses_.segment<3>(3 * island.contacts[i]) =
        answer.contacts.row(static_cast<Index>(i)).transpose();
  for (std::size_t r = 0; r < island.joint_rows.size(); ++r)
    impulses_[3 * frame_.contacts.count() + island.joint_rows[r]] =
        answer.joints[static_cast<Index>(r)];
  for (std::size_t i = 0; i < island.bodies.size(); ++i)
    velocities_plus_.row(island.bodies[i]) = answer.velocities_plus.row(static_cast<Index>(i));
}

void Step::solve_islands() {
  const SolverInfo* info = solver_info();
  impulses_ = Impulses::Zero(3 * frame_.contacts.count() + frame_.joints.row_count());
  velocities_plus_ = frame_.bodies.velocities;
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (bodies_[i].moves) {
      velocities_plus_.row(static_cast<Index>(i)).head<3>() = bodies_[i].velocity.transpose();
      velocities_plus_.row(static_cast<Index>(i)).tail<3>() = bodies_[i].spin.transpose();
    }
  Impulses last;
  {
    Stopwatch watch(report.formulation_seconds);
    islands_ = islands(frame_);
    last = options.warm ? last_impulses() : impulses_;
  }
  const auto many = static_cast<Index>(islands_.size());
  report.islands += many;
  std::vector<IslandAnswer> answers(islands_.size());
  executor().for_each(many, [&, order = largest_first(islands_)](Index i, int worker) {
    const std::size_t k = order[static_cast<std::size_t>(i)];
    answers[k] =
        solve_island(islands_[k], last, *info, *solvers_[static_cast<std::size_t>(worker)]);
  });
  outcomes_.clear();
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    count(answers[k]);
    tell(answers[k].result);
    take(islands_[k], answers[k]);
    outcomes_.push_back({answers[k].result.status == Status::converged,
                         answers[k].result.errors[Measure::own_error]});
  }
}

// An observer sees one island after the other.
Executor& Step::executor() { return options.solve.observer ? serial_ : *executor_; }

// Who belongs to an island that stayed above the tolerance: doubtful in the next step.
void Step::remember_short() {
  fell_short_.clear();
  for (std::size_t k = 0; k < islands_.size(); ++k)
    if (!outcomes_[k].converged)
      for (Index body : islands_[k].bodies)
        if (!frame_.bodies.fixed(body))
          fell_short_.push_back(frame_.bodies.ids[static_cast<std::size_t>(body)]);
  std::sort(fell_short_.begin(), fell_short_.end());
}

}  // namespace perpend::sim
