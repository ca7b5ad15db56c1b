// Rows of ODE's joints: ball, hinge, slider, universal, fixed, angular motor.
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <numbers>

#include "capture/ode/rows.hpp"

namespace perpend::capture::from_ode {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector3d read(void (*get)(dJointID, dReal*), dJointID joint) {
  dVector3 out{};
  get(joint, out);
  return eigen(out);
}

Matrix3d axes_of(dBodyID body) {
  return body ? rotation(dBodyGetRotation(body)) : Matrix3d::Identity();
}
Vector3d place_of(dBodyID body) {
  return body ? eigen(dBodyGetPosition(body)) : Vector3d(Vector3d::Zero());
}
Eigen::Quaterniond turn_of(dBodyID body) {
  return body ? quaternion(dBodyGetQuaternion(body)) : Eigen::Quaterniond::Identity();
}

// What every row builder needs.
struct Context {
  dJointID joint;
  const OdePair& pair;
  const OdeWorld& world;
  const OdeBody &first, &second;
  OdeJoint& out;

  bool to_world() const { return pair.second == nullptr; }
  OdeRow& add(const Vector3d& linear, const Vector3d& angular, const Vector3d& linear2,
              const Vector3d& angular2) const {
    OdeRow row;
    row.first << linear, angular;
    if (!to_world()) row.second << linear2, angular2;
    row.lower = -kInfinity;
    row.upper = kInfinity;
    row.cfm = world.cfm;
    out.rows.push_back(row);
    return out.rows.back();
  }
  // J v+ = erp/h error, which goes in one step when erp = 1.
  void error(OdeRow& row, double value, double erp) const {
    row.c = erp / world.h * value;
    row.violation = -value;
  }
};

// The two bodies have one point in common.
void ball(const Context& k, const Vector3d& anchor1, const Vector3d& anchor2, double erp,
          double cfm) {
  const Vector3d arm1 = anchor1 - k.first.position, arm2 = anchor2 - k.second.position;
  for (int i = 0; i < 3; ++i) {
    const Vector3d e = Vector3d::Unit(i);
    OdeRow& row = k.add(e, arm1.cross(e), -e, -arm2.cross(e));
    k.error(row, anchor2[i] - anchor1[i], erp);
    row.cfm = cfm;
  }
}

// They keep the turn that they had.
void orientation(const Context& k, const OdeRest& rest) {
  const Eigen::Quaterniond off =
      k.first.orientation.conjugate() *
      (k.to_world() ? Eigen::Quaterniond::Identity() : k.second.orientation) *
      rest.turn.conjugate();
  const Vector3d error = (off.w() < 0 ? -2.0 : 2.0) * (axes_of(k.pair.first) * off.vec());
  for (int i = 0; i < 3; ++i) {
    const Vector3d e = Vector3d::Unit(i);
    k.error(k.add(Vector3d::Zero(), e, Vector3d::Zero(), -e), error[i], k.world.erp);
  }
}

struct Plane {
  Vector3d p, q;
};
Plane across(const Vector3d& axis) {
  const dVector3 n{axis.x(), axis.y(), axis.z()};
  dVector3 p, q;
  dPlaneSpace(n, p, q);
  return {eigen(p), eigen(q)};
}

// A limit or motor along (or about) an axis. `where`: the coordinate, nothing when its stops are
// not looked at.
struct Limot {
  double low, high, speed, force, fudge, bounce, cfm, stop_erp, stop_cfm;
};
template <class Get>
Limot read_limot(Get&& get, int group) {
  const auto value = [&](int parameter) { return get(group * dParamGroup + parameter); };
  return {value(dParamLoStop), value(dParamHiStop),      value(dParamVel),
          value(dParamFMax),   value(dParamFudgeFactor), value(dParamBounce),
          value(dParamCFM),    value(dParamStopERP),     value(dParamStopCFM)};
}
void limit_or_motor(const Context& k, const Limot& limot, std::optional<double> where,
                    const Vector3d& axis, bool rotational) {
  const bool at_low = where && *where <= limot.low;
  const bool at_high = where && !at_low && *where >= limot.high;
  const bool limited = at_low || at_high;
  bool powered = limot.force > 0;
  if (!limited && !powered) return;
  const Vector3d zero = Vector3d::Zero();
  // A force between two bodies acts halfway between them, or it would turn both.
  const Vector3d couple =
      rotational || k.to_world()
          ? zero
          : Vector3d((0.5 * (k.second.position - k.first.position)).cross(axis));
  OdeRow& row = rotational ? k.add(zero, axis, zero, -axis) : k.add(axis, couple, -axis, couple);
  if (limited && limot.low == limot.high) powered = false;
  if (powered && !limited) {
    row.c = limot.speed;
    row.rate = -limot.speed;
    row.cfm = limot.cfm;
    row.lower = -limot.force;
    row.upper = limot.force;
    return;
  }
  if (powered) {  // at a stop ODE takes the motor for a force
    double force = limot.force;
    if (limot.speed > 0 || (limot.speed == 0 && at_high)) force = -force;
    if ((at_low && limot.speed > 0) || (at_high && limot.speed < 0)) force *= limot.fudge;
    k.out.force_first -= force * row.first;
    k.out.force_second -= force * row.second;
  }
  k.error(row, (at_low ? limot.low : limot.high) - *where, limot.stop_erp);
  row.cfm = limot.stop_cfm;
  if (limot.low == limot.high) return;
  (at_low ? row.lower : row.upper) = 0;
  if (limot.bounce <= 0) return;
  const auto part = [&](const OdeBody& body) {
    return axis.dot(rotational ? body.velocity.tail<3>() : body.velocity.head<3>());
  };
  const double speed = part(k.first) - (k.to_world() ? 0.0 : part(k.second));
  if (at_low && speed < 0) row.c = std::max(row.c, -limot.bounce * speed);
  if (at_high && speed > 0) row.c = std::min(row.c, -limot.bounce * speed);
}

// Stops of rotations beyond a half turn are not looked at.
std::optional<double> if_stopped(const Limot& limot, double angle) {
  constexpr double pi = std::numbers::pi;
  if ((limot.low >= -pi || limot.high <= pi) && limot.low <= limot.high) return angle;
  return std::nullopt;
}

void hinge(const Context& k, const OdeRest& rest) {
  const Vector3d told1 = read(dJointGetHingeAnchor, k.joint);
  const Vector3d told2 = read(dJointGetHingeAnchor2, k.joint);
  const bool turned = k.pair.reversed;
  ball(k, turned ? told2 : told1, turned ? told1 : told2, k.world.erp, k.world.cfm);
  const Vector3d axis = read(dJointGetHingeAxis, k.joint);
  const Vector3d apart = axis.cross(Vector3d(axes_of(k.pair.second) * rest.axis));
  const Plane plane = across(axis);
  for (const Vector3d& e : {plane.p, plane.q})
    k.error(k.add(Vector3d::Zero(), e, Vector3d::Zero(), -e), apart.dot(e), k.world.erp);
  const Limot limot = read_limot([&](int p) { return dJointGetHingeParam(k.joint, p); }, 0);
  const double angle = (turned ? -1.0 : 1.0) * dJointGetHingeAngle(k.joint);
  limit_or_motor(k, limot, if_stopped(limot, angle), axis, true);
}

void slider(const Context& k, const OdeRest& rest) {
  orientation(k, rest);
  const Vector3d axis = read(dJointGetSliderAxis, k.joint);
  const Vector3d apart =
      k.to_world()
          ? Vector3d(rest.offset - k.first.position)
          : Vector3d(k.second.position - k.first.position + axes_of(k.pair.second) * rest.offset);
  const Plane plane = across(axis);
  for (const Vector3d& e : {plane.p, plane.q}) {
    const Vector3d couple = k.to_world()
                                ? Vector3d(Vector3d::Zero())
                                : Vector3d((0.5 * (k.second.position - k.first.position)).cross(e));
    k.error(k.add(e, couple, -e, couple), apart.dot(e), k.world.erp);
  }
  const Limot limot = read_limot([&](int p) { return dJointGetSliderParam(k.joint, p); }, 0);
  std::optional<double> where;
  if ((limot.low > -kInfinity || limot.high < kInfinity) && limot.low <= limot.high)
    where = dJointGetSliderPosition(k.joint);
  // The position is the user's: where ODE swapped the bodies it turns the axis instead.
  limit_or_motor(k, limot, where, k.pair.reversed ? Vector3d(-axis) : axis, false);
}

void universal(const Context& k) {
  const bool turned = k.pair.reversed;
  Vector3d anchor1 = read(dJointGetUniversalAnchor, k.joint);
  Vector3d anchor2 = read(dJointGetUniversalAnchor2, k.joint);
  Vector3d axis1 = read(dJointGetUniversalAxis1, k.joint);
  Vector3d axis2 = read(dJointGetUniversalAxis2, k.joint);
  double angle1 = dJointGetUniversalAngle1(k.joint), angle2 = dJointGetUniversalAngle2(k.joint);
  if (turned) {
    std::swap(anchor1, anchor2);
    std::swap(axis1, axis2);
    std::swap(angle1, angle2);
    angle1 = -angle1;
    angle2 = -angle2;
  }
  ball(k, anchor1, anchor2, k.world.erp, k.world.cfm);
  const double slant = axis1.dot(axis2);
  const Vector3d e = axis1.cross(axis2 - slant * axis1).normalized();
  k.error(k.add(Vector3d::Zero(), e, Vector3d::Zero(), -e), -slant, k.world.erp);
  const auto get = [&](int p) { return dJointGetUniversalParam(k.joint, p); };
  const Limot limot1 = read_limot(get, 0), limot2 = read_limot(get, 1);
  limit_or_motor(k, limot1, if_stopped(limot1, angle1), axis1, true);
  limit_or_motor(k, limot2, if_stopped(limot2, angle2), axis2, true);
}

void fixed(const Context& k, const OdeRest& rest) {
  const double erp = dJointGetFixedParam(k.joint, dParamERP);
  const double cfm = dJointGetFixedParam(k.joint, dParamCFM);
  const Vector3d back = axes_of(k.pair.first) * rest.offset_first;  // from the second to the first
  const Vector3d apart = k.to_world() ? Vector3d(rest.offset - k.first.position)
                                      : Vector3d(k.second.position - k.first.position + back);
  for (int i = 0; i < 3; ++i) {
    const Vector3d e = Vector3d::Unit(i);
    OdeRow& row = k.add(e, k.to_world() ? Vector3d(Vector3d::Zero()) : Vector3d(e.cross(back)), -e,
                        Vector3d::Zero());
    k.error(row, apart[i], erp);
    row.cfm = cfm;
  }
  orientation(k, rest);
}

}  // namespace

