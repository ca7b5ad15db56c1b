// box/jacobi: projected Jacobi on the box model (Silcowitz-Hansen et al. 2010, eq. 16 with a
// diagonal B).
//
//   lambda_i <- clamp(lambda_i - omega y_i/d_i, l_i, u_i),  y = A lambda + b of the iterate before
// With d_i = A_ii it diverges as soon as a few contacts meet at a body. It converges for fixed
// bounds when d - omega A/2 is positive definite, so d is chosen with diag(d) >= A:
//   body space  A is a sum over bodies, A_b = J_b M_b^-1 J_b^T of rank six at most. The rows at
//   body
//     b, scaled to a unit diagonal, have the 6x6 Gram matrix G_b, and its largest eigenvalue k_b
//     gives A_b <= k_b diag(A_b). So d_i = k_b1 (A_b1)_ii + k_b2 (A_b2)_ii: mass splitting (Tonge,
//     Benevolenski, Voroshilov 2012) with k_b, between rows/6 and rows, in place of the count.
//   explicit  d_i = sum over j of |A_ij| sqrt(A_ii/A_jj): rows scaled likewise, Gershgorin.
// k_b is bounded from above by (tr G^64)^(1/64), at most 1.03 times too large.
// Option `relaxation`: omega in (0, 2), 1 by default. Friction bounds are those of the new lambda_n
// of the same contact; rows do not wait for each other otherwise.
#include <cmath>

#include "measure/box_sweep.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

// Upper bound of the largest eigenvalue of a product of two positive semidefinite matrices.
double largest_eigenvalue(Matrix6 g) {
  double bound = 1;
  for (double power = 1; power <= 64; power *= 2) {
    const double trace = g.trace();
    if (!(trace > 0)) return 0;
    bound *= std::pow(trace, 1 / power);
    g /= trace;
    g = (g * g).eval();
  }
  return bound;
}

VectorXd splitting(const System& system, const BodySpace& a) {
  std::vector<Matrix6> gram(static_cast<std::size_t>(a.bodies), Matrix6::Zero());
  const auto gather = [&](Index body, const auto& j, const auto& w) {
    const double own = j.dot(w);
    if (own > 0) gram[static_cast<std::size_t>(body)] += (w / own) * j.transpose();
  };
  for (const BodySpace::Contact& c : a.contacts)
    for (Index k = 0; k < 3; ++k) {
      gather(c.first, Vector6(c.j1.row(k)), Vector6(c.w1.row(k)));
      gather(c.second, Vector6(c.j2.row(k)), Vector6(c.w2.row(k)));
    }
  for (const auto* list : {&a.joints, &a.others})
    for (const BodySpace::JointRow& q : *list) {
      gather(q.first, q.j1, q.w1);
      gather(q.second, q.j2, q.w2);
    }
  std::vector<double> share;
  for (const Matrix6& g : gram) share.push_back(largest_eigenvalue(g));

  VectorXd d = VectorXd::Zero(system.rows());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    const BodySpace::Contact& c = a.contacts[i];
    for (Index k = 0; k < 3; ++k)
      d[3 * static_cast<Index>(i) + k] =
          share[static_cast<std::size_t>(c.first)] * c.j1.row(k).dot(c.w1.row(k)) +
          share[static_cast<std::size_t>(c.second)] * c.j2.row(k).dot(c.w2.row(k));
  }
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    for (const BodySpace::JointRow* q = &a.joints[j]; q; q = a.other(*q))
      d[3 * system.contacts() + static_cast<Index>(j)] +=
          share[static_cast<std::size_t>(q->first)] * q->j1.dot(q->w1) +
          share[static_cast<std::size_t>(q->second)] * q->j2.dot(q->w2);
  }
  if (a.cfm.size()) d += a.cfm;
  return d;
}

VectorXd splitting(const System& system, const Blocks&) {
  const VectorXd diagonal = row_diagonal(system);
  const SparseMatrix A = to_sparse(system);
  VectorXd d = VectorXd::Zero(system.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (SparseMatrix::InnerIterator it(A, i); it; ++it)
      if (diagonal[i] > 0 && diagonal[it.col()] > 0)
        d[i] += std::abs(it.value()) * std::sqrt(diagonal[i] / diagonal[it.col()]);
  return d;
}

void run(const BoxProblem& problem, Progress& progress) {
  const System& system = problem.system();
  const double omega = progress.number("relaxation");
  const VectorXd d = std::visit([&](const auto& a) { return splitting(system, a); }, system.A);
  const Index m = system.contacts();
  VectorXd lambda = progress.start();
  do {
    const VectorXd y = relative_velocity(system, lambda);
    const auto relaxed = [&](Index row) {
      return d[row] > 0 ? lambda[row] - omega * y[row] / d[row] : lambda[row];
    };
    for (Index i = 0; i < m; ++i) {
      lambda[3 * i] = std::max(0.0, relaxed(3 * i));
      const Eigen::Vector2d limits = friction_limits(system, i, lambda[3 * i]);
      for (Index k = 0; k < 2; ++k)
        lambda[3 * i + 1 + k] = std::clamp(relaxed(3 * i + 1 + k), -limits[k], limits[k]);
    }
    for (Index j = 0; j < system.joint_rows(); ++j)
      lambda[3 * m + j] = std::clamp(relaxed(3 * m + j), system.lower[j], system.upper[j]);
    progress.count(Work::sweep);
  } while (progress.next(lambda));
}

}  // namespace

SolverInfo box_jacobi() {
  return solver("box/jacobi", "projected Jacobi, damped body by body, friction as two bounds",
                "Silcowitz-Hansen, Niebe, Erleben 2010, eq. 16; Tonge et al. 2012", run,
                {{"relaxation",
                  "factor of the step; below 2 it converges for fixed bounds",
                  "1",
                  {},
                  0.01,
                  1.99}});
}

}  // namespace perpend
