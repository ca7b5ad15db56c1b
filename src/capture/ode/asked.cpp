#include "capture/ode/asked.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "capture/ode/frozen.hpp"

namespace perpend::capture {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoBound = 1e30;   // N s, where infinity means mu lambda_n
constexpr double kNoSlipMu = 1e10;  // mu = infinity

Vector6 wrench(const dReal* force, const dReal* torque) {
  Vector6 out;
  out << eigen(force), eigen(torque);
  return out;
}

// Bound of a friction row whose coefficient is a force, N s.
double constant_bound(double force, double h) {
  return std::isfinite(force) ? std::min(force * h, kNoBound) : kNoBound;
}

// A friction impulse that ODE left at its bound is that bound; ours is known up to what redundant
// contacts make of rounding: 1e-5 of it, or 1e-6 of the largest impulse, which is shared among
// them.
void snap_to_answer(OdeStep& step) {
  Rows<2>& bounds = step.record.frame.contacts.friction_bounds;
  const Rows3& z = step.record.answer.z;
  const double noise = 1e-6 * z.cwiseAbs().maxCoeff();
  for (Index i = 0; i < bounds.rows(); ++i)
    for (Index d = 0; d < 2; ++d)
      if (const double friction = std::abs(z(i, d + 1));
          bounds(i, d) > 0 &&
          std::abs(friction - bounds(i, d)) < std::max(noise, 1e-5 * bounds(i, d)))
        bounds(i, d) = friction;
}

}  // namespace

void OdeAsked::add(dSpaceID space) {
  for (int i = 0; i < dSpaceGetNumGeoms(space); ++i) {
    const dGeomID geom = dSpaceGetGeom(space, i);
    if (dGeomIsSpace(geom))
      add(reinterpret_cast<dSpaceID>(geom));
    else if (const dBodyID body = dGeomGetBody(geom))
      add(body);
  }
}

Index OdeAsked::add(dBodyID body) {
  const auto [at, added] = places_.emplace(body, static_cast<Index>(bodies_.size()));
  if (added) {
    bodies_.push_back(read_body(body, settings_));
    geoms_.push_back(nullptr);
  }
  return at->second;
}

Index OdeAsked::add_fixed(dGeomID geom) {
  const auto [at, added] = places_.emplace(geom, static_cast<Index>(bodies_.size()));
  if (added) {
    OdeBody fixed;
    if (geom && dGeomGetClass(geom) != dPlaneClass) {  // a plane has no pose
      dQuaternion q;
      dGeomGetQuaternion(geom, q);
      fixed.position = eigen(dGeomGetPosition(geom));
      fixed.orientation = quaternion(q);
    }
    bodies_.push_back(fixed);
    geoms_.push_back(geom);
  }
  return at->second;
}

const dJointFeedback* OdeAsked::lend(dJointID joint) {
  if (const dJointFeedback* theirs = dJointGetFeedback(joint)) return theirs;
  feedback_.emplace_back();
  dJointSetFeedback(joint, &feedback_.back());
  lent_.push_back(joint);
  return &feedback_.back();
}

void OdeAsked::give_back() {
  for (const dJointID joint : lent_) dJointSetFeedback(joint, nullptr);
  lent_.clear();
}

void OdeAsked::add_contact(dJointID joint, const OdePair& pair, const dContact& made) {
  const Index first = add(pair.first);
  // Where ODE has no second body it is the geom that is not the first one's.
  const dGeomID other = pair.reversed ? made.geom.g1 : made.geom.g2;
  const Index second =
      pair.second ? add(pair.second) : add_fixed(other && !dGeomGetBody(other) ? other : nullptr);
  contacts_.push_back({joint, lend(joint), first, second,
                       contact_rows(made, pair, settings_, body(first), body(second))});
}

void OdeAsked::add_joint(dJointID joint, const OdePair& pair, const OdeRest& rest) {
  const Index first = add(pair.first);
  const Index second = pair.second ? add(pair.second) : add_fixed(nullptr);
  JointOfTwo made{joint, lend(joint), pair, first, second, std::nullopt, std::nullopt};
  if (dJointGetType(joint) == dJointTypeAMotor)
    made.motor = motor_axes(joint);
  else
    made.rows = joint_rows(joint, pair, rest, settings_, body(first), body(second));
  joints_.push_back(std::move(made));
}