OdeRest read_rest(dJointID joint) {
  const OdePair pair = bodies_of(joint);
  const Vector3d apart = place_of(pair.first) - place_of(pair.second);
  OdeRest rest;
  rest.turn = turn_of(pair.first).conjugate() * turn_of(pair.second);
  rest.offset = axes_of(pair.second).transpose() * apart;
  rest.offset_first = axes_of(pair.first).transpose() * apart;
  rest.axis.setZero();
  if (dJointGetType(joint) == dJointTypeHinge)
    rest.axis = axes_of(pair.second).transpose() * read(dJointGetHingeAxis, joint);
  return rest;
}

std::optional<OdeJoint> joint_rows(dJointID joint, const OdePair& pair, const OdeRest& rest,
                                   const OdeWorld& world, const OdeBody& first,
                                   const OdeBody& second) {
  OdeJoint out;
  const Context k{joint, pair, world, first, second, out};
  switch (dJointGetType(joint)) {
    case dJointTypeBall: {
      const Vector3d told1 = read(dJointGetBallAnchor, joint);
      const Vector3d told2 = read(dJointGetBallAnchor2, joint);
      ball(k, pair.reversed ? told2 : told1, pair.reversed ? told1 : told2,
           dJointGetBallParam(joint, dParamERP), dJointGetBallParam(joint, dParamCFM));
      break;
    }
    case dJointTypeHinge:
      hinge(k, rest);
      break;
    case dJointTypeSlider:
      slider(k, rest);
      break;
    case dJointTypeUniversal:
      universal(k);
      break;
    case dJointTypeFixed:
      fixed(k, rest);
      break;
    case dJointTypeNull:
      break;
    default:
      return std::nullopt;
  }
  return out;
}

