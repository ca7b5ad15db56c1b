// v+ of a frame: its islands one by one, each a problem of its own. What happens in one island is a
// function of that island alone, whatever else is in the world: the same bits with any other bodies
// far away.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>

#include "perpend/solve/held_rows.hpp"
#include "sim/effort.hpp"
#include "sim/islands.hpp"
#include "sim/limits.hpp"
#include "sim/memory.hpp"

namespace perpend::sim {

// One solver for each worker, kept from step to step.
class Solvers {
 public:
  void prepare(const SolverInfo&, int workers);
  void also(const SolverInfo&, int workers);  // another one beside it
  const SolverInfo& info() const { return *info_; }
  Solver& of(int worker) { return of(*info_, worker); }
  Solver& of(const SolverInfo& info, int worker) {
    return *kept_.at(&info)[static_cast<std::size_t>(worker)];
  }

 private:
  const SolverInfo* info_ = nullptr;
  std::map<const SolverInfo*, std::vector<std::unique_ptr<Solver>>> kept_;
};

// With what a step solves.
struct Solving {
  Solvers& solvers;
  StepClock& clock;
  Executor& executor;
  Account* account = nullptr;  // none: no limit, nothing is counted
  // Of each island, for steps that differ little from the one before; none: such steps are solved
  // like others.
  std::vector<HeldRows>* held = nullptr;
  long most_iterations = 0;  // of an island; 0: those of the clock's options
  // Of the frame that is solved: its islands close without making energy (close_slowly.hpp). None:
  // every answer is used.
  const HeldJoints* joints = nullptr;
  double max_push = std::numeric_limits<double>::infinity();  // m/s

  // What is left to do is left off.
  bool over() const { return clock.over() || (account && account->over()); }
};

struct IslandProblem {
  System system;
  Rows6 velocities;         // v of its bodies
  Impulses start;           // empty: from nothing
  bool fell_short = false;  // in the last step
  bool held = false;        // in the last step, and closed slowly
};
IslandProblem island_problem(const Frame&, const Island&, const Start&);
// `own`: what became of the island's part of the frame.
IslandProblem island_problem(const Frame&, const Island&, const Frame& own, const Start&);
// v+ of its moving bodies. `change`: M^-1 J^T lambda.
void put_velocities(const System&, const VectorXd& change, Rows6& velocities_plus);

struct IslandAnswer {
  Result result;
  Rows3 contacts;         // impulses of its contacts (n, t, o)
  VectorXd joints;        // of its joint rows
  Rows6 velocities_plus;  // of its bodies; no rows: there is no answer
  double formulation_seconds = 0, solver_seconds = 0;
  Index settled = 0;          // how often another face of a group had to push
  bool makes_energy = false;  // by closing; only asked where `joints` are known
  bool held = false;          // it closes slowly instead
  std::string infeasible;     // held, and proved to have no answer
  // Where joint rows without bounds are all there is, and the island's HeldRows have its factor.
  std::unique_ptr<IslandProblem> linear;
};
// It starts from t times the impulses of the last step, with the t in [0, 1] of the lowest energy:
// an old answer that fits no more fades away. For a limited number of sweeps t is 1: what they
// reach is carried on from step to step, and a t below 1 would take a part of it back each time.
// Impulses that fall short are scaled by t too, so that they do not add energy.
// `held`: the island's own, or none; `within` runs the loops of its solver, none: the calling
// thread.
IslandAnswer solve_island(const Island&, std::unique_ptr<IslandProblem>, int worker, const Solving&,
                          HeldRows* held = nullptr, Executor* within = nullptr);

// The answers of these islands: the large ones one by one, by all threads together, then the others
// in this order, each in any thread; `problem` is called there.
std::vector<IslandAnswer> solve_islands(
    const std::vector<Island>&, std::span<const std::size_t> which,
    const std::function<IslandProblem(std::size_t island)>& problem, const Solving&);

struct Outcome {  // of an island
  bool converged = false;
  double own_error = 0;
  bool closed = false;  // nothing touches, and its joints hold where the step ends
  bool rough = false;   // short of the tolerance, and not all iterations were taken
  bool held = false;    // closes slowly
};

// The answer to a frame.
struct Solution {
  std::vector<Island> islands;
  std::vector<Outcome> outcomes;                       // of the islands
  std::vector<std::unique_ptr<IslandProblem>> linear;  // of the islands, where an answer had one
  std::vector<IslandAnswer> answers;                   // of the islands, as they were solved
  Impulses impulses;                                   // contacts (n, t, o), then joint rows
  Rows6 velocities_plus;                               // of all bodies

  void take(const Frame&, std::size_t island, IslandAnswer&);
  // Who belongs to an island that stayed above the tolerance: ids, ascending.
  std::vector<std::int64_t> fell_short(const Bodies&) const;
  std::vector<std::int64_t> held(const Bodies&) const;  // the same of islands that close slowly
};
// Before anything is solved: nothing pushes, bodies move freely.
Solution free_motion(const Frame&, const StepBodies&, std::vector<Island>);

}  // namespace perpend::sim
