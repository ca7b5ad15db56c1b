#include "sim/step_frame.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace perpend::sim {
namespace {

// Ids of bodies and features, mixed into one positive number.
std::int64_t contact_id(std::uint64_t feature, std::int64_t first, std::int64_t second) {
  std::uint64_t id = feature;
  for (std::int64_t body : {first, second})
    id = (id ^ (id >> 31)) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(body);
  return static_cast<std::int64_t>(id >> 1);
}

// Of a point r that turns about n with `spin`: by how much its mean velocity over the step, the
// chord ((R - 1) r)/h, differs from its velocity at the start.
Vector3d bend(double spin, const Vector3d& n, const Vector3d& r, double h) {
  const double angle = spin * h, half = std::sin(angle / 2);
  const Vector3d across = n.cross(r);
  return (std::sin(angle) - angle) / h * across + 2 * half * half / h * n.cross(across);
}

// A driven surface that turns below a body carries it along a chord of its circle, not along the
// tangent, on which it would spiral outwards. Where the body is carried the mean velocity of the
// surface below it is greater by the bend of its centre; `centre` and `velocity` are relative to
// those of the driven body, and a ball that the surface slips or rolls away under is not carried.
// About the normal only: a roller carries what lies on it straight ahead.
Vector3d more_than_now(const Vector3d& centre, const Vector3d& velocity, const Vector3d& spin,
                       const Vector3d& n, double h) {
  const double about = spin.dot(n);
  const Vector3d came = about * n.cross(centre) - bend(-about, n, centre, h);  // if it was carried
  if (came.isZero(0)) return Vector3d::Zero();
  const double carried = std::clamp(velocity.dot(came) / came.squaredNorm(), 0.0, 1.0);
  return carried * bend(about, n, centre, h);
}

// By how much the mean velocities of turning surfaces differ from those of now.
void use_chords(Contacts& contacts, const Touches& touches, const Bodies& bodies, double h) {
  const auto driven = [&](Index body) {
    return bodies.fixed(body) && !bodies.velocities.row(body).tail<3>().isZero(0);
  };
  // Of the driven body, for contact i with the other one.
  const auto more = [&](Index body, Index other, Index i) {
    const Vector3d spin = bodies.velocities.row(body).tail<3>().transpose();
    const Vector3d centre = (bodies.positions.row(other) - bodies.positions.row(body)).transpose();
    const Vector3d velocity =
        (bodies.velocities.row(other) - bodies.velocities.row(body)).head<3>().transpose();
    const Vector3d n = contacts.normals.row(i).transpose();
    return more_than_now(centre, velocity, spin, n, h);
  };
  for (const TouchPair& pair : touches.pairs) {
    const Index a = pair.first, b = pair.second;
    if (!driven(a) && !driven(b)) continue;
    for (Index i = pair.start; i < pair.start + pair.count; ++i) {
      const Vector3d relative = driven(a) ? Vector3d(-more(a, b, i)) : more(b, a, i);
      if (relative.isZero(0)) continue;
      if (contacts.surface_velocity.rows() == 0)
        contacts.surface_velocity = Rows3::Zero(contacts.count(), 3);
      contacts.surface_velocity.row(i) = relative.transpose();
    }
  }
}

}  // namespace

void ask_for(Contacts& contacts, Index i, double gap) {
  if (gap == contacts.asked_gap()[i]) return;
  if (contacts.push.size() == 0) contacts.push = contacts.gap;
  contacts.push[i] = gap;
}

