#include "sim/reach.hpp"

#include <gtest/gtest.h>

#include "support/boxes.hpp"

namespace perpend::sim {
namespace reach_test {

constexpr double kH = 0.01;

// Three that were looked for as far as 0.1 m; the last does not move.
StepBodies three_bodies() {
  StepBodies bodies;
  bodies.list.resize(3);
  for (StepBody& m : bodies.list) {
    m.moves = true;
    m.reach = 0.1;
    m.radius = 2;
  }
  bodies[2].moves = false;
  return bodies;
}

TEST(Reach, IsExceededByVelocityAndSpinTogether) {
  Rows6 plus = Rows6::Zero(3, 6);
  plus(0, 0) = 10;  // 0.1 m in the step: as far as was looked for
  plus(1, 0) = 4;
  plus(1, 5) = 4;  // 0.04 m and 0.04 rad at 2 m: 0.12 m
  plus(2, 0) = 1e3;
  const StepBodies bodies = three_bodies();
  EXPECT_EQ(gone_farther(bodies, plus, kH), (std::vector<Index>{1}));
  EXPECT_TRUE(gone_farther(bodies, plus, kH, {false, true, false}).empty())
      << "less than half a radius more, and left alone";
  plus(1, 0) = 110;  // 1.1 m
  EXPECT_EQ(gone_farther(bodies, plus, kH, {false, true, false}), (std::vector<Index>{1}));
  plus(1, 0) = 4;

  const StepBodies wider = reaching(bodies, {1}, plus, kH);
  EXPECT_NEAR(wider[1].reach, 0.12 + kSkin, 1e-15);
  EXPECT_LT((wider[1].way - Vector3d(0.04, 0, 0)).norm(), 1e-16);
  EXPECT_LT((wider[1].angle - Vector3d(0, 0, 0.04)).norm(), 1e-16);
  EXPECT_EQ(wider[0].reach, 0.1);
  EXPECT_EQ(wider[0].way, Vector3d(0, 0, 0));
}

// A cube over a floor, and one over that, gaps of 0.1 m and 0.2 m; a third cube alone with the
// floor, a gap of 0.3 m. Ids of contacts are 100, 101, 102.
struct Tower {
  boxes::World world{kH};
  Index floor = world.fixed();
  Index low = world.cube(1, 1, Vector3d(0, 0, 0.6));
  Index high = world.cube(1, 1, Vector3d(0, 0, 1.8));
  Index alone = world.cube(1, 1, Vector3d(9, 0, 0.8));
  Rows6 plus = Rows6::Zero(4, 6);
  Frame wider, before;

  Tower() {
    world.contact(floor, low, Vector3d(0, 0, 0), Vector3d::UnitZ(), 0, 0.1);
    world.contact(low, high, Vector3d(0, 0, 1.1), Vector3d::UnitZ(), 0, 0.2);
    world.contact(floor, alone, Vector3d(9, 0, 0), Vector3d::UnitZ(), 0, 0.3);
    wider = world.frame();
    wider.contacts.ids = {100, 101, 102};
    before.contacts.ids = {100};
  }
  std::vector<bool> hit() const { return would_hit(before, wider, plus); }
};

TEST(Reach, OnlyWhatWouldBeHitAndWasNotKnownCounts) {
  Tower t;
  EXPECT_EQ(t.hit(), std::vector<bool>(4, false));
  t.plus(t.low, 2) = -11;  // through the floor: a contact that is known
  EXPECT_EQ(t.hit(), std::vector<bool>(4, false));
  t.plus(t.low, 2) = 19;  // 0.19 m of 0.2 m
  EXPECT_EQ(t.hit(), std::vector<bool>(4, false));
  t.plus(t.low, 2) = 21;
  EXPECT_EQ(t.hit(), (std::vector<bool>{false, true, true, false}));
  t.plus(t.high, 2) = 21;  // it gives way
  EXPECT_EQ(t.hit(), std::vector<bool>(4, false));
  t.plus(t.alone, 2) = -31;
  EXPECT_EQ(t.hit(), (std::vector<bool>{false, false, false, true})) << "the floor is fixed";
}

TEST(Reach, ConcernsWholeIslands) {
  const Tower t;
  EXPECT_EQ(connected_with({false, false, true, false}, islands(t.wider)),
            (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(connected_with({false, false, false, true}, islands(t.wider)),
            (std::vector<bool>{true, false, false, true}));
}

}  // namespace reach_test
}  // namespace perpend::sim
