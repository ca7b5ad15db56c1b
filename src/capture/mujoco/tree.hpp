// MuJoCo's tree of joints in maximal coordinates: bodies that move by themselves, what holds them
// together, what pushes them.
//
// MuJoCo knows joint velocities q' (mjData.qvel). A twist of body b is J_b q', and its mass matrix
// is M = sum J_b^T M_b J_b. With the twists as unknowns and the rows N^T (twist of the child
// against its parent) = 0 at every joint, N spanning what its axes S leave free of motion, the
// problem is the same one: eliminating those rows gives M back.
//
// Read from mjData after mj_step, all of it still of the position and velocity before the step:
//   cdof, cdof_dot         axes of all joints and their rates: rotation, translation at the centre
//                          of mass of the whole tree (subtree_com of the tree's root)
//   xipos, ximat, xquat    centres of mass, principal axes, orientation
//   qfrc_passive, qfrc_actuator, qfrc_applied, xfrc_applied    forces
// Bodies without joints of their own are one with their parent (what is welded moves as one); those
// that are so one with the world are fixed, and keep their own number.
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "capture/signs.hpp"
#include "perpend/system.hpp"

namespace perpend::capture::from_mujoco {

inline constexpr Signs kMujoco = signs_of("mujoco");

// Force or impulse on a body about its centre of mass, linear part first; and its motion.
using Wrench = Vector6;
using Twist = Vector6;

struct TreeBody {
  int body = 0;                       // mjModel's body that has the joints; of a fixed one, itself
  Index parent = -1;                  // place in the tree's bodies; -1: fixed
  std::vector<int> members;           // mjModel's bodies welded to it, itself first
  double mass = 0;                    // kg; 0: fixed
  Matrix3d inertia;                   // kg m^2, world axes, about the centre of mass
  Vector3d position;                  // m, centre of mass
  Eigen::Vector4d wxyz;               // orientation
  Vector3d reference;                 // m, where MuJoCo's spatial vectors of this tree are taken
  Vector3d anchor;                    // m, where the two bodies of its joint are compared
  int first_dof = 0, dofs = 0;        // mjModel's degrees of freedom
  Eigen::Matrix<double, 6, -1> axes;  // S: motion against the parent at the anchor
  Eigen::Matrix<double, -1, 6> response;  // S^+: (S^T S)^-1 S^T
  Eigen::Matrix<double, 6, -1> held;      // N: orthonormal, N^T S = 0
};

class Tree {
 public:
  Tree(const mjModel&, const mjData&);

  const std::vector<TreeBody>& bodies() const { return bodies_; }
  const TreeBody& body(Index i) const { return bodies_[static_cast<std::size_t>(i)]; }
  Index place(int body) const { return places_[static_cast<std::size_t>(body)]; }
  Index place_of_dof(int dof) const { return place_of_dof_[static_cast<std::size_t>(dof)]; }
  bool fixed(Index i) const { return body(i).mass == 0; }

  // Twists of all bodies at the velocities q' of the joints.
  std::vector<Twist> twists(const mjtNum* velocities) const;
  // Gravity, forces on bodies, gyroscopic torques, and -M_b dJ_b/dt q', which the twists at the old
  // position need; N, N m. `along` are forces along the joints' axes.
  std::vector<Wrench> forces(const std::vector<Twist>&, const mjtNum* velocities,
                             const mjtNum* along) const;
  // What a force along the axes of body i, or a row of MuJoCo's Jacobian over them, is for the
  // child; for the parent it is the opposite at the same point.
  Wrench on_child(Index i, const VectorXd& along) const;
  Wrench on_parent(Index i, const VectorXd& along) const;
  // The row N_k: columns of the child and of the parent.
  Wrench held_child(Index i, Index k) const;
  Wrench held_parent(Index i, Index k) const;
  // Impulses along the held rows of every body, given for each the impulse that the rest of its
  // balance leaves over. Leaves first: what holds a body carries all that hangs on it.
  std::vector<VectorXd> carried(std::vector<Wrench> left_over) const;

 private:
  void add_axes(TreeBody&);

  const mjModel& m_;
  const mjData& d_;
  std::vector<TreeBody> bodies_;
  std::vector<Index> places_, place_of_dof_;
};

inline Vector3d vector(const mjtNum* x) { return {x[0], x[1], x[2]}; }
inline Matrix3d matrix(const mjtNum* x) {
  return Eigen::Map<const Eigen::Matrix<mjtNum, 3, 3, Eigen::RowMajor>>(x);
}
// A wrench of force and torque at a point, about another point.
Wrench moved(const Wrench&, const Vector3d& from, const Vector3d& to);

}  // namespace perpend::capture::from_mujoco
