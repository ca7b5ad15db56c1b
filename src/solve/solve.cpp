// solve(): formulate, run, recover, measure. The only place that calls a solver.
//
// The time limit is that of formulation and solver together, without what measuring takes. It acts
// after each iteration (Progress), and within one through linear::Interrupt.
#include "perpend/solve.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <type_traits>

#include "formulate/size.hpp"
#include "linear/interrupt.hpp"
#include "perpend/base.hpp"
#include "solve/effort.hpp"
#include "solve/limits.hpp"

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
  const auto known = [](const auto& row) {  // x - x is 0 where x is a number
    return ((row.j1 - row.j1) + (row.j2 - row.j2) + (row.w1 - row.w1) + (row.w2 - row.w2)).sum() ==
           0;
  };
  return bodies.cfm.allFinite() &&
         std::all_of(bodies.contacts.begin(), bodies.contacts.end(), known) &&
         std::all_of(bodies.joints.begin(), bodies.joints.end(), known) &&
         std::all_of(bodies.others.begin(), bodies.others.end(), known);
}

// Squares of these must be numbers; 0 is a row that nothing moves.
constexpr double kLeast = 1e-150, kMost = 1e150;
bool in_range(double x) { return x == 0 || (std::abs(x) >= kLeast && std::abs(x) <= kMost); }

std::string out_of_range(const System& s) {
  if (s.b.size() && !(s.b.lpNorm<Eigen::Infinity>() <= kMost)) return "b exceeds 1e150 m/s";
  for (Index i = 0; i < s.contacts(); ++i)
    if (!in_range(contact_trace(s, i)))
      return "A is outside 1e-150 to 1e150 1/kg at contact " + std::to_string(i);
  for (Index j = 0; j < s.joint_rows(); ++j)
    if (!in_range(joint_diagonal(s, j)))
      return "A is outside 1e-150 to 1e150 1/kg at joint row " + std::to_string(j);
  return {};
}

std::string invalid(const System& s) {
  if (!s.b.allFinite()) return "b is not finite";
  if (!(s.mu.array() >= 0).all()) return "mu is negative or not a number";
  if (s.lower.hasNaN() || s.upper.hasNaN()) return "a joint bound is not a number";
  if ((s.lower.array() > s.upper.array()).any()) return "a joint's bounds are crossed";
  if (!finite(s.A)) return "A is not finite";
  return out_of_range(s);
}

// Plain sums where they suffice to be certain, or show that the tolerance is not met; else
// compensated ones.
template <class Bound>
auto bounded_by(double tolerance, Bound bound) {
  return [tolerance, bound](const VectorXd& z) {
    const Bounded plain = bound(z, Sums::plain);
    const bool certain = plain.error > tolerance || plain.error + plain.rounding <= tolerance;
    return certain ? plain : bound(z, Sums::compensated);
  };
}

// A limit has ended the formulation: the answer is the start, as where a limit ends a solver before
// its first iteration.
Result unformulated(const System& system, const SolverInfo& info, const Options& options,
                    Bounds bounds, Ending end) {
  Result r;
  r.status = end.status;
  r.message = std::move(end.why);
  r.reproducible = end.status != Status::time_limit;
  r.path = info.name;
  r.formulation = info.formulation();
  r.impulses = options.warm_start.size() && options.warm_start.allFinite()
                   ? options.warm_start
                   : Impulses::Zero(system.rows()).eval();
  if (options.measure_all) r.errors = measure(system, r.impulses, bounds);
  return r;
}

// Errors that decide when to stop are measured off the clock, but for so long only. s
constexpr double kJudging = 0.5;

