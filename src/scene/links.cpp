// Chains of boxes and hinges, whose axes are along y. `arch` and `snake` are six boxes and five
// hinges, every hinge at its limit (Silcowitz-Hansen et al. 2010, Fig. 4 (g) and (i)): five rows of
// the hinge and one of the limit make each as stiff as a weld while gravity presses it against its
// limit. `chain` is free.
#include <array>
#include <cmath>

#include "scene/build.hpp"
#include "scene/families.hpp"

namespace perpend::scene {
namespace {

constexpr double kMu = 0.5;
constexpr double kPitch = 1, kLength = 0.9, kWidth = 0.4, kThickness = 0.3;  // m
const Quaterniond kAxisY = about_x(-90 * kDegree);                           // takes z to y

Shape link() { return box(kLength, kWidth, kThickness); }

}  // namespace

// Half of a regular polygon of twelve sides. Bending outwards is stopped by the limits, so that it
// stands with or without thrust on its feet, which touch the floor by their inner edges.
Scene arch(double, std::uint64_t) {
  Scene scene = start("arch", "six links and five hinges stand on two feet",
                      "Silcowitz-Hansen et al. 2010, Fig. 4 (g)");
  scene.at_rest = true;
  add_room(scene, kMu, 6, 5, 2);
  constexpr std::array<double, 6> kSlopes{75, 45, 15, -15, -45, -75};
  double span = 0;
  for (double slope : kSlopes) span += kPitch * std::cos(slope * kDegree);
  const double steepest = kSlopes[0] * kDegree;
  // The foot's inner corner is on the floor; the chain begins half a gap below the link's end.
  const double start_z = kLength / 2 * std::sin(steepest) + kThickness / 2 * std::cos(steepest) -
                         kPitch / 2 * std::sin(steepest);
  Vector3d joint(-span / 2, 0, start_z);
  Index last = -1;
  for (std::size_t i = 0; i < kSlopes.size(); ++i) {
    const double slope = kSlopes[i] * kDegree;
    const Vector3d along(std::cos(slope), 0, std::sin(slope));
    const Index next = add(scene, "link " + std::to_string(i), link(), 1, kMu,
                           joint + kPitch / 2 * along, about_y(-slope));
    if (last >= 0)
      join(scene, "hinge " + std::to_string(i), Joint::Type::hinge, last, next, joint, kAxisY)
          .limits[5] = {0, 60 * kDegree};
    joint += kPitch * along;
    last = next;
  }
  return scene;
}

Scene snake(double, std::uint64_t) {
  Scene scene = start("snake", "five links held up by a sixth, which is fixed",
                      "Silcowitz-Hansen et al. 2010, Fig. 4 (i)");
  scene.at_rest = true;
  add_room(scene, kMu, 8, 5, 2);
  const double height = 3;
  Index last = add(scene, "fixed link", link(), 0, kMu, {-2.5, 0, height});
  for (int i = 1; i <= 5; ++i) {
    const double x = -2.5 + kPitch * i;
    const Index next = add(scene, "link " + std::to_string(i), link(), 1, kMu, {x, 0, height});
    join(scene, "hinge " + std::to_string(i), Joint::Type::hinge, last, next,
         {x - kPitch / 2, 0, height}, kAxisY)
        .limits[5] = {-60 * kDegree, 0};
    last = next;
  }
  return scene;
}

// Straight, 45 degrees from hanging down, let go: a swing of joints alone.
Scene chain(double count, std::uint64_t) {
  Scene scene = start("", "N links on N hinges swing from a fixed point", "user reports");
  const double slope = -45 * kDegree;
  const Vector3d along(std::cos(slope), 0, std::sin(slope));
  Index last = -1;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const Index next = add(scene, "link " + std::to_string(i + 1), link(), 1, kMu,
                           (i + 0.5) * kPitch * along, about_y(-slope));
    join(scene, "hinge " + std::to_string(i + 1), Joint::Type::hinge, last, next,
         i * kPitch * along, kAxisY);
    last = next;
  }
  return scene;
}

}  // namespace perpend::scene
