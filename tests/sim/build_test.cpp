// A scene in a Bullet world, and its state.
#include "sim/build.hpp"

#include <gtest/gtest.h>

#include "perpend/sim/world.hpp"

namespace perpend::sim {
namespace build_test {

// Bullet's bodies lie along their principal axes. A state tells those of the shape.
TEST(Built, AStateHasTheAxesOfTheShapeWhereTheInertiaHasOthers) {
  Scene scene;
  scene.gravity.setZero();
  Body body;
  body.mass = 1;
  body.inertia = Matrix3d{{2, 0.5, 0}, {0.5, 3, 0.2}, {0, 0.2, 4}};
  body.pose.position = {1, 2, 3};
  body.pose.orientation =
      Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
  scene.bodies = {body};
  for (const auto engine : {Built::Engine::perpend, Built::Engine::bullet}) {
    const Built built(scene, scene.step, engine);
    const Rows<4> q = built.state().quaternions;
    const Eigen::Quaterniond told(q(0, 0), q(0, 1), q(0, 2), q(0, 3));
    EXPECT_LT(told.angularDistance(body.pose.orientation), 1e-14);
  }
}

TEST(Built, BodiesThatAreKeptApartDoNotPenetrate) {
  Scene scene;
  scene.gravity.setZero();
  for (const double x : {0.0, 0.75}) {  // cubes of 1 m
    scene.bodies.emplace_back().mass = 1;
    scene.bodies.back().pose.position.x() = x;
  }
  const auto overlap = [&] {
    Built built(scene, scene.step, Built::Engine::perpend);
    return perpend::penetration(built.world());
  };
  EXPECT_NEAR(overlap(), 0.25, 1e-12);
  scene.apart = {{0, 1}};
  EXPECT_EQ(overlap(), 0);
  scene.apart.clear();
  scene.bodies[0].group = 2;
  scene.bodies[1].mask = 1;
  EXPECT_EQ(overlap(), 0);
}

}  // namespace build_test
}  // namespace perpend::sim
