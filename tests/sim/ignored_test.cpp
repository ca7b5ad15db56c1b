#include "sim/ignored.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace ignored_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Ignored, IsToldOnceWithTheFirstBodyThatAsks) {
  HandMade made;
  made.cube(0, 0, 0, 0);
  btRigidBody& ball = made.cube(1, 0, 0, 2);
  btRigidBody& other = made.cube(1, 0, 0, 4);
  Ignored ignored;
  EXPECT_THAT(ignored.news(made.gathered(0.01)), IsEmpty());
  ball.setRollingFriction(0.1);
  other.setRollingFriction(0.1);
  EXPECT_THAT(ignored.news(made.gathered(0.01)),
              ElementsAre("body 11 has rolling friction, which is not modelled"));
  EXPECT_THAT(ignored.news(made.gathered(0.01)), IsEmpty());
  other.setSpinningFriction(0.1);
  other.setAnisotropicFriction(btVector3(1, 0.5, 1));
  ball.setContactStiffnessAndDamping(1e4, 10);
  EXPECT_THAT(ignored.news(made.gathered(0.01)),
              ElementsAre("body 12 has spinning friction, which is not modelled",
                          "body 12 has anisotropic friction, which is not modelled",
                          "body 11 has contact stiffness and damping, which is not modelled"));
  EXPECT_THAT(ignored.news(made.gathered(0.01)), IsEmpty());
}

}  // namespace ignored_test
}  // namespace perpend::sim
