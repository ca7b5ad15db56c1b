// Rows of Bullet's joints. A row's Jacobian is the derivative of its violation Phi, so that the
// step's J v + Phi/h = 0 keeps Phi at zero up to the curvature of the motion, and a Newton step of
// positions converges quadratically. Bullet's own rows leave out that axes turn with their body.
//
// pA, pB: anchor points; columns of RA, RB: axes of the joint's frame on either body.
//   translation along d, an axis of A:  Phi = d . (pB - pA)
//   u . w, u an axis of B, w of A:      d(u . w)/dt = (omega_B - omega_A) . (u x w)
#include "sim/joints.hpp"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <limits>

#include "sim/bullet_types.hpp"

namespace perpend::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Limits this close take part even when the joint is at rest. rad or m
constexpr double kLimitReach = 0.1;
// Speeds below this do not bounce. m/s or rad/s
constexpr double kBounces = 0.01;
// Below this, two limits of an axis lock it.
constexpr double kLocked = 1e-12;

struct Side {
  Vector3d centre, anchor;
  Matrix3d axes;
  Vector3d velocity, spin;
};

Side side(const btRigidBody& body, const btTransform& frame) {
  const btTransform world = body.getCenterOfMassTransform() * frame;
  return {from_bullet(body.getCenterOfMassPosition()), from_bullet(world.getOrigin()),
          from_bullet(world.getBasis()), from_bullet(body.getLinearVelocity()),
          from_bullet(body.getAngularVelocity())};
}

// Where rows go, and what of them is wanted.
struct Wanted {
  double h;
  bool jacobians;
  std::vector<JointRow>& out;
  double erp = 0.2;  // of soft rows
};

// What the user has set for some rows of a joint: the row J v+ + erp Phi/h + C lambda = 0 with
// C = cfm J M^-1 J', Bullet's meaning of the two in its solver's limit; and how much of its speed a
// body keeps when it bounces off a limit.
struct Softness {
  double cfm = 0, erp = 0.2;
  double clamp = kInfinity;  // of the impulse, N s
  double bounce = 0;

  bool soft() const { return cfm > 0 || clamp < kInfinity; }
};

// Of limits and held directions of this axis. `erp_set`: the joint has its own ERP there.
Softness softness(const btTypedConstraint& joint, bool erp_set, int axis, const Wanted& wanted,
                  double bounce = 0) {
  return {joint.getParam(BT_CONSTRAINT_STOP_CFM, axis),
          erp_set ? joint.getParam(BT_CONSTRAINT_STOP_ERP, axis) : wanted.erp, kInfinity, bounce};
}

Softness softness(const btPoint2PointConstraint& joint, const Wanted& wanted) {
  Softness out;
  if (joint.getFlags() & BT_P2P_FLAGS_CFM) out.cfm = joint.getParam(BT_CONSTRAINT_CFM);
  out.erp = joint.getFlags() & BT_P2P_FLAGS_ERP ? joint.getParam(BT_CONSTRAINT_ERP) : wanted.erp;
  if (joint.m_setting.m_impulseClamp > 0) out.clamp = joint.m_setting.m_impulseClamp;
  return out;
}

void soften(JointRow& row, const Softness& s, double h) {
  const bool ahead = row.lower == 0 && row.violation > 0;  // a limit not yet reached
  row.rate += (ahead ? 1 : s.erp) * row.violation / h;
  row.violation = 0;
  row.position = false;
  row.compliance = s.cfm;  // of J M^-1 J'
  row.most = s.clamp;
}

class Rows {
 public:
  // `swapped`: the joint counts its bodies the other way round than `a` and `b`.
  Rows(const Side& a, const Side& b, bool swapped, const Wanted& wanted)
      : a_(a), b_(b), swapped_(swapped), wanted_(wanted) {}