// A body that sleeps after the step slept in it, and so did joints between sleepers: a step wakes
// whatever is joined to somebody awake.
void OdeAsked::leave_out_sleepers() {
  const auto awake = [&](Index i) {
    const dBodyID one = body(i).body;
    return one && dBodyIsEnabled(one);
  };
  const auto asleep = [&](const auto& joint) {
    return !awake(joint.first) && !awake(joint.second);
  };
  std::erase_if(contacts_, asleep);
  std::erase_if(joints_, asleep);
  std::vector<Index> moved(bodies_.size(), -1);
  const auto keep = [&](Index i) { moved[static_cast<std::size_t>(i)] = 0; };
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (awake(static_cast<Index>(i))) moved[i] = 0;
  for (const Contact& one : contacts_) keep(one.first), keep(one.second);
  for (const JointOfTwo& one : joints_) keep(one.first), keep(one.second);
  Index next = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (moved[i] < 0) continue;
    moved[i] = next;
    bodies_[static_cast<std::size_t>(next)] = bodies_[i];
    geoms_[static_cast<std::size_t>(next)] = geoms_[i];
    ++next;
  }
  bodies_.resize(static_cast<std::size_t>(next));
  geoms_.resize(static_cast<std::size_t>(next));
  const auto follow = [&](auto& joint) {
    joint.first = moved[static_cast<std::size_t>(joint.first)];
    joint.second = moved[static_cast<std::size_t>(joint.second)];
  };
  for (Contact& one : contacts_) follow(one);
  for (JointOfTwo& one : joints_) follow(one);
}

// Rows of angular motors, now that their angles are known; what a motor at its stop does beside its
// row; and the whole force of joints whose rows are not known.
void OdeAsked::take_opaque(OdeStep& out) {
  for (JointOfTwo& one : joints_) {
    OdeBody &first = bodies_[static_cast<std::size_t>(one.first)],
            &second = bodies_[static_cast<std::size_t>(one.second)];
    if (one.motor) one.rows = motor_rows(one.joint, *one.motor, one.pair, settings_, first, second);
    if (one.rows) {
      first.force += one.rows->force_first;
      second.force += one.rows->force_second;
    } else {
      ++out.opaque;
      first.force += wrench(one.feedback->f1, one.feedback->t1);
      if (one.pair.second) second.force += wrench(one.feedback->f2, one.feedback->t2);
    }
  }
  std::erase_if(joints_, [](const JointOfTwo& one) { return !one.rows || one.rows->rows.empty(); });
}

OdeStep OdeAsked::answered(const Id& id_of, bool gave_up) {
  OdeStep out;
  out.gave_up = gave_up;
  out.method = method_;
  leave_out_sleepers();
  take_opaque(out);
  Integers counts;
  for (const JointOfTwo& one : joints_)
    counts.push_back(static_cast<std::int64_t>(one.rows->rows.size()));
  for (const Contact& one : contacts_)
    if (const Index rolling = (one.rows.rho.array() > 0).count(); rolling > 0)
      counts.push_back(rolling);
  out.record.frame =
      make_frame(static_cast<Index>(bodies_.size()), static_cast<Index>(contacts_.size()), counts);
  out.record.frame.step = settings_.h;
  fill_bodies(out, id_of);
  fill_contacts(out);
  fill_joints(out);
  fill_bounds(out);
  if (method_ == OdeMethod::quick_step && !bodies_.empty())
    out.record.answer.iterations = iterations_;
  return out;
}

