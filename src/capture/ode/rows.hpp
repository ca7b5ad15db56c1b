// The rows of ODE's step in our convention, from its public getters alone.
//
// ODE solves  J v+ + cfm f = c,  lo <= f <= hi  in forces f = lambda/h, with J v+ of body 1 minus
// that of body 2. So our y is J v+ - c: the engine's bias is -c, its compliance cfm/h, its bounds
// are h lo and h hi. A contact's rows push ODE's body 1 along the contact normal, which points into
// it (signs.hpp). Where a joint was attached as (world, body) ODE swaps the two and turns the
// normal.
#pragma once

#include <ode/ode.h>

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <vector>

#include "capture/builder.hpp"
#include "capture/signs.hpp"

namespace perpend::capture::from_ode {

static_assert(sizeof(dReal) == 8, "ODE in double precision");
inline constexpr Signs kOde = signs_of("ode");

inline Vector3d eigen(const dReal* v) { return {v[0], v[1], v[2]}; }
inline Matrix3d rotation(const dReal* r) {
  Matrix3d out;
  out << r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10];
  return out;
}
inline Eigen::Quaterniond quaternion(const dReal* q) {
  const Eigen::Vector4d wxyz = kOde.wxyz(q);
  return {wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
}

struct OdeWorld {
  double h, erp, cfm, max_push, surface_layer;
  Vector3d gravity;
};
OdeWorld read_world(dWorldID, double h);

// What ODE's thread copies of a body, because a step waits for that alone. A constructor that sets
// nothing: every number is written once.
struct OdeBodyCopy {
  dBodyID body;  // null: a geom without one, or the world (both null)
  dGeomID geom;
  std::int64_t id;
  bool awake;  // after the step
  bool fixed;  // it does not move by itself, and what comes after its velocity is not set
  Vector3d position;
  Eigen::Quaterniond orientation;
  Vector3d linear, angular;  // velocity
  double mass;
  Matrix3d axes, inertia;  // turn of the body, inertia along its axes
  Vector3d force, torque;
  bool gravity, gyroscopic;
  // After the step.
  Vector3d linear_plus, angular_plus;
  double linear_damping, angular_damping;

  OdeBodyCopy() {}
};
void copy_body(dBodyID, OdeBodyCopy&);
void copy_fixed(dGeomID, OdeBodyCopy&);  // of what has no body: a geom, or the world
void copy_velocity_after(OdeBodyCopy&);

struct OdeBody {
  bool fixed = true;
  double mass = 0;
  Matrix3d inertia = Matrix3d::Identity();  // world axes
  Vector3d position = Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vector6 velocity = Vector6::Zero();
  Vector6 force = Vector6::Zero();  // the user's, gravity, the implicit gyroscopic torque
};
OdeBody body_of(const OdeBodyCopy&, const OdeWorld&);
// What the step's solve gave the body: its velocity without the damping that ODE applies last.
// `pulled`: the force of all its joints, by which it is known whether it was damped.
Vector6 solved_velocity(const OdeBodyCopy&, const OdeBody& before, const Vector6& pulled, double h);

// The two bodies of a joint as ODE's solver has them; the second may be null, the world.
struct OdePair {
  dBodyID first, second;
  bool reversed;  // it was attached as (world, body)
};
OdePair bodies_of(dJointID);

struct OdeContact {
  Vector3d n, t, o;  // ours
  Vector3d point;    // world
  double depth = 0, mu = 0, mu2 = 0, restitution = 0;
  bool row_t = false, row_o = false;          // ODE leaves out rows without friction
  bool coulomb_t = false, coulomb_o = false;  // bounds are mu times the normal force
  Vector3d c = Vector3d::Zero(), cfm;         // ODE's
  Vector3d rho = Vector3d::Zero();            // rolling about t, o, spinning about n, m
  std::array<bool, 3> coulomb_rho{};          // the same for these
};
// Of the contact as its joint was made with it; `reversed` as in its pair.
OdeContact contact_rows(const dContact&, bool reversed, const OdeWorld&, const OdeBody& first,
                        const OdeBody& second);

// One row of a joint.
struct OdeRow {
  Vector6 first = Vector6::Zero(), second = Vector6::Zero();  // J
  double c = 0, cfm = 0, lower, upper;                        // ODE's
  double violation = 0, rate = 0;                             // ours: Phi, dPhi/dt
};
struct OdeJoint {
  std::vector<OdeRow> rows;
  Vector6 force_first = Vector6::Zero(), force_second = Vector6::Zero();  // beside its rows
};
// How a joint's two bodies stood when it was set: what ODE keeps and does not tell.
struct OdeRest {
  Eigen::Quaterniond turn;  // of the second body seen from the first
  Vector3d offset;          // from the second body to the first, axes of the second (slider), of
  Vector3d offset_first;    // the first (fixed)
  Vector3d axis;            // of a hinge, axes of the second body
};
OdeRest read_rest(dJointID);
// Called before the step. Nothing: ODE does not tell the rows of such a joint.
std::optional<OdeJoint> joint_rows(dJointID, const OdePair&, const OdeRest&, const OdeWorld&,
                                   const OdeBody& first, const OdeBody& second);
// An angular motor: its axes are read before the step, its angles after it, because ODE finds them
// in the step.
std::vector<Vector3d> motor_axes(dJointID);
OdeJoint motor_rows(dJointID, const std::vector<Vector3d>& axes, const OdePair&, const OdeWorld&,
                    const OdeBody& first, const OdeBody& second);

// The impulses whose sum over the rows is this wrench on the two bodies.
VectorXd impulses_of(const std::vector<OdeRow>&, const Vector6& on_first, const Vector6& on_second);

}  // namespace perpend::capture::from_ode
