// MuJoCo's constraint rows (mjData.efc_*) as contacts and joint rows of a frame.
//
// MuJoCo asks for forces f of which each row gives an acceleration J a - aref + R f that
// complements it. With impulses lambda = h f and v+ = v + h a the same row is
//   y = J v+ + c + R lambda,   c = -J v - h aref,
// so that R is the compliance (cfm) and c the bias, both exactly. Where MuJoCo takes damping
// implicitly after solving (v+ - v is then not h a), c has h J (a - (v+ - v)/h) besides.
//
// MuJoCo's signs are ours (signs.hpp). A row uses one point (mjContact.pos, halfway between the
// surfaces) for both bodies.
//
// A pyramidal cone has rows J_n +- mu_k J_k with forces p, q >= 0 and the same R for all:
//   f_n = sum of all,  f_k = mu_k (p_k - q_k),  c_n = (c_p + c_q)/2,  c_k = (c_p - c_q)/(2 mu_k),
// exactly; where all of them push, the compliance is R/(number of them) along n and R/(2 mu_k^2)
// along k. Both determine the pyramid's own rows again.
#pragma once

#include "capture/builder.hpp"
#include "capture/mujoco/tree.hpp"

namespace perpend::capture::from_mujoco {

struct MujocoContact : ContactRow {  // bodies: places in the tree
  Vector3d point;                    // m, world
};
struct MujocoJoint {  // a run of rows between two bodies, places in the tree
  Index first = 0, second = 0;
  std::vector<JointRow> rows;
  mjtObj kind = mjOBJ_UNKNOWN;  // what of mjModel: a joint, an equality constraint or a tendon
  int number = -1;
};

struct MujocoRows {
  std::vector<MujocoContact> contacts;
  std::vector<MujocoJoint> joints;  // without those that hold the tree together
};

// `plus` are the twists after the step, `unsolved` is what the twists of MuJoCo's own solution (v +
// h qacc) have more than these.
MujocoRows rows_of(const mjModel&, const mjData&, const Tree&, double h,
                   const std::vector<Twist>& plus, const std::vector<Twist>& unsolved);

}  // namespace perpend::capture::from_mujoco
