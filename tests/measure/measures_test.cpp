// The table of measures, and what holds for all of them.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "measure/scenes.hpp"

namespace perpend {
namespace measures_test {

using namespace scenes;

bool of_a_formulation(Measure m) { return m == Measure::own_error || m == Measure::lcp_merit; }

// A frame with everything: two moving bodies, a floor, off-centre contacts, a joint of three rows
// of the three kinds.
Frame everything() {
  Frame f = empty_frame(3, 3, {3});
  add_floor(f, 0);
  f.bodies.masses << 0, 2, 0.5;
  f.bodies.velocities.row(1) << 0.3, -0.2, -1, 0.1, 0.2, -0.3;
  f.bodies.velocities.row(2) << -0.5, 0.1, -2, 0.3, 0, 0.4;
  f.bodies.forces.row(1) << 3, 1, -20, 0.5, 0, 0;
  touch(f, 0, 0, 1, Vector3d::UnitZ(), 0.01, 0.4);
  touch(f, 1, 1, 2, Vector3d(0.6, 0, 0.8), -0.002, 0.7);
  touch(f, 2, 0, 2, Vector3d::UnitY(), 0, 0);
  f.contacts.points2.row(0) << 0.1, 0.2, -0.3;
  f.contacts.points2.row(1) << -0.1, 0.25, 0.3;
  f.contacts.points.row(1) << 0.4, -0.2, 0.1;
  f.joints.pairs.row(0) << 1, 2;
  f.joints.jacobian.setZero();
  for (Index r = 0; r < 3; ++r) {
    f.joints.jacobian(r, r) = -1;
    f.joints.jacobian(r, 6 + r) = 1;
    f.joints.jacobian(r, 9 + (r + 1) % 3) = 0.3;
  }
  f.joints.bounds << -kInf, kInf, 0, kInf, -0.5, 0.5;
  f.joints.violation << 0.01, 0.02, 0;
  return f;
}

const Impulses& some_impulses() {
  static const Impulses lambda =
      impulses({1.5, -0.7, 0.1, 0.4, 0.2, -0.1, 0, 0, 0.1, -0.3, 0.2, 0.5});
  return lambda;
}

TEST(Measures, AreNamedOnce) {
  ASSERT_EQ(measures().size(), kMeasures);
  std::set<std::string_view> names;
  for (const MeasureInfo& info : measures()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(name(info.measure), info.name);
    EXPECT_EQ(measure_named(info.name), info.measure);
    EXPECT_FALSE(info.question.empty()) << info.name;
  }
  EXPECT_EQ(measure_named("velocity-error"), std::nullopt);
  EXPECT_EQ(measure_named(""), std::nullopt);
}

TEST(Measures, StartAbsent) {
  const Errors errors;
  for (const MeasureInfo& info : measures()) EXPECT_FALSE(errors.has(info.measure)) << info.name;
}

TEST(Measures, OneByOneEqualTheWholeSet) {
  const Frame frame = everything();
  ASSERT_EQ(invalid(frame), "");
  const System system = assemble(frame);
  for (const Bounds bounds : {Bounds::newest, Bounds::lagged}) {
    const Errors errors = measure(system, some_impulses(), bounds);
    for (const MeasureInfo& info : measures()) {
      const double alone = measure(system, some_impulses(), info.measure, bounds);
      EXPECT_EQ(errors.has(info.measure), !of_a_formulation(info.measure)) << info.name;
      if (errors.has(info.measure)) {
        EXPECT_EQ(errors[info.measure], alone) << info.name;
      } else {
        EXPECT_TRUE(std::isnan(alone)) << info.name;
      }
    }
    EXPECT_GT(errors[Measure::velocity_error], 0.01);
    EXPECT_LE(errors[Measure::rms_violation], errors[Measure::velocity_error]);
  }
}

// Which joint rows are rotations, only the Jacobian tells.
bool needs_jacobian(Measure m) {
  return m == Measure::joint_error || m == Measure::joint_turn_error;
}

// Sums in another order: some hundred roundings on numbers of size at most 100.
TEST(Measures, AreTheSameInBodySpaceAndInBlocks) {
  const System system = assemble(everything());
  const Errors a = measure(system, some_impulses());
  const Errors b = measure(with_blocks(system), some_impulses());
  for (const MeasureInfo& info : measures())
    if (a.has(info.measure) && !needs_jacobian(info.measure)) {
      EXPECT_NEAR(b[info.measure], a[info.measure], 1e-12) << info.name;
    } else {
      EXPECT_FALSE(b.has(info.measure)) << info.name;
    }
}

// A and b alone do not know masses, velocities, gaps. Absent, never 0.
TEST(Measures, AreAbsentWhereTheProblemCannotTell) {
  const System full = assemble(everything());
  const System bare = assemble(to_sparse(full), full.b, full.mu, full.lower, full.upper);
  const Errors a = measure(full, some_impulses()), b = measure(bare, some_impulses());
  for (const MeasureInfo& info : measures()) {
    const bool known = !of_a_formulation(info.measure) && !needs_jacobian(info.measure) &&
                       info.measure != Measure::max_penetration &&
                       info.measure != Measure::energy_change;
    EXPECT_EQ(b.has(info.measure), known) << info.name;
    if (known) {
      EXPECT_NEAR(b[info.measure], a[info.measure], 1e-12) << info.name;
    }
  }
}

TEST(Measures, AreZeroWithoutContactsAndJoints) {
  const System bare = assemble(SparseMatrix(0, 0), VectorXd(0), VectorXd(0));
  for (const System& system : {assemble(empty_frame(2, 0)), bare})
    for (const MeasureInfo& info : measures())
      if (!of_a_formulation(info.measure)) {
        EXPECT_EQ(measure(system, Impulses(0), info.measure), 0) << info.name;
      }
}

TEST(Measures, OfJointsAloneKnowThatNothingPenetrates) {
  const System full = assemble(slider(1, -kInf, kInf));
  const System bare = assemble(to_sparse(full), full.b, full.mu, full.lower, full.upper);
  EXPECT_EQ(measure(bare, impulses({0}), Measure::max_penetration), 0);
  EXPECT_TRUE(std::isnan(measure(bare, impulses({0}), Measure::energy_change)));
}

// NaN means that the problem cannot tell; an answer that is not a number is infinitely wrong.
TEST(Measures, OfAnAnswerThatIsNotANumberAreInfinite) {
  const System system = assemble(everything());
  for (const double bad : {kNaN, kInf, -kInf})
    for (const Index row : {Index{0}, Index{5}, system.rows() - 1}) {
      Impulses lambda = some_impulses();
      lambda[row] = bad;
      const Errors errors = measure(system, lambda);
      for (const MeasureInfo& info : measures()) {
        if (of_a_formulation(info.measure)) continue;
        EXPECT_EQ(errors[info.measure], kInf) << info.name << " row " << row;
        EXPECT_EQ(measure(system, lambda, info.measure), kInf) << info.name << " row " << row;
      }
    }
}

TEST(Measures, OverflowToInfinityNotToNaN) {
  const System system = assemble(everything());
  const Errors errors = measure(system, 1e300 * some_impulses());
  for (const MeasureInfo& info : measures())
    if (!of_a_formulation(info.measure)) {
      EXPECT_TRUE(errors.has(info.measure)) << info.name;
    }
}

// Positions, quaternions, ids do not enter when both contact points are given.
TEST(Measures, DoNotReadWhatTheyMustNot) {
  Frame frame = everything();
  const Errors before = measure(assemble(frame), some_impulses());
  frame.bodies.positions.setConstant(kNaN);
  frame.bodies.quaternions.setConstant(kNaN);
  const Errors after = measure(assemble(frame), some_impulses());
  for (const MeasureInfo& info : measures())
    if (before.has(info.measure)) {
      EXPECT_EQ(after[info.measure], before[info.measure]) << info.name;
    }
}

}  // namespace measures_test
}  // namespace perpend
