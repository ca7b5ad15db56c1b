// What holds by friction alone, or slides: Silcowitz-Hansen et al. 2010, Fig. 4 (a) and (b), and
// what users report of engines.
#include <cmath>

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

// Table 1 has 57 contacts of nine boxes, an odd number: four for each of eight on the incline and
// for each of five pairs in their rows, and five where the ninth lies on one of them, turned so
// that they have a pentagon in common.
Scene slope(double, std::uint64_t) {
  Scene scene = start("slope", "touching rows of 3, 3 and 2 cubes on 15 degrees, one on top",
                      "Silcowitz-Hansen et al. 2010, Fig. 4 (a)");
  scene.at_rest = true;
  const Pose slope = incline(15 * kDegree);
  add_room(scene, 0.5, 5, 5, 2, slope);
  const auto add_cube = [&](const Vector3d& position, double turn) {
    add_on(scene, slope, "box " + std::to_string(scene.bodies.size()), box(1, 1, 1), 0.5, position,
           about_z(turn));
  };
  for (int row = -1; row <= 1; ++row)
    for (int i = -1; i <= (row < 1 ? 1 : 0); ++i) add_cube(Vector3d(i, 1.5 * row, 0.5), 0);
  add_cube(Vector3d(-1 - kPentagon, 0, 1.5), 45 * kDegree);
  return scene;
}

