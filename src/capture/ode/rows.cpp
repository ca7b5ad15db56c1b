#include "capture/ode/rows.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace perpend::capture {
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

OdeBody read_body(dBodyID body, const OdeWorld& world) {
  OdeBody out;
  out.body = body;
  out.position = eigen(dBodyGetPosition(body));
  out.orientation = quaternion(dBodyGetQuaternion(body));
  out.velocity = joined(eigen(dBodyGetLinearVel(body)), eigen(dBodyGetAngularVel(body)));
  if (dBodyIsKinematic(body)) return out;
  out.fixed = false;
  dMass mass;
  dBodyGetMass(body, &mass);
  const Matrix3d axes = rotation(dBodyGetRotation(body));
  out.mass = mass.mass;
  out.inertia = axes * rotation(mass.I) * axes.transpose();
  out.inertia = (out.inertia + out.inertia.transpose()).eval() / 2;
  out.force = joined(eigen(dBodyGetForce(body)), eigen(dBodyGetTorque(body)));
  if (dBodyGetGravityMode(body)) out.force.head<3>() += mass.mass * world.gravity;
  if (dBodyGetGyroscopicMode(body))
    out.force.tail<3>() += gyroscopic_torque(out.inertia, out.velocity.tail<3>(), world.h);
  return out;
}

// Damping multiplies what is faster than a threshold; which it was is told by the momentum that the
// body must have.
Vector6 solved_velocity(const OdeBody& before, const Vector6& pulled, double h) {
  const dBodyID body = before.body;
  Vector6 out = joined(eigen(dBodyGetLinearVel(body)), eigen(dBodyGetAngularVel(body)));
  const double linear = dBodyGetLinearDamping(body), angular = dBodyGetAngularDamping(body);
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

OdeContact contact_rows(const dContact& told, const OdePair& pair, const OdeWorld& world,
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
  const Vector3d into_first = (pair.reversed ? -1.0 : 1.0) * eigen(told.geom.normal);
  dVector3 along{into_first.x(), into_first.y(), into_first.z()}, p, q;
  dPlaneSpace(along, p, q);
  Vector3d t = eigen(p), o = eigen(q);
  if (has(dContactFDir1)) {
    t = eigen(told.fdir1);
    o = into_first.cross(t);
  }
  out.n = -into_first;
  out.t = -t;
  out.o = -o;

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

}  // namespace perpend::capture