Contacts contact_columns(const Touches& touches, const Bodies& bodies, double deepest) {
  const Index m = static_cast<Index>(touches.list.size());
  Contacts out;
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
  for (const TouchPair& pair : touches.pairs) {
    std::uint64_t label = 0;  // of the contact before
    for (Index i = pair.start; i < pair.start + pair.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Touch& touch = touches.list[at];
      if (touch.point.group != 0) {
        if (touch.point.group != label) ++group;
        out.group[at] = group;
      }
      label = touch.point.group;
      out.pairs.row(i) << pair.first, pair.second;
      out.normals.row(i) = touch.point.normal.transpose();
      out.tangents.row(i) << touch.tangents.t.transpose(), touch.tangents.o.transpose();
      out.points.row(i) = touch.point.first.transpose() - bodies.positions.row(pair.first);
      out.gap[i] = touch.point.gap;
      out.mu[i] = touch.mu;
      restitution[i] = touch.restitution;
      bounces |= touch.restitution > 0;
      out.ids[at] =
          contact_id(touch.point.feature, bodies.ids[static_cast<std::size_t>(pair.first)],
                     bodies.ids[static_cast<std::size_t>(pair.second)]);
    }
  }
  if (bounces) out.restitution = restitution;
  if (group < 0) out.group.clear();
  for (Index i = 0; i < m; ++i) ask_for(out, i, std::max(out.gap[i], -deepest));
  return out;
}

Joints joint_columns(const HeldJoints& held) {
  Joints out;
  const auto count = static_cast<Index>(held.list.size()),
             rows = static_cast<Index>(held.rows.size());
  out.pairs.resize(count, 2);
  out.jacobian.resize(rows, 12);
  out.bounds.resize(rows, 2);
  out.violation.resize(rows);
  out.rate.resize(rows);
  out.rows.reserve(held.list.size());
  for (Index k = 0; k < count; ++k) {
    const HeldJoint& joint = held.list[static_cast<std::size_t>(k)];
    out.pairs.row(k) << joint.first, joint.second;
    out.rows.push_back(joint.count);
  }
  for (Index r = 0; r < rows; ++r) {
    const JointRow& row = held.rows[static_cast<std::size_t>(r)];
    out.jacobian.row(r) = row.jacobian.transpose();
    out.bounds.row(r) << std::max(row.lower, -row.most), std::min(row.upper, row.most);
    out.violation[r] = row.violation - row.later;
    out.rate[r] = row.rate;
    if (row.compliance == 0) continue;
    if (out.compliance.size() == 0) out.compliance = VectorXd::Zero(rows);
    out.compliance[r] = row.compliance;
  }
  if (held.others.empty()) return out;
  out.pairs2 = out.pairs;
  out.jacobian2.setZero(rows, 12);
  for (const HeldJoints::Other& other : held.others) {
    out.pairs2.row(other.joint) << other.first, other.second;
    out.jacobian2.row(held.list[static_cast<std::size_t>(other.joint)].start) =
        other.jacobian.transpose();
  }
  return out;
}

Bodies with_world(const Bodies& from) {
  Bodies to = make_frame(from.count() + 1, 0).bodies;
  to.masses << from.masses, 0;
  to.inertia << from.inertia, Rows<9>::Zero(1, 9);
  to.positions << from.positions, Rows3::Zero(1, 3);
  to.quaternions << from.quaternions, Eigen::RowVector4d(1, 0, 0, 0);
  to.velocities << from.velocities, Rows6::Zero(1, 6);
  to.forces << from.forces, Rows6::Zero(1, 6);
  to.ids = from.ids;
  to.ids.push_back(-1);
  return to;
}

Frame step_frame(Bodies bodies, const Touches& touches, const HeldJoints& held, double h,
                 Stepper stepper, double max_push) {
  Frame frame;
  frame.step = h;
  frame.stepper = stepper;
  frame.contacts = contact_columns(touches, bodies, max_push * h);
  use_chords(frame.contacts, touches, bodies, h);
  frame.joints = joint_columns(held);
  frame.bodies = held.world ? with_world(bodies) : std::move(bodies);
  for (const HeldJoints::Push& push : held.pushes)
    for (const Index side : {0, 1}) {
      const Index body = side == 0 ? push.first : push.second;
      if (!frame.bodies.fixed(body))
        frame.bodies.forces.row(body) += push.force.segment<6>(6 * side).transpose();
    }
  return frame;
}

}  // namespace perpend::sim