void OdeAsked::fill_bodies(OdeStep& out, const Id& id_of) const {
  Bodies& b = out.record.frame.bodies;
  Rows6& plus = out.record.answer.velocities_plus;
  plus.resize(b.count(), 6);
  std::vector<Vector6> pulled(bodies_.size(), Vector6::Zero());
  const auto pull = [&](const auto& joint) {
    const dJointFeedback& felt = *joint.feedback;
    pulled[static_cast<std::size_t>(joint.first)] += wrench(felt.f1, felt.t1);
    if (!body(joint.second).fixed)
      pulled[static_cast<std::size_t>(joint.second)] += wrench(felt.f2, felt.t2);
  };
  for (const Contact& one : contacts_) pull(one);
  for (const JointOfTwo& one : joints_) pull(one);
  for (Index i = 0; i < b.count(); ++i) {
    const OdeBody& one = body(i);
    b.ids[static_cast<std::size_t>(i)] = id_of(one.body, geoms_[static_cast<std::size_t>(i)]);
    b.positions.row(i) = one.position.transpose();
    b.quaternions.row(i) << one.orientation.w(), one.orientation.vec().transpose();
    b.velocities.row(i) = one.velocity.transpose();
    plus.row(i) = one.velocity.transpose();
    b.masses[i] = one.mass;
    if (one.fixed) continue;
    b.inertia.row(i) = one.inertia.reshaped<Eigen::RowMajor>().transpose();
    b.forces.row(i) = one.force.transpose();
    plus.row(i) =
        solved_velocity(one, pulled[static_cast<std::size_t>(i)], settings_.h).transpose();
  }
}

void OdeAsked::fill_contacts(OdeStep& out) const {
  Contacts& k = out.record.frame.contacts;
  const Index m = k.count();
  const double h = settings_.h;
  k.points2.resize(m, 3);
  k.tangents.resize(m, 6);
  k.restitution.resize(m);
  k.bias.resize(m, 3);
  k.cfm.resize(m, 3);
  k.friction_bounds.resize(m, 2);
  Rows3& z = out.record.answer.z;
  z.resize(m, 3);
  const bool rolls = std::any_of(contacts_.begin(), contacts_.end(), [](const Contact& one) {
    return (one.rows.rho.array() > 0).any();
  });
  if (rolls) {
    k.rolling_mu = VectorXd::Zero(m);
    k.torsional_mu = VectorXd::Zero(m);
  }
  for (Index i = 0; i < m; ++i) {
    const Contact& one = contacts_[static_cast<std::size_t>(i)];
    const OdeContact& row = one.rows;
    out.contacts.push_back(one.joint);
    k.pairs.row(i) << one.first, one.second;
    k.normals.row(i) = row.n.transpose();
    k.tangents.row(i) << row.t.transpose(), row.o.transpose();
    k.points.row(i) = (row.point - body(one.first).position).transpose();
    k.points2.row(i) = (row.point - body(one.second).position).transpose();
    k.gap[i] = -row.depth;
    k.mu[i] = std::min(row.mu, kNoSlipMu);
    k.restitution[i] = row.restitution;
    k.bias.row(i) = -row.c.transpose();
    k.cfm.row(i) = row.cfm.transpose() / h;
    const Vector3d impulse = h * eigen(one.feedback->f1);  // on the first body
    z.row(i) << -row.n.dot(impulse), row.row_t ? -row.t.dot(impulse) : 0.0,
        row.row_o ? -row.o.dot(impulse) : 0.0;
    if (rolls) {
      k.rolling_mu[i] = row.rho[0];
      k.torsional_mu[i] = row.rho[2];
    }
  }
}

