// Drives, mimic joints, control and moving surfaces of a scene in our world.
#pragma once

#include "perpend/bullet.hpp"
#include "perpend/sim/world.hpp"

namespace perpend {

// All must outlive it. From now on the scene's clock moves its controls.
class SceneDrives final : public RunningJoints {
 public:
  SceneDrives(const Scene&, bullet::SceneInWorld&, DynamicsWorld&);
  Index find(std::string_view name) const override;
  JointReading read(Index joint, int axis) const override;
  Joint::Drive drive(Index joint, int axis) const override;
  bool set(Index joint, const Joint::Drive&, int axis) override;

 private:
  int axis_of(Index joint, int axis) const;  // -1: no such joint or axis

  const Scene scene_;
  bullet::SceneInWorld& inside_;
  DynamicsWorld& world_;
};

}  // namespace perpend
