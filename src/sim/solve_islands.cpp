#include "sim/solve_islands.hpp"

#include <algorithm>

#include "perpend/measure.hpp"
#include "sim/settle_groups.hpp"
#include "sim/stopwatch.hpp"

namespace perpend::sim {
namespace {

// Where contacts are new or the last step fell short, its answer may be worse than nothing.
bool doubtful(const Frame& frame, const Island& island, const Start& start) {
  for (Index body : island.bodies)
    if (std::binary_search(start.fell_short.begin(), start.fell_short.end(),
                           frame.bodies.ids[static_cast<std::size_t>(body)]))
      return true;
  for (Index i : island.contacts)
    if (!start.known[static_cast<std::size_t>(i)]) return true;
  return false;
}

Impulses start_of(const Frame& frame, const Island& island, const System& system,
                  const Impulses& all) {
  Rows3 contacts(static_cast<Index>(island.contacts.size()), 3);
  VectorXd joints(static_cast<Index>(island.joint_rows.size()));
  for (Index i = 0; i < contacts.rows(); ++i)
    contacts.row(i) = all.segment<3>(3 * island.contacts[static_cast<std::size_t>(i)]).transpose();
  for (Index r = 0; r < joints.size(); ++r)
    joints[r] = all[3 * frame.contacts.count() + island.joint_rows[static_cast<std::size_t>(r)]];
  return from_rows(system, contacts, joints);
}

}  // namespace

void Solvers::prepare(const SolverInfo& info, int workers) {
  if (info_ != &info) list_.clear();
  info_ = &info;
  while (static_cast<int>(list_.size()) < workers) list_.push_back(info.make());
}

IslandProblem island_problem(const Frame& frame, const Island& island, Frame own,
                             const Start& start) {
  IslandProblem problem;
  problem.frame = std::move(own);
  problem.system = assemble(problem.frame);
  if (start.impulses.size() == 0) return problem;
  Impulses from = start_of(frame, island, problem.system, start.impulses);
  if (!doubtful(frame, island, start) ||
      measure(problem.system, from, Measure::velocity_error) <
          measure(problem.system, Impulses::Zero(from.size()), Measure::velocity_error))
    problem.start = std::move(from);
  return problem;
}

IslandAnswer solve_island(IslandProblem problem, const StepClock& clock, const SolverInfo& info,
                          Solver& solver) {
  IslandAnswer answer;
  System& system = problem.system;
  Options how = clock.for_solve();
  if (problem.start.size() > 0) how.warm_start = std::move(problem.start);
  {
    Stopwatch watch(answer.solver_seconds);
    answer.result = perpend::solve(system, info, solver, how);
    GroupSettler settler;
    while (answer.result.status == Status::converged && !system.groups.empty()) {
      Impulses start = answer.result.impulses;
      if (!settler.settle(system, start)) break;
      ++answer.settled;
      how = clock.for_solve();
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
  answer.joints = found.tail(system.joint_rows());
  answer.velocities_plus = velocity_plus(problem.frame, system, found);
  return answer;
}

std::vector<IslandAnswer> solve_islands(std::span<const std::size_t> which,
                                        const std::function<IslandProblem(std::size_t)>& problem,
                                        const Solving& with) {
  std::vector<IslandAnswer> answers(which.size());
  with.executor.for_each(static_cast<Index>(which.size()), [&](Index i, int worker) {
    const auto at = static_cast<std::size_t>(i);
    double seconds = 0;
    IslandProblem own;
    {
      Stopwatch watch(seconds);
      own = problem(which[at]);
    }
    answers[at] =
        solve_island(std::move(own), with.clock, with.solvers.info(), with.solvers.of(worker));
    answers[at].formulation_seconds = seconds;
  });
  return answers;
}

void Solution::take(const Frame& frame, std::size_t k, const IslandAnswer& answer) {
  const Island& island = islands[k];
  outcomes[k] = {answer.result.status == Status::converged,
                 answer.result.errors[Measure::own_error], false};
  if (answer.velocities_plus.rows() == 0) return;
  for (std::size_t i = 0; i < island.contacts.size(); ++i)
    impulses.segment<3>(3 * island.contacts[i]) =
        answer.contacts.row(static_cast<Index>(i)).transpose();
  for (std::size_t r = 0; r < island.joint_rows.size(); ++r)
    impulses[3 * frame.contacts.count() + island.joint_rows[r]] =
        answer.joints[static_cast<Index>(r)];
  for (std::size_t i = 0; i < island.bodies.size(); ++i)
    velocities_plus.row(island.bodies[i]) = answer.velocities_plus.row(static_cast<Index>(i));
}

std::vector<std::int64_t> Solution::fell_short(const Bodies& bodies) const {
  std::vector<std::int64_t> ids;
  for (std::size_t k = 0; k < islands.size(); ++k)
    if (!outcomes[k].converged)
      for (Index body : islands[k].bodies)
        if (!bodies.fixed(body)) ids.push_back(bodies.ids[static_cast<std::size_t>(body)]);
  std::sort(ids.begin(), ids.end());
  return ids;
}

Solution free_motion(const Frame& frame, const StepBodies& bodies) {
  Solution solution;
  solution.islands = islands(frame);
  solution.outcomes.resize(solution.islands.size());
  solution.impulses = Impulses::Zero(3 * frame.contacts.count() + frame.joints.row_count());
  solution.velocities_plus = frame.bodies.velocities;
  for (Index i = 0; i < bodies.count(); ++i)
    if (bodies[i].moves) {
      solution.velocities_plus.row(i).head<3>() = bodies[i].velocity.transpose();
      solution.velocities_plus.row(i).tail<3>() = bodies[i].spin.transpose();
    }
  return solution;
}

}  // namespace perpend::sim
