#include "sim/step.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>

#include <algorithm>
#include <cmath>

#include "perpend/measure.hpp"
#include "sim/bullet_body.hpp"
#include "sim/pair_contacts.hpp"
#include "sim/stopwatch.hpp"

namespace perpend::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Contacts this close belong to the set even when nothing moves. m
constexpr double kSkin = 1e-4;

double radius_about_centre(const btCollisionObject& object) {
  btVector3 centre;
  btScalar radius;
  object.getCollisionShape()->getBoundingSphere(centre, radius);
  return centre.length() + radius;
}

}  // namespace

void Step::begin(double h) {
  h_ = h;
  velocities_plus_.resize(0, 6);
  place_kinematic();
  order_bodies();
  for (Moving& m : bodies_) {
    m.rigid = btRigidBody::upcast(m.object);
    m.moves = m.rigid && !m.rigid->isStaticOrKinematicObject() && m.rigid->getInvMass() > 0 &&
              m.rigid->isActive();
    m.velocity = m.spin = m.way = m.angle = m.gyroscopic = Vector3d::Zero();
    m.radius = 0;
    m.reach = kSkin;
    if (!m.rigid) continue;
    m.velocity = from_bullet(m.rigid->getLinearVelocity());
    m.spin = from_bullet(m.rigid->getAngularVelocity());
    m.way = h * m.velocity;
    m.angle = h * m.spin;
    if (m.moves) {
      m.radius = radius_about_centre(*m.object);
      m.inertia = world_inertia(*m.rigid);
      m.gyroscopic = gyroscopic_torque(*m.rigid, m.inertia, h);
      m.velocity += h * m.rigid->getInvMass() * from_bullet(m.rigid->getTotalForce());
      m.spin += h * m.inertia.llt().solve(from_bullet(m.rigid->getTotalTorque()) + m.gyroscopic);
    } else if (m.rigid->isKinematicObject() && !m.spin.isZero(0)) {
      m.radius = radius_about_centre(*m.object);
    }
    m.extend(h);
  }
}

// Bodies fell asleep or woke up since.
void Step::begin_again_if_woken() {
  for (const Moving& m : bodies_)
    if (m.rigid && !m.rigid->isStaticOrKinematicObject() && m.rigid->getInvMass() > 0 &&
        m.rigid->isActive() != m.moves) {
      begin(h_);
      return;
    }
}

bool Step::Moving::still() const { return reach == kSkin; }

void Step::Moving::extend(double h) {
  const double turn = h * spin.norm() * radius + kSkin;
  reach = std::max(reach, h * velocity.norm() + turn);
}

void Step::fill_bodies(Frame& frame) {
  const Index n = static_cast<Index>(bodies_.size());
  frame = make_frame(n, 0);
  frame.step = h_;
  frame.stepper = options.stepper;
  Bodies& out = frame.bodies;
  for (Index i = 0; i < n; ++i) {
    const Moving& m = bodies_[static_cast<std::size_t>(i)];
    out.ids[static_cast<std::size_t>(i)] = m.id;
    fill_body(out, i, *m.object, m.moves, m.inertia, m.gyroscopic);
  }
}