// A solver under the time limit: what is left of it after the formulation, and how long it has been
// measured instead of run.
class Limited {
 public:
  Limited(const Options& options, double spent, const Progress::Judge& judge)
      : given_(options), spent_(spent), judge_(judge) {
    if (!(options.time_limit > 0)) return;
    rest_ = options;
    rest_->time_limit = std::max(options.time_limit - spent, 1e-9);
    judge_.error = [this, error = judge.error](const VectorXd& z) {
      const double value = timed([&] { return error(z); }, judging_);
      if (progress_ && spent_ + own() + judging_ >= given_.time_limit + kJudging)
        progress_->finish(Status::time_limit,
                          limit(given_) + ", including the time to measure errors");
      return value;
    };
    if (judge.bounded)
      judge_.bounded = [this, bounded = judge.bounded](const VectorXd& z) {
        return timed([&] { return bounded(z); }, judging_);
      };
    judge_.all = [this, all = judge.all](const VectorXd& z) {
      return timed([&] { return all(z); }, other_);
    };
    if (judge.some)
      judge_.some = [this, some = judge.some](const VectorXd& z, std::span<const Measure> asked) {
        return timed([&] { return some(z, asked); }, other_);
      };
    if (options.observer)
      rest_->observer = [this, observer = options.observer](const Iteration& i) {
        return timed([&] { return observer(i); }, other_);
      };
  }

  const Options& options() const { return rest_ ? *rest_ : given_; }
  const Progress::Judge& judge() const { return judge_; }

  void run(const Problem& problem, Solver& solver, Progress& progress) {
    progress_ = &progress;
    started_ = seconds_now(given_);
    judging_ = other_ = 0;
    const linear::Interrupt interrupt(
        [&](double flops) {
          const double spent = given_.time_limit > 0 ? spent_ + own() : 0;
          if (const auto end = over(given_, spent, flops, "within an iteration"))
            progress.finish(end->status, end->why);
          return progress.finished();
        },
        [&](double bytes) { return progress.too_large(bytes); });
    try {
      solver.run(problem, progress);
    } catch (const linear::Interrupted&) {
      progress.finish(Status::stopped, "stopped from outside");  // where no limit of its own did
    }
    progress_ = nullptr;
  }

  // Progress knows the rest of the limit only.
  void mend(std::string& message) const {
    if (const std::string rest = limit(options()); message.rfind(rest, 0) == 0)
      message = limit(given_) + message.substr(rest.size());
  }

 private:
  static std::string limit(const Options& o) {
    return "limit of " + short_number(o.time_limit) + " s";
  }
  double own() const {
    const double transfer = progress_ ? progress_->transfer() : 0;
    return seconds_now(given_) - started_ - judging_ - other_ - transfer;
  }
  template <class Measuring>
  std::invoke_result_t<Measuring> timed(const Measuring& measuring, double& sum) const {
    const double began = seconds_now(given_);
    auto value = measuring();
    sum += seconds_now(given_) - began;
    return value;
  }

  const Options& given_;
  double spent_, started_ = 0, judging_ = 0, other_ = 0;
  std::optional<Options> rest_;
  Progress::Judge judge_;
  Progress* progress_ = nullptr;
};

Result run(const Problem& problem, const SolverInfo& info, Solver& solver, const Options& options,
           VectorXd start, const Progress::Judge& judge, double spent) {
  if (!start.allFinite()) start.setZero();
  const double at_start = judge.error(start);
  if (std::isnan(at_start))
    return refused(std::string(name(options.error)) + " cannot be measured on this problem");
  Limited limited(options, spent, judge);
  Progress progress(limited.options(), info, std::move(start), limited.judge(), at_start);
  if (progress.met()) {
    progress.path("start");
    progress.finish(Status::converged, "the start meets the tolerance");
  } else if (options.max_iterations == 0) {
    progress.finish(Status::iteration_limit, "limit of 0 iterations");
  } else if (problem.size() == 0) {
    // Bilateral joints alone leave an LCP without rows: no solver has anything to choose there.
    progress.path("no unknowns");
    progress.finish(Status::stalled, "there are no unknowns, so the error cannot change");
  } else {
    limited.run(problem, solver, progress);
  }
  Result r = progress.take_result();
  if (r.status == Status::time_limit) limited.mend(r.message);
  r.formulation = problem.formulation();
  // Progress knows the exact value of the error that the tolerance is about.
  if (options.measure_all || options.error != Measure::own_error ||
      (!r.errors.has(Measure::own_error) && !options.by_energy))
    r.errors = judge.all(r.z);
  return r;
}

}  // namespace

