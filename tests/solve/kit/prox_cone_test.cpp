#include "solve/kit/prox_cone.hpp"

#include <gtest/gtest.h>

#include <limits>

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

// u is not looked at: it is what the old impulses make, and NaN here.
TEST(ProxCone, SortedByTheCentreRowsAreWhatTheirImpulsesSay) {
  const System s = assemble(boxes::column(1, 2, 2));
  const double mu = s.mu[0];
  Impulses x = Impulses::Zero(s.rows());
  x.segment<3>(3) << 2, 0.3 * mu, 0.4 * mu;  // inside its cone
  x.segment<3>(6) << 2, 1.2 * mu, 1.6 * mu;  // on its surface, direction (0.6, 0.8)
  ProxCone cone;
  cone.prepare(s);
  cone.set_law(ProxCone::Law::coulomb);
  cone.penalize(10);
  cone.centre(x, VectorXd::Constant(4, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(cone.sort_by_centre());
  EXPECT_EQ(cone.p(), x);
  cone.linearize();
  const std::vector<Matrix3d>& slopes = cone.slopes().contact;
  EXPECT_FALSE(cone.slopes().symmetric);
  EXPECT_EQ(slopes[0], Matrix3d::Zero().eval());  // open
  const double w = slopes[1](0, 0);
  EXPECT_GT(w, 0);
  EXPECT_EQ(slopes[1], (w * Matrix3d::Identity()).eval());  // sticks
  const double v = slopes[2](0, 0);                         // slides: friction follows the normal
  EXPECT_LT((slopes[2].col(0) - v * Vector3d(1, 0.6 * mu, 0.8 * mu)).norm(), 1e-14 * v);
  EXPECT_LT((slopes[2] * Vector3d(0, 0.6, 0.8)).norm(), 1e-14 * v);
  EXPECT_LT((slopes[2] * Vector3d(0, -0.8, 0.6) - v * Vector3d(0, -0.8, 0.6)).norm(), 1e-14 * v);
  x.segment<3>(6).setZero();
  cone.centre(x, VectorXd::Zero(4));
  EXPECT_FALSE(cone.sort_by_centre());
}

}  // namespace prox_cone_test
}  // namespace perpend
