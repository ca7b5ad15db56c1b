// A hand grasps the end of a hose on a table and lifts it (after Lu et al. 2013, Fig. 4): 20
// capsules that may bend and twist a little at every joint; a palm that is moved, two fingers on
// one side and one on the other, two links each, with motors that close them and limits that stop
// them.
#include "scene/families.hpp"
#include "scene/hose_parts.hpp"

namespace perpend::scene {
namespace {

constexpr double kMu = kHoseMu;
constexpr double kFirst = -1;  // m, x of the first piece

// x of the middle of the hand: the thumb presses into the neck between the last two pieces; y of a
// finger's middle line, half the edges of its links.
constexpr double kHand = kFirst + kHosePitch * (kHosePieces - 1.5), kFingerY = 0.04,
                 kFingerThickness = 0.016, kFingerWidth = 0.02;

// `side` is the sign of y, `strength` a factor of the motors' torques; heights are those over the
// hose's axis. The lower link is the stronger one, so that it reaches under the hose.
void add_finger(Scene& scene, const std::string& name, Index palm, double x, double side,
                double strength, double z) {
  const double y = side * kFingerY;
  const Index upper = add(scene, name + " upper", box(kFingerWidth, kFingerThickness, 0.035), 0.05,
                          kMu, {x, y, z + 0.0625});
  const Index lower = add(scene, name + " lower", box(kFingerWidth, kFingerThickness, 0.052), 0.05,
                          kMu, {x, y, z + 0.014});
  // Positive angles close the finger.
  const Quaterniond axis = z_along(Vector3d(-side, 0, 0));
  Joint& knuckle =
      join(scene, name + " knuckle", Joint::Type::hinge, palm, upper, {x, y, z + 0.0825}, axis);
  knuckle.limits[5] = {-0.1, 0.9};
  knuckle.motors[5] = {true, 2, strength};
  Joint& middle =
      join(scene, name + " middle", Joint::Type::hinge, upper, lower, {x, y, z + 0.0425}, axis);
  middle.limits[5] = {-0.2, 1.2};
  middle.motors[5] = {true, 2, 0.8 * strength};
}

}  // namespace

Index add_hose(Scene& scene, const Vector3d& first) {
  const Quaterniond along_x = about_y(90 * kDegree);
  Index begin = -1, last = -1;
  for (int i = 0; i < kHosePieces; ++i) {
    const Vector3d at = first + Vector3d(kHosePitch * i, 0, 0);
    const Index next = add(scene, "hose " + std::to_string(i), capsule(kHoseRadius, kHoseBarrel),
                           0.05, kHoseMu, at, along_x);
    if (last < 0)
      begin = next;
    else
      limit_rotations(join(scene, "hose joint " + std::to_string(i), Joint::Type::generic, last,
                           next, at - Vector3d(kHosePitch / 2, 0, 0)),
                      0.1, 0.4, 0.4);
    last = next;
  }
  return begin;
}

Scene hose(double, std::uint64_t) {
  Scene scene = start("hose", "a jointed hand grasps the end of a hose on a table and lifts it",
                      "after Lu et al. 2013, Fig. 4", 0.01);
  add_floor(scene, kMu, 3, 3);
  add(scene, "table", box(2.4, 1, 0.05), 0, kMu, {-0.2, 0, kHoseTable - 0.025});
  const double axis = kHoseTable + kHoseRadius;
  add_hose(scene, {kFirst, 0, axis});
  const Index palm = add(scene, "palm", box(0.12, 0.12, 0.03), 0, kMu, {kHand, 0, axis + 0.1});
  // Half a second to close, two to lift by 0.5 m.
  Motion motion;
  motion.keys.resize(3);
  motion.keys[0].velocity.setZero();
  motion.keys[1].time = 0.5;
  motion.keys[1].velocity << 0, 0, 0.25, 0, 0, 0;
  motion.keys[2].time = 2.5;
  motion.keys[2].velocity.setZero();
  body(scene, palm).motion = motion;
  add_finger(scene, "finger 0", palm, kHand - 0.03, 1, 1, axis);
  add_finger(scene, "finger 1", palm, kHand + 0.03, 1, 1, axis);
  add_finger(scene, "thumb", palm, kHand, -1, 2, axis);
  return scene;
}

}  // namespace perpend::scene
