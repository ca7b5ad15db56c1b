#include "capture/bullet/rows.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace perpend::capture {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector3d eigen(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

// Inverse of Bullet's inverse inertia. An axis about which a body is not let turn has none; what
// its inertia is does not matter then.
Matrix3d world_inertia(const btRigidBody& body) {
  Matrix3d inverse;
  for (int i = 0; i < 3; ++i)
    inverse.row(i) = eigen(body.getInvInertiaTensorWorld()[i]).transpose();
  Matrix3d inertia;
  bool regular = false;
  inverse.computeInverseWithCheck(inertia, regular, 0.0);
  if (!regular) {
    Vector3d local;
    for (int k = 0; k < 3; ++k) {
      const double inverse_moment = body.getInvInertiaDiagLocal()[k];
      local[k] = inverse_moment > 0 ? 1 / inverse_moment : 1;
    }
    Matrix3d axes;
    for (int i = 0; i < 3; ++i)
      axes.row(i) = eigen(body.getCenterOfMassTransform().getBasis()[i]).transpose();
    inertia = axes * local.asDiagonal() * axes.transpose();
  }
  return (inertia + inertia.transpose()) / 2;
}

Vector6 joined(const btVector3& linear, const btVector3& angular) {
  Vector6 out;
  out << eigen(linear), eigen(angular);
  return out;
}

void place(BodyRow& row, const btTransform& pose) {
  row.position = eigen(pose.getOrigin());
  const btQuaternion q = pose.getRotation();
  row.quaternion << q.w(), q.x(), q.y(), q.z();
}

// b of the row as the solver holds it, and its compliance; a row that moves nothing has neither.
struct Asked {
  double b = 0, cfm = 0;
};
Asked asked(const btSolverConstraint& row, double free_velocity) {
  if (row.m_jacDiagABInv == 0) return {free_velocity, 0};
  return {-row.m_rhs / row.m_jacDiagABInv, row.m_cfm / row.m_jacDiagABInv};
}

// A direction of friction turned round and made unit; `scale` is its length (anisotropic friction).
Vector3d direction(const btSolverConstraint& row, double& scale) {
  const Vector3d on_a = eigen(row.m_contactNormal1), on_b = eigen(row.m_contactNormal2);
  Vector3d d = on_b.isZero(0) ? Vector3d(-on_a) : on_b;
  scale = d.norm();
  if (std::abs(scale - 1) < 1e-14)
    scale = 1;
  else if (scale > 0)
    d /= scale;
  return d;
}

// Hinges and cone joints take only this part of the error of a limit (0.3 unless told otherwise),
// besides the erp.
double part_of_limits(const btTypedConstraint& joint, std::size_t row) {
  double part = 1;
  if (joint.getConstraintType() == HINGE_CONSTRAINT_TYPE && row == 5)
    part = static_cast<const btHingeConstraint&>(joint).getLimitBiasFactor();
  if (joint.getConstraintType() == CONETWIST_CONSTRAINT_TYPE && row >= 3)
    part = static_cast<const btConeTwistConstraint&>(joint).getBiasFactor();
  return part > 0 ? part : 1;
}

double finite(btScalar bound) {
  if (bound >= SIMD_INFINITY) return kInfinity;
  return bound <= -SIMD_INFINITY ? -kInfinity : bound;
}

}  // namespace

BodyRow body_row(const btCollisionObject& object) {
  BodyRow row;
  row.object = &object;
  place(row, object.getWorldTransform());
  return row;
}

BodyRow body_row(const btSolverBody& solved, double h) {
  const btRigidBody& body = *solved.m_originalBody;
  BodyRow row;
  row.object = &body;
  place(row, solved.m_worldTransform);
  row.velocity = joined(solved.m_linearVelocity, solved.m_angularVelocity);
  row.free = row.plus = row.velocity;
  if (body.getInvMass() == 0) return row;  // kinematic: it moves as it was told
  row.moving = &body;
  row.mass = 1 / body.getInvMass();
  row.inertia = world_inertia(body);
  const Vector6 gained = joined(solved.m_externalForceImpulse, solved.m_externalTorqueImpulse);
  row.free += gained;
  row.force << row.mass * gained.head<3>() / h, row.inertia * gained.tail<3>() / h;
  return row;
}

