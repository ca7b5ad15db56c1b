#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/sliding.hpp"

namespace perpend {
namespace ncp_pgs_test {

using boxes::kGravity;

TEST(NcpPgs, DiagonalSlideIsOppositeToFrictionAndExact) {
  // 1 kg at (3, 4) m/s: |friction| = mu m g h, against the motion; one contact, one sweep.
  const Result r = solve(assemble(boxes::point_mass_at(3, 4)), "ncp/pgs");
  ASSERT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.iterations, 1);
  const double normal = kGravity * 0.01;
  const Vector3d expected(normal, -0.5 * normal * 0.6, -0.5 * normal * 0.8);
  EXPECT_LT((r.impulses - expected).norm(), 1e-15);
}

TEST(NcpPgs, StackedCubesAreAtRest) {
  const Frame f = boxes::column(4, 1, 1);
  const System s = assemble(f);
  const Result r = solve(s, "ncp/pgs");
  ASSERT_EQ(r.status, Status::converged);
  EXPECT_LT(velocity_plus(f, s, r.impulses).norm(), 1e-6);
  // The floor carries all four.
  double weight = 0;
  for (Index i = 0; i < 4; ++i) weight += r.impulses[3 * i];
  EXPECT_NEAR(weight, 4 * kGravity * f.step, 1e-6);
}

TEST(NcpPgs, BilateralRowAndContactShareTheLoad) {
  // A cube on the floor, held at vertical speed zero by a joint as well: still at rest.
  Frame f = boxes::column(1, 1, 1);
  f.joints = make_frame(0, 0, {1}).joints;
  f.joints.pairs << 0, 1;
  f.joints.jacobian(0, 8) = 1;
  const System s = assemble(f);
  const Result r = solve(s, "ncp/pgs");
  ASSERT_EQ(r.status, Status::converged);
  EXPECT_LT(velocity_plus(f, s, r.impulses).norm(), 1e-7);
}

TEST(NcpPgs, SolvesANonsymmetricProblemAsItIs) {
  // Recordings have asymmetric A: the fixed point belongs to the matrix given, not to a
  // symmetrized one.
  SparseMatrix A(3, 3);
  A.insert(0, 0) = 1;
  A.insert(0, 1) = 0.2;
  A.insert(1, 1) = 1;
  A.insert(2, 2) = 1;
  const System s = assemble(A, Vector3d(-1, 0.1, 0), VectorXd::Ones(1));
  const Result r = solve(s, "ncp/pgs");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  // Sticking: x_t = -0.1, x_n = 1 + 0.02, to own_error 1e-8 m/s times |A^-1| = 1.2 and a margin.
  EXPECT_NEAR(r.impulses[1], -0.1, 1e-7);
  EXPECT_NEAR(r.impulses[0], 1.02, 1e-7);
}

}  // namespace ncp_pgs_test
}  // namespace perpend