  // Along an axis fixed in the world.
  JointRow world_axis(const Vector3d& d) const {
    JointRow row = empty();
    if (wanted_.jacobians)
      row.jacobian << -d, -(a_.anchor - a_.centre).cross(d), d, (b_.anchor - b_.centre).cross(d);
    row.violation = d.dot(b_.anchor - a_.anchor);
    return row;
  }
  // Along an axis of body A.
  JointRow axis(const Vector3d& d) const {
    JointRow row = empty();
    if (wanted_.jacobians)
      row.jacobian << -d, -(b_.anchor - a_.centre).cross(d), d, (b_.anchor - b_.centre).cross(d);
    row.violation = d.dot(b_.anchor - a_.anchor);
    return row;
  }
  // A function of the relative rotation with that gradient.
  JointRow rotation(double value, const Vector3d& gradient) const {
    JointRow row = empty();
    if (wanted_.jacobians) row.jacobian << Vector3d::Zero(), -gradient, Vector3d::Zero(), gradient;
    row.violation = value;
    return row;
  }
  // u . w = 0 with u an axis of B, w an axis of A.
  JointRow orthogonal(const Vector3d& u, const Vector3d& w) const {
    const double value = u.dot(w);
    return wanted_.jacobians ? rotation(value, u.cross(w)) : rotation(value, u);
  }
  // The angle by which `u` (of B) has turned from w1 towards w2 (of A).
  JointRow angle(const Vector3d& u, const Vector3d& w1, const Vector3d& w2) const {
    const double c = u.dot(w1), s = u.dot(w2);
    return rotation(std::atan2(s, c),
                    (c * u.cross(w2) - s * u.cross(w1)) / std::max(c * c + s * s, 1e-300));
  }

  void set(const Softness& softness) { softness_ = softness; }  // of the rows from here on
  void hold(const JointRow& row, int key) { push(row, key); }
  // lower > upper: free.
  void limit(const JointRow& coordinate, double lower, double upper, int key) {
    if (lower > upper) return;
    if (upper - lower <= kLocked) {
      JointRow row = coordinate;
      row.violation -= lower;
      push(row, key);
      return;
    }
    const double reach = 2 * wanted_.h * std::abs(speed(coordinate)) + kLimitReach;
    if (coordinate.violation - lower < reach) {
      JointRow row = coordinate;
      row.violation -= lower;
      stop(row, key + 1);
    }
    if (upper - coordinate.violation < reach) {
      JointRow row = coordinate;
      row.jacobian = -row.jacobian;
      row.violation = upper - row.violation;
      stop(row, key + 2);
    }
  }
  // Drives the coordinate at `target` with impulses up to `impulse`, yielding by `cfm`.
  void motor(const JointRow& coordinate, double target, double impulse, int key, double cfm = 0) {
    JointRow row = coordinate;
    row.violation = 0;
    row.rate = -target;
    row.lower = -impulse;
    row.upper = impulse;
    row.position = false;
    row.compliance = cfm;
    push(row, key + 3);
  }

 private:
  // A limit; `row.violation` is the distance to it.
  void stop(JointRow& row, int key) {
    row.lower = 0;
    const double came = speed(row), reached = came + row.violation / wanted_.h;
    if (softness_.bounce > 0 && came < -kBounces && reached < 0)  // as contacts with restitution
      row.rate = std::min(0.0, softness_.bounce * came - row.violation / wanted_.h);
    push(row, key);
  }
  JointRow empty() const {
    JointRow row;
    if (!wanted_.jacobians) row.jacobian.setZero();
    row.lower = -kInfinity;
    row.upper = kInfinity;
    return row;
  }
  double speed(const JointRow& row) const {
    return row.jacobian.segment<3>(0).dot(a_.velocity) + row.jacobian.segment<3>(3).dot(a_.spin) +
           row.jacobian.segment<3>(6).dot(b_.velocity) + row.jacobian.segment<3>(9).dot(b_.spin);
  }
  void push(const JointRow& given, int key) {
    JointRow& row = wanted_.out.emplace_back(given);
    if (swapped_) row.jacobian.head<6>().swap(row.jacobian.tail<6>());
    row.key = key;
    if (softness_.soft() && row.position) soften(row, softness_, wanted_.h);
  }

