#include "capture/bullet/rows.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace perpend::capture::from_bullet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector3d eigen(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

EngineRow copy_row(const btSolverConstraint& row) {
  return {row.m_rhs, row.m_jacDiagABInv, row.m_cfm, row.m_appliedImpulse};
}

Matrix3d eigen(const btMatrix3x3& m) {
  Matrix3d out;
  for (int i = 0; i < 3; ++i) out.row(i) = eigen(m[i]).transpose();
  return out;
}

// Inverse of Bullet's inverse inertia. An axis about which a body is not let turn has none; what
// its inertia is does not matter then.
Matrix3d world_inertia(const EngineBody& body) {
  Matrix3d inertia;
  bool regular = false;
  eigen(body.inverse_inertia).computeInverseWithCheck(inertia, regular, 0.0);
  if (!regular) {
    Vector3d local;
    for (Index k = 0; k < 3; ++k) {
      const double inverse_moment = body.inverse_moments[k];
      local[k] = inverse_moment > 0 ? 1 / inverse_moment : 1;
    }
    const Matrix3d axes = eigen(body.pose.getBasis());
    inertia = axes * local.asDiagonal() * axes.transpose();
  }
  return (inertia + inertia.transpose()) / 2;
}

Vector6 joined(const Vector3d& linear, const Vector3d& angular) {
  Vector6 out;
  out << linear, angular;
  return out;
}

// b of the row as the solver holds it, and its compliance; a row that moves nothing has neither.
struct RowTerms {
  double b = 0, cfm = 0;
};
RowTerms asked(const EngineRow& row, double free_velocity) {
  if (row.inverse_diagonal == 0) return {free_velocity, 0};
  return {-row.rhs / row.inverse_diagonal, row.cfm / row.inverse_diagonal};
}

