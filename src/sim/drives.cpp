#include "sim/drives.hpp"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <numbers>

#include "sim/bullet_types.hpp"

namespace perpend::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kKeys = 2000;  // of rows of drives; 10 for each axis
enum Key { kServo, kFriction, kRotor, kMimic };

int key_of(std::size_t axis, Key key) { return kKeys + 10 * static_cast<int>(axis) + key; }

JointRow row_along(const JointRow& coordinate, std::size_t axis, Key key) {
  JointRow row;
  row.jacobian = coordinate.jacobian;
  row.lower = -kInfinity;
  row.upper = kInfinity;
  row.position = false;
  row.key = key_of(axis, key);
  return row;
}

void bound(JointRow& row, double impulse) {
  row.lower = -impulse;
  row.upper = impulse;
}

Eigen::Matrix<double, 6, 1> velocity(const btRigidBody& body) {
  Eigen::Matrix<double, 6, 1> v = Eigen::Matrix<double, 6, 1>::Zero();
  if (!body.isStaticObject())
    v << from_bullet(body.getLinearVelocity()), from_bullet(body.getAngularVelocity());
  return v;
}

// A sum of six-vectors over bodies.
struct BodyTerm {
  const btRigidBody* body;
  Eigen::Matrix<double, 6, 1> jacobian;
};

void add(std::vector<BodyTerm>& terms, const btTypedConstraint& joint, const JointRow& coordinate,
         double factor) {
  const btRigidBody* bodies[2] = {&joint.getRigidBodyA(), &joint.getRigidBodyB()};
  for (const int side : {0, 1}) {
    const Eigen::Matrix<double, 6, 1> part = factor * coordinate.jacobian.segment<6>(6 * side);
    const auto found = std::find_if(terms.begin(), terms.end(),
                                    [&](const BodyTerm& t) { return t.body == bodies[side]; });
    if (found == terms.end())
      terms.push_back({bodies[side], part});
    else
      found->jacobian += part;
  }
}

}  // namespace

std::span<const std::size_t> free_axes_of(const btTypedConstraint& joint) {
  switch (joint.getConstraintType()) {
    case HINGE_CONSTRAINT_TYPE:
      return free_axes(Joint::Type::hinge);
    case SLIDER_CONSTRAINT_TYPE:
      return free_axes(Joint::Type::slider);
    case D6_CONSTRAINT_TYPE:
    case D6_SPRING_2_CONSTRAINT_TYPE:
      return free_axes(Joint::Type::generic);
    default:
      return {};
  }
}

double with_turns(double coordinate, std::size_t axis, double last) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return axis < 3 ? coordinate : coordinate + kTurn * std::round((last - coordinate) / kTurn);
}

double speed_of(const JointRow& coordinate, const btTypedConstraint& joint) {
  return coordinate.jacobian.head<6>().dot(velocity(joint.getRigidBodyA())) +
         coordinate.jacobian.tail<6>().dot(velocity(joint.getRigidBodyB()));
}

void drive_rows(const JointRow& coordinate, double q, double speed, const Joint::Drive& drive,
                double h, std::size_t axis, std::vector<JointRow>& out) {
  const double k = drive.stiffness, d = drive.damping, stiff = h * k + d;
  // Without an impulse that a double can tell there is nothing to hold.
  if (stiff > 0 && drive.max_force > 0 && std::isfinite(1 / (h * stiff))) {
    JointRow row = row_along(coordinate, axis, kServo);
    row.compliance = 1 / (h * stiff);
    row.rate = (k * (q - drive.position) - d * drive.speed) / stiff;
    bound(row, h * drive.max_force);
    out.push_back(row);
  }
  if (drive.friction > 0) {
    JointRow row = row_along(coordinate, axis, kFriction);
    bound(row, h * drive.friction);
    out.push_back(row);
  }
  if (drive.armature > 0 && std::isfinite(1 / drive.armature)) {
    JointRow row = row_along(coordinate, axis, kRotor);
    row.compliance = 1 / drive.armature;
    row.rate = -speed;
    out.push_back(row);
  }
}

void drive_rows(btTypedConstraint& joint, const JointDrives& drives, double h,
                std::vector<JointRow>& out) {
  const Coordinates coordinates = joint_coordinates(joint, drives.vector);
  for (std::size_t k = 0; k < 6; ++k) {
    if (!coordinates[k] || drives.axes[k] == Joint::Drive{}) continue;
    drive_rows(*coordinates[k], with_turns(coordinates[k]->violation, k, drives.coordinates[k]),
               speed_of(*coordinates[k], joint), drives.axes[k], h, k, out);
  }
}

