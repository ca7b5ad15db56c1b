// lcp: w = A z + b, 0 <= z perp w >= 0, with z = (pn, pf, s) as in Lu et al. 2013, eq. 19:
//
//       | Gn^T M^-1 Gn   Gn^T M^-1 Gd   0 |          | Gn^T (v + M^-1 p_app) + psi/h |
//   A = | Gd^T M^-1 Gn   Gd^T M^-1 Gd   E |      b = | Gd^T (v + M^-1 p_app)         |
//       | U             -E^T            0 |          | 0                             |
// pf holds the n_d components of contact 1, then those of contact 2, and so on. Then follow, where
// the system has them, the gammas of groups (Nguyen and Trinkle 2010, eq. 20) and the joint rows
// with one or two finite bounds: the rows of facets.hpp.
//
// Bilateral joint rows are eliminated before. From y_b = A_bb lambda_b + A_bc lambda_c + b_b = 0,
//   A' = A_cc - A_cb A_bb^+ A_bc,   b' = b_c - A_cb A_bb^+ b_b,
//   lambda_b = -A_bb^+ (b_b + A_bc lambda_c).
// A_bb^+ by a rank-revealing factorization: redundant joints are common. Joints that contradict
// each other leave y_b != 0, which no impulse can mend: own_error counts these rows too, |y_b|.
//
// z is in N s (pn, pf, x) and m/s (s, gamma, eta); RowScale brings every row to m/s.
#include <cmath>

#include "formulate/facets.hpp"
#include "formulate/scales.hpp"
#include "linear/pseudo_inverse.hpp"
#include "linear/sparse_rows.hpp"
#include "measure/rounding.hpp"

namespace perpend {
namespace {

class LcpProblem final : public LinearProblem {
 public:
  LcpProblem(const System& s, Index facets)
      : system_(&s), law_(s, facets, FacetLaw::Joints::one_sided) {
    for (Index j = 0; j < s.joint_rows(); ++j)
      if (!std::isfinite(s.lower[j]) && !std::isfinite(s.upper[j]))
        bilateral_.push_back(3 * s.contacts() + j);
    SparseMatrix reduced = to_sparse(s);
    VectorXd reduced_b = s.b;
    if (!bilateral_.empty()) eliminate(reduced, reduced_b);

    const SparseMatrix LA = linear::product(law_.L, reduced);
    A = linear::product(LA, law_.R);
    A += law_.K;
    A.makeCompressed();
    b = LA * law_.lambda0 + law_.L * reduced_b + law_.k;
    lower = law_.lower;
    upper = law_.upper;
    rows = law_.rows;
  }

  std::string_view formulation() const override { return "lcp"; }

  double own_error(const VectorXd& z) const override {
    double worst = LinearProblem::own_error(z);
    if (bilateral_.empty()) return worst;
    const VectorXd y = relative_velocity(*system_, impulses(z));
    for (const Index row : bilateral_) worst = larger(worst, std::abs(y[row]));
    return worst;
  }

  Bounded bounded_own_error(const VectorXd& z, Sums sums) const override {
    Bounded worst = LinearProblem::bounded_own_error(z, sums);
    if (bilateral_.empty()) return worst;
    const RoundedVelocity v = rounded_velocity(*system_, impulses(z), sums);
    for (const Index row : bilateral_) enlarge(worst, {std::abs(v.y[row]), v.delta[row]});
    return worst;
  }

  Impulses impulses(const VectorXd& z) const override {
    Impulses lambda = law_.R * z + law_.lambda0;
    if (bilateral_.empty()) return lambda;
    const VectorXd joint = back_ * lambda + back0_;
    for (std::size_t k = 0; k < bilateral_.size(); ++k)
      lambda[bilateral_[k]] = -joint[static_cast<Index>(k)];
    return lambda;
  }

  VectorXd unknowns(const Impulses& lambda) const override {
    VectorXd z = VectorXd::Zero(size());
    law_.set_impulses(lambda, z);
    // Bilateral impulses follow from the others, as they do in A'.
    law_.set_speeds(relative_velocity(*system_, impulses(z)), z);
    return z;
  }

 private:
  void eliminate(SparseMatrix& reduced, VectorXd& reduced_b) {
    const Index nb = static_cast<Index>(bilateral_.size());
    SparseMatrix pick(nb, system_->rows());  // lambda_b = pick lambda
    SparseMatrix rest(system_->rows(), system_->rows());
    std::vector<bool> eliminated(static_cast<std::size_t>(system_->rows()), false);
    for (Index k = 0; k < nb; ++k) {
      pick.insert(k, bilateral_[static_cast<std::size_t>(k)]) = 1;
      eliminated[static_cast<std::size_t>(bilateral_[static_cast<std::size_t>(k)])] = true;
    }
    for (Index i = 0; i < system_->rows(); ++i)
      if (!eliminated[static_cast<std::size_t>(i)]) rest.insert(i, i) = 1;

    const SparseMatrix Ab = pick * reduced;  // rows b, all columns
    const linear::PseudoInverse inverse(Ab * SparseMatrix(pick.transpose()));
    VectorXd bb(nb);
    for (Index k = 0; k < nb; ++k) bb[k] = system_->b[bilateral_[static_cast<std::size_t>(k)]];
    back_ = inverse.solve(SparseMatrix(Ab * rest));
    back0_ = inverse.solve(bb);
    const SparseMatrix Acb = rest * reduced * SparseMatrix(pick.transpose());
    reduced_b -= Acb * back0_;
    reduced = SparseMatrix(rest * reduced * rest) - linear::product(Acb, back_);
  }

  const System* system_;
  FacetLaw law_;
  std::vector<Index> bilateral_;  // rows of the system
  SparseMatrix back_;             // A_bb^+ A_bc
  VectorXd back0_;                // A_bb^+ b_b
};

}  // namespace

std::unique_ptr<Problem> make_lcp(const System& s, Index facets) {
  return std::make_unique<LcpProblem>(s, facets);
}

}  // namespace perpend
