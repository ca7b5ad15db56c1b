// A scene in a Bullet world, and its state.
#include "sim/build.hpp"

#include <gtest/gtest.h>

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
    const auto row = built.state().quaternions.row(0);
    const Eigen::Quaterniond told(row[0], row[1], row[2], row[3]);
    EXPECT_LT(told.angularDistance(body.pose.orientation), 1e-14);
  }
}

}  // namespace build_test
}  // namespace perpend::sim
