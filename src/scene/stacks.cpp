// Cubes and bricks that stand: Silcowitz-Hansen et al. 2010, Fig. 4 (c), (f), (h) and Fig. 7;
// Nguyen and Trinkle 2010, Fig. 1; and the stacks that users of engines complain about. All touch
// exactly (gap 0) unless they are dropped.
#include "scene/build.hpp"
#include "scene/families.hpp"

namespace perpend::scene {
namespace {

constexpr double kMu = 0.5;
constexpr double kApart = 0.01;  // m, between neighbours of one layer

void add_cube(Scene& scene, const Vector3d& position, double mass = 1) {
  add(scene, "box " + std::to_string(scene.bodies.size()), box(1, 1, 1), mass, kMu, position);
}

void add_column(Scene& scene, int count, double bottom = 0) {
  for (int i = 0; i < count; ++i) add_cube(scene, {0, 0, bottom + i + 0.5});
}

// In the plane y = 0, `rows` in the lowest row.
void add_triangle(Scene& scene, int rows, double mass = 1) {
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rows - row; ++i)
      add_cube(scene, {(1 + kApart) * (i - 0.5 * (rows - row - 1)), 0, row + 0.5}, mass);
}

Scene standing(std::string name, std::string title, std::string source) {
  Scene scene = start(std::move(name), std::move(title), std::move(source));
  scene.at_rest = true;
  return scene;
}

// Bricks of 1 x 0.5 x 0.5 m, rows shifted by 0.4 m and not by half a brick: the last brick of a
// row, with half of it in the air, would stand on an edge under its centre of mass.
Scene dropped_wall(Scene scene, int rows) {
  const double pitch = 1 + kApart, width = pitch * rows;
  add_room(scene, kMu, width / 2 + 5, 5, 2);
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rows; ++i) {
      const double x = pitch * (i + 0.5) - width / 2 + (row % 2 == 0 ? -0.2 : 0.2);
      add(scene, "brick " + std::to_string(row) + "." + std::to_string(i), box(1, 0.5, 0.5), 1, kMu,
          {x, 0, 0.5 + 0.5 * row + 0.25});
    }
  scene.stands = true;
  return scene;
}

// Layers 2, 2, 2, 2, 1, shifted by a quarter of an edge to either side: every box of an upper layer
// but the outer ones lies on two. 2 + 3 x 3 + 2 = 13 patches of four contacts.
void add_shifted_layers(Scene& scene) {
  add_room(scene, kMu, 5, 5, 2);
  const double middle = (1 + kApart) / 2;
  for (int layer = 0; layer < 4; ++layer) {
    const double shift = layer % 2 == 0 ? -0.25 : 0.25;
    add_cube(scene, {shift - middle, 0, layer + 0.5});
    add_cube(scene, {shift + middle, 0, layer + 0.5});
  }
  add_cube(scene, {0.25, 0, 4.5});
}

}  // namespace

Scene column(double count, std::uint64_t) {
  Scene scene = standing("", "column of touching cubes, at rest", "user reports");
  add_floor(scene, kMu, 10, 10);
  add_column(scene, static_cast<int>(count));
  return scene;
}

Scene stack(double, std::uint64_t) {
  Scene scene = standing("stack", "nine cubes in five shifted layers",
                         "Silcowitz-Hansen et al. 2010, Fig. 4 (c)");
  add_shifted_layers(scene);
  return scene;
}

// A column has 16 contacts, Table 1 has 17. A top cube that is turned by 45 degrees and 0.3 m off
// the middle has a pentagon in common with the one below: the simplest column with that number.
Scene stack_small(double, std::uint64_t) {
  Scene scene = standing("stack-small", "column of four cubes, the top one turned by 45 degrees",
                         "Silcowitz-Hansen et al. 2010, Fig. 4 (f)");
  add_room(scene, kMu, 5, 5, 2);
  add_column(scene, 4);
  Pose& top = scene.bodies.back().pose;
  top.position.x() = kPentagon;
  top.orientation = about_z(45 * kDegree);
  return scene;
}

Scene heavy_top(double, std::uint64_t) {
  Scene scene = standing("heavy-top", "100 kg on top of the nine cubes of stack",
                         "Silcowitz-Hansen et al. 2010, Fig. 4 (h)");
  add_shifted_layers(scene);
  add_cube(scene, {0.25, 0, 5.5}, 100);
  return scene;
}

Scene heavy_column(double, std::uint64_t) {
  Scene scene = standing("heavy-column", "100 kg on a column of 13 cubes", "user reports");
  add_floor(scene, kMu, 10, 10);
  add_column(scene, 13);
  add_cube(scene, {0, 0, 13.5}, 100);
  return scene;
}

Scene mass_ratio(double ratio, std::uint64_t) {
  Scene scene = standing("", "R kg on a column of four cubes of 1 kg", "user reports");
  add_floor(scene, kMu, 10, 10);
  add_column(scene, 4);
  add_cube(scene, {0, 0, 4.5}, ratio);
  return scene;
}

Scene tower(double, std::uint64_t) {
  Scene scene =
      start("tower", "ten cubes, dropped as a column from 15 m", "Nguyen and Trinkle 2010, Fig. 1");
  add_floor(scene, kMu, 20, 20);
  add_column(scene, 10, 15);
  scene.stands = true;
  return scene;
}

Scene pyramid(double base, std::uint64_t) {
  Scene scene = standing("", "triangle of cubes, N in its lowest row", "user reports");
  add_floor(scene, kMu, (1 + kApart) * base / 2 + 5, 10);
  add_triangle(scene, static_cast<int>(base));
  return scene;
}

// The ball rolls up over the floor, so that it comes at its speed in whichever engine.
Scene crates(double base, std::uint64_t) {
  constexpr double kCrate = 10, kRadius = 0.7, kSpeed = 18, kTime = 4;  // kg, m, m/s, s
  Scene scene =
      start("", "triangle of crates, N in its lowest row, hit by a ball after 4 s", "user reports");
  scene.steps = 360;
  const double way = kSpeed * kTime;
  add_floor(scene, kMu, (1 + kApart) * base / 2 + 20, way + 20);
  add_triangle(scene, static_cast<int>(base), kCrate);
  const Index ball =
      add(scene, "ball", sphere(kRadius), 200, kMu, {0, -(0.5 + kRadius + way), kRadius});
  body(scene, ball).velocity << 0, kSpeed, 0, -kSpeed / kRadius, 0, 0;
  return scene;
}

Scene wall(double, std::uint64_t) {
  return dropped_wall(start("wall", "13 rows of 13 bricks in running bond, dropped from 0.5 m",
                            "Silcowitz-Hansen et al. 2010, Fig. 7"),
                      13);
}

Scene wall_of(double rows, std::uint64_t) {
  return dropped_wall(start("", "N rows of N bricks in running bond, dropped from 0.5 m",
                            "after Silcowitz-Hansen et al. 2010, Fig. 7"),
                      static_cast<int>(rows));
}

}  // namespace perpend::scene
