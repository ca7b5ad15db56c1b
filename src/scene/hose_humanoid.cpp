// A humanoid of the size and mass of the DRC Atlas stands at a table and lifts the end of a hose
// (after Lu et al. 2013, Fig. 4).
//
// Masses, joints and centres of mass are those of Drake's atlas_minimal_contact.urdf, which MuJoCo
// Menagerie has too. What differs:
// - Links without length are one body with their neighbour: 17 bodies instead of 31. Of joints that
//   share a place, the one that bears load is kept: the back bends about y, shoulders turn about z
//   and x, elbows about y (as after a turn of 90 degrees about the upper arm), hips about z and y,
//   knees and ankles about y. Wrists are stiff.
// - Sideways offsets of the arms below 2 cm are left out. Where the table here has no centre of
//   mass, it is the middle of the link.
// - Shapes are boxes, capsules and a ball of the links' lengths; inertia is that of the shape about
//   its middle. Thicknesses are ours.
// - The step is the millisecond that is Gazebo's default: the paper tells none.
// - Limits of +- 0.002 rad hold every joint but the right elbow, whose motor lifts the hose. Its
//   torque is ours.
#include <cmath>
#include <initializer_list>

#include "scene/families.hpp"
#include "scene/hose_parts.hpp"

namespace perpend::scene {
namespace {

constexpr double kHeight = 0.93845;  // m, of the pelvis: straight legs, soles on the floor
constexpr double kHeld = 0.002;      // rad
constexpr double kTorque = 150;      // N m
constexpr double kLiftSpeed = 0.7, kLiftAngle = 1.15;  // rad/s, rad
constexpr double kUpperArm = 0.187 + 0.119;            // m, shoulder (x) to elbow
constexpr double kForearm = 0.29955, kGrip = 0.1245;   // m, elbow to wrist, wrist to grip

// Links that are one body.
struct Link {
  double mass;      // kg
  Vector3d centre;  // m, in the world
};

struct Grip {
  Index forearm;
  Vector3d place;  // m, in the world
};

class Humanoid {
 public:
  explicit Humanoid(Scene& scene) : scene_(scene) {}

  // The right hand grips at `height`, m.
  Grip build(double height) {
    const Index pelvis =
        part("pelvis", box(0.2, 0.24, 0.16), {0.0111, 0, 0.0271}, {{9.509, at(0.0111, 0, 0.0271)}});
    const Vector3d back(-0.0125, 0, 0.162), chest = back + Vector3d(0, 0, 0.05);
    const Index torso = part("torso", box(0.36, 0.36, 0.6), {-0.07, 0, 0.5},
                             {{2.27, at(-0.0125, 0, 0.081)},
                              {0.799, at(-0.0125, 0, 0.187)},
                              {84.609, at(chest + Vector3d(-0.0617, 0.0023, 0.3168))}});
    hold("back", pelvis, torso, back, Vector3d::UnitY());
    const Vector3d neck = chest + Vector3d(0.2546, 0, 0.6215);
    const Vector3d skull = neck + Vector3d(0, 0, 0.1);
    const Index head = part("head", sphere(0.09), skull, {{2.08756, at(skull)}});
    hold("neck", torso, head, neck, Vector3d::UnitY());
    for (const double side : {1.0, -1.0}) leg(side, side > 0 ? "left " : "right ", pelvis);
    arm(1, "left ", torso, chest, 10 * kDegree);
    const double drop = shoulder(-1, chest).z() - kUpperArm + kHeight - height;
    return arm(-1, "right ", torso, chest, std::asin(drop / (kForearm + kGrip)));
  }

 private:
  static Vector3d at(double x, double y, double z) { return {x, y, z + kHeight}; }
  static Vector3d at(const Vector3d& p) { return at(p.x(), p.y(), p.z()); }

  // The joint of shoulder and upper arm.
  static Vector3d shoulder(double side, const Vector3d& chest) {
    return chest + Vector3d(0.1406, side * (0.2256 + 0.11), 0.4776 - 0.245);
  }

