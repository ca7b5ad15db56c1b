#include "sim/held_joints.hpp"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/bullet_types.hpp"
#include "sim/drives.hpp"

namespace perpend::sim {
namespace {

void append_locks(const btRigidBody& body, std::vector<JointRow>& rows) {
  for (int k = 0; k < 6; ++k) {
    const btVector3& factor = k < 3 ? body.getLinearFactor() : body.getAngularFactor();
    const bool locked = factor[k % 3] == 0 || (k >= 3 && body.getInvInertiaDiagLocal()[k % 3] == 0);
    if (!locked) continue;
    JointRow row;
    row.jacobian.setZero();
    Vector3d axis = Vector3d::Unit(k % 3);
    if (k >= 3 && factor[k % 3] != 0)  // a principal axis of the body
      axis = from_bullet(body.getCenterOfMassTransform().getBasis().getColumn(k % 3));
    row.jacobian.segment<3>(k < 3 ? 6 : 9) = axis;
    row.lower = -std::numeric_limits<double>::infinity();
    row.upper = std::numeric_limits<double>::infinity();
    row.key = k;
    rows.push_back(row);
  }
}

const JointDrives* drives_of(const Drives* drives, const btTypedConstraint* joint) {
  if (!drives) return nullptr;
  const auto found = drives->find(joint);
  return found == drives->end() || !found->second.any() ? nullptr : &found->second;
}

// Rows of the joint were appended from `start` on.
void finish(HeldJoints& held, HeldJoint joint) {
  joint.count = static_cast<Index>(held.rows.size()) - joint.start;
  if (joint.count > 0) held.list.push_back(joint);
}

}  // namespace

HeldJoints held_joints(const std::vector<btTypedConstraint*>& joints, const StepBodies& bodies,
                       double h, const Drives* drives, double erp) {
  HeldJoints held;
  held.drives = drives;
  const auto row_or_world = [&](const btRigidBody& body) {
    const Index row = bodies.row(body);
    if (row >= 0) return row;
    held.world = true;
    return bodies.count();
  };
  constexpr std::size_t kUsual = 6;  // rows of a joint
  held.list.reserve(joints.size());
  held.rows.reserve(kUsual * joints.size());
  for (btTypedConstraint* joint : joints) {
    if (!joint->isEnabled()) continue;
    const Index a = row_or_world(joint->getRigidBodyA()), b = row_or_world(joint->getRigidBodyB());
    if (!bodies.moves(a) && !bodies.moves(b)) continue;
    const auto start = static_cast<Index>(held.rows.size());
    joint_rows(*joint, h, held.rows, erp);
    if (const JointDrives* own = drives_of(drives, joint)) {
      drive_rows(*joint, *own, h, held.rows);
      if (const auto push = pushed(*joint, *own)) held.pushes.push_back({a, b, *push});
    }
    finish(held, {joint, a, b, start, 0});
  }
  for (btTypedConstraint* joint : joints) {
    btTypedConstraint* followed = drives ? followed_by(*joint, *drives) : nullptr;
    if (!followed) continue;
    const std::optional<MimicRow> mimic = mimic_row(*joint, *followed, *drives, bodies);
    if (!mimic) continue;
    const auto row_of = [&](const btRigidBody* body) {
      return row_or_world(body ? *body : btTypedConstraint::getFixedBody());
    };
    const Index a = row_of(mimic->bodies[0]), b = row_of(mimic->bodies[1]);
    const auto start = static_cast<Index>(held.rows.size());
    held.rows.push_back(mimic->row);
    if (mimic->other)
      held.others.push_back({static_cast<Index>(held.list.size()), row_of(mimic->bodies[2]),
                             row_of(mimic->bodies[3]), *mimic->other});
    finish(held, {nullptr, a, b, start, 0, joint});
  }
  for (Index i = 0; i < bodies.count(); ++i) {
    if (!bodies[i].moves) continue;
    const auto start = static_cast<Index>(held.rows.size());
    append_locks(*bodies[i].rigid, held.rows);
    if (static_cast<Index>(held.rows.size()) > start)
      finish(held, {nullptr, row_or_world(btTypedConstraint::getFixedBody()), i, start, 0});
  }
  return held;
}

Integers joint_ids(const HeldJoints& held) {
  Integers out;
  bool any = false;
  for (const HeldJoint& joint : held.list) {
    out.push_back(joint.joint ? joint.joint->getUserConstraintId() : -1);
    any |= out.back() >= 0;
  }
  if (!any) out.clear();
  return out;
}

HeldJoints positions_alone(const HeldJoints& all) {
  HeldJoints held;
  held.world = all.world;
  auto other = all.others.begin();
  for (const HeldJoint& joint : all.list) {
    const auto start = static_cast<Index>(held.rows.size());
    for (Index r = joint.start; r < joint.start + joint.count; ++r)
      if (const JointRow& row = all.rows[static_cast<std::size_t>(r)]; row.position)
        held.rows.emplace_back(row).most = std::numeric_limits<double>::infinity();
    finish(held, {joint.joint, joint.first, joint.second, start, 0, joint.follower});
    if (other == all.others.end() || &joint != &all.list[static_cast<std::size_t>(other->joint)])
      continue;
    held.others.push_back(*other++);
    held.others.back().joint = static_cast<Index>(held.list.size()) - 1;
  }
  return held;
}

void leave_for_later(HeldJoints& held, const StepBodies& bodies, double h, double max_push) {
  constexpr double kMore = 4;  // than the bend
  for (const HeldJoint& joint : held.list) {
    double most = max_push * h;
    bool open = false;
    for (Index r = joint.start; r < joint.start + joint.count; ++r)
      open |= std::abs(held.rows[static_cast<std::size_t>(r)].violation) > most;
    if (!open) continue;
    for (const Index body : {joint.first, joint.second})
      if (body < bodies.count()) most += kMore * bodies[body].bend();
    for (Index r = joint.start; r < joint.start + joint.count; ++r) {
      JointRow& row = held.rows[static_cast<std::size_t>(r)];
      if (!(row.position || row.limit()) || row.compliance != 0) continue;
      constexpr double inf = std::numeric_limits<double>::infinity();
      const double low = row.upper == 0 ? -inf : -most, high = row.lower == 0 ? inf : most;
      row.later = row.violation - std::clamp(row.violation, low, high);
    }
  }
}

void leave_as(const HeldJoints& before, HeldJoints& now) {
  auto next = before.list.begin();
  for (const HeldJoint& joint : now.list) {
    const auto old = std::find_if(next, before.list.end(), [&](const HeldJoint& one) {
      return one.joint == joint.joint && one.first == joint.first && one.second == joint.second;
    });
    if (old == before.list.end()) continue;
    next = old + 1;
    for (Index r = joint.start; r < joint.start + joint.count; ++r)
      for (Index k = old->start; k < old->start + old->count; ++k)
        if (JointRow& row = now.rows[static_cast<std::size_t>(r)];
            row.key == before.rows[static_cast<std::size_t>(k)].key)
          row.later = before.rows[static_cast<std::size_t>(k)].later;
  }
}

}  // namespace perpend::sim