void OdeAsked::fill_joints(OdeStep& out) const {
  Joints& j = out.record.frame.joints;
  const double h = settings_.h;
  const Index r = j.row_count();
  j.rate = VectorXd::Zero(r);
  j.cfm.resize(r);
  j.bias = VectorXd::Zero(r);
  VectorXd& z = out.record.answer.z_joints;
  z.resize(r);
  Index row = 0, joint = 0;
  for (const JointOfTwo& one : joints_) {
    out.joints.push_back(one.joint);
    j.pairs.row(joint++) << one.first, one.second;
    const Vector6 on_second =
        one.pair.second ? wrench(one.feedback->f2, one.feedback->t2) : Vector6(Vector6::Zero());
    const VectorXd forces =
        impulses_of(one.rows->rows, wrench(one.feedback->f1, one.feedback->t1), on_second);
    for (std::size_t i = 0; i < one.rows->rows.size(); ++i, ++row) {
      const OdeRow& asked = one.rows->rows[i];
      j.jacobian.row(row) << asked.first.transpose(), asked.second.transpose();
      j.bounds.row(row) << h * asked.lower, h * asked.upper;
      j.violation[row] = asked.violation;
      j.rate[row] = asked.rate;
      j.cfm[row] = asked.cfm / h;
      j.bias[row] = -asked.c;
      z[row] = h * forces[static_cast<Index>(i)];
    }
  }
  // Rolling and spinning friction: rows without a place among contacts, about t, o, n.
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& one = contacts_[i];
    if (!(one.rows.rho.array() > 0).any()) continue;
    out.joints.push_back(one.joint);
    j.pairs.row(joint++) << one.first, one.second;
    const Vector3d arm = one.rows.point - body(one.first).position;
    const Vector3d torque = eigen(one.feedback->t1) - arm.cross(eigen(one.feedback->f1));
    const Vector3d axes[3] = {one.rows.t, one.rows.o, one.rows.n};
    for (int k = 0; k < 3; ++k) {
      if (!(one.rows.rho[k] > 0)) continue;
      j.jacobian.row(row) << 0, 0, 0, -axes[k].transpose(), 0, 0, 0, axes[k].transpose();
      j.cfm[row] = settings_.cfm / h;
      z[row] = -h * axes[k].dot(torque);
      ++row;
    }
  }
}

Index OdeAsked::rolling_rows() const {
  Index rows = 0;
  for (const Contact& one : contacts_) rows += (one.rows.rho.array() > 0).count();
  return rows;
}

// Bounds of friction, by the normal impulses that they belong to: of the first solve (dWorldStep),
// or of the answer where a row of ours cannot be bounded by mu lambda_n itself.
void OdeAsked::fill_bounds(OdeStep& out) const {
  Frame& frame = out.record.frame;
  Contacts& k = frame.contacts;
  const double h = settings_.h;
  const Rows3& z = out.record.answer.z;
  VectorXd pressing = z.col(0);
  const auto bounds = [&](bool row, bool coulomb, double mu, double lambda) {
    if (!row) return 0.0;
    return coulomb ? std::min(mu * std::abs(lambda), kNoBound) : constant_bound(mu, h);
  };
  const auto set = [&](auto&& pressing_of) {
    Index row = frame.joints.row_count() - rolling_rows();
    for (Index i = 0; i < k.count(); ++i) {
      const OdeContact& one = contacts_[static_cast<std::size_t>(i)].rows;
      const double lambda = pressing_of(i);
      k.friction_bounds.row(i) << bounds(one.row_t, one.coulomb_t, one.mu, lambda),
          bounds(one.row_o, one.coulomb_o, one.mu2, lambda);
      for (std::size_t a = 0; a < 3; ++a)
        if (const double rho = one.rho[static_cast<Index>(a)]; rho > 0) {
          const double bound = bounds(true, one.coulomb_rho[a], rho, lambda);
          frame.joints.bounds.row(row++) << -bound, bound;
        }
    }
  };
  if (method_ == OdeMethod::step && !out.gave_up && k.count() > 0) {
    set([](Index) { return 0.0; });
    if (invalid(frame).empty()) {
      const System system = assemble(frame, Model::engine);
      const Impulses first =
          solve_exactly(system, from_rows(system, z, out.record.answer.z_joints));
      out.bounds_known = first.size() > 0;
      for (Index i = 0; out.bounds_known && i < k.count(); ++i) pressing[i] = first[3 * i];
    }
    set([&](Index i) { return pressing[i]; });
    snap_to_answer(out);
    return;
  }
  set([&](Index i) { return pressing[i]; });
  // QuickStep's bounds follow the normal impulse, as ours do. What dWorldStep froze before it broke
  // off is not known.
  for (Index i = 0; i < k.count(); ++i) {
    const OdeContact& one = contacts_[static_cast<std::size_t>(i)].rows;
    if (one.row_t && one.coulomb_t && std::isfinite(one.mu)) k.friction_bounds(i, 0) = kInfinity;
    if (one.row_o && one.coulomb_o && one.mu2 == one.mu && std::isfinite(one.mu))
      k.friction_bounds(i, 1) = kInfinity;
  }
}

}  // namespace perpend::capture