  void leg(double side, const std::string& name, Index pelvis) {
    const Vector3d root(0, side * 0.089, 0), hip = root + Vector3d(0.05, side * 0.0225, -0.066);
    const Vector3d knee = hip + Vector3d(-0.05, 0, -0.374), ankle = knee + Vector3d(0, 0, -0.422);
    const Vector3d middle = (root + hip) / 2;
    const Index hips = part(name + "hip", box(0.09, 0.07, 0.07), middle,
                            {{1.959, at(middle)}, {0.898, at(middle)}});
    const Index thigh =
        bone(name + "thigh", 0.06, hip, knee, {{8.204, at(hip + Vector3d(0, 0, -0.21))}});
    const Index shank =
        bone(name + "shank", 0.05, knee, ankle, {{4.515, at(knee + Vector3d(0.001, 0, -0.187))}});
    // The sole reaches from -0.0876 to 0.1728 m along x, from -0.0626 to 0.066 m outwards.
    const Index foot = part(name + "foot", box(0.2604, 0.1286, 0.05),
                            ankle + Vector3d(0.0426, side * 0.0017, -0.07645 + 0.025),
                            {{0.125, at(ankle)}, {2.41, at(ankle + Vector3d(0.027, 0, -0.067))}});
    hold(name + "hip z", pelvis, hips, root, Vector3d::UnitZ());
    hold(name + "hip y", hips, thigh, hip, Vector3d::UnitY());
    hold(name + "knee", thigh, shank, knee, Vector3d::UnitY());
    hold(name + "ankle", shank, foot, ankle, Vector3d::UnitY());
  }

  // The upper arm hangs down, the forearm points forwards and down by that angle.
  Grip arm(double side, const std::string& name, Index torso, const Vector3d& chest, double down) {
    const Vector3d root = chest + Vector3d(0.1406, side * 0.2256, 0.4776);
    const Vector3d joint = shoulder(side, chest), elbow = joint - Vector3d(0, 0, kUpperArm);
    const Vector3d along(std::cos(down), 0, -std::sin(down));
    const Vector3d wrist = elbow + kForearm * along, tip = wrist + kGrip * along;
    const Index top =
        bone(name + "shoulder", 0.05, root, joint, {{4.466, at(root + Vector3d(0, 0, -0.084))}});
    const Index upper = bone(name + "upper arm", 0.05, joint, elbow,
                             {{3.899, at(joint - Vector3d(0, 0, 0.187 / 2))},
                              {4.386, at(joint - Vector3d(0, 0, 0.187 + 0.065))}});
    const Index fore = bone(name + "forearm", 0.04, elbow, tip,
                            {{3.248, at((elbow + wrist) / 2)},
                             {2.4798, at(wrist)},
                             {0.648, at(wrist)},
                             {0.6839, at(wrist + 0.088 * along)}});
    hold(name + "shoulder z", torso, top, root, Vector3d::UnitZ());
    hold(name + "shoulder x", top, upper, joint, Vector3d::UnitX());
    Joint& bend = hold(name + "elbow", upper, fore, elbow, -Vector3d::UnitY());
    if (side < 0) {
      bend.limits[5].upper = kLiftAngle;
      bend.motors[5] = {true, kLiftSpeed, kTorque};
    }
    return {fore, at(tip)};
  }

  // A capsule from one joint to the next.
  Index bone(const std::string& name, double radius, const Vector3d& from, const Vector3d& to,
             std::initializer_list<Link> links) {
    return part(name, capsule(radius, (to - from).norm() - 2 * radius), (from + to) / 2, links,
                z_along((to - from).normalized()));
  }

  // Places are given from the pelvis, centres of links in the world.
  Index part(const std::string& name, Shape shape, const Vector3d& place,
             std::initializer_list<Link> links,
             const Quaterniond& orientation = Quaterniond::Identity()) {
    double mass = 0;
    Vector3d centre = Vector3d::Zero();
    for (const Link& link : links) {
      mass += link.mass;
      centre += link.mass * link.centre;
    }
    const Index made = add(scene_, name, std::move(shape), mass, kHoseMu, at(place), orientation);
    Body& one = body(scene_, made);
    one.inertia = mass * mass_properties(one.shape).inertia;
    one.centre_of_mass = orientation.conjugate() * (centre / mass - at(place));
    return made;
  }

  Joint& hold(const std::string& name, Index first, Index second, const Vector3d& place,
              const Vector3d& axis) {
    Joint& joint = join(scene_, name, Joint::Type::hinge, first, second, at(place), z_along(axis));
    joint.limits[5] = {-kHeld, kHeld};
    return joint;
  }

  Scene& scene_;
};

}  // namespace

Scene hose_humanoid(double, std::uint64_t) {
  Scene scene = start(
      "hose-humanoid", "a humanoid of Atlas' size and mass lifts the end of a hose from a table",
      "after Lu et al. 2013, Fig. 4; Atlas by Drake's atlas_minimal_contact.urdf", 0.001);
  scene.steps = 2000;
  scene.at_rest = scene.stands = true;
  add_floor(scene, kHoseMu, 3, 3);
  add(scene, "table", box(2.2, 1.4, 0.05), 0, kHoseMu, {1.45, 0, kHoseTable - 0.025});
  const Grip grip = Humanoid(scene).build(kHoseTable + kHoseRadius);
  const Index end = add_hose(scene, grip.place + Vector3d(kHosePitch / 2, 0, 0));
  join(scene, "grip", Joint::Type::point, grip.forearm, end, grip.place);
  return scene;
}

}  // namespace perpend::scene