ContactRow contact_row(const btManifoldPoint& point, const PointRows& rows, Index first,
                       const BodyRow& a, Index second, const BodyRow& b) {
  ContactRow out;
  out.first = first;
  out.second = second;
  out.n = -eigen(point.m_normalWorldOnB);
  out.r1 = eigen(point.getPositionWorldOnA()) - a.position;
  out.r2 = eigen(point.getPositionWorldOnB()) - b.position;
  out.gap = point.getDistance();
  out.mu = std::max(0.0, point.m_combinedFriction);
  out.restitution = std::clamp(point.m_combinedRestitution, 0.0, 1.0);
  out.rolling = point.m_combinedRollingFriction;
  out.torsional = point.m_combinedSpinningFriction;

  const Tangents by_rule = tangents(out.n);
  out.bounds.setZero();
  if (rows.along_t) out.t = direction(*rows.along_t, out.scale[0]);
  if (out.scale[0] == 0)
    out.t = by_rule.t;
  else
    out.bounds[0] = kInfinity;
  if (rows.along_o) out.o = direction(*rows.along_o, out.scale[1]);
  if (out.scale[1] == 0)
    out.o = out.n.cross(out.t);
  else
    out.bounds[1] = kInfinity;

  const Vector3d apart = b.free.head<3>() + b.free.tail<3>().cross(out.r2) - a.free.head<3>() -
                         a.free.tail<3>().cross(out.r1);
  const auto fill = [&](Index k, const btSolverConstraint& row, const Vector3d& d, double scale) {
    const double u = d.dot(apart);
    const Asked by_engine = asked(row, scale * u);
    out.bias[k] = by_engine.b / scale - u;
    out.cfm[k] = by_engine.cfm / (scale * scale);
  };
  fill(0, *rows.normal, out.n, 1);
  if (out.scale[0] > 0) fill(1, *rows.along_t, out.t, out.scale[0]);
  if (out.scale[1] > 0) fill(2, *rows.along_o, out.o, out.scale[1]);
  out.start = impulses(out, rows);
  return out;
}

Vector3d impulses(const ContactRow& contact, const PointRows& rows) {
  Vector3d out(rows.normal->m_appliedImpulse, 0, 0);
  if (contact.scale[0] > 0) out[1] = contact.scale[0] * rows.along_t->m_appliedImpulse;
  if (contact.scale[1] > 0) out[2] = contact.scale[1] * rows.along_o->m_appliedImpulse;
  return out;
}

// Asked at 1/h = F and 2 F with erp = 1: what grows with 1/h is the error of position, and what
// does not (a motor's speed) drops out. F is large, so that Bullet takes no limit for a bounce, and
// a power of two, so that nothing is rounded.
std::vector<JointAsked> ask(btTypedConstraint& joint, const btContactSolverInfo& solver) {
  struct Row {
    btScalar jacobian[12] = {}, error = 0, cfm = 0, lower = -SIMD_INFINITY, upper = SIMD_INFINITY;
  };
  if (!joint.isEnabled()) return {};
  btTypedConstraint::btConstraintInfo1 size;
  joint.buildJacobian();
  joint.getInfo1(&size);
  const auto count = static_cast<std::size_t>(std::max(size.m_numConstraintRows, 0));
  if (count == 0) return {};
  const auto errors = [&](double per_second, double erp) {
    std::vector<Row> rows(count);
    btTypedConstraint::btConstraintInfo2 info;
    info.fps = per_second;
    info.erp = erp;
    info.m_J1linearAxis = rows[0].jacobian;
    info.m_J1angularAxis = rows[0].jacobian + 3;
    info.m_J2linearAxis = rows[0].jacobian + 6;
    info.m_J2angularAxis = rows[0].jacobian + 9;
    info.rowskip = static_cast<int>(sizeof(Row) / sizeof(btScalar));
    info.m_constraintError = &rows[0].error;
    rows[0].cfm = solver.m_globalCfm;
    info.cfm = &rows[0].cfm;
    info.m_lowerLimit = &rows[0].lower;
    info.m_upperLimit = &rows[0].upper;
    info.m_numIterations = solver.m_numIterations;
    info.m_damping = solver.m_damping;
    joint.getInfo2(&info);
    return rows;
  };
  constexpr double kMany = 1 << 20;
  const std::vector<Row> once = errors(kMany, 1), twice = errors(2 * kMany, 1);
  const std::vector<Row> told = errors(1 / solver.m_timeStep, solver.m_erp);
  std::vector<JointAsked> out(count);
  for (std::size_t r = 0; r < count; ++r)
    out[r] = {(twice[r].error - once[r].error) / kMany / part_of_limits(joint, r), told[r].error};
  return out;
}

JointRow joint_row(const btSolverConstraint& row, const JointAsked& asked_for, const BodyRow& a,
                   const BodyRow& b) {
  JointRow out;
  out.jacobian << eigen(row.m_contactNormal1), eigen(row.m_relpos1CrossNormal),
      eigen(row.m_contactNormal2), eigen(row.m_relpos2CrossNormal);
  out.lower = finite(row.m_lowerLimit);
  out.upper = finite(row.m_upperLimit);
  if (std::isfinite(out.lower) && std::isfinite(out.upper))
    out.rate = -asked_for.speed;  // a motor keeps a speed and no position
  else
    out.violation = -asked_for.position;
  const double u = out.jacobian.head<6>().dot(a.free) + out.jacobian.tail<6>().dot(b.free);
  const Asked by_engine = asked(row, u);
  out.bias = by_engine.b - u;
  out.cfm = by_engine.cfm;
  return out;
}

}  // namespace perpend::capture
