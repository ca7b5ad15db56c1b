// A Progress for parts of solvers, which measures velocity_error of a system.
#pragma once

#include "perpend/solve.hpp"

namespace perpend::checks {

struct MeasuredProgress {
  MeasuredProgress(const System& s, double tolerance, long most = 10000)
      : options(limited(tolerance, most)),
        progress(options, *solver_named("ncp/auto"), VectorXd::Zero(s.rows()), judge(s)) {}

  Options options;
  Progress progress;

 private:
  static Options limited(double tolerance, long most) {
    Options o;
    o.tolerance = tolerance;
    o.max_iterations = most;
    return o;
  }
  static Progress::Judge judge(const System& s) {
    Progress::Judge j;
    j.error = [&s](const VectorXd& z) { return measure(s, z, Measure::velocity_error); };
    return j;
  }
};

}  // namespace perpend::checks
