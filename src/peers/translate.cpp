#include "peers/translate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perpend::peers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

VectorXd effective_masses(const System& s) {
  VectorXd rho(s.rows());
  for (Index i = 0; i < s.contacts(); ++i) rho.segment<3>(3 * i).setConstant(effective_mass(s, i));
  for (Index j = 0; j < s.joint_rows(); ++j) rho[3 * s.contacts() + j] = effective_joint_mass(s, j);
  return rho;
}

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
  VectorXd root, weight;
  if (const auto* linear = dynamic_cast<const LinearProblem*>(&problem)) {
    t.A = linear->A;
    t.b = linear->b;
    t.lower = linear->lower;
    t.upper = linear->upper;
    root = linear->rows.scale.cwiseSqrt();
    weight = linear->rows.weight;
  } else {
    const System& s = dynamic_cast<const ImpulseProblem&>(problem).system();
    t.A = to_sparse(s);
    t.b = s.b;
    const VectorXd rho = effective_masses(s);
    root = rho.cwiseSqrt();
    weight = rho.cwiseInverse();
  }
  const Index n = t.b.size();
  t.bound_by.assign(static_cast<std::size_t>(n), -1);
  if (problem.formulation() == "box")
    box_bounds(dynamic_cast<const BoxProblem&>(problem).system(), t);
  if (problem.formulation() == "ncp") t.mu = dynamic_cast<const ConeProblem&>(problem).system().mu;

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