  const Side &a_, &b_;
  bool swapped_;
  const Wanted& wanted_;
  Softness softness_;
};

void point_rows(Rows& rows) {
  for (int k = 0; k < 3; ++k) rows.hold(rows.world_axis(Vector3d::Unit(k)), 10 * k);
}

// Bullet keeps the sign that the angle had when the joint was made: 1 if A was the reference.
double sign_of(btHingeConstraint& joint) {
  const btTransform turned(btQuaternion(btVector3(0, 0, 1), 1));
  const double angle =
      joint.getHingeAngle(joint.getAFrame().inverse(), turned * joint.getBFrame().inverse());
  return angle > 0 ? 1 : -1;
}

void hinge(btHingeConstraint& joint, const Wanted& wanted) {
  const Side a = side(joint.getRigidBodyA(), joint.getAFrame());
  const Side b = side(joint.getRigidBodyB(), joint.getBFrame());
  Rows rows(a, b, false, wanted);
  if (!joint.getAngularOnly()) point_rows(rows);
  rows.hold(rows.orthogonal(b.axes.col(2), -a.axes.col(1)), 30);
  rows.hold(rows.orthogonal(b.axes.col(2), a.axes.col(0)), 40);
  if (!joint.hasLimit() && !joint.getEnableAngularMotor()) return;
  // Bullet counts the angle as that of A relative to B, unless A is the reference.
  const double sign = sign_of(joint);
  JointRow angle = rows.angle(b.axes.col(1), a.axes.col(1), -a.axes.col(0));
  angle.jacobian *= sign;
  angle.violation *= sign;
  if (joint.hasLimit()) {
    JointRow wrapped = angle;
    wrapped.violation =
        btAdjustAngleToLimits(angle.violation, joint.getLowerLimit(), joint.getUpperLimit());
    rows.set(softness(joint, joint.getFlags() & BT_HINGE_FLAGS_ERP_STOP, 5, wanted));
    rows.limit(wrapped, joint.getLowerLimit(), joint.getUpperLimit(), 50);
  }
  if (joint.getEnableAngularMotor())
    rows.motor(angle, joint.getMotorTargetVelocity(), joint.getMaxMotorImpulse(), 50,
               joint.getParam(BT_CONSTRAINT_CFM, 5));
}

void slider(btSliderConstraint& joint, const Wanted& wanted) {
  const double h = wanted.h;
  // The frame that is not swapped is the one in which Bullet counts the position.
  const bool swapped = !joint.getUseLinearReferenceFrameA();
  Side a = side(joint.getRigidBodyA(), joint.getFrameOffsetA());
  Side b = side(joint.getRigidBodyB(), joint.getFrameOffsetB());
  if (swapped) std::swap(a, b);
  Rows rows(a, b, swapped, wanted);
  const auto soft = [&](int erp, int axis, double damping = 1) {
    return softness(joint, joint.getFlags() & erp, axis, wanted, std::abs(1 - damping));
  };
  rows.set(soft(BT_SLIDER_FLAGS_ERP_ORTLIN, 1));
  rows.hold(rows.axis(a.axes.col(1)), 10);
  rows.hold(rows.axis(a.axes.col(2)), 20);
  rows.set(soft(BT_SLIDER_FLAGS_ERP_ORTANG, 4));
  rows.hold(rows.orthogonal(b.axes.col(0), a.axes.col(1)), 30);
  rows.hold(rows.orthogonal(b.axes.col(0), a.axes.col(2)), 40);
  const JointRow position = rows.axis(a.axes.col(0));
  rows.set(soft(BT_SLIDER_FLAGS_ERP_LIMLIN, 0, joint.getDampingLimLin()));
  rows.limit(position, joint.getLowerLinLimit(), joint.getUpperLinLimit(), 0);
  if (joint.getPoweredLinMotor())
    rows.motor(position, joint.getTargetLinMotorVelocity(), joint.getMaxLinMotorForce() * h, 0,
               joint.getParam(BT_CONSTRAINT_CFM, 0));
  const JointRow angle = rows.angle(b.axes.col(1), a.axes.col(1), a.axes.col(2));
  rows.set(soft(BT_SLIDER_FLAGS_ERP_LIMANG, 3, joint.getDampingLimAng()));
  rows.limit(angle, joint.getLowerAngLimit(), joint.getUpperAngLimit(), 50);
  if (joint.getPoweredAngMotor())  // of A relative to B, whichever frame is the reference
    rows.motor(angle, (swapped ? 1 : -1) * joint.getTargetAngMotorVelocity(),
               joint.getMaxAngMotorForce() * h, 50, joint.getParam(BT_CONSTRAINT_CFM, 3));
}

