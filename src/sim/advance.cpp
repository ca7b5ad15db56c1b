#include "sim/advance.hpp"

#include <cmath>

#include "sim/bullet_body.hpp"
#include "sim/pair_contacts.hpp"

namespace perpend::sim {

void advance(const StepBodies& bodies, const Rows6& velocities_plus, double h) {
  for (Index i = 0; i < bodies.count(); ++i) {
    if (!bodies[i].moves) continue;
    const Vector3d v = velocities_plus.row(i).head<3>().transpose();
    const Vector3d w = velocities_plus.row(i).tail<3>().transpose();
    btRigidBody& body = *bodies[i].rigid;
    body.setLinearVelocity(to_bullet(v));
    body.setAngularVelocity(to_bullet(w));
    move(body, h * v, h * w);
  }
}

void write_contacts(const Touches& touches, std::span<const Vector3d> impulses) {
  for (const TouchPair& pair : touches.pairs) {
    const auto start = static_cast<std::size_t>(pair.start),
               count = static_cast<std::size_t>(pair.count);
    if (pair.contacts)
      pair.contacts->keep(std::span(touches.list).subspan(start, count),
                          impulses.subspan(start, count));
  }
}

void write_joint_impulses(btTypedConstraint& joint, std::span<const JointRow> rows,
                          const VectorXd& impulses, double h) {
  Eigen::Matrix<double, 12, 1> wrench = Eigen::Matrix<double, 12, 1>::Zero();
  for (std::size_t r = 0; r < rows.size(); ++r)
    wrench += rows[r].jacobian * impulses[static_cast<Index>(r)];
  if (btJointFeedback* feedback = joint.getJointFeedback()) {
    const btRigidBody &a = joint.getRigidBodyA(), &b = joint.getRigidBodyB();
    feedback->m_appliedForceBodyA = to_bullet(wrench.segment<3>(0) / h) * a.getLinearFactor();
    feedback->m_appliedTorqueBodyA = to_bullet(wrench.segment<3>(3) / h) * a.getAngularFactor();
    feedback->m_appliedForceBodyB = to_bullet(wrench.segment<3>(6) / h) * b.getLinearFactor();
    feedback->m_appliedTorqueBodyB = to_bullet(wrench.segment<3>(9) / h) * b.getAngularFactor();
  }
  const double force = wrench.segment<3>(6).norm(), torque = wrench.segment<3>(9).norm();
  const double applied = force > 0 ? force : torque;
  joint.internalSetAppliedImpulse(applied);
  // As in Bullet: where a row reaches the threshold, which bounds it.
  constexpr double kRounding = 1e-9;  // of an impulse at its bound
  const double breaks = (1 - kRounding) * joint.getBreakingImpulseThreshold();
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (std::isfinite(rows[r].most) && std::abs(impulses[static_cast<Index>(r)]) >= breaks)
      joint.setEnabled(false);
}

void write_joints(const HeldJoints& joints, const VectorXd& impulses, double h, Memory& memory) {
  for (const HeldJoint& held : joints.list) {
    const btTypedConstraint* owner = held.joint ? held.joint : held.follower;
    if (!owner) continue;
    std::vector<Memory::RowImpulse>& kept = memory.joints[owner];
    const auto rows =
        std::span(joints.rows)
            .subspan(static_cast<std::size_t>(held.start), static_cast<std::size_t>(held.count));
    // The row of a mimic stands beside those of the joint that follows.
    std::erase_if(kept, [&](const Memory::RowImpulse& old) {
      return held.joint || old.key == rows.front().key;
    });
    const auto own = impulses.segment(held.start, held.count);
    for (std::size_t r = 0; r < rows.size(); ++r)
      kept.push_back({rows[r].key, own[static_cast<Index>(r)]});
    if (held.joint) write_joint_impulses(*held.joint, rows, own, h);
  }
}

}  // namespace perpend::sim
