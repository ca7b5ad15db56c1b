#include "capture/dart/drives.hpp"

#include <algorithm>
#include <cmath>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Joint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <set>

namespace perpend::capture::from_dart {

void Drives::add(dart::dynamics::Joint& joint, const Joint::Drive& drive,
                 std::vector<Control> controls) {
  joint.setCoulombFriction(0, drive.friction);
  list_.push_back({&joint, drive, std::move(controls), drive});
}

// `force`: besides the spring and the damper.
void Drives::give(One& one, double force) {
  dart::dynamics::Joint& joint = *one.joint;
  const double stiffness = one.pulls ? 0 : one.now.stiffness;
  joint.setSpringStiffness(0, stiffness);
  joint.setDampingCoefficient(0, one.pulls ? 0 : one.now.damping);
  // DART takes no rest position beyond the joint's limits.
  const double rest =
      std::clamp(one.now.position, joint.getPositionLowerLimit(0), joint.getPositionUpperLimit(0));
  joint.setRestPosition(0, rest);
  if (!one.pulls) force += stiffness * (one.now.position - rest) + one.now.damping * one.now.speed;
  joint.setCommand(0, force);
  joint.getSkeleton()->dirtyArticulatedInertia(joint.getChildBodyNode()->getTreeIndex());
}

void Drives::set(double time, double h) {
  for (One& one : list_) {
    one.now = one.drive;
    for (const Control& control : one.controls) one.now = controlled(one.now, control, time);
    one.pulls = false;
    give(one, one.now.force);
  }
  while (limit(h)) {
  }
}

// Whether a drive that was not at its largest force is now.
bool Drives::limit(double h) {
  std::set<dart::dynamics::Skeleton*> asked;
  bool any = false;
  for (One& one : list_) {
    if (one.pulls || !std::isfinite(one.now.max_force)) continue;
    dart::dynamics::Skeleton& skeleton = *one.joint->getSkeleton();
    if (asked.insert(&skeleton).second) skeleton.computeForwardDynamics();
  }
  for (One& one : list_) {
    if (one.pulls || !std::isfinite(one.now.max_force)) continue;
    const double speed = one.joint->getVelocity(0) + h * one.joint->getAcceleration(0);
    const double reached = one.joint->getPosition(0) + h * speed;
    const double force = one.now.stiffness * (one.now.position - reached) +
                         one.now.damping * (one.now.speed - speed);
    if (std::abs(force) <= one.now.max_force) continue;
    one.pulls = any = true;
    give(one, one.now.force + std::copysign(one.now.max_force, force));
  }
  return any;
}

}  // namespace perpend::capture::from_dart