std::string too_large(const System& system, std::string_view formulation,
                      const FormulationOptions& how, const Options& options) {
  const double bytes = formulation_bytes(system, formulation, how);
  return bytes > memory_limit(options) ? needs_too_much(bytes, options) : "";
}

Result solve(const System& system, std::string_view solver, const Options& options) {
  const SolverInfo* info = solver_named(solver);
  if (!info) return refused("no solver is called '" + std::string(solver) + "'");
  return solve(system, *info, *info->make(), options);
}

Result solve(const System& system, const SolverInfo& info, Solver& solver, const Options& options) {
  if (std::string why = invalid(options, info); !why.empty()) return refused(why);
  if (std::string why = invalid(system); !why.empty()) return refused(why);
  if (!info.joints && system.joint_rows() > 0)
    return refused(info.name + " does not accept joints");
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

  if (const std::string why = too_large(system, info.formulation(), how, options); !why.empty())
    return unformulated(system, info, options, bounds, {Status::too_large, why});
  const double started = seconds_now(options);
  std::optional<Ending> end;
  std::string why;
  std::unique_ptr<Problem> problem;
  {
    const linear::Interrupt interrupt([&](double flops) {
      const double spent = options.time_limit > 0 ? seconds_now(options) - started : 0;
      end = over(options, spent, flops, "while the problem was formulated");
      return end.has_value();
    });
    try {
      problem = formulate(system, info.formulation(), how, why);
    } catch (const linear::Interrupted&) {
      if (!end) end = Ending{Status::stopped, "stopped from outside"};
    }
  }
  const double formulating = seconds_now(options) - started;
  if (end) {
    Result r = unformulated(system, info, options, bounds, std::move(*end));
    r.formulation_seconds = formulating;
    return r;
  }
  if (!problem) return refused(why);

  Progress::Judge judge;
  const auto one = [&](const VectorXd& z, Measure which) {
    if (which == Measure::own_error) return problem->own_error(z);
    if (which == Measure::lcp_merit) return problem->lcp_merit(z);
    return measure(system, problem->impulses(z), which, bounds);
  };
  judge.error = [&](const VectorXd& z) { return one(z, options.error); };
  judge.bounded = bounded_by(options.tolerance, [&](const VectorXd& z, Sums sums) -> Bounded {
    if (options.error == Measure::own_error) return problem->bounded_own_error(z, sums);
    if (options.error == Measure::velocity_error)
      return bounded_velocity_error(system, problem->impulses(z), sums);
    // A root mean square is off by no more than the largest of its parts; of the others no bound
    // is known.
    const double error = one(z, options.error);
    if (options.error != Measure::rms_violation) return {error, 0};
    return {error, bounded_velocity_error(system, problem->impulses(z)).rounding};
  });
  judge.energy = [&](const VectorXd& z) { return impulse_energy(system, problem->impulses(z)); };
  judge.costs = work_costs(system);
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
                 judge, formulating);
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
  if (options.measure_all && r.impulses.size() == system.rows())
    r.rounding = bounded_velocity_error(system, r.impulses).rounding;
  r.formulation_seconds = formulating;
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
  if (options.error == Measure::own_error)
    judge.bounded = bounded_by(options.tolerance, [&](const VectorXd& z, Sums sums) {
      return problem.bounded_own_error(z, sums);
    });
  judge.costs = work_costs(problem.size());
  judge.all = [&](const VectorXd& z) {
    Errors e;
    e[Measure::own_error] = problem.own_error(z);
    e[Measure::lcp_merit] = problem.lcp_merit(z);
    return e;
  };
  Result r = run(problem, *info, *info->make(), options,
                 options.warm_start.size() == problem.size() ? problem.unknowns(options.warm_start)
                                                             : VectorXd::Zero(problem.size()),
                 judge, 0);
  r.impulses = r.z;
  if (r.z.size() == problem.size())
    r.rounding = problem.bounded_own_error(r.z, Sums::plain).rounding;
  return r;
}

}  // namespace perpend