struct AxisRule {  // limit and motor of one of six axes
  double lower, upper;
  bool motor;
  double target, force, cfm;  // of the motor
  Softness softness;
};

// Bullet's angles (a, b, c) of B relative to A: RA^T RB = r = Rz(-c) Ry(-b) Rx(-a). Rows of
// `gradients`: their derivatives by omega in the axes of A. False in gimbal lock, where Bullet has
// no angles either.
bool bullet_angles(const Matrix3d& r, Vector3d& angles, Matrix3d& gradients) {
  angles = Vector3d(std::atan2(-r(2, 1), r(2, 2)), std::asin(std::clamp(r(2, 0), -1.0, 1.0)),
                    std::atan2(-r(1, 0), r(0, 0)));
  const Matrix3d rz = Eigen::AngleAxisd(-angles[2], Vector3d::UnitZ()).toRotationMatrix();
  const Matrix3d ry = Eigen::AngleAxisd(-angles[1], Vector3d::UnitY()).toRotationMatrix();
  Matrix3d spins;  // omega = spins * d(angles)/dt
  spins << -(rz * ry).col(0), -rz.col(1), -Vector3d::UnitZ();
  const double determinant = spins.determinant();  // -cos b
  if (std::abs(determinant) < 1e-6) return false;
  gradients = spins.inverse();
  return true;
}

// The rotation vector t of r = exp([t]) and its derivatives by omega in the axes of A, where
// dr/dt = [omega] r: the inverse of the left Jacobian of the exponential map,
// 1 - [t]/2 + (1 - (|t|/2) cot(|t|/2)) [t]^2/|t|^2 (Sola, Deray, Atchuthan 2018, eq. 146).
void rotation_vector(const Matrix3d& r, Vector3d& t, Matrix3d& gradients) {
  const Eigen::AngleAxisd turn(r);
  t = turn.angle() * turn.axis();
  const double half = turn.angle() / 2;
  Matrix3d cross;
  cross << 0, -t.z(), t.y(), t.z(), 0, -t.x(), -t.y(), t.x(), 0;
  const double factor =
      half < 1e-4 ? 1.0 / 12 : (1 - half * std::cos(half) / std::sin(half)) / (4 * half * half);
  gradients = Matrix3d::Identity() - cross / 2 + factor * cross * cross;
}

