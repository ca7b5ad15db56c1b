#include "sim/touches.hpp"

#include <gtest/gtest.h>

#include "sim/body_solids.hpp"
#include "sim/hand_made.hpp"
#include "sim/pair_contacts.hpp"

namespace perpend::sim {
namespace touches_test {

TEST(Touches, AreWhatTwoBodiesMayReachTogether) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  HandMade made;
  btRigidBody& below = made.cube(0, 0, 0, 0);
  btRigidBody& above = made.cube(1, 0, 0, 1.05);
  below.setFriction(0.5);
  above.setFriction(0.8);
  PairContacts contacts(dispatcher, below, above);
  Executor serial;
  BodySolids solids;
  for (double speed : {1.0, 10.0}) {  // 1 cm or 10 cm in 10 ms, for a gap of 5 cm
    above.setLinearVelocity(btVector3(0, 0, -speed));
    const Touches found = find_touches({{&contacts, 0, 1}}, made.gathered(0.01),
                                       ContactModel::one_direction, solids, serial);
    ASSERT_EQ(found.pairs.size(), 1u);
    EXPECT_EQ(found.pairs[0].start, 0);
    EXPECT_EQ(found.pairs[0].count, static_cast<Index>(found.list.size()));
    if (speed == 1) {
      EXPECT_TRUE(found.list.empty());
      continue;
    }
    ASSERT_EQ(found.list.size(), 4u);
    for (const Touch& touch : found.list) {
      EXPECT_NEAR(touch.point.gap, 0.05, 1e-14);
      EXPECT_LT((touch.point.normal - Vector3d::UnitZ()).norm(), 1e-14);
      EXPECT_NEAR(touch.mu, 0.4, 1e-15);
      EXPECT_EQ(touch.restitution, 0);
    }
  }
}

TEST(Touches, AreLookedForAgainWithinAStepOnlyWhereSomebodyGoesAnotherWay) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  HandMade made;
  btRigidBody& below = made.cube(0, 0, 0, 0);
  btRigidBody& above = made.cube(1, 0, 0, 1.05);
  PairContacts contacts(dispatcher, below, above);
  Executor serial;
  BodySolids solids;
  const auto gap = [&](double speed) {
    above.setLinearVelocity(btVector3(0, 0, -speed));
    const Touches found = find_touches({{&contacts, 0, 1}}, made.gathered(0.01),
                                       ContactModel::one_direction, solids, serial);
    return found.list.empty() ? -1 : found.list[0].point.gap;
  };
  solids.begin();
  EXPECT_NEAR(gap(10), 0.05, 1e-14);
  above.getWorldTransform().getOrigin().setZ(1.06);  // within a step nobody moves
  EXPECT_NEAR(gap(10), 0.05, 1e-14);
  EXPECT_EQ(gap(1), -1);
  EXPECT_NEAR(gap(10), 0.06, 1e-14);
  above.getWorldTransform().getOrigin().setZ(1.07);
  solids.begin();
  EXPECT_NEAR(gap(10), 0.07, 1e-14);
}

// Their boxes overlap at the corners, the balls around them are apart; with the speed they meet.
TEST(Touches, AreNotLookedForWhereBallsCannotMeet) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  HandMade made;
  made.cube(1, 0, 0, 0);
  btRigidBody& other = made.cube(1, 1.1, 1.1, 1.1);  // 1.905 m; two radii are 1.732 m
  for (double speed : {0.0, -20.0}) {                // 0 or 0.2 m in 10 ms
    other.setLinearVelocity(btVector3(speed, 0, 0));
    btBroadphasePair pair;
    const std::vector<NearPair> near = {{&pair, 0, 1, true}};
    EXPECT_EQ(colliding_pairs(near, made.gathered(0.01), dispatcher, {}).size(),
              speed == 0 ? 0u : 1u);
    EXPECT_EQ(pair.m_algorithm != nullptr, speed != 0);  // nothing is made for the others
    if (pair.m_algorithm) {
      pair.m_algorithm->~btCollisionAlgorithm();
      dispatcher.freeCollisionAlgorithm(pair.m_algorithm);
    }
    // A sensor asks by boxes.
    other.setCollisionFlags(other.getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
    btBroadphasePair sensed;
    colliding_pairs({{&sensed, 0, 1, true}}, made.gathered(0.01), dispatcher, {});
    ASSERT_NE(sensed.m_algorithm, nullptr);
    sensed.m_algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(sensed.m_algorithm);
    other.setCollisionFlags(other.getCollisionFlags() & ~btCollisionObject::CF_NO_CONTACT_RESPONSE);
  }
}

TEST(Touches, ThatOverlapAreToldTheDeepestFirst) {
  StepBodies bodies;
  bodies.list.resize(6);
  for (Index i = 0; i < 6; ++i) bodies[i].id = 10 + i;
  Touches touches;
  const auto add = [&](Index first, std::initializer_list<double> gaps) {
    touches.pairs.push_back({nullptr, first, first + 1, static_cast<Index>(touches.list.size()),
                             static_cast<Index>(gaps.size())});
    for (double gap : gaps) {
      touches.list.emplace_back();
      touches.list.back().point.gap = gap;
    }
  };
  add(0, {0.1, -1e-7});
  EXPECT_EQ(overlaps(touches, bodies), "");
  add(1, {-0.1, -0.2, 0.3});
  EXPECT_EQ(overlaps(touches, bodies), "overlap at the start: body 11 and body 12 by 0.2 m");
  add(2, {-0.25});
  add(3, {-0.01});
  add(4, {-0.02});
  EXPECT_EQ(overlaps(touches, bodies),
            "overlap at the start: body 12 and body 13 by 0.25 m, body 11 and body 12 by 0.2 m, "
            "body 14 and body 15 by 0.02 m, and more pairs: 1");
}

