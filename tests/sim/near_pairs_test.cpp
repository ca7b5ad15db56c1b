#include "sim/near_pairs.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace near_pairs_test {

Box box(double from, double to) { return {Vector3d(from, 0, 0), Vector3d(to, 1, 1)}; }

TEST(Box, MeetsWhatItTouches) {
  EXPECT_TRUE(box(0, 1).meets(box(1, 2)));
  EXPECT_TRUE(box(0, 3).meets(box(1, 2)));
  EXPECT_FALSE(box(0, 1).meets(box(1.001, 2)));
  EXPECT_FALSE(box(1.001, 2).meets(box(0, 1)));
}

TEST(NearPairs, AreInOrderWhateverTheBroadPhaseSays) {
  const std::vector<NearPair> proposed = {
      {nullptr, 1, 2, true}, {nullptr, 0, 3, false}, {nullptr, 0, 2, false}, {nullptr, 0, 1, true}};
  const std::vector<NearPair> pairs = in_order(proposed, 4);
  const std::vector<std::tuple<Index, Index, bool>> expected = {
      {0, 1, true}, {0, 2, false}, {0, 3, false}, {1, 2, true}};
  ASSERT_EQ(pairs.size(), expected.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_EQ(std::tuple(pairs[i].first, pairs[i].second, pairs[i].overlap), expected[i]);
}

TEST(GrownBoxes, HoldWhateverABodyReachesInTheStep) {
  HandMade made;
  made.cube(1, 4, 0, 0).setLinearVelocity(btVector3(2, 0, 0));
  const std::vector<Box> boxes = grown_boxes(made.gathered(0.1), false);
  ASSERT_EQ(boxes.size(), 1u);
  const double grown = 0.5 + 0.2 + kSkin;  // 2 m/s for 0.1 s, whichever way it is pushed
  EXPECT_LT((boxes[0].low - Vector3d(4 - grown, -grown, -grown)).norm(), 1e-14);
  EXPECT_LT((boxes[0].high - Vector3d(4 + grown, grown, grown)).norm(), 1e-14);
}

TEST(GrownBoxes, OfBodiesThatSleepAreThoseOfTheBroadPhase) {
  HandMade made;
  btRigidBody& sleeps = made.cube(1, 0, 0, 0);
  sleeps.forceActivationState(ISLAND_SLEEPING);
  btBroadphaseProxy proxy(btVector3(7, 7, 7), btVector3(8, 8, 8), &sleeps, 1, 1);
  sleeps.setBroadphaseHandle(&proxy);
  EXPECT_EQ(grown_boxes(made.gathered(0.1), false)[0].low, Vector3d(7, 7, 7));
  EXPECT_EQ(grown_boxes(made.gathered(0.1), true)[0].low, Vector3d::Constant(-0.5 - kSkin));
  sleeps.setBroadphaseHandle(nullptr);
}

TEST(NearPairs, AreThoseOfABroadPhaseThatOverlapNow) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broad_phase;
  HandMade made;
  for (double x : {0.0, 0.9, 5.0}) {
    btRigidBody& cube = made.cube(1, x, 0, 0);
    cube.setBroadphaseHandle(broad_phase.createProxy(
        btVector3(99, 0, 0), btVector3(100, 1, 1), BOX_SHAPE_PROXYTYPE, &cube, 1, 1, &dispatcher));
  }
  const StepBodies bodies = made.gathered(0.01);
  const std::vector<Box> boxes = grown_boxes(bodies, false);
  put_boxes(boxes, bodies, broad_phase, dispatcher);
  EXPECT_EQ(bodies[2].object->getBroadphaseHandle()->m_aabbMax.x(), 5.5 + kSkin);
  broad_phase.calculateOverlappingPairs(&dispatcher);
  const std::vector<NearPair> pairs = near_pairs(broad_phase, bodies, boxes);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].first, 0);
  EXPECT_EQ(pairs[0].second, 1);
  for (const StepBody& m : bodies.list)
    broad_phase.destroyProxy(m.object->getBroadphaseHandle(), &dispatcher);
}

}  // namespace near_pairs_test
}  // namespace perpend::sim
