#include "capture/mujoco/tree.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

namespace perpend::capture::from_mujoco {
namespace {

// A motion as MuJoCo writes it, from one point to another and linear part first.
Twist motion_at(const Vector6& spatial, const Vector3d& from, const Vector3d& to) {
  Twist out;
  const Vector3d turning = kMujoco.angular(spatial);
  out << kMujoco.linear(spatial) + turning.cross(to - from), turning;
  return out;
}

Vector6 six(const mjtNum* x) { return Eigen::Map<const Vector6>(x); }

// An orthonormal basis of what is orthogonal to the columns of S: unit directions (three
// translations, three rotations), the farthest from all taken so far first, made orthogonal. A
// hinge so gets three translations and two rotations.
Eigen::Matrix<double, 6, -1> complement(const Eigen::Matrix<double, 6, -1>& S) {
  Eigen::Matrix<double, 6, -1> basis(6, 6);
  Index taken = 0;
  const auto orthogonal = [&](Vector6 x) {
    for (int twice = 0; twice < 2; ++twice)
      for (Index k = 0; k < taken; ++k) x -= basis.col(k).dot(x) * basis.col(k);
    return x;
  };
  for (Index k = 0; k < S.cols(); ++k) {
    basis.col(taken) = orthogonal(S.col(k)).normalized();
    ++taken;
  }
  while (taken < 6) {
    Vector6 best = Vector6::Zero();
    for (Index k = 0; k < 6; ++k) {
      const Vector6 next = orthogonal(Vector6::Unit(k));
      if (next.norm() > best.norm() + 1e-9) best = next;
    }
    basis.col(taken) = best.normalized();
    ++taken;
  }
  return basis.rightCols(6 - S.cols());
}

// Of every body, the axes of all joints above it (or their rates) times the joints' velocities, as
// MuJoCo writes it.
std::vector<Vector6> summed(const std::vector<TreeBody>& bodies, const mjtNum* axes,
                            const mjtNum* velocities) {
  std::vector<Vector6> out(bodies.size(), Vector6::Zero());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const TreeBody& body = bodies[i];
    if (body.parent < 0) continue;
    out[i] = out[static_cast<std::size_t>(body.parent)];
    for (int k = 0; k < body.dofs; ++k)
      out[i] += six(axes + 6 * (body.first_dof + k)) * velocities[body.first_dof + k];
  }
  return out;
}

}  // namespace

Wrench moved(const Wrench& wrench, const Vector3d& from, const Vector3d& to) {
  Wrench out = wrench;
  out.tail<3>() += (from - to).cross(wrench.head<3>());
  return out;
}

Tree::Tree(const mjModel& m, const mjData& d) : m_(m), d_(d) {
  places_.resize(static_cast<std::size_t>(m.nbody));
  place_of_dof_.resize(static_cast<std::size_t>(m.nv));
  for (int b = 0; b < m.nbody; ++b) {
    const Index parent = b > 0 ? place(m.body_parentid[b]) : -1;
    const bool jointed = m.body_jntnum[b] > 0;
    if (!jointed && parent >= 0 && bodies_[static_cast<std::size_t>(parent)].parent >= 0) {
      places_[static_cast<std::size_t>(b)] = parent;  // welded to one that moves
      bodies_[static_cast<std::size_t>(parent)].members.push_back(b);
      continue;
    }
    places_[static_cast<std::size_t>(b)] = static_cast<Index>(bodies_.size());
    TreeBody next;
    next.body = b;
    next.members = {b};
    next.parent = jointed ? parent : -1;
    bodies_.push_back(std::move(next));
  }
  for (TreeBody& body : bodies_) {
    body.wxyz = kMujoco.wxyz(d.xquat + 4 * body.body);
    body.inertia.setZero();
    body.position = vector(d.xpos + 3 * body.body);
    if (body.parent < 0) continue;
    Vector3d moment = Vector3d::Zero();
    for (const int b : body.members) {
      body.mass += m.body_mass[b];
      moment += m.body_mass[b] * vector(d.xipos + 3 * b);
    }
    body.position =
        body.members.size() == 1 ? vector(d.xipos + 3 * body.body) : Vector3d(moment / body.mass);
    for (const int b : body.members) {
      const Matrix3d axes = matrix(d.ximat + 9 * b);
      const Vector3d arm = vector(d.xipos + 3 * b) - body.position;
      body.inertia +=
          axes * vector(m.body_inertia + 3 * b).asDiagonal() * axes.transpose() +
          m.body_mass[b] * (arm.squaredNorm() * Matrix3d::Identity() - arm * arm.transpose());
    }
    body.reference = vector(d.subtree_com + 3 * m.body_rootid[body.body]);
    add_axes(body);
  }
}

