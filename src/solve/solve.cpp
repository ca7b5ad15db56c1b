// solve(): formulate, run, recover, measure. The only place that calls a solver.
#include "perpend/solve.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "measure/rounding.hpp"

namespace perpend {
namespace {

Result refused(std::string why) {
  Result r;
  r.status = Status::invalid_input;
  r.message = std::move(why);
  return r;
}

bool finite(const std::variant<BodySpace, Blocks>& A) {
  if (const Blocks* blocks = std::get_if<Blocks>(&A))
    return std::all_of(blocks->values.begin(), blocks->values.end(),
                       [](double value) { return std::isfinite(value); });
  const BodySpace& bodies = std::get<BodySpace>(A);
  const auto known = [](const auto& row) {
    return row.j1.allFinite() && row.j2.allFinite() && row.w1.allFinite() && row.w2.allFinite();
  };
  return bodies.cfm.allFinite() &&
         std::all_of(bodies.contacts.begin(), bodies.contacts.end(), known) &&
         std::all_of(bodies.joints.begin(), bodies.joints.end(), known);
}

std::string invalid(const System& s) {
  if (!s.b.allFinite()) return "b is not finite";
  if (!(s.mu.array() >= 0).all()) return "mu is negative or not a number";
  if (s.lower.hasNaN() || s.upper.hasNaN()) return "a joint bound is not a number";
  if ((s.lower.array() > s.upper.array()).any()) return "a joint's bounds are crossed";
  if (!finite(s.A)) return "A is not finite";
  return {};
}

Result run(const Problem& problem, const SolverInfo& info, Solver& solver, const Options& options,
           VectorXd start, const Progress::Judge& judge) {
  if (!start.allFinite()) start.setZero();
  const double at_start = judge.error(start);
  if (std::isnan(at_start))
    return refused(std::string(name(options.error)) + " cannot be measured on this problem");
  Progress progress(options, info, std::move(start), judge, at_start);
  if (at_start <= options.tolerance) {
    progress.path("start");
    progress.finish(Status::converged, "the start meets the tolerance");
  } else if (options.max_iterations == 0) {
    progress.finish(Status::iteration_limit, "limit of 0 iterations");
  } else if (problem.size() == 0) {
    // Bilateral joints alone leave an LCP without rows: no solver has anything to choose there.
    progress.path("no unknowns");
    progress.finish(Status::stalled, "there are no unknowns: nothing changes what is left");
  } else {
    solver.run(problem, progress);
  }
  Result r = progress.take_result();
  r.formulation = problem.formulation();
  // Progress knows the exact value of the error that the tolerance is about.
  if (options.measure_all || options.error != Measure::own_error ||
      !r.errors.has(Measure::own_error))
    r.errors = judge.all(r.z);
  return r;
}

}  // namespace

Result solve(const System& system, std::string_view solver, const Options& options) {
  const SolverInfo* info = solver_named(solver);
  if (!info) return refused("no solver is called '" + std::string(solver) + "'");
  return solve(system, *info, *info->make(), options);
}

Result solve(const System& system, const SolverInfo& info, Solver& solver, const Options& options) {
  if (std::string why = invalid(options, info); !why.empty()) return refused(why);
  if (std::string why = invalid(system); !why.empty()) return refused(why);
  if (!info.joints && system.joint_rows() > 0) return refused(info.name + " does not take joints");
  if (options.warm_start.size() && options.warm_start.size() != system.rows())
    return refused("warm start has " + std::to_string(options.warm_start.size()) +
                   " rows, expected " + std::to_string(system.rows()));

  FormulationOptions how;
  how.facets = options.facets;
  const auto is_set = [&](const char* option, const char* value) {
    const auto found = options.set.find(option);
    return found != options.set.end() && found->second == value;
  };
  if (is_set("level", "acceleration")) how.level = Level::acceleration;
  const Bounds bounds = is_set("bounds", "lagged") ? Bounds::lagged : Bounds::newest;

  const auto started = std::chrono::steady_clock::now();
  std::string why;
  const std::unique_ptr<Problem> problem = formulate(system, info.formulation(), how, why);
  if (!problem) return refused(why);
  const std::chrono::duration<double> formulating = std::chrono::steady_clock::now() - started;

  Progress::Judge judge;
  const auto one = [&](const VectorXd& z, Measure which) {
    if (which == Measure::own_error) return problem->own_error(z);
    if (which == Measure::lcp_merit) return problem->lcp_merit(z);
    return measure(system, problem->impulses(z), which, bounds);
  };
  // An error in m/s that is smaller than the rounding of what it is computed from is not known.
  const bool speed =
      options.error == Measure::own_error || options.error == Measure::velocity_error;
  judge.error = [&](const VectorXd& z) {
    const double error = one(z, options.error);
    return speed && error <= options.tolerance
               ? std::max(error, rounding_of_velocity(system, problem->impulses(z)))
               : error;
  };
  judge.some = [&](const VectorXd& z, std::span<const Measure> asked) {
    Errors e;
    for (const Measure which : asked) e[which] = one(z, which);
    return e;
  };
  judge.all = [&](const VectorXd& z) {
    Errors e;
    if (options.measure_all) {
      e = measure(system, problem->impulses(z), bounds);
      e[Measure::lcp_merit] = problem->lcp_merit(z);
    } else if (options.error != Measure::own_error) {
      e[options.error] = judge.error(z);
    }
    e[Measure::own_error] = problem->own_error(z);
    return e;
  };
  Result r = run(*problem, info, solver, options,
                 options.warm_start.size() ? problem->unknowns(options.warm_start)
                                           : VectorXd::Zero(problem->size()),
                 judge);
  if (r.z.size() == problem->size()) r.impulses = problem->impulses(r.z);
  if (!r.impulses.allFinite()) {
    // Joints that were eliminated may need more than numbers can hold.
    r.status = Status::failed;
    r.message = "its impulses are not finite (" + r.message + ")";
    r.impulses = Impulses::Zero(system.rows());
    const double own_error = r.errors[Measure::own_error];
    if (options.measure_all) r.errors = measure(system, r.impulses, bounds);
    r.errors[Measure::own_error] = own_error;
  }
  r.formulation_seconds = formulating.count();
  return r;
}

Result solve(const Problem& problem, std::string_view solver, const Options& options) {
  const SolverInfo* info = solver_named(solver);
  if (!info) return refused("no solver is called '" + std::string(solver) + "'");
  if (std::string why = invalid(options, *info); !why.empty()) return refused(why);
  if (info->formulation() != problem.formulation())
    return refused(info->name + " does not solve a problem of type " +
                   std::string(problem.formulation()));
  Progress::Judge judge;
  judge.error = [&](const VectorXd& z) {
    if (options.error == Measure::lcp_merit) return problem.lcp_merit(z);
    return options.error == Measure::own_error ? problem.own_error(z)
                                               : std::numeric_limits<double>::quiet_NaN();
  };
  judge.all = [&](const VectorXd& z) {
    Errors e;
    e[Measure::own_error] = problem.own_error(z);
    e[Measure::lcp_merit] = problem.lcp_merit(z);
    return e;
  };
  Result r = run(problem, *info, *info->make(), options,
                 options.warm_start.size() == problem.size() ? problem.unknowns(options.warm_start)
                                                             : VectorXd::Zero(problem.size()),
                 judge);
  r.impulses = r.z;
  return r;
}

}  // namespace perpend
