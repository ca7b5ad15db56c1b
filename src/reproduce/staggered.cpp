#include "reproduce/staggered.hpp"

#include <algorithm>

#include "perpend/formulate.hpp"

namespace perpend::reproduce {
namespace {

constexpr double kAccuracy = 1e-11;  // of a program: natural map of its rows
constexpr Index kFacets = 8;

// Some rows of an LCP, the others held.
class Part {
 public:
  Part(const LinearProblem& lcp, std::vector<Index> rows) : lcp_(lcp), rows_(std::move(rows)) {
    std::vector<Index> at(static_cast<std::size_t>(lcp.size()), -1);
    for (std::size_t k = 0; k < rows_.size(); ++k)
      at[static_cast<std::size_t>(rows_[k])] = static_cast<Index>(k);
    const auto place = [&](Index row) { return at[static_cast<std::size_t>(row)]; };
    std::vector<Eigen::Triplet<double>> own, held;
    for (Index outer = 0; outer < lcp.A.outerSize(); ++outer)
      for (SparseMatrix::InnerIterator it(lcp.A, outer); it; ++it) {
        if (place(it.row()) < 0) continue;
        if (place(it.col()) >= 0)
          own.emplace_back(place(it.row()), place(it.col()), it.value());
        else
          held.emplace_back(place(it.row()), it.col(), it.value());
      }
    const auto n = static_cast<Index>(rows_.size());
    A_.resize(n, n);
    A_.setFromTriplets(own.begin(), own.end());
    held_.resize(n, lcp.size());
    held_.setFromTriplets(held.begin(), held.end());
  }

  // Changes its own unknowns in z. Returns the steps that took.
  long solve(VectorXd& z, const Settings& settings) const {
    const auto n = static_cast<Index>(rows_.size());
    if (n == 0) return 0;
    const auto of = [&](const VectorXd& all) {
      VectorXd some(n);
      for (Index k = 0; k < n; ++k) some[k] = all[rows_[static_cast<std::size_t>(k)]];
      return some;
    };
    const auto problem =
        raw_problem("lcp", A_, of(lcp_.b) + held_ * z, of(lcp_.lower), of(lcp_.upper));
    Options options;
    options.tolerance = kAccuracy;
    options.max_iterations = 1000;
    options.cancelled = settings.cancelled;
    const Result result = perpend::solve(*problem, solver(settings, "lcp/interior-point"), options);
    for (Index k = 0; k < n; ++k) z[rows_[static_cast<std::size_t>(k)]] = result.z[k];
    return result.work[static_cast<std::size_t>(Work::factorization)];
  }

 private:
  const LinearProblem& lcp_;
  std::vector<Index> rows_;
  SparseMatrix A_, held_;
};

}  // namespace

StaggeredRun staggered_pyramids(const System& system, double epsilon, long most_turns,
                                const Settings& settings) {
  std::string why;
  FormulationOptions how;
  how.facets = kFacets;
  const std::unique_ptr<Problem> problem = formulate(system, "lcp", how, why);
  const auto& lcp = *std::get<const LinearProblem*>(problem->concrete());
  // z = (p_n, p_f, s), then what belongs to the normal program: groups and bounds of joints.
  const Index m = system.contacts(), first = m, last = m + (kFacets + 1) * m;
  std::vector<Index> normal, friction;
  for (Index i = 0; i < lcp.size(); ++i) (i >= first && i < last ? friction : normal).push_back(i);
  const Part normals(lcp, normal), frictions(lcp, friction);
  StaggeredRun out;
  VectorXd z = VectorXd::Zero(lcp.size());
  while (!out.met && out.turns < most_turns) {
    go_on(settings);
    ++out.turns;
    out.steps += normals.solve(z, settings);
    const VectorXd first_velocity = velocity_plus(system, lcp.impulses(z));
    out.steps += frictions.solve(z, settings);
    const VectorXd apart = velocity_plus(system, lcp.impulses(z)) - first_velocity;
    out.met = apart.size() == 0 || apart.cwiseAbs().maxCoeff() <= epsilon;
  }
  out.impulses = lcp.impulses(z);
  out.error = lcp.own_error(z);
  return out;
}

}  // namespace perpend::reproduce