void generic(const btRigidBody& body_a, const btRigidBody& body_b, const btTransform& frame_a,
             const btTransform& frame_b, const std::array<AxisRule, 6>& rules,
             const Wanted& wanted) {
  const double h = wanted.h;
  const Side a = side(body_a, frame_a), b = side(body_b, frame_b);
  Rows rows(a, b, false, wanted);
  for (std::size_t k = 0; k < 3; ++k) {
    const AxisRule& rule = rules[k];
    const JointRow position = rows.axis(a.axes.col(static_cast<Index>(k)));
    rows.set(rule.softness);
    rows.limit(position, rule.lower, rule.upper, 10 * static_cast<int>(k));
    if (rule.motor)  // Bullet drives A relative to B
      rows.motor(position, -rule.target, rule.force * h, 10 * static_cast<int>(k), rule.cfm);
  }
  const Matrix3d r = a.axes.transpose() * b.axes;
  bool locked = true;
  for (std::size_t k = 3; k < 6; ++k)
    locked &= std::abs(rules[k].lower) <= kLocked && std::abs(rules[k].upper) <= kLocked;
  if (locked) {  // 2 vec(q) of the relative rotation: no singular angle
    Eigen::Quaterniond q(r);
    if (q.w() < 0) q.coeffs() = -q.coeffs();
    for (int k = 0; k < 3; ++k) {
      // d(2 vec q)/dt = w omega + omega x vec, omega in the axes of A
      const Vector3d gradient = q.w() * Vector3d::Unit(k) + q.vec().cross(Vector3d::Unit(k));
      rows.set(rules[static_cast<std::size_t>(k + 3)].softness);
      rows.hold(rows.rotation(2 * q.vec()[k], a.axes * gradient), 30 + 10 * k);
    }
    return;
  }
  Vector3d angles;
  Matrix3d gradients;
  if (!bullet_angles(r, angles, gradients)) return;
  for (int k = 0; k < 3; ++k) {
    const AxisRule& rule = rules[static_cast<std::size_t>(k + 3)];
    JointRow angle = rows.rotation(angles[k], a.axes * gradients.row(k).transpose());
    rows.set(rule.softness);
    if (rule.motor) rows.motor(angle, rule.target, rule.force * h, 30 + 10 * k, rule.cfm);
    if (rule.lower <= rule.upper)
      angle.violation = btAdjustAngleToLimits(angle.violation, rule.lower, rule.upper);
    rows.limit(angle, rule.lower, rule.upper, 30 + 10 * k);
  }
}

double cfm_of(const btRotationalLimitMotor& motor) { return motor.m_normalCFM; }
double cfm_of(const btRotationalLimitMotor2& motor) { return motor.m_motorCFM; }
double cfm_of(const btTranslationalLimitMotor& motor, int k) { return motor.m_normalCFM[k]; }
double cfm_of(const btTranslationalLimitMotor2& motor, int k) { return motor.m_motorCFM[k]; }
double bounce_of(const btTranslationalLimitMotor&, int) { return 0; }
double bounce_of(const btTranslationalLimitMotor2& motor, int k) { return motor.m_bounce[k]; }

// Both of Bullet's generic joints name their limits and motors alike.
template <class GenericJoint>
std::array<AxisRule, 6> rules(GenericJoint& joint) {
  std::array<AxisRule, 6> list;
  const auto& linear = *joint.getTranslationalLimitMotor();
  for (int k = 0; k < 3; ++k) {
    const auto& angular = *joint.getRotationalLimitMotor(k);
    list[static_cast<std::size_t>(k)] = {
        linear.m_lowerLimit[k],
        linear.m_upperLimit[k],
        linear.m_enableMotor[k],
        linear.m_targetVelocity[k],
        linear.m_maxMotorForce[k],
        cfm_of(linear, k),
        {linear.m_stopCFM[k], linear.m_stopERP[k], kInfinity, bounce_of(linear, k)}};
    list[static_cast<std::size_t>(k + 3)] = {
        angular.m_loLimit,
        angular.m_hiLimit,
        angular.m_enableMotor,
        angular.m_targetVelocity,
        angular.m_maxMotorForce,
        cfm_of(angular),
        {angular.m_stopCFM, angular.m_stopERP, kInfinity, angular.m_bounce}};
  }
  return list;
}

