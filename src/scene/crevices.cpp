// Cracks, holes and seams: what a contact model feels that forbids too much (Nguyen and Trinkle
// 2010, section 4), and what users report of engines.
#include <cmath>

#include "scene/build.hpp"
#include "scene/families.hpp"

namespace perpend::scene {
namespace {

// A shaft with a square mouth of that width around z: four fixed blocks with their tops at z = 0,
// and a floor at z = -depth.
void add_shaft(Scene& scene, double mu, double width, double depth) {
  const double x = 0.75 * width, z = depth / 2;
  add(scene, "wall -x", box(width / 2, 2 * width, depth), 0, mu, {-x, 0, -z});
  add(scene, "wall +x", box(width / 2, 2 * width, depth), 0, mu, {x, 0, -z});
  add(scene, "wall -y", box(width, width / 2, depth), 0, mu, {0, -x, -z});
  add(scene, "wall +y", box(width, width / 2, depth), 0, mu, {0, x, -z});
  add(scene, "floor", box(2 * width, 2 * width, width / 10), 0, mu, {0, 0, -depth - width / 20});
}

// A flat strip of n x 2 x 2 triangles, `length` along x from 0, at z = 0.
Shape strip(int n, double length, double width) {
  Shape mesh;
  mesh.type = Shape::Type::mesh;
  for (int i = 0; i <= n; ++i)
    for (int k = -1; k <= 1; ++k) mesh.points.emplace_back(length * i / n, width / 2 * k, 0);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < 2; ++k) {
      const Index a = 3 * i + k, b = a + 3, c = b + 1, d = a + 1;
      // The diagonals alternate.
      if ((i + k) % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  return mesh;
}

}  // namespace

// Two slabs 0.5 m thick lie flush on a base; the crack between them is 0.02 m wide and goes down to
// it. The box starts 3.5 m above the crack and slides with g (sin 25 - mu cos 25) = 2.37 m/s^2.
Scene cracked_ramp(double, std::uint64_t) {
  constexpr double kMu = 0.2, kCrack = 0.02, kThick = 0.5, kUpper = 5, kLower = 8, kDrop = 0.2;
  Scene scene = start("cracked-ramp", "a box slides down a ramp of 25 degrees with a crack in it",
                      "Nguyen and Trinkle 2010, Figs. 6, 7", 0.008);
  scene.steps = 360;
  const Quaterniond slope = about_y(25 * kDegree);
  const auto fixed = [&](const char* name, double from, double to, double bottom, double top) {
    add(scene, name, box(to - from, 4, top - bottom), 0, kMu,
        slope * Vector3d((from + to) / 2, 0, (bottom + top) / 2), slope);
  };
  fixed("upper slab", -kUpper, 0, -kThick, 0);
  fixed("lower slab", kCrack, kCrack + kLower, -kThick, 0);
  fixed("base", -kUpper, kCrack + kLower, -kThick - 0.2, -kThick);
  add(scene, "box", box(1, 1, 1), 1, kMu, slope * Vector3d(-3.5, 0, 0.5) + Vector3d(0, 0, kDrop),
      slope);
  return scene;
}

Scene hole(double, std::uint64_t) {
  constexpr double kMu = 0.1, kHole = 10, kDepth = 20, kBox = 9.99, kDrop = 5;
  Scene scene = start("hole", "a box of 9.99 m falls into a hole of 10 m and down to its floor",
                      "Nguyen and Trinkle 2010, Figs. 8, 9", 0.0125);
  scene.steps = 240;
  add_shaft(scene, kMu, kHole, kDepth);
  add(scene, "box", box(kBox, kBox, kBox), 1, kMu, {0, 0, kDrop + kBox / 2});
  return scene;
}

// Flush: peg and hole are equally wide, so that all four sides touch on the way down.
Scene notch(double, std::uint64_t) {
  constexpr double kMu = 0.3, kWidth = 0.2, kDepth = 0.5, kDrop = 0.05, kLength = 0.6;
  Scene scene = start("notch", "a peg falls into a hole of its own width", "user reports", 0.005);
  scene.steps = 200;
  add_shaft(scene, kMu, kWidth, kDepth);
  add(scene, "peg", box(kWidth, kWidth, kLength), 1, kMu, {0, 0, kDrop + kLength / 2});
  return scene;
}

// Two boxes slide on twelve touching tiles, two on a triangulated strip; one of each goes straight
// and one turned by 20 degrees. All must come to rest by friction alone, after v^2/(2 mu g) =
// 4.59 m.
Scene tiles(double, std::uint64_t) {
  constexpr double kMu = 0.1, kTile = 0.5, kBox = 0.6, kSpeed = 3;
  constexpr int kTiles = 12;
  Scene scene = start("tiles", "boxes slide over touching boxes and over a triangulated floor",
                      "user reports");
  scene.steps = 240;
  for (int lane = 0; lane < 2; ++lane)
    for (int i = 0; i < kTiles; ++i)
      add(scene, "tile " + std::to_string(lane) + "." + std::to_string(i), box(kTile, 1, 0.2), 0,
          kMu, {kTile * (i + 0.5), 1.2 * lane, -0.1});
  for (int lane = 2; lane < 4; ++lane)
    add(scene, "strip " + std::to_string(lane), strip(kTiles, kTiles * kTile, 1), 0, kMu,
        {0, 1.2 * lane, 0});
  for (int lane = 0; lane < 4; ++lane) {
    const Index box_in_lane =
        add(scene, "box " + std::to_string(lane), box(kBox, kBox, kBox), 1, kMu,
            {0.7, 1.2 * lane, kBox / 2}, about_z(lane % 2 == 0 ? 0 : 20 * kDegree));
    body(scene, box_in_lane).velocity[0] = kSpeed;
  }
  return scene;
}

}  // namespace perpend::scene
