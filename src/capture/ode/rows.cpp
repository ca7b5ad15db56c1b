#include "capture/ode/rows.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace perpend::capture::from_ode {
namespace {

Vector6 joined(const Vector3d& linear, const Vector3d& angular) {
  Vector6 out;
  out << linear, angular;
  return out;
}

Matrix3d cross_matrix(const Vector3d& v) {
  Matrix3d out;
  out << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return out;
}

// The gyroscopic torque of Lacoursiere (2006): (I (I - h [L])^-1 - 1) L / h with L = I w.
Vector3d gyroscopic_torque(const Matrix3d& inertia, const Vector3d& spin, double h) {
  const Vector3d momentum = inertia * spin;
  const Matrix3d effective = inertia - h * cross_matrix(momentum);
  Matrix3d inverse;
  bool regular = false;
  effective.computeInverseWithCheck(inverse, regular, 0.0);
  if (!regular) return Vector3d::Zero();
  return (inertia * inverse - Matrix3d::Identity()) * momentum / h;
}

}  // namespace

OdeWorld read_world(dWorldID world, double h) {
  dVector3 gravity;
  dWorldGetGravity(world, gravity);
  return {h,
          dWorldGetERP(world),
          dWorldGetCFM(world),
          dWorldGetContactMaxCorrectingVel(world),
          dWorldGetContactSurfaceLayer(world),
          eigen(gravity)};
}

void copy_body(dBodyID body, OdeBodyCopy& out) {
  out.body = body;
  out.geom = nullptr;
  out.position = eigen(dBodyGetPosition(body));
  out.orientation = quaternion(dBodyGetQuaternion(body));
  out.linear = eigen(dBodyGetLinearVel(body));
  out.angular = eigen(dBodyGetAngularVel(body));
  out.fixed = dBodyIsKinematic(body) != 0;
  if (out.fixed) return;
  dMass mass;
  dBodyGetMass(body, &mass);
  out.mass = mass.mass;
  out.inertia = rotation(mass.I);
  out.axes = rotation(dBodyGetRotation(body));
  out.force = eigen(dBodyGetForce(body));
  out.torque = eigen(dBodyGetTorque(body));
  out.gravity = dBodyGetGravityMode(body) != 0;
  out.gyroscopic = dBodyGetGyroscopicMode(body) != 0;
}

void copy_fixed(dGeomID geom, OdeBodyCopy& out) {
  out.body = nullptr;
  out.geom = geom;
  out.fixed = true;
  out.position.setZero();
  out.orientation.setIdentity();
  out.linear.setZero();
  out.angular.setZero();
  if (!geom || dGeomGetClass(geom) == dPlaneClass) return;  // a plane has no pose
  dQuaternion q;
  dGeomGetQuaternion(geom, q);
  out.position = eigen(dGeomGetPosition(geom));
  out.orientation = quaternion(q);
}

void copy_velocity_after(OdeBodyCopy& out) {
  out.linear_plus = eigen(dBodyGetLinearVel(out.body));
  out.angular_plus = eigen(dBodyGetAngularVel(out.body));
  out.linear_damping = dBodyGetLinearDamping(out.body);
  out.angular_damping = dBodyGetAngularDamping(out.body);
}

OdeBody body_of(const OdeBodyCopy& copy, const OdeWorld& world) {
  OdeBody out;
  out.position = copy.position;
  out.orientation = copy.orientation;
  out.velocity = joined(copy.linear, copy.angular);
  out.fixed = copy.fixed;
  if (copy.fixed) return out;
  out.mass = copy.mass;
  out.inertia = copy.axes * copy.inertia * copy.axes.transpose();
  out.inertia = (out.inertia + out.inertia.transpose()).eval() / 2;
  out.force = joined(copy.force, copy.torque);
  if (copy.gravity) out.force.head<3>() += copy.mass * world.gravity;
  if (copy.gyroscopic) out.force.tail<3>() += gyroscopic_torque(out.inertia, copy.angular, world.h);
  return out;
}