// Springs and servos are velocity rows of Bullet's own making; so are other orders of angles.
bool plain(btGeneric6DofSpring2Constraint& joint) {
  const btTranslationalLimitMotor2& linear = *joint.getTranslationalLimitMotor();
  for (int k = 0; k < 3; ++k) {
    const btRotationalLimitMotor2& angular = *joint.getRotationalLimitMotor(k);
    if (linear.m_enableSpring[k] || linear.m_servoMotor[k]) return false;
    if (angular.m_enableSpring || angular.m_servoMotor) return false;
  }
  return joint.getRotationOrder() == RO_XYZ;
}

// The rows that Bullet makes: J v = error, error = -Phi/h when the whole error is to go in one
// step.
void bullet_rows(btTypedConstraint& joint, double h, std::vector<JointRow>& out) {
  btTypedConstraint::btConstraintInfo1 size{};
  joint.buildJacobian();
  joint.getInfo1(&size);
  struct Row {
    btScalar jacobian[12] = {}, error = 0, cfm = 0, lower = -SIMD_INFINITY, upper = SIMD_INFINITY;
  };
  std::vector<Row> rows(static_cast<std::size_t>(std::max(size.m_numConstraintRows, 0)));
  if (rows.empty()) return;
  btTypedConstraint::btConstraintInfo2 info;
  info.fps = 1 / h;
  info.erp = 1;
  info.m_J1linearAxis = rows[0].jacobian;
  info.m_J1angularAxis = rows[0].jacobian + 3;
  info.m_J2linearAxis = rows[0].jacobian + 6;
  info.m_J2angularAxis = rows[0].jacobian + 9;
  info.rowskip = static_cast<int>(sizeof(Row) / sizeof(btScalar));
  info.m_constraintError = &rows[0].error;
  info.cfm = &rows[0].cfm;
  info.m_lowerLimit = &rows[0].lower;
  info.m_upperLimit = &rows[0].upper;
  info.m_numIterations = 10;
  info.m_damping = 1;
  joint.getInfo2(&info);
  int key = 1000;
  for (const Row& given : rows) {
    JointRow row;
    for (int k = 0; k < 12; ++k) row.jacobian[k] = given.jacobian[k];
    row.violation = -given.error * h;
    row.lower = given.lower <= -SIMD_INFINITY ? -kInfinity : given.lower;
    row.upper = given.upper >= SIMD_INFINITY ? kInfinity : given.upper;
    row.key = key++;
    row.compliance = given.cfm;
    row.position = row.bilateral() && given.cfm == 0;
    out.push_back(row);
  }
}

// J M^-1 J' as Bullet has it. The rows of its sliders and first generic joints move the anchors
// onto one line, so that their lever does not count.
double yielding(const btTypedConstraint& joint, const JointRow& row) {
  const btTypedConstraintType type = joint.getConstraintType();
  const bool levers = type != SLIDER_CONSTRAINT_TYPE && type != D6_CONSTRAINT_TYPE;
  const btRigidBody* bodies[2] = {&joint.getRigidBodyA(), &joint.getRigidBodyB()};
  double sum = 0;
  for (const int side : {0, 1}) {
    const Vector3d shift = row.jacobian.segment<3>(6 * side);
    const btVector3 turn = to_bullet(row.jacobian.segment<3>(6 * side + 3));
    sum += bodies[side]->getInvMass() * shift.squaredNorm();
    if (levers || shift.isZero(0)) sum += turn.dot(bodies[side]->getInvInertiaTensorWorld() * turn);
  }
  return sum;
}

double beyond(double value, double lower, double upper) {
  return lower > upper ? 0 : std::max({0.0, lower - value, value - upper});
}

