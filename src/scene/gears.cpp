// Standing gears of twelve teeth, stacked in a triangle (Silcowitz-Hansen et al. 2010, Fig. 4 (d)
// and (e)): compounds of a hub of twelve sides and twelve teeth with flat flanks, axes along y.
//
// All gears are turned alike, a gap down, so that the lowest stand on two teeth. Neighbours in
// different rows have their centres a distance d apart, under an angle of 45 + c degrees: c degrees
// off the middle of the nearest tooth. Half a turn about the middle P of the line between them
// takes one into the other; a flank that passes through P is therefore also the other's flank, and
// they touch face to face. So a tooth is d/2 sin c wide to either side where it is d/2 cos c from
// the centre. With c = 6 of the 7.5 degrees that would fill the gap, the other flanks stay apart.
// Mirrored, the same holds for the neighbour on the other side.
#include <cmath>

#include "scene/build.hpp"
#include "scene/families.hpp"

namespace perpend::scene {
namespace {

constexpr double kMu = 0.5;
constexpr double kTip = 0.5;               // m, from the centre to the flat end of a tooth
constexpr double kRoot = 0.7 * kTip;       // m, to the flat sides of the hub
constexpr double kHalfWidth = 0.15;        // m, along the axis
constexpr double kDistance = 1.76 * kTip;  // m, d
constexpr double kOff = 6 * kDegree;       // c
constexpr double kFlank = 22 * kDegree;    // between a flank and the middle of its tooth
constexpr double kTooth = 30 * kDegree;    // from tooth to tooth

double half_thickness(double from_centre) {
  return kDistance / 2 * std::sin(kOff) +
         (kDistance / 2 * std::cos(kOff) - from_centre) * std::tan(kFlank);
}

// A wheel from `near` to `far` along the axis.
void add_wheel(std::vector<Part>& parts, double near, double far) {
  // In the plane of the gear, then along its axis.
  const auto add_edge = [&](std::vector<Vector3d>& points, double x, double z) {
    points.emplace_back(x, near, z);
    points.emplace_back(x, far, z);
  };
  std::vector<Vector3d> hub;
  for (int i = 0; i < 12; ++i) {
    const double corner = kTooth * i, radius = kRoot / std::cos(kTooth / 2);
    add_edge(hub, radius * std::cos(corner), radius * std::sin(corner));
  }
  parts.push_back({hull(hub), {}});
  for (int i = 0; i < 12; ++i) {
    const double middle = kTooth * (i + 0.5), c = std::cos(middle), s = std::sin(middle);
    std::vector<Vector3d> tooth;
    for (double from_centre : {kRoot, kTip})
      for (double side : {-1.0, 1.0}) {
        const double off = side * half_thickness(from_centre);
        add_edge(tooth, from_centre * c - off * s, from_centre * s + off * c);
      }
    parts.push_back({hull(tooth), {}});
  }
}

Shape gear() {
  std::vector<Part> parts;
  add_wheel(parts, -kHalfWidth, kHalfWidth);
  return compound(std::move(parts));
}

// Two wheels of a third of the width each.
Shape double_gear() {
  std::vector<Part> parts;
  add_wheel(parts, -kHalfWidth, -kHalfWidth / 3);
  add_wheel(parts, kHalfWidth / 3, kHalfWidth);
  return compound(std::move(parts));
}

constexpr double kAngle = 45 * kDegree + kOff;
// From the centre down to the corners of the two lowest teeth that are nearest to each other, and
// to the right as well, since four gaps point along the axes.
double lowest() {
  return kTip * std::cos(kTooth / 2) + half_thickness(kTip) * std::sin(kTooth / 2);
}
double pitch() { return 2 * kDistance * std::cos(kAngle); }

void add_triangle(Scene& scene, const Shape& shape, int rows) {
  scene.at_rest = true;
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rows - row; ++i)
      add(scene, "gear " + std::to_string(row) + "." + std::to_string(i), shape, 1, kMu,
          {pitch() * (i - 0.5 * (rows - row - 1)), 0,
           lowest() + kDistance * std::sin(kAngle) * row});
}

}  // namespace

Scene gears_small(double, std::uint64_t) {
  Scene scene = start("gears-small", "six standing double gears: rows of 3, 2, 1",
                      "Silcowitz-Hansen et al. 2010, Fig. 4 (d)");
  add_room(scene, kMu, 5, 5, 2);
  add_triangle(scene, double_gear(), 3);
  return scene;
}

Scene gears(double, std::uint64_t) {
  constexpr int kRows = 4;
  constexpr double kLow = 0.45;  // m, the height of the walls: between two teeth
  Scene scene = start("gears", "ten standing gears: rows of 4, 3, 2, 1",
                      "Silcowitz-Hansen et al. 2010, Fig. 4 (e)");
  const double reach = pitch() * 0.5 * (kRows - 1) + lowest();
  add_room(scene, kMu, 5, 5, kLow, {Vector3d(reach - 5, 0, 0), Quaterniond::Identity()});
  add_triangle(scene, gear(), kRows);
  return scene;
}

}  // namespace perpend::scene
