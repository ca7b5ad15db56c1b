// What holds on a slope by friction alone, or slides down it: 000, Fig. 4 (a), and what users
// report of engines.
#include "scene/build.hpp"
#include "scene/families.hpp"

namespace perpend::scene {
namespace {

// Descends along +x; boxes rest on its plane z = 0.
Pose incline(double angle) { return {Vector3d::Zero(), about_y(angle)}; }

void add_on(Scene& scene, const Pose& slope, std::string name, Shape shape, double mu,
            const Vector3d& position, const Quaterniond& turn = Quaterniond::Identity()) {
  add(scene, std::move(name), std::move(shape), 1, mu,
      slope.position + slope.orientation * position, slope.orientation * turn);
}

}  // namespace

Scene slope(double, std::uint64_t) {
  Scene scene = start("slope", "three touching rows of three cubes on an incline of 15 degrees",
                      "000, Fig. 4 (a)");
  scene.at_rest = true;
  const Pose slope = incline(15 * kDegree);
  add_room(scene, 0.5, 5, 5, 2, slope);
  for (int row = -1; row <= 1; ++row)
    for (int i = -1; i <= 1; ++i)
      add_on(scene, slope, "box " + std::to_string(scene.bodies.size()), box(1, 1, 1), 0.5,
             Vector3d(i, 1.5 * row, 0.5));
  return scene;
}

Scene creep(double, std::uint64_t) {
  Scene scene = start("creep", "cube on a slope of 15 degrees, mu 1: it must not move at all",
                      "user reports");
  scene.at_rest = true;
  const Pose slope = incline(15 * kDegree);
  add_floor(scene, 1, 10, 10, slope);
  add_on(scene, slope, "box", box(1, 1, 1), 1, {0, 0, 0.5});
  return scene;
}

}  // namespace perpend::scene
