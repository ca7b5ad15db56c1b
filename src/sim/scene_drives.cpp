#include "perpend/sim/scene_drives.hpp"

#include <algorithm>

namespace perpend {
namespace {

// Joints and control are all that it needs.
Scene joints_of(const Scene& scene) {
  Scene out;
  out.joints = scene.joints;
  out.control = scene.control;
  return out;
}

}  // namespace

SceneDrives::SceneDrives(const Scene& scene, bullet::SceneInWorld& inside, DynamicsWorld& world)
    : scene_(joints_of(scene)), inside_(inside), world_(world) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (const std::optional<Motion>& motion = scene.bodies[i].motion;
        motion && motion->type == Motion::Type::conveyor)
      world.set_surface_velocity(&inside.body(i), bullet::to_bullet(motion->velocity.head<3>()),
                                 bullet::to_bullet(motion->velocity.tail<3>()));
  for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
    const Joint& joint = scene_.joints[i];
    btTypedConstraint& made = inside.joint(i);
    if (joint.drives != std::array<Joint::Drive, 6>{}) {
      if (joint.type == Joint::Type::point) world.use_rotation_vector(&made);
      for (const std::size_t k : free_axes(joint.type))
        if (joint.drives[k] != Joint::Drive{})
          world.set_drive(&made, static_cast<int>(k), joint.drives[k]);
    }
    if (const Joint::Mimic& mimic = joint.mimic; mimic.joint >= 0)
      world.set_mimic(&made, &inside.joint(static_cast<std::size_t>(mimic.joint)), mimic.ratio,
                      mimic.offset);
  }
  if (scene_.control.empty()) return;
  inside.on_time([this](double time) {
    for (const Control& one : scene_.control)
      set(one.joint, controlled(drive(one.joint, one.axis), one, time), one.axis);
  });
}

int SceneDrives::axis_of(Index joint, int axis) const {
  if (joint < 0 || joint >= static_cast<Index>(scene_.joints.size())) return -1;
  const auto axes = free_axes(scene_.joints[static_cast<std::size_t>(joint)].type);
  if (axis < 0) return axes.size() == 1 ? static_cast<int>(axes[0]) : -1;
  return std::find(axes.begin(), axes.end(), static_cast<std::size_t>(axis)) == axes.end() ? -1
                                                                                           : axis;
}

Index SceneDrives::find(std::string_view name) const {
  for (std::size_t i = 0; i < scene_.joints.size(); ++i)
    if (scene_.joints[i].name == name) return static_cast<Index>(i);
  return -1;
}

JointReading SceneDrives::read(Index joint, int axis) const {
  const int k = axis_of(joint, axis);
  return k < 0 ? JointReading{}
               : world_.reading(&inside_.joint(static_cast<std::size_t>(joint)), k);
}

Joint::Drive SceneDrives::drive(Index joint, int axis) const {
  const int k = axis_of(joint, axis);
  return k < 0 ? Joint::Drive{} : world_.drive(&inside_.joint(static_cast<std::size_t>(joint)), k);
}

bool SceneDrives::set(Index joint, const Joint::Drive& drive, int axis) {
  const int k = axis_of(joint, axis);
  return k >= 0 && world_.set_drive(&inside_.joint(static_cast<std::size_t>(joint)), k, drive);
}

}  // namespace perpend
