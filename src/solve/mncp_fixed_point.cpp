// mncp/fixed-point: the proximal fixed point of Lu et al. 2013 (eq. 15) with velocities and joint
// impulses kept as unknowns (section 4.2, eq. 14).
//
//   solve   | M   -J_b^T | |w  |   |J_c^T x_c         |     for velocities and the impulses of all
//           | J_b  e     | |x_b| = |e x_b' - b_b      |     bilateral rows
//   then    x_c <- prox of x_c - r y_c,  y_c = J_c w + b_c
// with the normal impulse first and friction onto the disk of radius mu x_n, joint rows with a
// finite bound clamped. The matrix does not change and is factorized once, by sparse LU. Redundant
// joints would make it singular: e is small, and x_b' are the joint impulses of the iteration
// before, so that nothing of e is left in a fixed point.
//
// r = factor/lambda_max in scaled units (mixed_cone.hpp), lambda_max the largest eigenvalue of what
// the joints leave of J_c M^-1 J_c^T, by power iteration: without friction factors below 2
// converge. Lu et al. do not tell their r.
#include <cmath>

#include "linear/sparse_lu.hpp"
#include "solve/kit/mixed_cone.hpp"
#include "solve/kit/power_iteration.hpp"
#include "solve/kit/projections.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kJointCompliance = 1e-9;  // e, scaled
constexpr double kDiverged = 1e8;

// Velocities and bilateral impulses for given impulses of the other rows.
class Mechanism {
 public:
  explicit Mechanism(const MixedCone& p) : p_(p), Jt_(p.J.transpose()) {
    for (Index j = 0; j < p.lower.size(); ++j)
      if (std::isinf(p.lower[j]) && std::isinf(p.upper[j])) rows_.push_back(3 * p.contacts + j);
    const Index n = p.velocities(), size = n + static_cast<Index>(rows_.size());
    std::vector<Eigen::Triplet<double>> entries;
    const auto put = [&](Index row, Index column, double value) {
      entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    };
    for (Index k = 0; k < n; ++k)
      for (SparseMatrix::InnerIterator it(p.M, k); it; ++it) put(k, it.col(), it.value());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Index at = n + static_cast<Index>(k);
      for (SparseMatrix::InnerIterator it(p.J, rows_[k]); it; ++it) {
        put(it.col(), at, -it.value());
        put(at, it.col(), it.value());
      }
      put(at, at, p.c[rows_[k]] + kJointCompliance);
    }
    SparseMatrix matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    ok_ = lu_.factorize(matrix);
  }

  bool ok() const { return ok_; }
  // x: the entries of bilateral rows are read as x_b' and replaced; `bias` 0 solves for b = 0.
  VectorXd solve(VectorXd& x, double bias) const {
    const Index n = p_.velocities();
    VectorXd loads = x;
    for (const Index row : rows_) loads[row] = 0;
    VectorXd z(n + static_cast<Index>(rows_.size()));
    z.head(n) = Jt_ * loads;
    for (std::size_t k = 0; k < rows_.size(); ++k)
      z[n + static_cast<Index>(k)] = kJointCompliance * bias * x[rows_[k]] - bias * p_.b[rows_[k]];
    lu_.solve(z);
    for (std::size_t k = 0; k < rows_.size(); ++k) x[rows_[k]] = z[n + static_cast<Index>(k)];
    return z.head(n);
  }
  const std::vector<Index>& rows() const { return rows_; }

 private:
  const MixedCone& p_;
  SparseMatrix Jt_;
  linear::SparseLu lu_;
  std::vector<Index> rows_;  // bilateral
  bool ok_ = false;
};

double largest_eigenvalue(const MixedCone& p, const Mechanism& mechanism, Progress& progress) {
  const auto without_joints = [&](VectorXd v) {
    for (const Index row : mechanism.rows()) v[row] = 0;
    return v;
  };
  VectorXd start(p.rows());
  for (Index i = 0; i < start.size(); ++i) start[i] = uneven(i);
  const auto product = [&](const VectorXd& v) -> VectorXd {
    VectorXd x = v;
    const VectorXd w = mechanism.solve(x, 0);
    return without_joints(p.J * w + p.c.cwiseProduct(v));
  };
  return largest_eigenvalue(without_joints(start), product, progress);
}

void prox(const MixedCone& p, double r, const VectorXd& y, VectorXd& x) {
  for (Index i = 0; i < p.contacts; ++i) {
    const double n = std::max(0.0, x[3 * i] - r * y[3 * i]);
    const Eigen::Vector2d f = x.segment<2>(3 * i + 1) - r * y.segment<2>(3 * i + 1);
    x.segment<3>(3 * i) << n, to_disk(f, p.mu[i] * n);
  }
  for (Index j = 0; j < p.lower.size(); ++j) {
    const Index at = 3 * p.contacts + j;
    if (std::isfinite(p.lower[j]) || std::isfinite(p.upper[j]))
      x[at] = std::clamp(x[at] - r * y[at], p.lower[j], p.upper[j]);
  }
}

void run(const MixedConeProblem& problem, Progress& progress) {
  const MixedCone p(problem);
  const Mechanism mechanism(p);
  progress.count(Work::factorization);
  if (!mechanism.ok())
    return progress.finish(Status::failed, "the matrix of masses and joints is singular");
  const double r = progress.number("factor") / largest_eigenvalue(p, mechanism, progress);
  VectorXd x = p.scaled(progress.start());
  double first = -1;
  for (;;) {
    const VectorXd w = mechanism.solve(x, 1);
    const VectorXd y = p.J * w + p.b + p.c.cwiseProduct(x);
    progress.count(Work::product);
    const double residual = p.residual(x, y);
    if (first < 0) first = residual;
    if (!progress.next(p.unknowns(w, x), residual)) return;
    if (residual > kDiverged * first)
      return progress.finish(Status::failed, "it diverges: r is too large for this problem");
    prox(p, r, y, x);
  }
}

}  // namespace

SolverInfo mncp_fixed_point() {
  return solver("mncp/fixed-point",
                "proximal fixed-point iteration, velocities and joints solved by one factorization",
                "Lu et al. 2013, Table 2, eqs. 14, 15", run,
                {{"factor",
                  "multiple of the r that the spectrum of the contacts gives",
                  "1",
                  {},
                  1e-3,
                  1e3}});
}

}  // namespace perpend
