#include "sim/order.hpp"

#include <gtest/gtest.h>

#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace order_test {

TEST(Order, BodiesWithoutAnIdComeAfterThoseThatHaveOne) {
  HandMade made;
  btRigidBody &first = made.cube(1, 0, 0, 0), &second = made.cube(1, 3, 0, 0);
  btBroadphaseProxy one(btVector3(0, 0, 0), btVector3(1, 1, 1), &first, 1, 1);
  btBroadphaseProxy two(btVector3(0, 0, 0), btVector3(1, 1, 1), &second, 1, 1);
  one.m_uniqueId = 8;
  two.m_uniqueId = 9;
  first.setBroadphaseHandle(&one);
  second.setBroadphaseHandle(&two);
  Order order;
  EXPECT_EQ(order.id(first), 8) << "as it was added";
  EXPECT_TRUE(order.give(&second, 5));
  EXPECT_FALSE(order.give(&first, 5)) << "taken";
  EXPECT_TRUE(order.has(&second, 5));
  EXPECT_FALSE(order.has(&first, 5));
  EXPECT_EQ(order.id(second), 5);
  EXPECT_EQ(order.id(first), Ids::kHighest + 1 + 8);
  EXPECT_EQ(order.id_or_world(second), 5);

  EXPECT_FALSE(order.forget(&first)) << "it had none";
  EXPECT_TRUE(order.forget(&second)) << "the ids of all others are another sort now";
  EXPECT_EQ(order.id(first), 8);
  first.setBroadphaseHandle(nullptr);
  second.setBroadphaseHandle(nullptr);
  EXPECT_EQ(order.id_or_world(second), -1);
}

}  // namespace order_test
}  // namespace perpend::sim
