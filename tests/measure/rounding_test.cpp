#include "measure/rounding.hpp"

#include <gtest/gtest.h>

#include "perpend/measure.hpp"
#include "support/boxes.hpp"

namespace perpend {
namespace rounding_test {

// Three boxes of 1 kg at rest: sums of some tens of terms of about 1 m/s.
TEST(Rounding, IsFarBelowAnyToleranceAtOrdinaryImpulses) {
  const System s = assemble(boxes::column(3, 1, 1));
  for (const System& form : {s, with_blocks(s)}) {
    const double noise = rounding_of_velocity(form, Impulses::Constant(s.rows(), 0.1));
    EXPECT_GT(noise, 1e-17);
    EXPECT_LT(noise, 1e-14);
  }
  EXPECT_EQ(rounding_of_velocity(assemble(make_frame(0, 0)), Impulses()), 0);
}

// Opposite contacts that push against each other with 1e18 N s: 1 m/s is below the last bit, and
// the velocity error of such impulses may come out as anything.
TEST(Rounding, ExceedsWhateverHugeImpulsesHide) {
  boxes::World w;
  const Index below = w.fixed({0, 0, -0.5}, {0, 0, 1}), above = w.fixed({0, 0, 1.5}, {0, 0, -1});
  const Index cube = w.cube(1, 1, {0, 0, 0.5});
  w.contact(below, cube, {0, 0, 0}, Vector3d::UnitZ(), 0);
  w.contact(cube, above, {0, 0, 1}, Vector3d::UnitZ(), 0);
  const System s = assemble(w.frame());
  Impulses huge = Impulses::Zero(s.rows());
  huge[0] = huge[3] = 1e18;
  for (const System& form : {s, with_blocks(s)}) EXPECT_GT(rounding_of_velocity(form, huge), 100);
}

}  // namespace rounding_test
}  // namespace perpend
