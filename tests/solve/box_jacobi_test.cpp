#include <gtest/gtest.h>

#include "measure/scenes.hpp"
#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace box_jacobi_test {

using boxes::kGravity;

Result run(const System& s, double relaxation = 1, long limit = 100000) {
  Options o;
  o.max_iterations = limit;
  o.set["relaxation"] = std::to_string(relaxation);
  return solve(s, "box/jacobi", o);
}

TEST(BoxJacobi, StopsOneContactInOneStep) {
  // One contact at the centre of mass: three rows, orthogonal in the mass, so G = I/3 x 3 and k = 1
  // but for the bound's 3^(1/64) = 1.017.
  const Result r = run(assemble(scenes::sticking()));
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE(r.iterations, 10);  // 0.017^n < 1e-8 after five
  EXPECT_NEAR(r.impulses[0], 2, 2e-8);
}

// The quadratic function that normal rows alone minimize, 1/2 f.A f + b.f.
double energy(const System& s, const VectorXd& lambda) {
  return 0.5 * lambda.dot(apply(s, lambda)) + s.b.dot(lambda);
}

TEST(BoxJacobi, NeverGainsEnergyUpToTwiceTheSafeStep) {
  // With fixed bounds (mu = 0) each step lowers the energy as long as d - omega A/2 > 0.
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0), 0.5));
  for (const System& form : {s, with_blocks(s)})
    for (const double omega : {0.5, 1.0, 1.9}) {
      Options o;
      o.max_iterations = 200;
      o.set["relaxation"] = std::to_string(omega);
      double before = 0;
      o.observer = [&](const Iteration& i) {
        const double now = energy(form, i.z);
        EXPECT_LE(now, before + 1e-14);
        before = now;
        return true;
      };
      solve(form, "box/jacobi", o);
    }
}

TEST(BoxJacobi, UndampedJacobiWouldDivergeThere) {
  // d = A_ii with sixteen contacts between two cubes: the reason for the damping.
  boxes::World w;
  const Index floor = w.fixed();
  const Index cube = w.cube(1, 1, {0, 0, 0.5});
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      w.contact(floor, cube, {i / 3.0 - 0.5, j / 3.0 - 0.5, 0}, Vector3d::UnitZ(), 0.5);
  const System s = assemble(w.frame());
  VectorXd lambda = VectorXd::Zero(s.rows());
  double largest = 0;
  for (int k = 0; k < 50; ++k) {
    const VectorXd y = relative_velocity(s, lambda);
    for (Index i = 0; i < s.contacts(); ++i)
      lambda[3 * i] = std::max(0.0, lambda[3 * i] - y[3 * i] / contact_block(s, i)(0, 0));
    if (k >= 40) largest = std::max(largest, lambda.sum());
  }
  EXPECT_GT(largest, 5 * kGravity * 0.01);  // all together bear five times the weight, or nothing
  const Result r = run(s);
  EXPECT_EQ(r.status, Status::converged) << r.message;
  double sum = 0;
  for (Index i = 0; i < s.contacts(); ++i) sum += r.impulses[3 * i];
  EXPECT_NEAR(sum, kGravity * 0.01, 1e-7);
}

TEST(BoxJacobi, EndsAtTheVelocityOfPgsInBothForms) {
  const System s = assemble(boxes::column(3, 1, 2));
  const Result pgs = solve(s, "box/pgs"), bodies = run(s), blocks = run(with_blocks(s));
  ASSERT_EQ(pgs.status, Status::converged);
  ASSERT_EQ(bodies.status, Status::converged);
  ASSERT_EQ(blocks.status, Status::converged);
  const VectorXd v = velocity_plus(s, pgs.impulses);
  EXPECT_LT((velocity_plus(s, bodies.impulses) - v).norm(), 1e-6);
  EXPECT_LT((velocity_plus(s, blocks.impulses) - v).norm(), 1e-6);
}

TEST(BoxJacobi, LongerStepsNeedFewerOfThem) {
  const System s = assemble(boxes::column(3, 1, 1));
  EXPECT_LT(run(s, 1.9).iterations, run(s, 1).iterations);
  EXPECT_LT(run(s, 1).iterations, run(s, 0.5).iterations);
}

}  // namespace box_jacobi_test
}  // namespace perpend
