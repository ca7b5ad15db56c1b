#include "sim/memory.hpp"

#include <gtest/gtest.h>

namespace perpend::sim {
namespace memory_test {

Touch touch(std::uint64_t feature) {
  Touch t{};
  t.point.feature = feature;
  t.point.normal = Vector3d::UnitZ();
  t.tangents = {Vector3d::UnitX(), Vector3d::UnitY()};
  return t;
}

// Bodies with the ids 1, 2, 3, 4; the first two move.
StepBodies four_bodies() {
  StepBodies bodies;
  bodies.list.resize(4);
  for (Index i = 0; i < 4; ++i) {
    bodies[i].id = i + 1;
    bodies[i].moves = i < 2;
  }
  return bodies;
}

ContactMemory of_last_step() {
  ContactMemory memory;
  memory.append(1, 2, std::vector<ContactMemory::Impulse>{{7, {1, 2, 3}}, {8, {4, 5, 6}}});
  memory.append(2, 3, std::vector<ContactMemory::Impulse>{{7, {0, 0, 9}}});
  memory.append(3, 4, std::vector<ContactMemory::Impulse>{{5, {0, 0, 2}}});
  return memory;
}

std::span<const ContactMemory::Impulse> kept(const ContactMemory& memory, std::int64_t first,
                                             std::int64_t second) {
  for (const ContactMemory::Pair& pair : memory.pairs)
    if (pair.first == first && pair.second == second) return memory.of(pair);
  return {};
}

TEST(ContactMemory, HoldsThisStepAndWhatSleeps) {
  Touches touches;
  touches.list = {touch(7)};
  touches.pairs = {{nullptr, 0, 1, 0, 1}, {nullptr, 0, 3, 1, 0}};
  const std::vector<Vector3d> impulses = {Vector3d(0, 0, 11)};
  const ContactMemory now = remembered(of_last_step(), touches, four_bodies(), impulses);
  ASSERT_EQ(now.pairs.size(), 2u);
  ASSERT_EQ(kept(now, 1, 2).size(), 1u) << "the second contact has opened";
  EXPECT_EQ(kept(now, 1, 2)[0].impulse.z(), 11);
  EXPECT_TRUE(kept(now, 2, 3).empty()) << "the second body moves and touches the third no more";
  ASSERT_EQ(kept(now, 3, 4).size(), 1u) << "both sleep";
  EXPECT_EQ(kept(now, 3, 4)[0].impulse.z(), 2);
  EXPECT_TRUE(kept(now, 1, 4).empty()) << "near, without a contact";
}

TEST(Memory, ForgetsABodyWithAllItDid) {
  Memory memory;
  memory.contacts = of_last_step();
  memory.fell_short = {2, 3};
  memory.forget_body(2);
  EXPECT_TRUE(kept(memory.contacts, 1, 2).empty());
  EXPECT_TRUE(kept(memory.contacts, 2, 3).empty());
  EXPECT_EQ(kept(memory.contacts, 3, 4)[0].feature, 5u);
  EXPECT_EQ(memory.fell_short, (std::vector<std::int64_t>{3}));
  memory.forget_bodies();
  EXPECT_TRUE(kept(memory.contacts, 3, 4).empty());
  EXPECT_TRUE(memory.fell_short.empty());
}

TEST(Start, FindsThePairsOfTheLastStepAmongNewOnes) {
  Memory memory;
  memory.contacts = of_last_step();
  Touches touches;
  touches.list = {touch(8), touch(7), touch(5), touch(6)};
  touches.pairs = {
      {nullptr, 0, 1, 0, 1}, {nullptr, 0, 3, 1, 1}, {nullptr, 1, 2, 2, 0}, {nullptr, 2, 3, 2, 2}};
  const Start start = start_from(memory, four_bodies(), touches, {});
  const auto found = [&](Index contact) {
    return start.impulses.segment<3>(3 * contact).norm() > 0;
  };
  EXPECT_TRUE(found(0));
  EXPECT_FALSE(found(1));
  EXPECT_TRUE(found(2));
  EXPECT_FALSE(found(3));
}

TEST(Start, IsTheLastImpulseInTheDirectionsOfNow) {
  Memory memory;
  memory.contacts = of_last_step();
  memory.fell_short = {2};
  int joint_itself = 0;
  auto* joint = reinterpret_cast<btTypedConstraint*>(&joint_itself);
  memory.joints[joint] = {{4, 0.25}, {6, 0.5}};

  Touches touches;
  touches.list = {touch(9), touch(8)};
  touches.list[1].point.normal = Vector3d::UnitY();
  touches.list[1].tangents = {Vector3d::UnitZ(), Vector3d::UnitX()};
  touches.pairs = {{nullptr, 0, 1, 0, 2}};
  HeldJoints joints;
  joints.rows.resize(3);
  joints.rows[0].key = 6;
  joints.rows[1].key = 5;
  joints.rows[2].key = 4;  // of forbidden directions, which are not remembered
  joints.list = {{joint, 0, 1, 0, 2}, {nullptr, 0, 1, 2, 1}};

  const Start start = start_from(memory, four_bodies(), touches, joints);
  EXPECT_EQ(start.fell_short, memory.fell_short);
  VectorXd expected(9);
  expected << 0, 0, 0,  // a new contact
      5, 6, 4,          // (4, 5, 6) along n = y, t = z, o = x
      0.5, 0, 0;        // rows by their keys
  EXPECT_EQ(start.impulses, expected);
}

}  // namespace memory_test
}  // namespace perpend::sim