void rows_of(btTypedConstraint& joint, const Wanted& wanted) {
  switch (joint.getConstraintType()) {
    case POINT2POINT_CONSTRAINT_TYPE: {
      auto& point = static_cast<btPoint2PointConstraint&>(joint);
      if (point.m_useSolveConstraintObsolete) return;  // it has no rows in Bullet either
      btTransform a, b;
      a.setIdentity();
      b.setIdentity();
      a.setOrigin(point.getPivotInA());
      b.setOrigin(point.getPivotInB());
      const Side side_a = side(joint.getRigidBodyA(), a), side_b = side(joint.getRigidBodyB(), b);
      Rows rows(side_a, side_b, false, wanted);
      rows.set(softness(point, wanted));
      point_rows(rows);
      return;
    }
    case HINGE_CONSTRAINT_TYPE:
      hinge(static_cast<btHingeConstraint&>(joint), wanted);
      return;
    case SLIDER_CONSTRAINT_TYPE:
      slider(static_cast<btSliderConstraint&>(joint), wanted);
      return;
    case D6_CONSTRAINT_TYPE: {
      auto& six = static_cast<btGeneric6DofConstraint&>(joint);
      if (six.m_useSolveConstraintObsolete) return;
      generic(joint.getRigidBodyA(), joint.getRigidBodyB(), six.getFrameOffsetA(),
              six.getFrameOffsetB(), rules(six), wanted);
      return;
    }
    case D6_SPRING_2_CONSTRAINT_TYPE:
    case FIXED_CONSTRAINT_TYPE: {
      auto& six = static_cast<btGeneric6DofSpring2Constraint&>(joint);
      if (!plain(six)) break;
      generic(joint.getRigidBodyA(), joint.getRigidBodyB(), six.getFrameOffsetA(),
              six.getFrameOffsetB(), rules(six), wanted);
      return;
    }
    default:
      break;
  }
  bullet_rows(joint, wanted.h, wanted.out);
}

}  // namespace

void joint_rows(btTypedConstraint& joint, double h, std::vector<JointRow>& out, double erp) {
  const std::size_t start = out.size();
  rows_of(joint, {h, true, out, erp});
  const double breaks = joint.getBreakingImpulseThreshold();
  for (std::size_t r = start; r < out.size(); ++r) {
    if (breaks < SIMD_INFINITY) out[r].most = std::min(out[r].most, breaks);
    if (out[r].compliance > 0) out[r].compliance *= yielding(joint, out[r]);
  }
}

void joint_violations(btTypedConstraint& joint, double h, std::vector<JointRow>& out) {
  rows_of(joint, {h, false, out});
}

Coordinates joint_coordinates(btTypedConstraint& joint, bool vector) {
  Coordinates out;
  std::vector<JointRow> none;
  const Wanted wanted{0, true, none};
  const auto six = [&](const btTransform& frame_a, const btTransform& frame_b) {
    const Side a = side(joint.getRigidBodyA(), frame_a), b = side(joint.getRigidBodyB(), frame_b);
    const Rows rows(a, b, false, wanted);
    for (std::size_t k = 0; k < 3; ++k) out[k] = rows.axis(a.axes.col(static_cast<Index>(k)));
    Vector3d angles;
    Matrix3d gradients;
    const Matrix3d r = a.axes.transpose() * b.axes;
    if (vector)
      rotation_vector(r, angles, gradients);
    else if (!bullet_angles(r, angles, gradients))
      return;
    const double sign = vector ? 1 : -1;  // Bullet's angles are those of A relative to B
    for (int k = 0; k < 3; ++k)
      out[static_cast<std::size_t>(k + 3)] =
          rows.rotation(sign * angles[k], sign * (a.axes * gradients.row(k).transpose()));
  };
  switch (joint.getConstraintType()) {
    case HINGE_CONSTRAINT_TYPE: {
      auto& hinge = static_cast<btHingeConstraint&>(joint);
      const Side a = side(joint.getRigidBodyA(), hinge.getAFrame());
      const Side b = side(joint.getRigidBodyB(), hinge.getBFrame());
      const double sign = sign_of(hinge);
      JointRow angle =
          Rows(a, b, false, wanted).angle(b.axes.col(1), a.axes.col(1), -a.axes.col(0));
      angle.jacobian *= sign;
      angle.violation *= sign;
      out[5] = angle;
      return out;
    }
    case SLIDER_CONSTRAINT_TYPE: {
      auto& slider = static_cast<btSliderConstraint&>(joint);
      const bool swapped = !slider.getUseLinearReferenceFrameA();
      Side a = side(joint.getRigidBodyA(), slider.getFrameOffsetA());
      Side b = side(joint.getRigidBodyB(), slider.getFrameOffsetB());
      if (swapped) std::swap(a, b);
      JointRow position = Rows(a, b, swapped, wanted).axis(a.axes.col(0));
      if (swapped) position.jacobian.head<6>().swap(position.jacobian.tail<6>());
      out[2] = position;
      return out;
    }
    case D6_CONSTRAINT_TYPE: {
      auto& given = static_cast<btGeneric6DofConstraint&>(joint);
      six(given.getFrameOffsetA(), given.getFrameOffsetB());
      return out;
    }
    case D6_SPRING_2_CONSTRAINT_TYPE: {
      auto& given = static_cast<btGeneric6DofSpring2Constraint&>(joint);
      six(given.getFrameOffsetA(), given.getFrameOffsetB());
      return out;
    }
    default:
      return out;
  }
}

