// What falls from random places into a box of a floor and four walls.
#include <cmath>

#include "scene/build.hpp"
#include "scene/families.hpp"

namespace perpend::scene {
namespace {

constexpr double kMu = 0.5;

// Places `pitch` apart in layers above the floor, the lowest at height `pitch`: about as many
// layers as there are places along an edge.
struct Grid {
  Grid(double count, double distance)
      : edge(static_cast<int>(std::ceil(std::cbrt(count)))), pitch(distance) {}
  Vector3d place(int i) const {
    const double middle = 0.5 * (edge - 1);
    return pitch * Vector3d(i % edge - middle, i / edge % edge - middle, i / (edge * edge) + 1);
  }
  double half() const { return 0.5 * edge * pitch; }
  double height() const { return (edge + 1) * pitch; }

  int edge;
  double pitch;
};

}  // namespace

Scene pile_boxes(double count, std::uint64_t seed) {
  Scene scene = start("", "N cubes in random orientations, dropped", "user reports");
  Random random(seed);
  // The diagonal of a cube is 1.733 m; 0.03 m to either side are left.
  const Grid grid(count, 1.8);
  add_room(scene, kMu, grid.half(), grid.half(), grid.height());
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const Vector3d position = grid.place(i) + random.in_box(Vector3d::Constant(0.03));
    add(scene, "box " + std::to_string(i), box(1, 1, 1), 1, kMu, position, random.orientation());
  }
  return scene;
}

}  // namespace perpend::scene
