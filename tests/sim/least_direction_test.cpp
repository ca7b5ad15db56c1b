#include "sim/least_direction.hpp"

#include <gtest/gtest.h>

namespace perpend::sim {
namespace least_direction_test {

const auto kAnywhere = [](const Vector3d&) { return true; };

TEST(LeastDirection, OfASmoothFunctionIsFound) {
  const Vector3d lowest = Vector3d(1, 2, -2) / 3;
  const auto value = [&](const Vector3d& n) { return 3 - n.dot(lowest); };
  const LeastDirection found = least_direction(Vector3d::UnitX(), 1, value, kAnywhere);
  EXPECT_NEAR(found.value, 2, 1e-15);
  EXPECT_NEAR(found.direction.dot(lowest), 1, 1e-15);
}

TEST(LeastDirection, InACreaseIsBoundedFromAbove) {
  // A sharp valley along the great circle through x and z, deepest at z.
  const auto value = [](const Vector3d& n) { return std::abs(n.y()) + 1 - n.z(); };
  const Vector3d start = Vector3d(0.5, 0.2, 1).normalized();
  const double found = least_direction(start, 1, value, kAnywhere).value;
  EXPECT_GE(found, 0);
  EXPECT_LT(found, 0.01 * value(start));
}

// The search used to shrink its angle only where nothing at all was gained.
TEST(LeastDirection, EndsWhereEveryRoundGainsNextToNothing) {
  double gained = 0;
  const auto value = [&](const Vector3d&) { return 1 - (gained += 1e-15); };
  EXPECT_LT(least_direction(Vector3d::UnitZ(), 1, value, kAnywhere).rounds, 100);
}

TEST(LeastDirection, EndsWhereThereIsNoLeast) {
  double gained = 0;
  const auto value = [&](const Vector3d&) { return -(gained += 1); };
  EXPECT_LE(least_direction(Vector3d::UnitZ(), 1, value, kAnywhere).rounds, 400);
}

TEST(LeastDirection, KeepsToWhatIsAllowed) {
  const auto value = [](const Vector3d& n) { return 1 - n.z(); };
  const auto allowed = [](const Vector3d& n) { return n.x() >= 0.6; };
  const LeastDirection found = least_direction(Vector3d::UnitX(), 1, value, allowed);
  EXPECT_GE(found.direction.x(), 0.6);
  EXPECT_NEAR(found.value, 0.2, 1e-3);
}

}  // namespace least_direction_test
}  // namespace perpend::sim
