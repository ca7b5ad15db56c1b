#include "solve/kit/part_solve.hpp"

#include <cmath>

#include "solve/effort.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A part is solved when it is this much better than asked for: the whole is measured with what
// rounding may hide.
constexpr double kSafely = 0.99;

// What there is of whole ones in `sum`, which keeps the rest.
long whole_ones(double& sum) {
  const double whole = std::floor(sum);
  sum -= whole;
  return static_cast<long>(whole);
}

}  // namespace

Result PartSolves::operator()(std::span<const Index> rows, Impulses& lambda, const Run& run) {
  const System system = part(whole_, rows);
  const ConeProblem problem(system);
  const double share = static_cast<double>(rows.size()) /
                       static_cast<double>(whole_.contacts() + whole_.joint_rows());
  Options o;
  o.tolerance = kSafely * progress_.tolerance();
  o.max_iterations = std::numeric_limits<long>::max();
  o.memory_limit = progress_.memory_limit();
  o.observer = [&](const Iteration& i) {
    iterations_ += share;
    for (long k = whole_ones(iterations_); k > 0; --k) {
      scatter(whole_, rows, i.z, lambda);
      if (!progress_.next(lambda, kInfinity)) return false;
    }
    return !progress_.finished();
  };
  Progress::Judge judge;
  judge.error = [&](const VectorXd& z) { return problem.own_error(z); };
  judge.bounded = [&](const VectorXd& z) {
    const Bounded plain = problem.bounded_own_error(z, Sums::plain);
    if (plain.error + plain.rounding <= o.tolerance) return plain;
    return problem.bounded_own_error(z, Sums::compensated);
  };
  judge.costs = work_costs(system);
  Progress inner(o, *solver_named("ncp/auto"), gather(whole_, rows, lambda), judge);
  if (inner.met())
    inner.finish(Status::converged, "the start meets the tolerance");
  else
    run(problem, inner);
  Result r = inner.take_result();
  scatter(whole_, rows, r.z, lambda);
  for (std::size_t w = 0; w < kWorks; ++w) {
    work_[w] += share * static_cast<double>(r.work[w]);
    progress_.count(static_cast<Work>(w), whole_ones(work_[w]));
  }
  return r;
}

}  // namespace perpend
