#include "solve/kit/semismooth_newton.hpp"

#include <gtest/gtest.h>

#include "support/boxes.hpp"
#include "support/shaken.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace semismooth_newton_test {

template <class Space>
SemismoothEnd run(const System& s, const SemismoothLimits& limits, double tolerance,
                  SemismoothNewton<Space>& newton) {
  const Options o = checks::within(tolerance);
  Progress progress(o, *solver_named("ncp/newton"), VectorXd::Zero(s.rows()),
                    checks::velocity_judge(s));
  EXPECT_TRUE(newton.prepare(s));
  return newton.run(progress.start(), ConeFunction::alart_curnier, 1e-4, limits, progress);
}

TEST(SemismoothNewton, SaysHowItEnded) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 2), 0.3));
  SemismoothNewton<BodyNewtonSpace> newton;
  EXPECT_EQ(run(s, {}, 1e-8, newton), SemismoothEnd::finished);
  EXPECT_EQ(run(s, {1, 100}, 1e-8, newton), SemismoothEnd::limit);
  EXPECT_EQ(run(s, {0, 5}, 0, newton), SemismoothEnd::stalled);  // beyond double precision
}

// The same equations whether A is known by its bodies or by its blocks.
TEST(SemismoothNewton, BothFormsOfTheMatrixEndAtTheSameVelocity) {
  const System s = assemble(boxes::column(3, 1, 2)), explicit_blocks = with_blocks(s);
  SemismoothNewton<BodyNewtonSpace> bodies;
  SemismoothNewton<ImpulseNewtonSpace> impulses;
  ASSERT_EQ(run(s, {}, 1e-10, bodies), SemismoothEnd::finished);
  ASSERT_EQ(run(explicit_blocks, {}, 1e-10, impulses), SemismoothEnd::finished);
  // 32 times the residual, on both sides (conformance_test.cpp).
  EXPECT_LE(
      (velocity_plus(s, bodies.best()) - velocity_plus(s, impulses.best())).cwiseAbs().maxCoeff(),
      1e-8);
}

TEST(SemismoothNewton, HasNoBodiesWhereThereAreNone) {
  SemismoothNewton<BodyNewtonSpace> newton;
  EXPECT_FALSE(newton.prepare(with_blocks(assemble(boxes::column(1, 1, 1)))));
}

}  // namespace semismooth_newton_test
}  // namespace perpend