TEST(Touches, ArePairsThatMayCollideAndInWhichSomebodyMoves) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  HandMade made;
  btRigidBody& floor = made.cube(0, 0, 0, 0);
  btRigidBody& cube = made.cube(1, 0, 0, 1);
  btRigidBody& ghost = made.cube(1, 0, 0, 2);
  made.cube(0, 1, 0, 0);
  ghost.setIgnoreCollisionCheck(&cube, true);
  const StepBodies bodies = made.gathered(0.01);
  std::vector<btBroadphasePair> kept(5);
  const std::vector<NearPair> near = {{&kept[0], 0, 1, true},   // the only one
                                      {&kept[1], 0, 2, false},  // too far
                                      {&kept[2], 0, 3, true},   // both fixed
                                      {&kept[3], 1, 2, true}};  // the user does not want them to
  const std::vector<TouchPair> pairs = colliding_pairs(near, bodies, dispatcher, {});
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].first, 0);
  EXPECT_EQ(pairs[0].second, 1);
  EXPECT_EQ(pairs[0].contacts, kept[0].m_algorithm) << "kept where Bullet keeps its algorithms";
  floor.setCollisionFlags(floor.getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
  EXPECT_TRUE(colliding_pairs(near, bodies, dispatcher, {}).empty()) << "a sensor";
  for (btBroadphasePair& pair : kept)
    if (pair.m_algorithm) {
      pair.m_algorithm->~btCollisionAlgorithm();
      dispatcher.freeCollisionAlgorithm(pair.m_algorithm);
    }
}

class Two final : public Executor {  // workers, in turns
 public:
  int workers() const override { return 2; }
  void for_each(Index count, const std::function<void(Index, int)>& item) override {
    for (Index i = 0; i < count; ++i) item(i, static_cast<int>(i % 2));
  }
};

TEST(Touches, AreLookedForInEachPairOnce) {
  HandMade made;
  std::vector<TouchPair> pairs;
  for (int i = 0; i < 20; ++i) {
    made.cube(1, 2 * i, 0, 0);
    if (i > 0) pairs.push_back({nullptr, i - 1, i});
  }
  // A shape that is not known to be ours: its pair stays in this thread.
  btEmptyShape unknown;
  btRigidBody& odd = made.cube(1, 0, 5, 0);
  odd.setCollisionShape(&unknown);
  odd.forceActivationState(ISLAND_SLEEPING);  // its size is not asked for
  pairs.push_back({nullptr, 0, 20});
  const StepBodies bodies = made.gathered(0.01);
  for (bool threads : {false, true}) {
    Executor serial;
    Two two;
    std::vector<int> times(pairs.size(), 0), worker(pairs.size(), -1);
    for_pairs(pairs, bodies, threads ? static_cast<Executor&>(two) : serial,
              [&](Index pair, int by) {
                ++times[static_cast<std::size_t>(pair)];
                worker[static_cast<std::size_t>(pair)] = by;
              });
    EXPECT_EQ(times, std::vector<int>(pairs.size(), 1));
    EXPECT_EQ(worker.back(), 0);
    EXPECT_EQ(worker[8], threads ? 1 : 0) << "the second eight";
  }
}

TEST(Touches, FollowTheirPairsIntoALaterList) {
  alignas(16) char room[2];
  auto* first = reinterpret_cast<PairContacts*>(&room[0]);
  auto* second = reinterpret_cast<PairContacts*>(&room[1]);
  std::vector<TouchPair> pairs = {{nullptr, 0, 1}, {first, 0, 2}, {nullptr, 3, 4}};
  follow(pairs, {{first, 0, 1}, {nullptr, 1, 2}, {second, 3, 4}, {first, 3, 5}});
  EXPECT_EQ(pairs[0].contacts, first);
  EXPECT_EQ(pairs[1].contacts, nullptr) << "dropped by the broad phase";
  EXPECT_EQ(pairs[2].contacts, second);
}

TEST(Touches, ImpulsesAreVectorsOnTheSecondBody) {
  Touches touches;
  touches.list.resize(2);
  touches.list[0].point.normal = Vector3d::UnitZ();
  touches.list[0].tangents = {Vector3d::UnitX(), Vector3d::UnitY()};
  touches.list[1].point.normal = Vector3d::UnitX();
  touches.list[1].tangents = {Vector3d::UnitY(), Vector3d::UnitZ()};
  Impulses impulses(7);  // and a joint row
  impulses << 3, 1, 2, 6, 4, 5, 99;
  const std::vector<Vector3d> vectors = as_vectors(touches, impulses);
  ASSERT_EQ(vectors.size(), 2u);
  EXPECT_EQ(vectors[0], Vector3d(1, 2, 3));
  EXPECT_EQ(vectors[1], Vector3d(6, 4, 5));
}

}  // namespace touches_test
}  // namespace perpend::sim
