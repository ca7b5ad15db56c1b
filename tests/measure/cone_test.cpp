#include <gtest/gtest.h>

#include <cmath>

#include "perpend/measure.hpp"

namespace perpend {
namespace cone_test {

TEST(Cone, KeepsWhatIsInside) {
  EXPECT_EQ(project_cone({2, -0.5, 0}, 0.5), Vector3d(2, -0.5, 0));
  EXPECT_EQ(project_cone({2, 1, 0}, 0.5), Vector3d(2, 1, 0));  // on the mantle
}

TEST(Cone, SendsThePolarConeToItsTip) {
  EXPECT_EQ(project_cone({-2, 3, 0}, 0.5), Vector3d::Zero());
  EXPECT_EQ(project_cone({-1, 0, 2}, 0.5), Vector3d::Zero());  // on the polar mantle
  EXPECT_EQ(project_cone({-1, 0, 0}, 0.5), Vector3d::Zero());
  EXPECT_EQ(project_cone({0, 0, 0}, 0.5), Vector3d::Zero());
}

// The generator nearest to (2, -2) is (1, -1/2): (2, -2).(1, -1/2)/(5/4) = 12/5.
TEST(Cone, SendsTheRestToTheMantle) {
  const Vector3d p = project_cone({2, -2, 0}, 0.5);
  // Three operations of relative rounding 2^-53 each, on values up to 2.4.
  EXPECT_NEAR(p[0], 2.4, 2e-15);
  EXPECT_NEAR(p[1], -1.2, 2e-15);
  EXPECT_EQ(p[2], 0);
}

TEST(Cone, WithoutFrictionIsAHalfLine) {
  EXPECT_EQ(project_cone({3, 4, -5}, 0), Vector3d(3, 0, 0));
  EXPECT_EQ(project_cone({3, 0, 0}, 0), Vector3d(3, 0, 0));
  EXPECT_EQ(project_cone({-3, 4, -5}, 0), Vector3d::Zero());
  EXPECT_EQ(project_cone({0, 4, 0}, 0), Vector3d::Zero());
}

// What makes p the projection of x onto a closed convex cone K (Moreau): p in K, x - p in the
// polar cone, p.(x - p) = 0.
// An open contact without friction that does not slide: |x_f| = 0 = mu x_n, and yet outside.
TEST(Cone, WithoutFrictionSendsAPullStraightBackToItsTip) {
  EXPECT_EQ(project_cone(Vector3d(-2, 0, 0), 0), Vector3d::Zero());
}

TEST(Cone, IsMoreausDecompositionEverywhere) {
  const double tolerance = 1e-14;  // some ten roundings on numbers of size at most 10
  for (const double mu : {0.0, 0.1, 0.5, 1.0, 3.0})
    for (int n = -4; n <= 4; ++n)
      for (int t = -4; t <= 4; ++t)
        for (int o = -4; o <= 4; ++o) {
          const Vector3d x(n, t, o);
          const Vector3d p = project_cone(x, mu), rest = x - p;
          EXPECT_LE(std::hypot(p[1], p[2]), mu * p[0] + tolerance) << x.transpose() << " mu " << mu;
          EXPECT_LE(mu * std::hypot(rest[1], rest[2]), -rest[0] + tolerance * (1 + mu))
              << x.transpose() << " mu " << mu;
          EXPECT_NEAR(p.dot(rest), 0, 10 * tolerance) << x.transpose() << " mu " << mu;
        }
}

TEST(Cone, IsExactForTinyAndHugeImpulses) {
  for (const double scale : {0x1p-300, 0x1p+300}) {
    const Vector3d p = project_cone(scale * Vector3d(2, -2, 0), 0.5);
    EXPECT_NEAR(p[0] / scale, 2.4, 2e-15);
    EXPECT_NEAR(p[1] / scale, -1.2, 2e-15);
  }
}

}  // namespace cone_test
}  // namespace perpend
