// Classical linear complementarity problems: the ones on which methods were shown to be slow, to
// cycle or to break down.
#pragma once

#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "perpend/solve.hpp"

namespace perpend::lcps {

using Eigen::MatrixXd;

struct Lcp {
  std::string name;
  MatrixXd A;
  VectorXd b;
  VectorXd z;  // the solution where it is the only one, else empty
};

inline VectorXd vector(std::initializer_list<double> values) {
  VectorXd v(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double x : values) v[i++] = x;
  return v;
}

inline std::unique_ptr<LinearProblem> problem(const MatrixXd& A, const VectorXd& b) {
  return raw_problem("lcp", A.sparseView(), b, {}, {});
}

inline Result solve(const Lcp& lcp, std::string_view solver, const Options& options = {}) {
  return perpend::solve(*problem(lcp.A, lcp.b), solver, options);
}

// Murty (1978): ones on the diagonal, twos below, b_i = -(2^n + 2^(n-1) + .. + 2^(n-i+1)). A
// P-matrix, z = (2^n, 0, .., 0); Lemke's method takes 2^n pivots.
inline Lcp murty(Index n) {
  MatrixXd A = MatrixXd::Identity(n, n);
  VectorXd b(n), z = VectorXd::Zero(n);
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    A.row(i).head(i).setConstant(2);
    sum += std::exp2(static_cast<double>(n - i));
    b[i] = -sum;
  }
  z[0] = std::exp2(static_cast<double>(n));
  return {"Murty " + std::to_string(n), A, b, z};
}

// Fathi (1979): L L^T of Murty's matrix L, b = -1. Positive definite, z = (1, 0, .., 0).
inline Lcp fathi(Index n) {
  const MatrixXd L = murty(n).A;
  VectorXd z = VectorXd::Zero(n);
  z[0] = 1;
  return {"Fathi " + std::to_string(n), L * L.transpose(), -VectorXd::Ones(n), z};
}

// Kostreva (1979): a P-matrix on which Bard's method, and Lemke's with a naive rule, cycle.
inline Lcp kostreva() {
  return {"Kostreva", (MatrixXd(3, 3) << 1, 2, 0, 0, 1, 2, 2, 0, 1).finished(), -VectorXd::Ones(3),
          VectorXd::Constant(3, 1.0 / 3)};
}

// The optimality conditions of: minimize c.x with G x >= g, x >= 0. A is skew: its diagonal is
// zero. Here the least of x + y with x + 2y >= 4, 3x + y >= 6: x = 8/5, y = 6/5, and the prices
// u + 3v = 1, 2u + v = 1: u = 2/5, v = 1/5.
inline Lcp linear_program() {
  return {"a linear program",
          (MatrixXd(4, 4) << 0, 0, -1, -3, 0, 0, -2, -1, 1, 2, 0, 0, 3, 1, 0, 0).finished(),
          vector({1, 1, -4, -6}), vector({1.6, 1.2, 0.4, 0.2})};
}

// Both rows and both columns are the same: every z >= 0 with z_1 + z_2 = 1 is a solution.
inline Lcp two_feet() { return {"two equal feet", MatrixXd::Ones(2, 2), -VectorXd::Ones(2), {}}; }

// The solution z = (1, 0) is degenerate: w = (0, 0).
inline Lcp degenerate() {
  return {"degenerate", (MatrixXd(2, 2) << 2, 1, 1, 2).finished(), vector({-2, -1}),
          vector({1, 0})};
}

// Not monotone, three solutions: (3, 0) with w_2 = 3, (0, 3) with w_1 = 3, and (1, 1) with w = 0.
inline Lcp several() {
  return {"several solutions", (MatrixXd(2, 2) << 1, 2, 2, 1).finished(), vector({-3, -3}), {}};
}

// What every method here must solve.
inline std::vector<Lcp> solvable() {
  return {murty(1),   murty(4),         fathi(2),     fathi(8), kostreva(),
          two_feet(), linear_program(), degenerate(), several()};
}

// w_1 + w_2 = -2 whatever z is, though no single row shows it: positive semidefinite, no solution.
inline Lcp impossible() {
  return {"impossible", (MatrixXd(2, 2) << 1, -1, -1, 1).finished(), vector({-1, -1}), {}};
}

// A contact that no impulse can open, beside one that is solved.
inline Lcp hopeless() {
  return {"hopeless", (MatrixXd(2, 2) << 1, 0, 0, 0).finished(), vector({-1, -2}), {}};
}

}  // namespace perpend::lcps
