#include "solve/kit/qp.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/boxes.hpp"
#include "support/held.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace qp_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-11;

const auto go_on = [](const VectorXd&, double) { return true; };

// Normal impulses may push, friction is inside disks of that radius.
QpSets pushing(const System& s, double radius) {
  QpSets sets;
  sets.normal_lower.setZero(s.contacts());
  sets.normal_upper.setConstant(s.contacts(), kInfinity);
  sets.centre.setZero(s.contacts(), 2);
  sets.radius.setConstant(s.contacts(), radius);
  sets.joint_lower = s.lower;
  sets.joint_upper = s.upper;
  return sets;
}

template <class Space>
VectorXd solution(const System& s, const QpSets& sets) {
  Qp<Space> qp;
  EXPECT_TRUE(qp.prepare(s));
  VectorXd x = VectorXd::Zero(s.rows());
  EXPECT_EQ(qp.solve(sets, kTolerance, x, go_on), QpEnd::solved);
  return x;
}

double objective(const System& s, const VectorXd& x) { return x.dot(0.5 * apply(s, x) + s.b); }

TEST(Qp, OneRowIsClampedToItsBounds) {
  // A = 1/2 and b = -gh: the free answer is 2 gh.
  const double free = 2 * boxes::kGravity * 0.01;
  for (const auto& [lower, upper, answer] :
       {std::array{-kInfinity, kInfinity, free}, std::array{0.0, free / 2, free / 2},
        std::array{2 * free, kInfinity, 2 * free}, std::array{-1.0, 0.0, 0.0}}) {
    const System s = assemble(boxes::held(lower, upper));
    EXPECT_NEAR(solution<BodyNewtonSpace>(s, pushing(s, 0))[0], answer, 1e-10);
    EXPECT_NEAR(solution<ImpulseNewtonSpace>(with_blocks(s), pushing(s, 0))[0], answer, 1e-10);
  }
}

TEST(Qp, NoAdmissiblePointNearbyIsBetter) {
  // At a minimum over a convex set no feasible direction goes down: g'(z - x) >= 0 for all z in it.
  // The residual e at x lets it be negative by e |z - x| summed over the rows.
  const System s = assemble(boxes::shaken(boxes::wall(3, 3), 1));
  // Disks in turn so small that friction is at their rim and so large that it is inside.
  QpSets sets = pushing(s, 1);
  for (Index i = 0; i < s.contacts(); i += 2) sets.radius[i] = 1e-3;
  const VectorXd x = solution<BodyNewtonSpace>(s, sets), g = apply(s, x) + s.b;
  const auto admissible = [&](VectorXd z) {
    for (Index i = 0; i < s.contacts(); ++i) {
      z[3 * i] = std::max(z[3 * i], 0.0);
      const double length = z.segment<2>(3 * i + 1).norm();
      if (length > sets.radius[i]) z.segment<2>(3 * i + 1) *= sets.radius[i] / length;
    }
    return z;
  };
  EXPECT_LT((admissible(x) - x).norm(), 1e-14);
  bool inside = false, rim = false;
  for (Index i = 0; i < s.contacts(); ++i) {
    const double length = x.segment<2>(3 * i + 1).norm();
    inside = inside || length < 0.9 * sets.radius[i];
    rim = rim || length > (1 - 1e-9) * sets.radius[i];
  }
  EXPECT_TRUE(inside && rim);
  VectorXd step = VectorXd::LinSpaced(s.rows(), -1, 1);
  for (int k = 0; k < 50; ++k) {
    step = step.unaryExpr([](double t) { return std::fmod(7.3 * t + 0.17, 1.0); });
    const VectorXd z = admissible(x + 0.1 * step);
    EXPECT_GE(g.dot(z - x), -10 * kTolerance * (z - x).lpNorm<1>());
    EXPECT_GE(objective(s, z), objective(s, x) - 1e-10);
  }
}

TEST(Qp, BothSpacesFindTheSameVelocities) {
  const System s = assemble(boxes::shaken(boxes::wall(2, 3), 0.5));
  const VectorXd a = solution<BodyNewtonSpace>(s, pushing(s, 0.02));
  const VectorXd b = solution<ImpulseNewtonSpace>(with_blocks(s), pushing(s, 0.02));
  // Impulses are not unique, velocities are: two residuals below e leave a small multiple of e.
  EXPECT_LT((apply(s, a) - apply(s, b)).norm(), 1e-8);
}

TEST(Qp, HeldRowsAreHeld) {
  const System s = assemble(boxes::column(2, 1, 1));
  QpSets sets = pushing(s, 0);
  sets.centre.col(0).setConstant(0.003);
  const VectorXd x = solution<BodyNewtonSpace>(s, sets);
  for (Index i = 0; i < s.contacts(); ++i) {
    EXPECT_EQ(x[3 * i + 1], 0.003);
    EXPECT_EQ(x[3 * i + 2], 0);
  }
}

TEST(Qp, ASolutionIsRecognizedWithoutAStep) {
  const System s = assemble(boxes::column(3, 1, 100));
  Qp<BodyNewtonSpace> qp;
  ASSERT_TRUE(qp.prepare(s));
  const QpSets sets = pushing(s, 1);
  VectorXd x = VectorXd::Zero(s.rows());
  ASSERT_EQ(qp.solve(sets, kTolerance, x, go_on), QpEnd::solved);
  const long before = qp.factorizations();
  EXPECT_GT(before, 0);
  EXPECT_EQ(qp.solve(sets, 2 * kTolerance, x, go_on), QpEnd::solved);
  EXPECT_EQ(qp.factorizations(), before);
}

TEST(Qp, CubesThatFallTogetherMeetInOneStep) {
  // Relative velocities inside the column are zero: every contact is at its kink. Taken for open,
  // they would close one by one, 64 steps; three decades of the penalty take about ten.
  const System s = assemble(boxes::column(64, 1, 1));
  Qp<BodyNewtonSpace> qp;
  ASSERT_TRUE(qp.prepare(s));
  VectorXd x = VectorXd::Zero(s.rows());
  ASSERT_EQ(qp.solve(pushing(s, 0), kTolerance, x, go_on), QpEnd::solved);
  EXPECT_LE(qp.factorizations(), 20);
}

TEST(Qp, StopsWhenToldAndStallsWhereThereIsNoSolution) {
  const System s = assemble(boxes::contradicting(1));
  Qp<BodyNewtonSpace> qp;
  ASSERT_TRUE(qp.prepare(s));
  VectorXd x = VectorXd::Zero(s.rows());
  EXPECT_EQ(qp.solve(pushing(s, 0), kTolerance, x, go_on), QpEnd::stalled);
  EXPECT_TRUE(x.allFinite());
  EXPECT_EQ(qp.solve(pushing(s, 0), kTolerance, x, [](const VectorXd&, double) { return false; }),
            QpEnd::stopped);
}

}  // namespace qp_test
}  // namespace perpend
