#include "peers/translate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <variant>

namespace perpend::peers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Friction rows: +-mu times the normal impulse, or what the engine has fixed.
void box_bounds(const System& s, Translation& t) {
  const Index m = s.contacts();
  t.lower = VectorXd::Zero(s.rows());
  t.upper = VectorXd::Constant(s.rows(), kInfinity);
  t.lower.tail(s.joint_rows()) = s.lower;
  t.upper.tail(s.joint_rows()) = s.upper;
  for (Index i = 0; i < m; ++i)
    for (Index k = 0; k < 2; ++k) {
      const Index row = 3 * i + 1 + k;
      const double fixed = s.friction_bounds.rows() > 0 ? s.friction_bounds(i, k) : kInfinity;
      const bool coulomb = !std::isfinite(fixed);
      if (coulomb) t.bound_by[static_cast<std::size_t>(row)] = 3 * i;
      t.upper[row] = coulomb ? s.mu[i] : fixed;
      t.lower[row] = -t.upper[row];
    }
}

// What turns the unknowns of a row into its unit, and residuals into velocities.
struct RowUnits {
  VectorXd root, weight;
};

RowUnits take(const LinearProblem& problem, Translation& t) {
  t.A = problem.A;
  t.b = problem.b;
  t.bound_by.assign(static_cast<std::size_t>(t.b.size()), -1);
  t.lower = problem.lower;
  t.upper = problem.upper;
  return {problem.rows.scale.cwiseSqrt(), problem.rows.weight};
}
RowUnits take(const System& s, Translation& t) {
  t.A = to_sparse(s);
  t.b = s.b;
  t.bound_by.assign(static_cast<std::size_t>(t.b.size()), -1);
  const VectorXd rho = effective_masses(s);
  return {rho.cwiseSqrt(), rho.cwiseInverse()};
}
RowUnits take(const BoxProblem& problem, Translation& t) {
  RowUnits units = take(problem.system(), t);
  box_bounds(problem.system(), t);
  return units;
}
RowUnits take(const ConeProblem& problem, Translation& t) {
  t.mu = problem.system().mu;
  return take(problem.system(), t);
}
RowUnits take(const Problem& problem, Translation&) {
  throw std::invalid_argument("no peer solves " + std::string(problem.formulation()));
}

// The one next below.
double power_of_two(double x) { return std::exp2(std::floor(std::log2(x))); }

}  // namespace

bool Translation::finite() const {
  return A.coeffs().allFinite() && b.allFinite() && unit.allFinite() && velocity.allFinite() &&
         (unit.array() > 0).all() && !lower.hasNaN() && !upper.hasNaN();
}

void Translation::bounds_at(const VectorXd& x, VectorXd& least, VectorXd& most) const {
  least = lower;
  most = upper;
  for (Index i = 0; i < x.size(); ++i)
    if (const Index by = bound_by[static_cast<std::size_t>(i)]; by >= 0) {
      const double pressing = std::max(0.0, x[by]);
      most[i] = pressing > 0 ? pressing * upper[i] : 0;
      least[i] = -most[i];
    }
}

Translation translate(const Problem& problem, bool scale) {
  Translation t;
  auto [root, weight] =
      std::visit([&](const auto* concrete) { return take(*concrete, t); }, problem.concrete());
  const Index n = t.b.size();
  if (!scale) root.setOnes();
  root = root.unaryExpr(&power_of_two);
  const double largest = n > 0 ? t.b.cwiseProduct(root).cwiseAbs().maxCoeff() : 0;
  const double beta = scale && largest > 0 ? power_of_two(largest) : 1;
  t.unit = beta * root;
  t.velocity = weight.cwiseProduct(t.unit);
  t.A = SparseMatrix(root.asDiagonal() * t.A * root.asDiagonal());
  t.b = root.cwiseProduct(t.b) / beta;
  for (Index i = 0; i < t.lower.size(); ++i)
    if (t.bound_by[static_cast<std::size_t>(i)] < 0) {
      t.lower[i] /= t.unit[i];
      t.upper[i] /= t.unit[i];
    }
  // A row that no impulse moves: any diagonal leaves the problem as it is, and none divides by
  // zero.
  if (problem.formulation() != "lcp") {
    VectorXd diagonal = t.A.diagonal();
    SparseMatrix repaired(n, n);
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < n; ++i)
      if (diagonal[i] == 0) entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
    if (!entries.empty()) {
      repaired.setFromTriplets(entries.begin(), entries.end());
      t.A += repaired;
    }
  }
  return t;
}

}  // namespace perpend::peers
