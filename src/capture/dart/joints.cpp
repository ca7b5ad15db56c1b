// A hinge, slider or one free axis of a generic joint is counted as the scene counts it: where the
// tree runs from the joint's second body to its first, the axis is turned round. Three limited
// rotations are Euler angles about x, y, z, as in Bullet's generic joint; counted backwards they
// are the negative angles about z, y, x.
#include "capture/dart/joints.hpp"

#include <cmath>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/EulerJoint.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <limits>

namespace perpend::capture::from_dart {
namespace {

using dart::dynamics::BodyNode;
namespace dd = dart::dynamics;

struct Place {
  dd::Skeleton& skeleton;
  BodyNode* above;
  const BodyNode::Properties& body;
  const Eigen::Isometry3d &in_parent, &in_child;
};

template <class DartJoint>
BodyNode* make(const Place& place, typename DartJoint::Properties properties) {
  properties.mName = "joint of " + place.body.mName;
  properties.mT_ParentBodyToJoint = place.in_parent;
  properties.mT_ChildBodyToJoint = place.in_child;
  return place.skeleton.createJointAndBodyNodePair<DartJoint>(place.above, properties, place.body)
      .second;
}

void limit(dd::Joint& joint, std::size_t coordinate, double lower, double upper) {
  joint.setLimitEnforcement(true);
  joint.setPositionLowerLimit(coordinate, lower);
  joint.setPositionUpperLimit(coordinate, upper);
}

template <class DartJoint>
MadeJoint one_axis(const Place& place, int axis, const Joint::Limit& range,
                   const Joint::Motor& motor, bool reversed) {
  typename DartJoint::Properties properties;
  properties.mAxis = (reversed ? -1 : 1) * Vector3d::Unit(axis);
  MadeJoint out;
  out.node = make<DartJoint>(place, properties);
  dd::Joint& joint = *out.node->getParentJoint();
  if (!range.free()) limit(joint, 0, range.lower, range.upper);
  if (motor.on) {
    joint.setActuatorType(dd::Joint::SERVO);
    joint.setForceLowerLimit(0, -motor.max_force);
    joint.setForceUpperLimit(0, motor.max_force);
    out.speed = motor.speed;
  }
  return out;
}

MadeJoint three_angles(const Place& place, const std::array<Joint::Limit, 6>& ranges,
                       bool reversed) {
  dd::EulerJoint::Properties properties;
  properties.mAxisOrder =
      reversed ? dd::EulerJoint::AxisOrder::ZYX : dd::EulerJoint::AxisOrder::XYZ;
  MadeJoint out;
  out.node = make<dd::EulerJoint>(place, properties);
  for (std::size_t k = 0; k < 3; ++k) {
    const Joint::Limit& range = ranges[3 + k];
    if (range.free()) continue;
    if (reversed)
      limit(*out.node->getParentJoint(), 2 - k, -range.upper, -range.lower);
    else
      limit(*out.node->getParentJoint(), k, range.lower, range.upper);
  }
  return out;
}

MadeJoint generic(const Joint& joint, bool reversed, const Place& place) {
  std::vector<std::size_t> moving;
  bool driven = false, limited = false;
  for (std::size_t k = 0; k < 6; ++k) {
    const Joint::Limit& range = joint.limits[k];
    driven = driven || joint.motors[k].on;
    if (!range.free() && range.lower == range.upper) continue;
    limited = limited || !range.free();
    moving.push_back(k);
  }
  if (moving.empty()) return {make<dd::WeldJoint>(place, {}), "", {}};
  if (moving.size() == 1) {
    const std::size_t k = moving[0];
    if (k < 3)
      return one_axis<dd::PrismaticJoint>(place, static_cast<int>(k), joint.limits[k],
                                          joint.motors[k], reversed);
    return one_axis<dd::RevoluteJoint>(place, static_cast<int>(k) - 3, joint.limits[k],
                                       joint.motors[k], reversed);
  }
  if (driven) return {nullptr, "motors on a generic joint of several axes", {}};
  if (moving == std::vector<std::size_t>{3, 4, 5})
    return limited ? three_angles(place, joint.limits, reversed)
                   : MadeJoint{make<dd::BallJoint>(place, {}), "", {}};
  if (moving.size() == 6 && !limited) return {make<dd::FreeJoint>(place, {}), "", {}};
  return {nullptr, "generic joint with these axes (one, three rotations, or none)", {}};
}

}  // namespace

MadeJoint make_joint(const Joint& joint, bool reversed, dd::Skeleton& skeleton, BodyNode* above,
                     const BodyNode::Properties& body, const Eigen::Isometry3d& in_parent,
                     const Eigen::Isometry3d& in_child) {
  const Place place{skeleton, above, body, in_parent, in_child};
  switch (joint.type) {
    case Joint::Type::hinge:
      return one_axis<dd::RevoluteJoint>(place, 2, joint.limits[5], joint.motors[5], reversed);
    case Joint::Type::slider:
      return one_axis<dd::PrismaticJoint>(place, 2, joint.limits[2], joint.motors[2], reversed);
    case Joint::Type::point:
      return {make<dd::BallJoint>(place, {}), "", {}};
    case Joint::Type::fixed:
      return {make<dd::WeldJoint>(place, {}), "", {}};
    case Joint::Type::generic:
      return generic(joint, reversed, place);
  }
  return {nullptr, "such joint", {}};
}

}  // namespace perpend::capture::from_dart