// A direction of friction made unit; returns its length (anisotropic friction).
double make_unit(Vector3d& d) {
  const double scale = d.norm();
  if (std::abs(scale - 1) < 1e-14) return 1;
  if (scale > 0) d /= scale;
  return scale;
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

void copy_fixed(const btCollisionObject& object, EngineBody& out) {
  out.pose = object.getWorldTransform();
  out.linear = out.angular = out.linear_plus = out.angular_plus = Vector3d::Zero();
  out.inverse_mass = 0;
}

void copy_body(const btSolverBody& solved, EngineBody& out) {
  const btRigidBody& body = *solved.m_originalBody;
  out.pose = solved.m_worldTransform;
  out.linear = out.linear_plus = eigen(solved.m_linearVelocity);
  out.angular = out.angular_plus = eigen(solved.m_angularVelocity);
  out.inverse_mass = body.getInvMass();
  if (out.inverse_mass == 0) return;  // kinematic: it moves as it was told
  out.linear_gained = eigen(solved.m_externalForceImpulse);
  out.angular_gained = eigen(solved.m_externalTorqueImpulse);
  out.inverse_inertia = body.getInvInertiaTensorWorld();
  out.inverse_moments = eigen(body.getInvInertiaDiagLocal());
}

void copy_contact(const btManifoldPoint& point, const PointRows& rows, EngineContact& out) {
  out.normal_on_b = eigen(point.m_normalWorldOnB);
  out.on_a = eigen(point.getPositionWorldOnA());
  out.on_b = eigen(point.getPositionWorldOnB());
  out.distance = point.getDistance();
  out.friction = point.m_combinedFriction;
  out.restitution = point.m_combinedRestitution;
  out.rolling = point.m_combinedRollingFriction;
  out.spinning = point.m_combinedSpinningFriction;
  out.normal = copy_row(*rows.normal);
  copy_friction(rows.along_t, out.along_t);
}

void copy_friction(const btSolverConstraint* row, EngineFriction& out) {
  if (!row) {
    out.direction.setZero();
    out.row = {};
    return;
  }
  // A row between a fixed body and another has one of the two.
  out.direction = eigen(row->m_contactNormal1);
  if (out.direction.isZero(0)) out.direction = -eigen(row->m_contactNormal2);
  out.row = copy_row(*row);
}

BulletBody body_row(const EngineBody& copy, double h) {
  BulletBody row;
  row.position = eigen(copy.pose.getOrigin());
  const btQuaternion q = copy.pose.getRotation();
  row.wxyz = kBullet.wxyz(static_cast<const btScalar*>(q));
  row.inertia.setZero();
  row.velocity = row.free = joined(copy.linear, copy.angular);
  row.plus = joined(copy.linear_plus, copy.angular_plus);
  if (copy.inverse_mass == 0) return row;
  row.mass = 1 / copy.inverse_mass;
  row.inertia = world_inertia(copy);
  const Vector6 gained = joined(copy.linear_gained, copy.angular_gained);
  row.free += gained;
  row.force << row.mass * gained.head<3>() / h, row.inertia * gained.tail<3>() / h;
  return row;
}

BulletContact contact_row(const EngineContact& copy, const EngineFriction* along_o,
                          const BulletBody& a, const BulletBody& b) {
  BulletContact out;
  out.first = copy.first;
  out.second = copy.second;
  out.gap = kBullet.gap(copy.distance);
  out.rolling = copy.rolling;
  out.torsional = copy.spinning;
  out.n = kBullet.direction(copy.normal_on_b);
  out.r1 = copy.on_a - a.position;
  out.r2 = copy.on_b - b.position;
  out.mu = std::max(0.0, copy.friction);
  out.restitution = std::clamp(copy.restitution, 0.0, 1.0);

  out.bounds.setZero();
  out.t = kBullet.direction(copy.along_t.direction);
  out.scale[0] = make_unit(out.t);
  if (out.scale[0] == 0)
    out.t = tangents(out.n).t;
  else
    out.bounds[0] = kInfinity;
  if (along_o) {
    out.o = kBullet.direction(along_o->direction);
    out.scale[1] = make_unit(out.o);
  }
  if (out.scale[1] == 0)
    out.o = out.n.cross(out.t);
  else
    out.bounds[1] = kInfinity;

  const Vector3d apart = b.free.head<3>() + b.free.tail<3>().cross(out.r2) - a.free.head<3>() -
                         a.free.tail<3>().cross(out.r1);
  const auto fill = [&](Index k, const EngineRow& row, const Vector3d& d, double scale) {
    const double u = d.dot(apart);
    const RowTerms by_engine = asked(row, scale * u);
    out.bias[k] = by_engine.b / scale - u;
    out.cfm[k] = by_engine.cfm / (scale * scale);
  };
  fill(0, copy.normal, out.n, 1);
  if (out.scale[0] > 0) fill(1, copy.along_t.row, out.t, out.scale[0]);
  if (out.scale[1] > 0) fill(2, along_o->row, out.o, out.scale[1]);
  out.z = impulses(
      out, {copy.normal.impulse, copy.along_t.row.impulse, along_o ? along_o->row.impulse : 0});
  return out;
}

Vector3d impulses(const BulletContact& contact, const Vector3d& of_rows) {
  Vector3d out(kBullet.z(of_rows[0]), 0, 0);
  for (Index k = 0; k < 2; ++k)
    if (contact.scale[k] > 0) out[k + 1] = contact.scale[k] * kBullet.z(of_rows[k + 1]);
  return out;
}

// RowTerms at 1/h = F and 2 F with erp = 1: what grows with 1/h is the error of position, and what
// does not (a motor's speed) drops out. F is large, so that Bullet takes no limit for a bounce, and
// a power of two, so that nothing is rounded.
void ask(btTypedConstraint& joint, const btContactSolverInfo& solver,
         std::vector<JointTarget>& out) {
  struct Row {
    btScalar jacobian[12] = {}, error = 0, cfm = 0, lower = -SIMD_INFINITY, upper = SIMD_INFINITY;
  };
  if (!joint.isEnabled()) return;
  btTypedConstraint::btConstraintInfo1 size;
  joint.buildJacobian();
  joint.getInfo1(&size);
  const auto count = static_cast<std::size_t>(std::max(size.m_numConstraintRows, 0));
  if (count == 0) return;
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
  for (std::size_t r = 0; r < count; ++r)
    out.push_back(
        {(twice[r].error - once[r].error) / kMany / part_of_limits(joint, r), told[r].error});
}

EngineJoint copy_joint(const btSolverConstraint& row, const JointTarget& asked_for) {
  EngineJoint out;
  out.jacobian << eigen(row.m_contactNormal1), eigen(row.m_relpos1CrossNormal),
      eigen(row.m_contactNormal2), eigen(row.m_relpos2CrossNormal);
  out.lower = row.m_lowerLimit;
  out.upper = row.m_upperLimit;
  out.row = copy_row(row);
  out.asked = asked_for;
  return out;
}

JointRow joint_row(const EngineJoint& copy, const BulletBody& a, const BulletBody& b) {
  JointRow out;
  out.on_first = copy.jacobian.head<6>();
  out.on_second = copy.jacobian.tail<6>();
  out.z = copy.row.impulse;
  out.lower = finite(copy.lower);
  out.upper = finite(copy.upper);
  if (std::isfinite(out.lower) && std::isfinite(out.upper))
    out.rate = -copy.asked.speed;  // a motor keeps a speed and no position
  else
    out.violation = -copy.asked.position;
  const double u = copy.jacobian.head<6>().dot(a.free) + copy.jacobian.tail<6>().dot(b.free);
  const RowTerms by_engine = asked(copy.row, u);
  out.bias = by_engine.b - u;
  out.cfm = by_engine.cfm;
  return out;
}

}  // namespace perpend::capture::from_bullet
