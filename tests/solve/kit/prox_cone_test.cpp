#include "solve/kit/prox_cone.hpp"

#include <gtest/gtest.h>

#include "perpend/measure.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace prox_cone_test {

// A wall thrown about, with impulses that stick, slide and are open.
struct Scene {
  System system = assemble(boxes::shaken(boxes::wall(3, 3, 0.4), 0.5));
  Impulses x = 0.02 * Impulses::Ones(system.rows());
  VectorXd u = relative_velocity(system, x);
};

TEST(ProxCone, ResidualIsTheVelocityErrorOfTheMeasures) {
  Scene s;
  ProxCone cone;
  cone.prepare(s.system);
  const double error = measure(s.system, s.x, Measure::velocity_error);
  EXPECT_NEAR(cone.residual(s.x, s.u), error, 1e-12 * error);
}

TEST(ProxCone, ProximalImpulsesObeyTheConeAndItsSlopeIsTheirDerivative) {
  Scene s;
  for (const ProxCone::Law law : {ProxCone::Law::coulomb, ProxCone::Law::associated}) {
    ProxCone cone;
    cone.prepare(s.system);
    cone.set_law(law);
    cone.penalize(3);
    cone.centre(s.x, VectorXd::Constant(s.system.contacts(), 0.01));
    cone.project(s.u);
    cone.linearize();
    const VectorXd p = cone.p();
    // A step far smaller than the distance of any contact to a kink; differences of second order.
    const double h = 1e-7;
    const VectorXd du = VectorXd::LinSpaced(s.u.size(), -1, 1);
    ProxCone moved = cone;
    moved.project(s.u + h * du);
    for (Index i = 0; i < s.system.contacts(); ++i) {
      EXPECT_LE(p.segment<2>(3 * i + 1).norm(), s.system.mu[i] * p[3 * i] + 1e-15);
      const Vector3d change = (moved.p() - p).segment<3>(3 * i) / h;
      EXPECT_LT((change + cone.slopes().contact[static_cast<std::size_t>(i)] * du.segment<3>(3 * i))
                    .norm(),
                1e-4)
          << i;
    }
    // Extrapolated by that derivative it is the same.
    VectorXd predicted;
    cone.extrapolate(s.u + h * du, predicted);
    EXPECT_LT((predicted - moved.p()).norm(), 1e-10);
    EXPECT_EQ(cone.slopes().symmetric, law == ProxCone::Law::associated);
  }
}

TEST(ProxCone, AnAnswerIsItsOwnProximalPointWhateverThePenalty) {
  // A cube at rest: each of four contacts carries a quarter of m g h, and y = 0.
  const System s = assemble(boxes::column(1, 2, 2));
  Impulses x = Impulses::Zero(s.rows());
  for (Index i = 0; i < 4; ++i) x[3 * i] = 2 * boxes::kGravity * 0.01 / 4;
  const VectorXd u = relative_velocity(s, x);
  ASSERT_LT(u.norm(), 1e-15);
  ProxCone cone;
  cone.prepare(s);
  for (double rho : {0.1, 10.0, 1e5}) {
    cone.penalize(rho);
    cone.centre(x, VectorXd::Zero(4));
    cone.project(u);
    EXPECT_LT((cone.p() - x).norm(), rho * 1e-14);
  }
}

}  // namespace prox_cone_test
}  // namespace perpend
