// mlcp: w = A z + b, lower <= z <= upper, w complementary to z = (v, lambda_b, pn, pf, s, gamma).
//
//   v         free:  M v - M v_free - J^T lambda = 0                  (L 18; N 11)
//   lambda_b  lower <= lambda_b <= upper:  J_b v + Phi/h + dPhi/dt    (N 11, with bounds)
//   pn        0 <= pn  perp  Gn^T v + psi/h >= 0                      (L 1)
//   pf, s     the facets of the friction cone                         (L 10, 11)
//   gamma     the alternatives of groups                              (N 20)
// with the equations of L (Lu et al. 2013) and N (Nguyen and Trinkle 2010).
// v are the velocities of the moving bodies (or generalized velocities) after the step. The papers
// list pn, pf, s by kind over all contacts, and so do we; Nguyen and Trinkle write forces times h,
// we impulses. Velocities of fixed bodies, restitution and the engine's bias are in the constant
// part of b; compliance (Model::engine) stands on the diagonal of the contact and joint rows.
//
// own_error: momentum rows divided by M_ii, so that every row is in m/s.
#include <limits>

#include "formulate/facets.hpp"
#include "formulate/scales.hpp"
#include "linear/sparse_rows.hpp"

namespace perpend {
namespace {

class MlcpProblem final : public LinearProblem {
 public:
  MlcpProblem(const System& s, Index facets)
      : system_(&s), law_(s, facets, FacetLaw::Joints::bounded) {
    const Dynamics& d = *s.dynamics;
    velocities_ = d.mass.rows();
    const Index n = velocities_ + law_.size();
    const SparseMatrix J = jacobian(s);
    const SparseMatrix JtR = linear::product(SparseMatrix(J.transpose()), law_.R);
    const SparseMatrix LJ = linear::product(law_.L, J);
    SparseMatrix own = linear::product(law_.L, SparseMatrix(compliance(s).asDiagonal() * law_.R));
    own += law_.K;

    linear::Triplets entries;
    put(d.mass, 0, 0, 1, entries);
    put(JtR, 0, velocities_, -1, entries);
    put(LJ, velocities_, 0, 1, entries);
    put(own, velocities_, velocities_, 1, entries);
    A = linear::from_triplets(n, n, entries);
    b.resize(n);
    b << -(d.mass * d.free_velocity), law_.L * constant_velocity(s) + law_.k;

    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    lower.resize(n);
    lower << VectorXd::Constant(velocities_, -kInfinity), law_.lower;
    upper.resize(n);
    upper << VectorXd::Constant(velocities_, kInfinity), law_.upper;
    rows.scale.resize(n);
    rows.scale << VectorXd(d.mass.diagonal()).cwiseInverse(), law_.rows.scale;
    rows.weight.resize(n);
    rows.weight << VectorXd::Ones(velocities_), law_.rows.weight;
  }

  std::string_view formulation() const override { return "mlcp"; }

  Impulses impulses(const VectorXd& z) const override { return law_.R * z.tail(law_.size()); }

  VectorXd unknowns(const Impulses& lambda) const override {
    VectorXd law = VectorXd::Zero(law_.size());
    law_.set_impulses(lambda, law);
    const Impulses held = law_.R * law;
    law_.set_speeds(relative_velocity(*system_, held), law);
    VectorXd z(size());
    z << velocity_plus(*system_, held), law;
    return z;
  }

 private:
  static void put(const SparseMatrix& block, Index row, Index column, double sign,
                  linear::Triplets& entries) {
    for (Index i = 0; i < block.outerSize(); ++i)
      for (SparseMatrix::InnerIterator it(block, i); it; ++it)
        entries.emplace_back(static_cast<int>(row + i), static_cast<int>(column + it.col()),
                             sign * it.value());
  }

  const System* system_;
  FacetLaw law_;
  Index velocities_ = 0;
};

}  // namespace

std::unique_ptr<Problem> make_mlcp(const System& s, Index facets) {
  return std::make_unique<MlcpProblem>(s, facets);
}

}  // namespace perpend
