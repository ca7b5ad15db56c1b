#include "solve/kit/scaled_cone.hpp"

#include <gtest/gtest.h>

#include "support/boxes.hpp"
#include "support/held.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace scaled_cone_test {

TEST(ScaledCone, ResidualIsTheVelocityErrorOfTheMeasures) {
  for (const Frame& f : {boxes::shaken(boxes::wall(3, 3, 0.4), 0.5), boxes::held(-0.01, 0.02)}) {
    const System s = assemble(f);
    const Impulses lambda = 0.02 * Impulses::Ones(s.rows());
    const ScaledCone cone(s);
    const VectorXd x = cone.scaled(lambda);
    const double error = measure(s, lambda, Measure::velocity_error);
    EXPECT_NEAR(cone.residual(x, cone.velocity(x)), error, 1e-12 * error);
  }
}

TEST(ScaledCone, DiagonalBlocksHaveAMeanEigenvalueOfOne) {
  const System s = assemble(boxes::column(2, 1, 1000));
  const ScaledCone cone(s);
  for (Index i = 0; i < s.contacts(); ++i) {
    const double d = cone.d()[3 * i];
    EXPECT_NEAR(d * d * contact_block(s, i).trace(), 3, 1e-12);
  }
}

TEST(ScaledCone, ProjectionObeysConesAndBounds) {
  const System s = assemble(boxes::shaken(boxes::wall(2, 2, 0.4), 1));
  const ScaledCone cone(s);
  VectorXd x = VectorXd::LinSpaced(s.rows(), -1, 2);
  cone.project(x);
  const Impulses lambda = cone.impulses(x);
  for (Index i = 0; i < s.contacts(); ++i)
    EXPECT_LE(lambda.segment<2>(3 * i + 1).norm(), s.mu[i] * lambda[3 * i] + 1e-15);

  const System joint = assemble(boxes::held(-0.01, 0.02));
  const ScaledCone bounds(joint);
  VectorXd z = VectorXd::Constant(1, 100);
  bounds.project(z);
  EXPECT_DOUBLE_EQ(bounds.impulses(z)[0], 0.02);
}

}  // namespace scaled_cone_test
}  // namespace perpend
