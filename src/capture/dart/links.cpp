#include "capture/dart/links.hpp"

#include <Eigen/Dense>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

namespace perpend::capture::from_dart {
namespace {

using dart::dynamics::BodyNode;

Vector3d angular(const Vector6& dart) { return kDart.angular(dart); }
Vector3d linear(const Vector6& dart) { return kDart.linear(dart); }
Vector6 dart_twist(const Vector3d& w, const Vector3d& v) {
  Vector6 out;
  out << w, v;
  return out;
}

// Of the frame T of the child in the parent: the parent's twist in the child's axes.
Vector6 to_child(const Eigen::Isometry3d& T, const Vector6& parent) {
  const Vector3d w = T.linear().transpose() * angular(parent);
  const Vector3d at_child = linear(parent) + angular(parent).cross(Vector3d(T.translation()));
  return dart_twist(w, T.linear().transpose() * at_child);
}

Vector6 bracket(const Vector6& a, const Vector6& b) {
  return dart_twist(angular(a).cross(angular(b)),
                    angular(a).cross(linear(b)) + linear(a).cross(angular(b)));
}

// Orthonormal directions orthogonal to all columns of S: the unit vectors with those taken out, the
// one that keeps most first.
Directions complement(const Directions& S) {
  Eigen::Matrix<double, 6, 6> left = Eigen::Matrix<double, 6, 6>::Identity();
  const auto take_out = [&](const Vector6& q) { left -= (q * (q.transpose() * left)).eval(); };
  Directions kept = S;
  for (Index k = 0; k < S.cols(); ++k) {
    Vector6 q = S.col(k);
    for (int twice = 0; twice < 2; ++twice)
      for (Index i = 0; i < k; ++i) q -= kept.col(i).dot(q) * kept.col(i);
    kept.col(k) = q.normalized();
    take_out(kept.col(k));
  }
  Directions out(6, 6 - S.cols());
  for (Index k = 0; k < out.cols(); ++k) {
    Index most = 0;
    // Equal ones in their order, whatever rounding says.
    for (Index i = 1; i < 6; ++i)
      if (left.col(i).squaredNorm() > left.col(most).squaredNorm() + 1e-9) most = i;
    Vector6 q = left.col(most).normalized();
    for (Index i = 0; i < S.cols(); ++i) q -= kept.col(i).dot(q) * kept.col(i);
    for (Index i = 0; i < k; ++i) q -= out.col(i).dot(q) * out.col(i);
    out.col(k) = q.normalized();
    take_out(out.col(k));
  }
  return out;
}

bool is_free(const dart::dynamics::Joint& joint) {
  return dynamic_cast<const dart::dynamics::FreeJoint*>(&joint) != nullptr;
}

// How the coordinates of a joint moved when DART integrated without constraints.
struct FreeMotion {
  VectorXd dq;            // before
  VectorXd acceleration;  // ddq of its forward dynamics
  VectorXd change;        // c: dq' = dq + h c
};

// DART integrates the origin of a body with a free joint: c is the classical acceleration.
VectorXd classical(const VectorXd& dq) {
  return dart_twist(Vector3d::Zero(), Vector3d(dq.head<3>()).cross(Vector3d(dq.tail<3>())));
}

FreeMotion moved(const dart::dynamics::Joint& joint, double h) {
  FreeMotion out;
  const VectorXd now = joint.getVelocities();
  out.change = joint.getAccelerations();
  const bool free = is_free(joint);
  if (free) out.change += classical(now);
  out.dq = now - h * out.change;
  out.acceleration = out.change;
  if (free) out.acceleration -= classical(out.dq);
  return out;
}

// dS/dt dq of the joint at dq. DART gives it at the velocity the joint has, which is put back.
Vector6 jacobian_change(dart::dynamics::Joint& joint, const VectorXd& dq) {
  if (joint.getNumDofs() < 2 || is_free(joint) || dynamic_cast<dart::dynamics::BallJoint*>(&joint))
    return Vector6::Zero();
  const VectorXd velocities = joint.getVelocities(), commands = joint.getCommands();
  joint.setVelocities(dq);
  const Vector6 out = joint.getRelativeJacobianTimeDeriv() * dq;
  joint.setVelocities(velocities);
  if (joint.getActuatorType() == dart::dynamics::Joint::VELOCITY) joint.setCommands(commands);
  return out;
}

// What actuator, spring and damper give along the coordinates.
VectorXd joint_forces(const dart::dynamics::Joint& joint, const FreeMotion& by, double h) {
  VectorXd out = joint.getForces();
  for (Index k = 0; k < out.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double stiffness = joint.getSpringStiffness(i), damping = joint.getDampingCoefficient(i);
    out[k] -= stiffness * (joint.getPosition(i) - joint.getRestPosition(i) + h * by.dq[k]) +
              damping * by.dq[k] + h * (damping + h * stiffness) * by.acceleration[k];
  }
  return out;
}

// Coordinates of a free joint are the velocity at the joint, the angular part first.
Directions free_coordinates() {
  Directions out = Directions::Zero(6, 6);
  out.topRightCorner<3, 3>().setIdentity();
  out.bottomLeftCorner<3, 3>().setIdentity();
  return out;
}

JointAxes hinged(const dart::dynamics::Joint& joint, const dart::math::Jacobian& jacobian,
                 const Link& child) {
  JointAxes out;
  const Eigen::Isometry3d& at = joint.getTransformFromChildBodyNode();
  out.axes = child.rotation * at.linear();
  out.point = child.origin + child.rotation * at.translation();
  if (is_free(joint) && !joint.isKinematic()) {
    out.coordinate = free_coordinates();
    return out;
  }
  Directions S(6, jacobian.cols());
  for (Index k = 0; k < S.cols(); ++k) {
    const Vector3d w = jacobian.col(k).head<3>();
    const Vector3d v = Vector3d(jacobian.col(k).tail<3>()) + w.cross(Vector3d(at.translation()));
    S.col(k) << at.linear().transpose() * v, at.linear().transpose() * w;
  }
  out.coordinate = S * (S.transpose() * S).inverse();
  if (joint.isKinematic()) {
    out.blocked = Directions::Identity(6, 6);
    out.rate = -(S * joint.getVelocities());
  } else {
    out.blocked = complement(S);
    out.rate = UpToSix::Zero(out.blocked.cols());
  }
  return out;
}

}  // namespace

Vector6 Link::twist(const Vector6& in_body) const {
  const Vector3d w = rotation * angular(in_body);
  Vector6 out;
  out << rotation * linear(in_body) + w.cross(position - origin), w;
  return out;
}

Vector6 Link::wrench(const Vector6& in_body) const {
  const Vector3d force_there = rotation * linear(in_body);
  Vector6 out;
  out << force_there, rotation * angular(in_body) + (origin - position).cross(force_there);
  return out;
}

Vector6 on_child(const Link& child, const Vector6& d) {
  const Vector3d a = child.joint.axes * d.head<3>();
  Vector6 out;
  out << a, child.joint.axes * d.tail<3>() + (child.joint.point - child.position).cross(a);
  return out;
}

Vector6 on_parent(const Link& child, const Vector3d& position, const Vector6& d) {
  const Vector3d a = child.joint.axes * d.head<3>();
  Vector6 out;
  out << -a, -(child.joint.axes * d.tail<3>()) - (child.joint.point - position).cross(a);
  return out;
}

void add_links(dart::dynamics::Skeleton& skeleton, double h, std::vector<Link>& links) {
  const std::size_t first = links.size();
  std::vector<Vector6> gained(skeleton.getNumBodyNodes());   // V' - V, DART's convention
  std::vector<Vector6> turning(skeleton.getNumBodyNodes());  // g as a spatial acceleration
  for (std::size_t i = 0; i < skeleton.getNumBodyNodes(); ++i) {
    BodyNode& node = *skeleton.getBodyNode(i);
    dart::dynamics::Joint& joint = *node.getParentJoint();
    Link link;
    link.node = &node;
    link.rotation = node.getTransform().linear();
    link.origin = node.getTransform().translation();
    link.position = link.origin + link.rotation * node.getLocalCOM();
    link.free = link.twist(node.getSpatialVelocity());
    link.velocity = link.plus = link.free;
    const BodyNode* above = node.getParentBodyNode();
    const std::size_t parent = above ? above->getIndexInSkeleton() : 0;
    if (above) link.parent = static_cast<Index>(first + parent);
    link.moving = node.isReactive();
    gained[i].setZero();
    turning[i].setZero();
    if (!skeleton.isMobile() || node.getNumDependentGenCoords() == 0) {
      links.push_back(std::move(link));
      continue;
    }

    const FreeMotion by = moved(joint, h);
    const dart::math::Jacobian S = joint.getRelativeJacobian();
    gained[i] = S * (h * by.change);
    turning[i] = jacobian_change(joint, by.dq) - S * (by.change - by.acceleration);
    if (above) {
      gained[i] += to_child(joint.getRelativeTransform(), gained[parent]);
      turning[i] += to_child(joint.getRelativeTransform(), turning[parent]);
    }
    const Vector6 before = node.getSpatialVelocity() - gained[i];
    turning[i] += bracket(before, S * by.dq);
    link.joint = hinged(joint, S, link);
    link.alone = link.moving && skeleton.getNumBodyNodes() == 1 &&
                 skeleton.getNumSoftBodyNodes() == 0 && is_free(joint);
    if (link.moving) {
      link.velocity = link.twist(before);
      link.mass = node.getMass();
      link.inertia = link.rotation * node.getInertia().getMoment() * link.rotation.transpose();
      if (link.alone) link.inverse_inertia = link.inertia.inverse();
      const Vector3d w = link.velocity.tail<3>(), arm = link.position - link.origin;
      const Vector3d v = link.rotation * linear(before);
      Vector6 kept = link.twist(turning[i]);
      kept.head<3>() += w.cross(v + w.cross(arm));
      link.force = link.wrench(node.getExternalForceLocal());
      if (node.getGravityMode()) link.force.head<3>() += link.mass * skeleton.getGravity();
      link.force.head<3>() -= link.mass * kept.head<3>();
      link.force.tail<3>() -= w.cross(link.inertia * w) + link.inertia * kept.tail<3>();
    }
    links.push_back(std::move(link));
    if (joint.isKinematic() || joint.getNumDofs() == 0) continue;
    Link& child = links.back();
    const Vector6 driven = child.joint.coordinate * joint_forces(joint, by, h);
    child.force += on_child(child, driven);
    if (above && links[first + parent].moving)
      links[first + parent].force += on_parent(child, links[first + parent].position, driven);
  }
}

std::vector<UpToSix> reactions(const std::vector<Link>& links, double h) {
  std::vector<Vector6> open(links.size());  // what the joint to the parent has to give
  std::vector<UpToSix> out(links.size(), UpToSix(0));
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const Vector6 gained = link.plus - link.velocity;
    open[i] << link.mass * gained.head<3>(), link.inertia * gained.tail<3>();
    open[i] -= h * link.force + link.impulse;
  }
  for (std::size_t i = links.size(); i-- > 0;) {
    const Link& link = links[i];
    if (!link.moving || link.joint.blocked.cols() == 0) continue;
    Vector6 at_joint;  // in the joint's axes
    const Vector3d force = open[i].head<3>();
    at_joint << link.joint.axes.transpose() * force,
        link.joint.axes.transpose() *
            (Vector3d(open[i].tail<3>()) - (link.joint.point - link.position).cross(force));
    out[i] = link.joint.blocked.transpose() * at_joint;
    if (link.parent < 0) continue;
    const auto above = static_cast<std::size_t>(link.parent);
    open[above] -= on_parent(link, links[above].position, link.joint.blocked * out[i]);
  }
  return out;
}

}  // namespace perpend::capture::from_dart
