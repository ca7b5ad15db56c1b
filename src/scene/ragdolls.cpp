// Two ragdolls, one falls on its back and the other crosswise on it (Nguyen and Trinkle 2010, Fig.
// 3): 13 bodies each, hinges with limits at elbows, knees and ankles, limited generic joints at
// waist, neck and hips, shoulders that turn freely.
#include "scene/build.hpp"
#include "scene/families.hpp"

namespace perpend::scene {
namespace {

constexpr double kMu = 0.5;

// Given standing with spread arms, looking along +x, the middle of the pelvis at the origin.
class Doll {
 public:
  Doll(Scene& scene, std::string name, const Pose& pose)
      : scene_(scene), name_(std::move(name)), pose_(pose) {}

  void build() {
    const Index pelvis = part("pelvis", box(0.18, 0.3, 0.16), 10, {0, 0, 0});
    const Index chest = part("chest", box(0.2, 0.34, 0.4), 20, {0, 0, 0.3});
    const Index head = part("head", capsule(0.09, 0.08), 5, {0, 0, 0.66});
    limit_rotations(joint("waist", Joint::Type::generic, pelvis, chest, {0, 0, 0.09}), 0.3, 0.6,
                    0.4);
    limit_rotations(joint("neck", Joint::Type::generic, chest, head, {0, 0, 0.515}), 0.4, 0.7, 0.9);
    for (double side : {1.0, -1.0}) {
      limbs(side, side > 0 ? "left " : "right ", pelvis, chest);
    }
  }

 private:
  void limbs(double side, const std::string& name, Index pelvis, Index chest) {
    const Quaterniond sideways = about_x(90 * kDegree);
    const Index arm =
        part(name + "upper arm", capsule(0.045, 0.2), 2.5, {0, side * 0.335, 0.42}, sideways);
    const Index forearm =
        part(name + "forearm", capsule(0.04, 0.2), 1.5, {0, side * 0.64, 0.42}, sideways);
    const Index thigh = part(name + "thigh", capsule(0.06, 0.3), 8, {0, side * 0.09, -0.31});
    const Index shin = part(name + "shin", capsule(0.05, 0.28), 4, {0, side * 0.09, -0.73});
    const Index foot = part(name + "foot", box(0.24, 0.09, 0.06), 1, {0.05, side * 0.09, -0.96});

    joint(name + "shoulder", Joint::Type::point, chest, arm, {0, side * 0.18, 0.42});
    // Elbows bend forwards, knees backwards: axes such that this is positive.
    const Quaterniond elbow_axis = side > 0 ? about_x(180 * kDegree) : Quaterniond::Identity();
    const Quaterniond axis_y = about_x(-90 * kDegree);
    joint(name + "elbow", Joint::Type::hinge, arm, forearm, {0, side * 0.49, 0.42}, elbow_axis)
        .limits[5] = {-0.05, 2.4};
    limit_rotations(
        joint(name + "hip", Joint::Type::generic, pelvis, thigh, {0, side * 0.09, -0.09}), 0.3, 1.2,
        0.4);
    joint(name + "knee", Joint::Type::hinge, thigh, shin, {0, side * 0.09, -0.53}, axis_y)
        .limits[5] = {-0.05, 2.3};
    joint(name + "ankle", Joint::Type::hinge, shin, foot, {0, side * 0.09, -0.925}, axis_y)
        .limits[5] = {-0.6, 0.6};
  }

  Index part(const std::string& name, Shape shape, double mass, const Vector3d& position,
             const Quaterniond& turn = Quaterniond::Identity()) {
    return add(scene_, name_ + " " + name, std::move(shape), mass, kMu,
               pose_.position + pose_.orientation * position, pose_.orientation * turn);
  }

  Joint& joint(const std::string& name, Joint::Type type, Index first, Index second,
               const Vector3d& anchor, const Quaterniond& axes = Quaterniond::Identity()) {
    return join(scene_, name_ + " " + name, type, first, second,
                pose_.position + pose_.orientation * anchor, pose_.orientation * axes);
  }

  Scene& scene_;
  std::string name_;
  Pose pose_;
};

}  // namespace

Scene ragdolls(double, std::uint64_t) {
  Scene scene =
      start("ragdolls", "two ragdolls fall on each other", "Nguyen and Trinkle 2010, Fig. 3");
  add_floor(scene, kMu, 10, 10);
  Doll(scene, "first", {Vector3d(0, 0, 0.8), about_y(-80 * kDegree)}).build();
  Doll(scene, "second", {Vector3d(0.2, 0.1, 2), about_z(90 * kDegree) * about_y(70 * kDegree)})
      .build();
  return scene;
}

}  // namespace perpend::scene
