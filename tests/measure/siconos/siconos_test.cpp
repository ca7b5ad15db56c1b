// natural_map_error equals Siconos' fc3d_compute_error, to rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "measure/scenes.hpp"
#include "measure/siconos/compare.hpp"

namespace perpend {
namespace siconos_test {

using namespace scenes;

TEST(Siconos, ReportsOurNumberOnTheBlock) {
  const Frame frames[] = {sticking(), sliding(), separating(), block({0, 0, 0}, {16, 8, -16}, 0)};
  for (const Frame& frame : frames)
    for (const Impulses& lambda :
         {impulses({0, 0, 0}), impulses({2, -0.5, 0}), impulses({2, -1, 0}), impulses({2, -2, 0}),
          impulses({2, 1, 0}), impulses({2, 0, 1}), impulses({-2, 0, 0}), impulses({0, 1, 0})})
      siconos::expect_equal(assemble(frame), lambda);
}

// A chain of touching bodies with oblique normals and off-centre points; impulses from exact to
// wild, friction from none to 2. A fixed seed of a generator whose sequence the standard fixes.
TEST(Siconos, ReportsOurNumberOnChains) {
  std::mt19937 generator(1);
  const auto number = [&] { return static_cast<double>(generator()) / 0x1p31 - 1; };
  for (int trial = 0; trial < 20; ++trial) {
    const Index n = 12;
    Frame frame = empty_frame(n, n - 1);
    add_floor(frame, 0);
    for (Index i = 1; i < n; ++i) {
      frame.bodies.masses[i] = std::exp(3 * number());
      for (Index k = 0; k < 6; ++k) {
        frame.bodies.velocities(i, k) = number();
        frame.bodies.forces(i, k) = 10 * number();
      }
    }
    for (Index i = 0; i + 1 < n; ++i) {
      const Vector3d normal = Vector3d(number(), number(), number()).normalized();
      touch(frame, i, i, i + 1, normal, 0.1 * number(), 1 + number());
      frame.contacts.points.row(i) << number(), number(), number();
      frame.contacts.points2.row(i) << number(), number(), number();
    }
    ASSERT_EQ(invalid(frame), "");
    const System system = assemble(frame);
    Impulses lambda(system.rows());
    for (Index i = 0; i < lambda.size(); ++i) lambda[i] = number();
    siconos::expect_equal(system, lambda);
    siconos::expect_equal(system, 1e-3 * lambda);
    siconos::expect_equal(system, 1e3 * lambda);
    siconos::expect_equal(with_blocks(system), lambda);
    EXPECT_GT(measure(system, lambda, Measure::natural_map_error), 1e-3);
  }
}

// Which convention: the number depends on the `norm` handed in, and Siconos' solvers hand in |q|.
// y = 0, |lambda|^2 = 8, residual^2 = 4/5 (residuals_test.cpp): norm 100 gives sqrt(4/5)/100.
TEST(Siconos, DividesByTheLargestOfNormReactionAndVelocity) {
  const System system = assemble(sliding());
  const Impulses lambda = impulses({2, -2, 0});
  EXPECT_NEAR(siconos::compute_error(system, lambda, 0), std::sqrt(0.1), 1e-15);
  EXPECT_NEAR(siconos::compute_error(system, lambda, 100), std::sqrt(0.8) / 100, 1e-15);
}

// The one difference: below DBL_EPSILON Siconos' error is absolute, ours stays relative.
TEST(Siconos, StopsDividingBelowEpsilon) {
  System system = assemble(sliding());
  system.b *= 0x1p-60;
  const double absolute = siconos::compute_error(system, Impulses::Zero(3), system.b.norm());
  const double relative = measure(system, Impulses::Zero(3), Measure::natural_map_error);
  EXPECT_NEAR(absolute, relative * system.b.norm(), 1e-30);
  EXPECT_GT(relative, 0.1);
}

}  // namespace siconos_test
}  // namespace perpend