// Fifteen planks cross-laid in layers of three and two, 2 x 0.4 x 0.2 m each, and ten that lean on
// the walls at 60 degrees: 33 patches of four contacts and ten times 2 + 2 points. Table 1 has one
// more, 173: the last plank is turned so far that the end of a plank below cuts off a corner of one
// patch.
Scene friction_stack(double, std::uint64_t) {
  constexpr double kMu = 0.8, kLength = 2, kWidth = 0.4, kHeight = 0.2, kRoom = 3;
  constexpr int kLayers = 6;
  Scene scene = start("friction-stack", "25 planks, cross-laid and leaning on the walls, mu 0.8",
                      "Silcowitz-Hansen et al. 2010, Fig. 4 (b)");
  scene.at_rest = true;
  add_room(scene, kMu, kRoom, kRoom, 3);
  const Shape plank = box(kLength, kWidth, kHeight);
  for (int layer = 0; layer < kLayers; ++layer) {
    const double z = (layer + 0.5) * kHeight;
    const std::string name = "laid " + std::to_string(layer) + ".";
    if (layer % 2 == 0) {
      for (int i = -1; i <= 1; ++i)
        add(scene, name + std::to_string(i + 1), plank, 1, kMu, {0, 0.7 * i, z});
    } else {
      for (int i = 0; i < 2; ++i)
        add(scene, name + std::to_string(i), box(kWidth, kLength, kHeight), 1, kMu,
            {1.4 * i - 0.7, 0, z}, about_z(layer == kLayers - 1 && i == 1 ? 8 * kDegree : 0));
    }
  }
  // The lower long edges of the plank's under side touch floor and wall.
  const double lean = 60 * kDegree, c = std::cos(lean), s = std::sin(lean);
  const double from_wall = kLength / 2 * c + kHeight / 2 * s;
  const double above_floor = kLength / 2 * s + kHeight / 2 * c;
  for (int wall = 0; wall < 4; ++wall) {
    const Quaterniond turn = about_z(90 * kDegree * wall);
    const int count = wall % 2 == 0 ? 3 : 2;
    for (int i = 0; i < count; ++i) {
      const Vector3d place(kRoom - from_wall, 1.5 * (i - 0.5 * (count - 1)), above_floor);
      add(scene, "leaning " + std::to_string(wall) + "." + std::to_string(i), plank, 1, kMu,
          turn * place, turn * about_y(-lean));
    }
  }
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

// tan 30 > 0.5: all slide down with g (sin 30 - mu cos 30), whichever way they are turned.
Scene yaw(double, std::uint64_t) {
  Scene scene = start("yaw", "eight cubes turned by 11.25 degrees each slide down side by side",
                      "user reports");
  scene.steps = 300;
  const Pose slope = incline(30 * kDegree);
  add_floor(scene, 0.5, 15, 10, slope);
  for (int i = 0; i < 8; ++i)
    add_on(scene, slope, "box " + std::to_string(i), box(1, 1, 1), 0.5, {-10, 2 * i - 7.0, 0.5},
           about_z(11.25 * kDegree * i));
  return scene;
}

// A feeder: 6 Hz and 4 mm along 30 degrees upwards, so that parts stick on the way up and forward
// and slide on the way back.
Scene plate(double, std::uint64_t) {
  constexpr double kMu = 0.5;
  Scene scene = start("plate", "small parts on a vibrating plate", "user reports", 0.005);
  const auto at = [](double x, double y, double z) {
    return Pose{Vector3d(x, y, z), Quaterniond::Identity()};
  };
  const Index plate = add(scene, "plate",
                          compound({{box(2, 1, 0.1), at(0, 0, -0.05)},
                                    {box(0.05, 1, 0.2), at(-1.025, 0, 0)},
                                    {box(0.05, 1, 0.2), at(1.025, 0, 0)},
                                    {box(2.1, 0.05, 0.2), at(0, -0.525, 0)},
                                    {box(2.1, 0.05, 0.2), at(0, 0.525, 0)}}),
                          0, kMu, Vector3d::Zero());
  Motion motion;
  motion.type = Motion::Type::vibration;
  motion.direction = Vector3d(std::cos(30 * kDegree), 0, std::sin(30 * kDegree));
  motion.amplitude = 0.004;
  motion.frequency = 6;
  body(scene, plate).motion = motion;

  std::vector<Vector3d> nut;
  for (int i = 0; i < 6; ++i)
    for (double z : {-0.025, 0.025})
      nut.emplace_back(0.05 * std::cos(60 * kDegree * i), 0.05 * std::sin(60 * kDegree * i), z);
  struct Kind {
    std::string name;
    Shape shape;
    double height;  // of its origin above the plate
    Quaterniond turn = Quaterniond::Identity();
  };
  const std::vector<Kind> kinds{{"cube", box(0.1, 0.1, 0.1), 0.05},
                                {"ball", sphere(0.04), 0.04},
                                {"disc", cylinder(0.05, 0.04), 0.02},
                                {"cone", cone(0.05, 0.1), 0.05},
                                {"pin", capsule(0.02, 0.1), 0.02, about_y(90 * kDegree)},
                                {"nut", hull(nut), 0.025}};
  for (int row = 0; row < 2; ++row)
    for (std::size_t i = 0; i < kinds.size(); ++i)
      add(scene, kinds[i].name + " " + std::to_string(row), kinds[i].shape, 0.1, kMu,
          {-0.8 + 0.2 * static_cast<double>(i), 0.4 * row - 0.2, kinds[i].height}, kinds[i].turn);
  return scene;
}

// A slender rod (2 l long, at tan a = 2 to the floor) slides with its lower end ahead. With the
// normal force N and the friction mu N that opposes the sliding, the lower end accelerates upwards
// by (1 + 3 cos a (cos a - mu sin a)) N/m: negative for mu > 4/3, so that no force of a rigid body
// keeps it out of the floor; the rod must stop in an instant (Painleve 1895).
Scene painleve(double, std::uint64_t) {
  constexpr double kMu = 2, kLength = 2, kThickness = 0.05;
  Scene scene = start("painleve", "a slender rod slides with its tip ahead, mu 2", "user reports");
  add_floor(scene, kMu, 20, 5);
  const double angle = std::atan(2.0), c = std::cos(angle), s = std::sin(angle);
  const Index rod = add(scene, "rod", box(kLength, kThickness, kThickness), 1, kMu,
                        {0, 0, kLength / 2 * s + kThickness / 2 * c}, about_y(-angle));
  body(scene, rod).velocity[0] = -3;
  return scene;
}

}  // namespace perpend::scene
