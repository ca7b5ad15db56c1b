// What falls from random places into a box of a floor and four walls: Lu et al. 2013, Figs. 7 and
// 10, and piles of any size.
#include <algorithm>
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

// Places within 0.72 m of the middle and 4 m high, drawn again while they are nearer than 0.52 m to
// an earlier one.
Scene spheres(double, std::uint64_t seed) {
  Scene scene =
      start("spheres", "15 balls fall into a box of 2 x 2 m", "Lu et al. 2013, Fig. 7", 0.01);
  Random random(seed);
  add_room(scene, kMu, 1, 1, 5);
  std::vector<Vector3d> places;
  while (places.size() < 15) {
    const Vector3d place = Vector3d(0, 0, 2.2) + random.in_box({0.72, 0.72, 1.9});
    const bool free = std::none_of(places.begin(), places.end(), [&](const Vector3d& other) {
      return (place - other).norm() < 0.52;
    });
    if (!free) continue;
    add(scene, "ball " + std::to_string(places.size()), sphere(0.25), 1, kMu, place);
    places.push_back(place);
  }
  return scene;
}

// Eight layers of five, 0.3 m apart, each log turned by up to 5 degrees and shifted by 5 mm.
Scene logs(double, std::uint64_t seed) {
  Scene scene =
      start("logs", "40 cylinders of 20 kg fall on a pile", "Lu et al. 2013, Fig. 10", 0.01);
  Random random(seed);
  add_room(scene, kMu, 1, 0.7, 3.5);
  for (int layer = 0; layer < 8; ++layer)
    for (int i = 0; i < 5; ++i) {
      const Vector3d place(0.3 * (i - 2), 0, 0.3 * (layer + 1));
      const Vector3d shift = random.in_box(Vector3d::Constant(0.005));
      const Quaterniond turn = about_z(random.uniform(-5, 5) * kDegree) * about_x(90 * kDegree);
      add(scene, "log " + std::to_string(layer) + "." + std::to_string(i), cylinder(0.1, 1), 20,
          kMu, place + shift, turn);
    }
  return scene;
}

Scene pile_spheres(double count, std::uint64_t seed) {
  Scene scene = start("", "N balls of 1 m, dropped", "user reports");
  Random random(seed);
  const Grid grid(count, 1.1);
  add_room(scene, kMu, grid.half(), grid.half(), grid.height());
  for (int i = 0; i < static_cast<int>(count); ++i)
    add(scene, "ball " + std::to_string(i), sphere(0.5), 1, kMu,
        grid.place(i) + random.in_box(Vector3d::Constant(0.04)));
  return scene;
}

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