double separation(btTypedConstraint& joint) {
  const auto held = [](const Side& a, const Side& b, const std::array<AxisRule, 6>& list) {
    Vector3d excess;
    for (int k = 0; k < 3; ++k) {
      const AxisRule& rule = list[static_cast<std::size_t>(k)];
      excess[k] = rule.softness.soft()
                      ? 0
                      : beyond(a.axes.col(k).dot(b.anchor - a.anchor), rule.lower, rule.upper);
    }
    return excess.norm();
  };
  switch (joint.getConstraintType()) {
    case POINT2POINT_CONSTRAINT_TYPE: {
      auto& point = static_cast<btPoint2PointConstraint&>(joint);
      std::vector<JointRow> none;
      if (softness(point, {0, false, none}).soft()) return 0;
      return (joint.getRigidBodyB().getCenterOfMassTransform() * point.getPivotInB() -
              joint.getRigidBodyA().getCenterOfMassTransform() * point.getPivotInA())
          .length();
    }
    case HINGE_CONSTRAINT_TYPE: {
      auto& turning = static_cast<btHingeConstraint&>(joint);
      if (turning.getAngularOnly()) return 0;
      return (side(joint.getRigidBodyB(), turning.getBFrame()).anchor -
              side(joint.getRigidBodyA(), turning.getAFrame()).anchor)
          .norm();
    }
    case SLIDER_CONSTRAINT_TYPE: {
      auto& sliding = static_cast<btSliderConstraint&>(joint);
      Side a = side(joint.getRigidBodyA(), sliding.getFrameOffsetA());
      Side b = side(joint.getRigidBodyB(), sliding.getFrameOffsetB());
      if (!sliding.getUseLinearReferenceFrameA()) std::swap(a, b);
      std::array<AxisRule, 6> list{};
      list[0].lower = sliding.getLowerLinLimit();
      list[0].upper = sliding.getUpperLinLimit();
      return held(a, b, list);
    }
    case D6_CONSTRAINT_TYPE: {
      auto& six = static_cast<btGeneric6DofConstraint&>(joint);
      return held(side(joint.getRigidBodyA(), six.getFrameOffsetA()),
                  side(joint.getRigidBodyB(), six.getFrameOffsetB()), rules(six));
    }
    case D6_SPRING_2_CONSTRAINT_TYPE:
    case FIXED_CONSTRAINT_TYPE: {
      auto& six = static_cast<btGeneric6DofSpring2Constraint&>(joint);
      return held(side(joint.getRigidBodyA(), six.getFrameOffsetA()),
                  side(joint.getRigidBodyB(), six.getFrameOffsetB()), rules(six));
    }
    default:
      return 0;
  }
}

}  // namespace perpend::sim
