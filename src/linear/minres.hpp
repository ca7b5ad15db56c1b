// MINRES (Paige, Saunders 1975): x that minimizes |A x - b| over growing Krylov spaces, for a
// symmetric A, definite or not, known by its products alone.
#pragma once

#include <Eigen/Core>
#include <functional>

namespace perpend::linear {

// out = A x
using SymmetricOperator = std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& out)>;

struct MinresOutcome {
  int products = 0;
  double residual = 0;  // |A x - b| by the recurrence
};

// From the x given, until the residual is `tolerance` times that of the start, or for `limit`
// products. Where A is singular and b not in its range the residual stays at its smallest.
MinresOutcome minres(const SymmetricOperator& A, const Eigen::VectorXd& b, Eigen::VectorXd& x,
                     double tolerance, int limit);

}  // namespace perpend::linear