// Damping multiplies what is faster than a threshold; which it was is told by the momentum that the
// body must have.
Vector6 solved_velocity(const OdeBodyCopy& copy, const OdeBody& before, const Vector6& pulled,
                        double h) {
  Vector6 out = joined(copy.linear_plus, copy.angular_plus);
  const double linear = copy.linear_damping, angular = copy.angular_damping;
  if (linear == 0 && angular == 0) return out;
  const Vector6 gained = h * (before.force + pulled);
  const auto undo = [](Eigen::Ref<Vector3d> v, double scale, const Vector3d& expected) {
    if (scale <= 0 || scale >= 1) return;
    const Vector3d whole = v / (1 - scale);
    if ((whole - expected).norm() < (v - expected).norm()) v = whole;
  };
  undo(out.head<3>(), linear, before.velocity.head<3>() + gained.head<3>() / before.mass);
  undo(out.tail<3>(), angular,
       before.velocity.tail<3>() + before.inertia.inverse() * gained.tail<3>());
  return out;
}

OdePair bodies_of(dJointID joint) {
  const dBodyID first = dJointGetBody(joint, 0), second = dJointGetBody(joint, 1);
  return first ? OdePair{first, second, false} : OdePair{second, nullptr, true};
}

OdeContact contact_rows(const dContact& told, bool reversed, const OdeWorld& world,
                        const OdeBody& first, const OdeBody& second) {
  const dSurfaceParameters& surface = told.surface;
  const auto has = [&](int flag) { return (surface.mode & flag) != 0; };
  OdeContact out;
  out.point = eigen(told.geom.pos);
  out.depth = told.geom.depth;
  out.mu = std::max(0.0, surface.mu);
  out.mu2 = has(dContactMu2) ? std::max(0.0, surface.mu2) : out.mu;
  out.row_t = out.mu > 0;
  out.row_o = out.mu2 > 0;
  out.coulomb_t = has(dContactApprox1_1);
  out.coulomb_o = has(dContactApprox1_2);
  if (has(dContactBounce)) out.restitution = std::clamp(surface.bounce, 0.0, 1.0);
  if (has(dContactRolling)) {
    out.rho = Vector3d::Constant(surface.rho);
    if (has(dContactAxisDep)) out.rho << surface.rho, surface.rho2, surface.rhoN;
    out.rho = out.rho.cwiseMax(0.0);
    out.coulomb_rho = {has(dContactApprox1_1), has(dContactApprox1_2), has(dContactApprox1_N)};
  }

  // ODE's normal, into its body 1.
  const Vector3d into_first = (reversed ? -1.0 : 1.0) * eigen(told.geom.normal);
  dVector3 along{into_first.x(), into_first.y(), into_first.z()}, p, q;
  dPlaneSpace(along, p, q);
  Vector3d t = eigen(p), o = eigen(q);
  if (has(dContactFDir1)) {
    t = eigen(told.fdir1);
    o = into_first.cross(t);
  }
  out.n = kOde.direction(into_first);
  out.t = kOde.direction(t);
  out.o = kOde.direction(o);

  const double erp = has(dContactSoftERP) ? surface.soft_erp : world.erp;
  const double motion = has(dContactMotionN) ? surface.motionN : 0;
  const double depth = std::max(0.0, out.depth - world.surface_layer);
  out.c[0] = std::min(world.max_push, erp / world.h * depth + motion);
  if (has(dContactBounce) && surface.bounce_vel >= 0) {
    const Vector3d apart =
        first.velocity.head<3>() + first.velocity.tail<3>().cross(out.point - first.position) -
        second.velocity.head<3>() - second.velocity.tail<3>().cross(out.point - second.position);
    const double closing = motion - into_first.dot(apart);
    if (closing > surface.bounce_vel)
      out.c[0] = std::max(out.c[0], surface.bounce * closing + motion);
  }
  if (has(dContactMotion1)) out.c[1] = surface.motion1;
  if (has(dContactMotion2)) out.c[2] = surface.motion2;
  out.cfm.setConstant(world.cfm);
  if (has(dContactSoftCFM)) out.cfm[0] = surface.soft_cfm;
  if (has(dContactSlip1)) out.cfm[1] = surface.slip1;
  if (has(dContactSlip2)) out.cfm[2] = surface.slip2;
  return out;
}

}  // namespace perpend::capture::from_ode
