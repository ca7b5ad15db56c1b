#include "solve/kit/cone_sweep.hpp"

#include <gtest/gtest.h>

namespace perpend {
namespace cone_sweep_test {

// |x - P_K(x - rho u_hat)|/rho of the local problem.
double residual(const Matrix3d& a, const Vector3d& b, double mu, const Vector3d& x) {
  const Vector3d u = a * x + b;
  const double rho = 3 / a.trace();
  const Vector3d hat = u + Vector3d(mu * u.tail<2>().norm(), 0, 0);
  return (x - project_cone(x - rho * hat, mu)).norm() / rho;
}

// A coupled, anisotropic contact.
Matrix3d block() {
  Matrix3d a;
  a << 2, 0.7, -0.3, 0.7, 3, 0.4, -0.3, 0.4, 1.5;
  return a;
}

TEST(LocalContact, CoulombIsExactInEveryDirection) {
  // 36 directions of tangential velocity, from sticking to fast sliding, three coefficients.
  for (double mu : {0.1, 0.7, 2.0})
    for (int k = 0; k < 36; ++k)
      for (double speed : {0.01, 0.3, 1.0, 30.0}) {
        LocalContact contact(block(), mu);
        const double angle = 0.1745 * k;
        const Vector3d b(-1, speed * std::cos(angle), speed * std::sin(angle));
        const Vector3d x = contact.coulomb(b);
        // The scalar equation is solved to 1e-15 relative; u = A x + b has the size of b.
        EXPECT_LT(residual(block(), b, mu, x), 1e-12 * (1 + speed))
            << mu << " " << k << " " << speed;
        EXPECT_LE(x.tail<2>().norm(), mu * x[0] * (1 + 1e-15));
      }
}

TEST(LocalContact, SeparatingContactHasNoImpulse) {
  LocalContact contact(block(), 0.5);
  EXPECT_EQ(contact.coulomb({0.1, 5, 5}), Vector3d::Zero().eval());
}

TEST(LocalContact, FrictionlessContactPushesAlongTheNormalOnly) {
  LocalContact contact(block(), 0);
  const Vector3d x = contact.coulomb({-1, 5, 5});
  EXPECT_EQ(x, Vector3d(0.5, 0, 0));
}

TEST(LocalContact, WedgedContactSlidesAlthoughFrictionPullsItDown) {
  // Painleve's situation: strong coupling A_nt with mu A_nt > A_nn. A solution exists (b_n < 0) and
  // must be found.
  Matrix3d a;
  a << 1, 0.9, 0, 0.9, 1, 0, 0, 0, 1;
  LocalContact contact(a, 2);
  const Vector3d b(-1, 4, 0);
  const Vector3d x = contact.coulomb(b);
  // S has the eigenvalue 0.19: impulses of size 20 make residuals of size 20 eps / 0.19.
  EXPECT_LT(residual(a, b, 2, x), 1e-11);
}

TEST(LocalContact, AssociatedConeConvergesToCoulombWhenTheLiftIsRight) {
  const double mu = 0.7;
  const Vector3d b(-1, 0.8, -0.5);
  LocalContact contact(block(), mu);
  Vector3d x = Vector3d::Zero();
  double lift = 0;
  for (int visit = 0; visit < 200; ++visit) {
    x = contact.associated(x, b, lift);
    lift = mu * (block() * x + b).tail<2>().norm();
  }
  EXPECT_LT(residual(block(), b, mu, x), 1e-10);
  LocalContact exact(block(), mu);
  EXPECT_LT((x - exact.coulomb(b)).norm(), 1e-9);
}

TEST(LocalContact, RankDeficientBlockGivesAFiniteAnswer) {
  // Only the normal direction moves anything.
  Matrix3d a = Matrix3d::Zero();
  a(0, 0) = 1;
  LocalContact contact(a, 0.5);
  const Vector3d x = contact.coulomb({-1, 0.2, 0});
  EXPECT_TRUE(x.allFinite());
  EXPECT_NEAR(x[0], 1, 1e-9);
}

}  // namespace cone_sweep_test
}  // namespace perpend