std::optional<Eigen::Matrix<double, 12, 1>> pushed(btTypedConstraint& joint,
                                                   const JointDrives& drives) {
  std::optional<Eigen::Matrix<double, 12, 1>> out;
  for (std::size_t k = 0; k < 6; ++k) {
    if (drives.axes[k].force == 0) continue;
    const Coordinates coordinates = joint_coordinates(joint, drives.vector);
    if (!coordinates[k]) continue;
    if (!out) out = Eigen::Matrix<double, 12, 1>::Zero();
    *out += drives.axes[k].force * coordinates[k]->jacobian;
  }
  return out;
}

btTypedConstraint* followed_by(const btTypedConstraint& follower, const Drives& all) {
  const auto own = all.find(&follower);
  if (own == all.end() || !own->second.followed || !all.contains(own->second.followed)) return {};
  auto& followed = const_cast<btTypedConstraint&>(*own->second.followed);
  const bool coupled = follower.isEnabled() && followed.isEnabled() &&
                       free_axes_of(follower).size() == 1 && free_axes_of(followed).size() == 1;
  return coupled ? &followed : nullptr;
}

double mimic_violation(btTypedConstraint& follower, const Drives& all) {
  btTypedConstraint* followed = followed_by(follower, all);
  if (!followed) return 0;
  const auto coordinate = [&](btTypedConstraint& joint) {
    const std::size_t k = free_axes_of(joint)[0];
    return with_turns(joint_coordinates(joint)[k]->violation, k, all.at(&joint).coordinates[k]);
  };
  const JointDrives& own = all.at(&follower);
  return coordinate(follower) - (own.ratio * coordinate(*followed) + own.offset);
}

std::optional<MimicRow> mimic_row(btTypedConstraint& follower, btTypedConstraint& followed,
                                  const Drives& all, const StepBodies& bodies) {
  const JointDrives& drives = all.at(&follower);
  const std::size_t k = free_axes_of(follower)[0], k1 = free_axes_of(followed)[0];
  const JointRow c = *joint_coordinates(follower)[k], c1 = *joint_coordinates(followed)[k1];
  MimicRow out{row_along(c, k, kMimic), {}, {}};
  out.row.position = true;
  out.row.violation = mimic_violation(follower, all);
  std::vector<BodyTerm> terms;
  add(terms, follower, c, 1);
  add(terms, followed, c1, -drives.ratio);
  double given = 0;  // the speed that bodies which do not move by forces give
  std::erase_if(terms, [&](const BodyTerm& t) {
    if (const Index row = bodies.row(*t.body); row >= 0 && bodies.moves(row)) return false;
    given += t.jacobian.dot(velocity(*t.body));
    return true;
  });
  if (terms.empty()) return {};
  if (terms.size() > 2) {
    out.other = -drives.ratio * c1.jacobian;
    std::size_t i = 0;
    for (const btTypedConstraint* joint : {&follower, &followed}) {
      out.bodies[i++] = &joint->getRigidBodyA();
      out.bodies[i++] = &joint->getRigidBodyB();
    }
    return out;
  }
  out.row.jacobian.setZero();
  out.row.rate = given;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    out.bodies[i] = terms[i].body;
    out.row.jacobian.segment<6>(6 * static_cast<Index>(i)) = terms[i].jacobian;
  }
  return out;
}

void note_drives(const HeldJoints& held, const VectorXd& impulses, double h, Drives& all) {
  for (auto& [joint, drives] : all) {
    const Coordinates coordinates =
        joint_coordinates(const_cast<btTypedConstraint&>(*joint), drives.vector);
    for (std::size_t k = 0; k < 6; ++k) {
      if (coordinates[k])
        drives.coordinates[k] = with_turns(coordinates[k]->violation, k, drives.coordinates[k]);
      drives.forces[k] = joint->isEnabled() ? drives.axes[k].force : 0;
    }
  }
  for (const HeldJoint& joint : held.list) {
    const auto found = all.find(joint.joint);
    if (!joint.joint || found == all.end()) continue;
    for (Index r = joint.start; r < joint.start + joint.count; ++r) {
      const int key = held.rows[static_cast<std::size_t>(r)].key - kKeys;
      if (key < 0 || key % 10 == kRotor) continue;
      found->second.forces[static_cast<std::size_t>(key / 10)] += impulses[r] / h;
    }
  }
}

}  // namespace perpend::sim
