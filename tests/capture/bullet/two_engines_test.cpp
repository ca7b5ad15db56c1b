// A program may record two engines: the rows of all of them, in one source.
#include <gtest/gtest.h>

#include <type_traits>

#include "capture/bullet/rows.hpp"
#include "capture/dart/rows.hpp"
#include "capture/siconos/step.hpp"
#if __has_include(<mujoco/mujoco.h>)
#include "capture/mujoco/rows.hpp"
#endif
#if __has_include(<ode/ode.h>)
#include "capture/ode/rows.hpp"
#endif

namespace perpend::capture {
namespace two_engines_test {

TEST(TwoEngines, HaveRowsOfTheirOwnAndShareTheNeutralOnes) {
  static_assert(std::is_base_of_v<ContactRow, from_bullet::BulletContact>);
  static_assert(std::is_same_v<decltype(from_dart::LcpRows::contacts), std::vector<ContactRow>>);
  static_assert(std::is_base_of_v<JointRow, from_dart::ConstraintRow>);
  static_assert(!std::is_same_v<JointRow, from_siconos::SiconosStep::JointRow>);
#if __has_include(<mujoco/mujoco.h>)
  static_assert(std::is_base_of_v<ContactRow, from_mujoco::MujocoContact>);
#endif
#if __has_include(<ode/ode.h>)
  static_assert(!std::is_same_v<from_ode::OdeContact, from_bullet::BulletContact>);
  EXPECT_NE(from_ode::kOde.engine, from_bullet::kBullet.engine);
#endif
  EXPECT_NE(from_dart::kDart.engine, from_bullet::kBullet.engine);
}

}  // namespace two_engines_test
}  // namespace perpend::capture
