#include "solve/kit/coarse_correction.hpp"

#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"

namespace perpend {
namespace coarse_correction_test {

Options with(const char* precondition, double tolerance = 1e-8) {
  Options o;
  o.tolerance = tolerance;
  o.max_iterations = 100000;
  o.set["precondition"] = precondition;
  return o;
}

double energy(const System& s, const VectorXd& lambda) {
  return 0.5 * lambda.dot(apply(s, lambda)) + s.b.dot(lambda);
}

TEST(CoarseCorrection, LeavesASolutionAlone) {
  const System s = assemble(boxes::wall(3, 3));
  const Result r = solve(s, "box/newton");
  ASSERT_EQ(r.status, Status::converged);
  CoarseCorrection coarse(s);
  ASSERT_TRUE(coarse.available());
  BodySpaceState state(s, std::get<BodySpace>(s.A));
  state.set(r.impulses);
  coarse.apply(state);
  // y_F is below 1e-8 m/s; the softest uniform stress answers with less than 100 kg.
  EXPECT_LT((state.lambda() - r.impulses).lpNorm<Eigen::Infinity>(), 1e-6);
}

TEST(CoarseCorrection, LowersTheEnergyOfTheFreeRows) {
  const System s = assemble(boxes::column(8, 1, 1));
  CoarseCorrection coarse(s);
  EXPECT_EQ(coarse.aggregates(), 4);  // pairs of neighbours
  BodySpaceState state(s, std::get<BodySpace>(s.A));
  VectorXd start = VectorXd::Zero(s.rows());
  for (Index i = 0; i < s.contacts(); ++i) start[3 * i] = 0.01;
  state.set(start);
  coarse.apply(state);
  EXPECT_LT(energy(s, state.lambda()), energy(s, start));
  // With the same force in both contacts of a pair its lower cube hangs in the air whatever that
  // force is; the upper one needs a weight more than the pair above has. So the four pairs carry 4,
  // 3, 2 and 1 weights in each of their two faces.
  EXPECT_NEAR(state.lambda().sum(), 0.0981 * 20, 1e-6);
}

TEST(CoarseCorrection, EveryPreconditionEndsAtTheSameVelocity) {
  const System s = assemble(boxes::wall(3, 4));
  for (const char* how : {"none", "diagonal", "island", "two-level"}) {
    const Result r = solve(s, "box/nncg", with(how));
    ASSERT_EQ(r.status, Status::converged) << how << ": " << r.message;
    EXPECT_EQ(r.iterations, r.work[static_cast<std::size_t>(Work::sweep)]);
    EXPECT_LT(velocity_plus(s, r.impulses).norm(), 1e-6) << how;  // at rest
  }
}

TEST(CoarseCorrection, WithoutBodiesItIsNone) {
  const System s = with_blocks(assemble(boxes::wall(3, 3)));
  EXPECT_FALSE(CoarseCorrection(s).available());
  const Result a = solve(s, "box/nncg", with("two-level")), b = solve(s, "box/nncg", with("none"));
  EXPECT_EQ(a.impulses, b.impulses);
}

}  // namespace coarse_correction_test
}  // namespace perpend