void Step::fill_contacts(Frame& frame) {
  const Index m = static_cast<Index>(touches_.size());
  Contacts& out = frame.contacts;
  out.pairs.resize(m, 2);
  out.normals.resize(m, 3);
  out.points.resize(m, 3);
  out.tangents.resize(m, 6);
  out.gap.resize(m);
  out.mu.resize(m);
  out.ids.resize(static_cast<std::size_t>(m));
  bool bounces = false;
  VectorXd restitution(m);
  out.group.assign(static_cast<std::size_t>(m), -1);
  std::int64_t group = -1;
  std::uint64_t label = 0;  // of the contact before
  for (const Pair& pair : pairs_) {
    label = 0;
    for (Index i = pair.start; i < pair.start + pair.count; ++i) {
      const PairContacts::Touch& touch = touches_[static_cast<std::size_t>(i)];
      if (touch.point.group != 0) {
        if (touch.point.group != label) ++group;
        out.group[static_cast<std::size_t>(i)] = group;
      }
      label = touch.point.group;
      out.pairs.row(i) << pair.first, pair.second;
      out.normals.row(i) = touch.point.normal.transpose();
      out.tangents.row(i) << touch.tangents.t.transpose(), touch.tangents.o.transpose();
      out.points.row(i) = touch.point.first.transpose() - frame.bodies.positions.row(pair.first);
      out.gap[i] = std::max(touch.point.gap, -options.max_push * h_);
      out.mu[i] = touch.mu;
      restitution[i] = touch.restitution;
      bounces |= touch.restitution > 0;
      // Ids of bodies and features, mixed into one positive number.
      std::uint64_t id = touch.point.feature;
      for (Index body : {pair.first, pair.second}) {
        const auto uid =
            static_cast<std::uint64_t>(frame.bodies.ids[static_cast<std::size_t>(body)]);
        id = (id ^ (id >> 31)) * 0x9e3779b97f4a7c15u + uid;
      }
      out.ids[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(id >> 1);
    }
  }
  if (bounces) out.restitution = restitution;
  if (group < 0) out.group.clear();
}

Index Step::body_row(const btRigidBody& body, Frame& frame) {
  if (const Index found = this->row(body); found >= 0) return found;
  // The world itself, or a body that was never added: one fixed row at the end.
  const Index row = static_cast<Index>(bodies_.size());
  if (frame.bodies.count() == row) {
    Frame larger = make_frame(row + 1, 0);
    larger.step = frame.step;
    larger.stepper = frame.stepper;
    larger.contacts = frame.contacts;
    Bodies &to = larger.bodies, &from = frame.bodies;
    to.masses << from.masses, 0;
    to.inertia << from.inertia, Rows<9>::Zero(1, 9);
    to.positions << from.positions, Rows3::Zero(1, 3);
    to.quaternions << from.quaternions, Eigen::RowVector4d(1, 0, 0, 0);
    to.velocities << from.velocities, Rows6::Zero(1, 6);
    to.forces << from.forces, Rows6::Zero(1, 6);
    to.ids = from.ids;
    to.ids.push_back(-1);
    frame = std::move(larger);
  }
  return row;
}

void Step::fill_joints(Frame& frame, double h, bool positions_only) {
  joints_.clear();
  joint_rows_.clear();
  std::vector<std::pair<Index, Index>> pairs;
  const auto moves = [&](Index row) {
    return row < static_cast<Index>(bodies_.size()) && bodies_[static_cast<std::size_t>(row)].moves;
  };
  const auto finish = [&](btTypedConstraint* joint, Index a, Index b, std::size_t start) {
    if (positions_only)
      joint_rows_.erase(
          std::remove_if(joint_rows_.begin() + static_cast<std::ptrdiff_t>(start),
                         joint_rows_.end(), [](const JointRow& row) { return !row.position; }),
          joint_rows_.end());
    if (joint_rows_.size() == start) return;
    joints_.push_back(
        {joint, static_cast<Index>(start), static_cast<Index>(joint_rows_.size() - start)});
    pairs.emplace_back(a, b);
  };
  for (btTypedConstraint* joint : ordered_joints()) {
    if (!joint->isEnabled()) continue;
    const Index a = body_row(joint->getRigidBodyA(), frame),
                b = body_row(joint->getRigidBodyB(), frame);
    if (!moves(a) && !moves(b)) continue;
    const std::size_t start = joint_rows_.size();
    joint_rows(*joint, h, joint_rows_);
    finish(joint, a, b, start);
  }
  // Directions in which Bullet's users have forbidden a body to move.
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].moves) continue;
    const btRigidBody& body = *bodies_[i].rigid;
    const std::size_t start = joint_rows_.size();
    for (int k = 0; k < 6; ++k) {
      const btVector3& factor = k < 3 ? body.getLinearFactor() : body.getAngularFactor();
      const bool locked =
          factor[k % 3] == 0 || (k >= 3 && body.getInvInertiaDiagLocal()[k % 3] == 0);
      if (!locked) continue;
      JointRow row;
      row.jacobian.setZero();
      Vector3d axis = Vector3d::Unit(k % 3);
      if (k >= 3 && factor[k % 3] != 0)  // a principal axis of the body
        axis = from_bullet(body.getCenterOfMassTransform().getBasis().getColumn(k % 3));
      row.jacobian.segment<3>(k < 3 ? 6 : 9) = axis;
      row.lower = -kInfinity;
      row.upper = kInfinity;
      row.key = k;
      joint_rows_.push_back(row);
    }
    if (joint_rows_.size() > start)
      finish(nullptr, body_row(btTypedConstraint::getFixedBody(), frame), static_cast<Index>(i),
             start);
  }

  Joints& out = frame.joints;
  const Index count = static_cast<Index>(joints_.size()),
              rows = static_cast<Index>(joint_rows_.size());
  out.pairs.resize(count, 2);
  out.rows.clear();
  out.jacobian.resize(rows, 12);
  out.bounds.resize(rows, 2);
  out.violation.resize(rows);
  out.rate.resize(rows);
  for (Index k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    out.pairs.row(k) << pairs[at].first, pairs[at].second;
    out.rows.push_back(joints_[at].count);
  }
  for (Index r = 0; r < rows; ++r) {
    const JointRow& row = joint_rows_[static_cast<std::size_t>(r)];
    out.jacobian.row(r) = row.jacobian.transpose();
    out.bounds.row(r) << row.lower, row.upper;
    out.violation[r] = row.violation;
    out.rate[r] = row.rate;
  }
}

Frame Step::frame() {
  Frame out;
  fill_bodies(out);
  fill_contacts(out);
  fill_joints(out, h_, false);
  return out;
}

void Step::solve() {
  {
    Stopwatch watch(report.formulation_seconds);
    frame_ = frame();
  }
  solve_islands();
  // Twice is enough for a blow that is passed on; the rest is for the next step.
  for (int attempt = 0; attempt < 2 && !over() && reached_farther(); ++attempt) {
    ++report.retries;
    {
      Stopwatch watch(report.formulation_seconds);
      frame_ = frame();
    }
    for (Moving& m : bodies_)
      if (m.moves) {
        m.velocity = from_bullet(m.rigid->getLinearVelocity()) +
                     h_ * m.rigid->getInvMass() * from_bullet(m.rigid->getTotalForce());
        m.spin = from_bullet(m.rigid->getAngularVelocity()) +
                 h_ * m.inertia.llt().solve(from_bullet(m.rigid->getTotalTorque()) + m.gyroscopic);
      }
    solve_islands();
  }
  remember_short();
  report.contacts = frame_.contacts.count();
  report.joint_rows = frame_.joints.row_count();
}

}  // namespace perpend::sim
