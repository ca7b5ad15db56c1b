#include "sim/solve_islands.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "perpend/base.hpp"
#include "perpend/measure/response.hpp"
#include "sim/close_slowly.hpp"
#include "sim/settle_groups.hpp"
#include "sim/stopwatch.hpp"

namespace perpend::sim {
namespace {

constexpr std::string_view kOurChoice = "ncp/auto";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

// Islands of so many contacts are solved by all threads together, one after the other.
constexpr std::size_t kShared = 1000;

// Those of a step's report.
constexpr std::array kReported{Measure::velocity_error, Measure::rms_violation,
                               Measure::max_penetration, Measure::energy_change};

// Joints alone, without bounds.
bool linear(const System& s) {
  return s.contacts() == 0 && (s.lower.array() == -kInfinity).all() &&
         (s.upper.array() == kInfinity).all();
}

// With a limited effort another solver than the one asked for, where that is ours to choose.
const SolverInfo& choose(const Island& island, const IslandProblem& problem,
                         const SolverInfo& given, const Account& account, Options& how) {
  if (given.name != kOurChoice || small(island, account) || linear(problem.system)) return given;
  how.set = {{"sweeps", formatted("%.17g", how.effort)}};
  // What fell short in the last step will again: it would make debts in every step. Of a large
  // island a factorization costs four times as many sweeps as of a small one.
  if (problem.fell_short && swept(given.name, account.first_share()))
    how.set.emplace("debt", "1");
  else if (large(island))
    how.set.emplace("debt", "16");
  how.effort = 0;  // it spends them itself, with a debt where that is worth it
  return *solver_named(kAnytime);
}

// Where the solver is ours to choose and nobody wants to see it at work. A history changes nothing:
// what is held has none.
bool may_hold(const SolverInfo& info, const Options& how) {
  return info.name == kOurChoice && how.error == Measure::own_error && how.max_iterations > 0 &&
         how.set.empty() && !how.observer && !(how.time_limit > 0) &&
         !(how.cancelled && how.cancelled());
}

// Of an answer that is no answer: its error in parts of max_push, and where such errors are usual
// that or what a joint would ask for to close in a step.
constexpr double kFarOff = 0.1, kTorn = 5;

// Islands that are softened after such an answer may have it while joints are nearly closed.
bool far_off(const Island& island, double h, const IslandAnswer& answer, const Solving& with) {
  const Result& result = answer.result;
  if (!with.joints || with.most_iterations > 0 || result.status == Status::converged ||
      result.errors[Measure::own_error] <= kFarOff * with.max_push)
    return false;
  if (!usually_short(island, with) && !sweeps(with.solvers.info().name)) return true;
  if (island.joint_rows.empty()) return false;
  const bool driven = std::any_of(  // a strong motor turns any error into speed
      island.joint_rows.begin(), island.joint_rows.end(), [&](Index r) {
        const JointRow& row = with.joints->rows[static_cast<std::size_t>(r)];
        return !row.position && row.compliance == 0;
      });
  return driven || result.errors[Measure::own_error] > kTorn * with.max_push ||
         opening(island, h, with) > kTorn * with.max_push;
}

template <class Wanted>
std::vector<std::int64_t> ids_of(const Solution& solution, const Bodies& bodies, Wanted wanted) {
  std::vector<std::int64_t> ids;
  for (std::size_t k = 0; k < solution.islands.size(); ++k)
    if (wanted(solution.outcomes[k]))
      for (Index body : solution.islands[k].bodies)
        if (!bodies.fixed(body)) ids.push_back(bodies.ids[static_cast<std::size_t>(body)]);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

void Solvers::prepare(const SolverInfo& info, int workers) {
  info_ = &info;
  also(info, workers);
}

void Solvers::also(const SolverInfo& info, int workers) {
  std::vector<std::unique_ptr<Solver>>& list = kept_[&info];
  while (static_cast<int>(list.size()) < workers) list.push_back(info.make());
}

IslandProblem island_problem(const Frame& frame, const Island& island, const Start& start) {
  return is_all(frame, island) ? island_problem(frame, island, frame, start)
                               : island_problem(frame, island, part(frame, island), start);
}

IslandProblem island_problem(const Frame& frame, const Island& island, const Frame& own,
                             const Start& start) {
  IslandProblem problem;
  problem.system = assemble(own);
  problem.velocities = own.bodies.velocities;
  problem.fell_short = any_of(island, frame.bodies, start.fell_short);
  problem.held = any_of(island, frame.bodies, start.held);
  if (start.impulses.size() == 0) return problem;
  problem.start = start_of(frame, island, problem.system, start.impulses);
  return problem;
}

void put_velocities(const System& system, const VectorXd& change, Rows6& velocities_plus) {
  const Dynamics& d = *system.dynamics;
  for (std::size_t i = 0; i < d.body_column.size(); ++i)
    if (const Index at = d.body_column[i]; at >= 0)
      velocities_plus.row(static_cast<Index>(i)) =
          (d.free_velocity.segment<6>(at) + change.segment<6>(at)).transpose();
}

IslandAnswer solve_island(const Island& island, std::unique_ptr<IslandProblem> given, int worker,
                          const Solving& with, HeldRows* held, Executor* within) {
  IslandAnswer answer;
  IslandProblem& problem = *given;
  System& system = problem.system;
  Options how = with.clock.for_solve();
  if (with.most_iterations > 0)
    how.max_iterations = std::min(how.max_iterations, with.most_iterations);
  how.executor = within;
  const SolverInfo* info = &with.solvers.info();
  // `change`: M^-1 J^T lambda.
  const auto put = [&](const VectorXd& change) {
    const Impulses& found = answer.result.impulses;
    answer.contacts = contact_rows(system, found);
    answer.joints = found.tail(system.joint_rows());
    answer.velocities_plus = std::move(problem.velocities);
    put_velocities(system, change, answer.velocities_plus);
  };
  const bool limited = with.account && with.account->limited();
  // A start that fell short by its sweeps is no answer now.
  if (limited && large(island) && problem.fell_short) held = nullptr;
  if (held && may_hold(*info, how)) {
    Stopwatch watch(answer.solver_seconds);
    if (std::optional<Result> found = held->answer(system, problem.start, how)) {
      answer.result = std::move(*found);
      put(held->change());
      answer.makes_energy =
          with.joints && makes_energy(island, system, answer.result.impulses, held->change(), with);
      if (held->all()) answer.linear = std::move(given);
      return answer;
    }
  }
  double limit = 0;  // sweeps
  if (limited) {
    how.by_energy = true;
    limit = how.effort = with.account->share();
    info = &choose(island, problem, *info, *with.account, how);
  }
  Solver& solver = with.solvers.of(*info, worker);
  if (problem.start.size() > 0) {
    const std::string_view asked = with.solvers.info().name;
    if (limit == 0 ? !(problem.fell_short && sweeps(asked)) : !swept(asked, limit))
      problem.start *= least_energy_scale(system, problem.start);
    how.warm_start = std::move(problem.start);
  }
  {
    Stopwatch watch(answer.solver_seconds);
    answer.result = perpend::solve(system, *info, solver, how);
    GroupSettler settler;
    while (answer.result.status == Status::converged && !system.groups.empty() &&
           !(limit > 0 && answer.result.sweeps + 1 > limit)) {
      Impulses start = answer.result.impulses;
      if (!settler.settle(system, start)) break;
      ++answer.settled;
      how.time_limit = with.clock.left();
      how.warm_start = start;
      if (how.effort > 0) how.effort = limit - answer.result.sweeps;
      Result again = perpend::solve(system, *info, solver, how);
      again.iterations += answer.result.iterations;
      again.sweeps += answer.result.sweeps;
      for (std::size_t w = 0; w < kWorks; ++w) again.work[w] += answer.result.work[w];
      answer.result = std::move(again);
    }
  }
  Impulses& found = answer.result.impulses;
  if (found.size() != system.rows()) return answer;
  Response moved = response(system, found);
  if (answer.result.status != Status::converged)
    if (const double t = least_energy_scale(system, found, moved); t < 1) {
      found *= t;
      scale(moved, system, t);
    }
  const double own_error = answer.result.errors[Measure::own_error];
  Errors& errors = answer.result.errors = measure(system, found, moved, kReported);
  // Sweeps of cones leave it to us, and theirs is that.
  errors[Measure::own_error] = std::isnan(own_error) ? errors[Measure::velocity_error] : own_error;
  put(moved.change);
  answer.makes_energy = with.joints && makes_energy(island, system, found, moved.change, with);
  return answer;
}

std::vector<IslandAnswer> solve_islands(const std::vector<Island>& islands,
                                        std::span<const std::size_t> which,
                                        const std::function<IslandProblem(std::size_t)>& problem,
                                        const Solving& with) {
  std::vector<IslandAnswer> answers(which.size());
  const auto answer = [&](std::size_t at, int worker, Executor* within) {
    double seconds = 0;
    std::unique_ptr<IslandProblem> own;
    {
      Stopwatch watch(seconds);
      own = std::make_unique<IslandProblem>(problem(which[at]));
    }
    const Island& island = islands[which[at]];
    const auto slowly = [&](const IslandAnswer* first) {
      answers[at] = close_slowly(
          island, [&] { return problem(which[at]); }, worker, with, within, first);
    };
    if (with.joints && own->held && still_open(island, own->system, with)) {
      slowly(nullptr);
    } else {
      const double h = own->system.step;
      IslandAnswer first = solve_island(island, std::move(own), worker, with,
                                        with.held ? &(*with.held)[which[at]] : nullptr, within);
      if (first.makes_energy || far_off(island, h, first, with)) {
        slowly(&first);
        if (first.result.status == Status::infeasible)
          answers[at].infeasible = first.result.message;
      } else {
        answers[at] = std::move(first);
      }
    }
    answers[at].formulation_seconds = seconds;
  };
  std::vector<std::size_t> small;
  for (std::size_t at = 0; at < which.size(); ++at)
    if (islands[which[at]].contacts.size() >= kShared)
      answer(at, 0, &with.executor);
    else
      small.push_back(at);
  with.executor.for_each(static_cast<Index>(small.size()), [&](Index i, int worker) {
    answer(small[static_cast<std::size_t>(i)], worker, nullptr);
  });
  if (with.account)
    for (std::size_t i = 0; i < which.size(); ++i)
      with.account->pay(islands[which[i]], answers[i].result.sweeps);
  return answers;
}

void Solution::take(const Frame& frame, std::size_t k, IslandAnswer& answer) {
  linear[k] = std::move(answer.linear);
  const Island& island = islands[k];
  outcomes[k] = {answer.result.status == Status::converged,
                 answer.result.errors[Measure::own_error], false, false, answer.held};
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
  return ids_of(*this, bodies, [](const Outcome& one) { return !one.converged; });
}

std::vector<std::int64_t> Solution::held(const Bodies& bodies) const {
  return ids_of(*this, bodies, [](const Outcome& one) { return one.held; });
}

Solution free_motion(const Frame& frame, const StepBodies& bodies, std::vector<Island> islands) {
  Solution solution;
  solution.islands = std::move(islands);
  solution.outcomes.resize(solution.islands.size());
  solution.linear.resize(solution.islands.size());
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
