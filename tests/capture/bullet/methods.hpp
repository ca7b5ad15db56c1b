// The methods of Bullet's solvers written on our system: what they do with a recorded problem, row
// by row, from Bullet's start and for as many iterations as it took.
#pragma once

#include <algorithm>
#include <limits>

#include "measure/box_sweep.hpp"
#include "perpend/capture/bullet.hpp"
#include "perpend/solve.hpp"

namespace perpend::capture::from_bullet {

// Friction of a contact that does not press is left as it is, or brought to its bound, 0.
enum class Loose { kept, cleared };

// One sweep over a group: joint rows, then all normals, then all friction rows, each
//   lambda_i <- clamp(lambda_i - y_i / A_ii, l_i, u_i),   y = A lambda + b kept up to date.
// `told(row, change)` hears of every row that was visited.
template <class State, class Told>
void sweep(const System& system, const VectorXd& diagonal, const BulletGroup& group, Loose loose,
           State& state, Told&& told) {
  const VectorXd& lambda = state.lambda();
  const auto change = [&](Index row, double y, double lower, double upper) {
    return std::clamp(lambda[row] - y / diagonal[row], lower, upper) - lambda[row];
  };
  for (Index j = group.first_joint_row; j < group.first_joint_row + group.joint_rows; ++j) {
    const Index row = 3 * system.contacts() + j;
    if (diagonal[row] == 0) continue;
    const double d = change(row, state.u_joint(j), system.lower[j], system.upper[j]);
    state.push_joint(j, d);
    told(row, d);
  }
  const Index end = group.first_contact + group.contacts;
  for (Index i = group.first_contact; i < end; ++i) {
    const double d = change(3 * i, state.u(i, 0), 0, std::numeric_limits<double>::infinity());
    state.push(i, 0, d);
    told(3 * i, d);
  }
  for (Index i = group.first_contact; i < end; ++i) {
    if (loose == Loose::kept && !(lambda[3 * i] > 0)) continue;
    const Eigen::Vector2d limits = friction_limits(system, i, lambda[3 * i]);
    for (Index k = 1; k < 3; ++k) {
      if (system.friction_bounds(i, k - 1) == 0) continue;  // no such row
      const double d = change(3 * i + k, state.u(i, k), -limits[k - 1], limits[k - 1]);
      state.push(i, k, d);
      told(3 * i + k, d);
    }
  }
}

// What the steps of sequential impulses divide by: in joint rows A_jj without the compliance.
inline VectorXd sequential_diagonal(const System& system, const BulletStep& step) {
  VectorXd out = row_diagonal(system);
  out.tail(system.joint_rows()) -= step.record.frame.joints.cfm;
  return out;
}

// Sequential impulses: sweeps.
inline Impulses as_sequential(const System& system, const BulletStep& step) {
  const VectorXd diagonal = sequential_diagonal(system, step);
  return with_state(system, [&](auto& state) -> VectorXd {
    state.set(step.start);
    for (const BulletGroup& group : step.groups)
      for (std::int64_t k = 0; k < group.iterations; ++k)
        sweep(system, diagonal, group, Loose::kept, state, [](Index, double) {});
    return state.lambda();
  });
}

// The sweeps of btSolveProjectedGaussSeidel over an MLCP, ten unless Bullet is told otherwise.
inline Impulses as_mlcp_sweeps(const System& system, const BulletStep& step) {
  const VectorXd diagonal = row_diagonal(system);
  return with_state(system, [&](auto& state) -> VectorXd {
    state.set(step.start);
    for (const BulletGroup& group : step.groups)
      for (int k = 0; k < 10; ++k)
        sweep(system, diagonal, group, Loose::cleared, state, [](Index, double) {});
    return state.lambda();
  });
}

// The nonsmooth nonlinear conjugate gradients of Silcowitz-Hansen et al. 2010 over those sweeps,
// without its projection:
//   beta = |r_k|^2 / |r_{k-1}|^2, restarted above 1;  lambda <- lambda + beta p;  p <- beta p +
//   r_k.
// In the paper, r is what the impulses of a sweep changed by. Bullet's is what each row changed by
// in m/s, A_ii times that, and it adds p to impulses all the same.
enum class Residual { velocities, impulses };
inline Impulses as_conjugate(const System& system, const BulletStep& step,
                             Residual residual = Residual::velocities) {
  const VectorXd diagonal = sequential_diagonal(system, step);
  const Index m = system.contacts();
  return with_state(system, [&](auto& state) -> VectorXd {
    state.set(step.start);
    for (const BulletGroup& group : step.groups) {
      VectorXd p = VectorXd::Zero(system.rows());
      double before = 0;
      for (std::int64_t k = 0; k < group.iterations; ++k) {
        VectorXd r = VectorXd::Zero(system.rows());
        sweep(system, diagonal, group, Loose::kept, state, [&](Index row, double change) {
          r[row] = residual == Residual::velocities ? diagonal[row] * change : change;
        });
        const double now = r.squaredNorm();
        if (k == 0) {
          p = r;
        } else if (!(before > 0) || now > before) {
          p.setZero();
        } else {
          p *= now / before;
          for (Index i = 0; i < m; ++i) state.push(i, Vector3d(p.segment<3>(3 * i)));
          for (Index j = 0; j < system.joint_rows(); ++j) state.push_joint(j, p[3 * m + j]);
          p += r;
        }
        before = now;
      }
    }
    return state.lambda();
  });
}

// What a pivoting method answers: the boxed problem of each group, solved; sequential impulses in
// the groups in which it gave up.
inline Impulses as_pivoting(const System& system, const BulletStep& step) {
  const Impulses swept = as_sequential(system, step);
  const auto fell_back = [](const BulletGroup& group) { return group.fell_back; };
  if (std::all_of(step.groups.begin(), step.groups.end(), fell_back)) return swept;
  Options options;
  options.tolerance = 1e-13;
  Impulses out = solve(system, "box/path", options).impulses;
  for (const BulletGroup& group : step.groups) {
    if (!group.fell_back) continue;
    const Index contacts = 3 * group.first_contact;
    const Index joints = 3 * system.contacts() + group.first_joint_row;
    out.segment(contacts, 3 * group.contacts) = swept.segment(contacts, 3 * group.contacts);
    out.segment(joints, group.joint_rows) = swept.segment(joints, group.joint_rows);
  }
  return out;
}

}  // namespace perpend::capture::from_bullet
