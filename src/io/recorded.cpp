// The recorded answer, and as a row beside those of solvers.
#include <algorithm>
#include <cmath>

#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::io {
namespace {

// Errors that meet the tolerance have to do so whatever rounding hides, as those of solvers.
bool meets(const System& system, const Impulses& z, double error, const Options& options) {
  if (!(error <= options.tolerance)) return false;
  if (options.error != Measure::own_error && options.error != Measure::velocity_error) return true;
  return bounded_velocity_error(system, z).rounding + error <= options.tolerance ||
         bounded_velocity_error(system, z, Sums::compensated).rounding + error <= options.tolerance;
}

}  // namespace

FrameCounts counts_of(const Record& record) {
  const Frame& frame = record.frame;
  if (frame.bodies.count() == 0 && record.system.b.size() > 0)
    return {0, record.system.bounds.rows(), record.system.bounds.rows(), record.system.mu.size()};
  return {frame.bodies.count(), frame.joints.count(), frame.joints.row_count(),
          frame.contacts.count()};
}

Impulses recorded(const Case& problem) {
  if (!problem.system) return {};
  const Answer& answer = problem.answer;
  const Index rows = problem.system->joint_rows();
  const bool contacts = answer.z.rows() == problem.counts.contacts;
  const bool joints = answer.z_joints.size() == rows;
  const bool any = answer.z.rows() > 0 || answer.z_joints.size() > 0;
  if (!any || !contacts || !(joints || answer.z_joints.size() == 0)) return {};
  return from_rows(*problem.system, answer.z, joints ? answer.z_joints : VectorXd::Zero(rows));
}

const SolverInfo& recorded_solver() {
  static const SolverInfo info = [] {
    SolverInfo made;
    made.name = "recorded";
    made.title = "the answer recorded in the file, with the recorded time";
    made.origin = "the file";
    return made;
  }();
  return info;
}

Result recorded_result(const Case& problem, const Options& options) {
  Result result;
  result.status = Status::invalid_input;
  result.message = problem.refusal;
  if (!problem.system) return result;
  result.message = "no answer is recorded";
  result.impulses = recorded(problem);
  if (result.impulses.size() == 0) return result;
  result.iterations = std::max<long>(0, problem.answer.iterations);
  result.seconds = problem.timing.solver;
  result.formulation_seconds = problem.timing.formulation;
  result.path = problem.answer.answered.empty() ? recorded_solver().name : problem.answer.answered;
  if (!result.impulses.allFinite()) {
    result.status = Status::failed;
    result.message = "the recorded answer is not finite";
    return result;
  }
  result.errors = measure(*problem.system, result.impulses);
  const double own = problem.answer.errors[Measure::own_error];
  result.errors[Measure::own_error] =
      std::isnan(own) ? result.errors[Measure::velocity_error] : own;
  result.rounding = bounded_velocity_error(*problem.system, result.impulses).rounding;
  const double error = result.errors[options.error];
  if (std::isnan(error)) {
    result.message = std::string(name(options.error)) + " is not defined for this problem";
    return result;
  }
  result.status =
      meets(*problem.system, result.impulses, error, options) ? Status::converged : Status::stalled;
  result.message =
      "the recorded answer has " + std::string(name(options.error)) + " " + short_number(error);
  if (options.history) result.history = {{result.iterations, result.seconds, false, result.errors}};
  return result;
}

}  // namespace perpend::io