void Tree::add_axes(TreeBody& body) {
  body.anchor = vector(d_.xanchor + 3 * m_.body_jntadr[body.body]);
  body.first_dof = m_.body_dofadr[body.body];
  body.dofs = m_.body_dofnum[body.body];
  body.axes.resize(6, body.dofs);
  for (int k = 0; k < body.dofs; ++k) {
    const int dof = body.first_dof + k;
    place_of_dof_[static_cast<std::size_t>(dof)] = place(body.body);
    body.axes.col(k) = motion_at(six(d_.cdof + 6 * dof), body.reference, body.anchor);
  }
  body.response =
      (body.axes.transpose() * body.axes).eval().fullPivLu().solve(body.axes.transpose().eval());
  body.held = complement(body.axes);
}

std::vector<Twist> Tree::twists(const mjtNum* velocities) const {
  const std::vector<Vector6> spatial = summed(bodies_, d_.cdof, velocities);
  std::vector<Twist> out(bodies_.size(), Twist::Zero());
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (const TreeBody& body = bodies_[i]; body.parent >= 0)
      out[i] = motion_at(spatial[i], body.reference, body.position);
  return out;
}

std::vector<Wrench> Tree::forces(const std::vector<Twist>& twists, const mjtNum* velocities,
                                 const mjtNum* along) const {
  const bool heavy = !(m_.opt.disableflags & mjDSBL_GRAVITY);
  const Vector3d gravity = heavy ? vector(m_.opt.gravity) : Vector3d(Vector3d::Zero());
  const std::vector<Vector6> rates = summed(bodies_, d_.cdof_dot, velocities);  // dJ_b/dt q'
  std::vector<Wrench> out(bodies_.size(), Wrench::Zero());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const TreeBody& body = bodies_[i];
    if (body.parent < 0) continue;
    // The rate is that of a spatial vector; the acceleration of a point has w x v besides.
    Twist rate = motion_at(rates[i], body.reference, body.position);
    const Vector3d velocity = twists[i].head<3>(), spin = twists[i].tail<3>();
    rate.head<3>() += spin.cross(velocity);
    out[i].head<3>() += body.mass * (gravity - rate.head<3>());
    out[i].tail<3>() -= spin.cross(body.inertia * spin) + body.inertia * rate.tail<3>();
    for (const int b : body.members)
      out[i] += moved(six(d_.xfrc_applied + 6 * b), vector(d_.xipos + 3 * b), body.position);
    const auto place = static_cast<Index>(i);
    const VectorXd own = Eigen::Map<const VectorXd>(along + body.first_dof, body.dofs);
    out[i] += on_child(place, own);
    out[static_cast<std::size_t>(body.parent)] += on_parent(place, own);
  }
  return out;
}

Wrench Tree::on_child(Index i, const VectorXd& along) const {
  const TreeBody& b = body(i);
  return moved(b.response.transpose() * along, b.anchor, b.position);
}

Wrench Tree::on_parent(Index i, const VectorXd& along) const {
  const TreeBody& b = body(i);
  return moved(-(b.response.transpose() * along), b.anchor, body(b.parent).position);
}

Wrench Tree::held_child(Index i, Index k) const {
  const TreeBody& b = body(i);
  return moved(b.held.col(k), b.anchor, b.position);
}

Wrench Tree::held_parent(Index i, Index k) const {
  const TreeBody& b = body(i);
  return moved(-b.held.col(k), b.anchor, body(b.parent).position);
}

std::vector<VectorXd> Tree::carried(std::vector<Wrench> left_over) const {
  std::vector<VectorXd> out(bodies_.size());
  for (std::size_t i = bodies_.size(); i-- > 0;) {
    const TreeBody& b = bodies_[i];
    if (b.parent < 0) continue;
    const VectorXd impulses = b.held.transpose() * moved(left_over[i], b.position, b.anchor);
    left_over[static_cast<std::size_t>(b.parent)] +=
        moved(b.held * impulses, b.anchor, body(b.parent).position);
    out[i] = impulses;
  }
  return out;
}

}  // namespace perpend::capture::from_mujoco