std::vector<Vector3d> motor_axes(dJointID joint) {
  std::vector<Vector3d> axes;
  for (int i = 0; i < dJointGetAMotorNumAxes(joint); ++i) {
    dVector3 axis;
    dJointGetAMotorAxis(joint, i, axis);
    axes.push_back(eigen(axis));
  }
  return axes;
}

OdeJoint motor_rows(dJointID joint, const std::vector<Vector3d>& axes, const OdePair& pair,
                    const OdeWorld& world, const OdeBody& first, const OdeBody& second) {
  OdeJoint out;
  const Context k{joint, pair, world, first, second, out};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const int number = static_cast<int>(i);
    const Limot limot = read_limot([&](int p) { return dJointGetAMotorParam(joint, p); }, number);
    limit_or_motor(k, limot, dJointGetAMotorAngle(joint, number), axes[i], true);
  }
  return out;
}

VectorXd impulses_of(const std::vector<OdeRow>& rows, const Vector6& on_first,
                     const Vector6& on_second) {
  const auto count = static_cast<Index>(rows.size());
  Eigen::MatrixXd transposed(12, count);
  for (Index r = 0; r < count; ++r)
    transposed.col(r) << rows[static_cast<std::size_t>(r)].first,
        rows[static_cast<std::size_t>(r)].second;
  VectorXd wrench(12);
  wrench << on_first, on_second;
  return transposed.completeOrthogonalDecomposition().solve(wrench);
}

}  // namespace perpend::capture::from_ode
