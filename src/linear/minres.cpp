// Lanczos vectors v, the tridiagonal matrix made triangular by Givens rotations (c, s), directions
// w = V R^-1. Letters as in the literature: alpha and beta of Lanczos, eta the residual with its
// sign.
#include "linear/minres.hpp"

#include <algorithm>
#include <cmath>

#include "linear/interrupt.hpp"

namespace perpend::linear {
namespace {

// Pivots below this part of A are rounding: Lanczos vectors of a dozen steps carry errors of 1e-10.
constexpr double kSingular = 1e-8;
// Operations that a product counts as: so many that before each it is asked whether to go on.
constexpr double kAsked = 1e6;

}  // namespace

MinresOutcome minres(const SymmetricOperator& A, const Eigen::VectorXd& b, Eigen::VectorXd& x,
                     double tolerance, int limit) {
  using Eigen::VectorXd;
  MinresOutcome out;
  VectorXd product(b.size());
  A(x, product);
  ++out.products;
  VectorXd v = b - product, v_before = VectorXd::Zero(b.size());
  VectorXd w = v_before, w_before = v_before;
  double beta = v.norm(), eta = beta;
  const double goal = tolerance * beta, tiny = 1e-14 * beta;
  double size = 0;  // of A, as the tridiagonal matrix shows it
  double c = 1, c_before = 1, s = 0, s_before = 0;
  while (std::abs(eta) > goal && beta > tiny && out.products < limit) {
    v /= beta;
    Interrupt::after(kAsked);
    A(v, product);
    ++out.products;
    const double alpha = v.dot(product);
    VectorXd next = product - alpha * v - beta * v_before;
    const double beta_next = next.norm();

    const double delta = c * alpha - c_before * s * beta;
    const double rho = std::hypot(delta, beta_next);
    // A is singular on what is left: the residual is at its least, another step is rounding.
    size = std::max({size, std::abs(alpha), beta_next});
    if (!(rho > kSingular * size)) break;
    const double rho_2 = s * alpha + c_before * c * beta, rho_3 = s_before * beta;
    c_before = c;
    s_before = s;
    c = delta / rho;
    s = beta_next / rho;
    VectorXd w_next = (v - rho_3 * w_before - rho_2 * w) / rho;
    x += c * eta * w_next;
    eta *= -s;

    w_before.swap(w);
    w.swap(w_next);
    v_before.swap(v);
    v.swap(next);
    beta = beta_next;
  }
  out.residual = std::abs(eta);
  return out;
}

}  // namespace perpend::linear
