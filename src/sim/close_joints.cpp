// Joints closed where the step ends, by impulses that act where it starts (SHAKE: Ryckaert,
// Ciccotti, Berendsen 1977).
//
// The step's rows are linear, Phi/h + J v+ = 0 with J at the start. Where bodies turn, Phi at the
// end is off by the curvature of the motion, O(h^2). To shift positions afterwards and leave v+ as
// it is costs energy: v+ is tangent to the constraint at the start, the next step takes the part of
// it that is tangent at the end, and a pendulum loses a factor cos(w h) of its speed in every step.
// Here the curvature goes into the row instead: with c = Phi(end)/h added up from pass to pass,
//   Phi/h + J v+ + c = 0   until   Phi(x + h v+) = 0,
// the island is solved again. Then v+ is the chord of the motion, (x+ - x)/h, and what a joint does
// is symplectic: its energy swings by O(h) and stays. In the frame c is part of the row's rate.
//
// Only islands in which nothing touches: where contacts stick, c asks a chain that lies on a table
// to slip by some 1e-9 m/s, and such problems take the solvers hundreds of iterations (`hose`: 25
// times as many). Those are left to the projection, and lose energy to friction anyway.
#include <cmath>

#include "perpend/measure.hpp"
#include "sim/bullet_body.hpp"
#include "sim/step.hpp"

namespace perpend::sim {

// Phi of the island's rows at the present poses; 0 of rows that do not hold a position both ways.
VectorXd Step::left_open(const Island& island) const {
  VectorXd left = VectorXd::Zero(static_cast<Index>(island.joint_rows.size()));
  std::vector<JointRow> rows;
  Index at = 0;
  for (Index k : island.joints) {
    const HeldJoint& held = joints_[static_cast<std::size_t>(k)];
    rows.clear();
    if (held.joint && held.joint->isEnabled()) joint_rows(*held.joint, h_, rows);
    for (Index r = held.start; r < held.start + held.count; ++r, ++at) {
      const JointRow& old = joint_rows_[static_cast<std::size_t>(r)];
      if (!old.position || !old.bilateral()) continue;
      for (const JointRow& row : rows)
        if (row.key == old.key) left[at] = row.violation;
    }
  }
  return left;
}

// From where the step began, with v+.
void Step::place_again(const Island& island) {
  for (Index body : island.bodies) {
    if (body >= static_cast<Index>(bodies_.size())) continue;
    const Moving& m = bodies_[static_cast<std::size_t>(body)];
    if (!m.moves) continue;
    const Vector3d v = velocities_plus_.row(body).head<3>().transpose();
    const Vector3d w = velocities_plus_.row(body).tail<3>().transpose();
    const Vector3d x = frame_.bodies.positions.row(body).transpose();
    const auto q = frame_.bodies.quaternions.row(body);
    m.rigid->setLinearVelocity(to_bullet(v));
    m.rigid->setAngularVelocity(to_bullet(w));
    m.rigid->setCenterOfMassTransform(
        btTransform(btQuaternion(q[1], q[2], q[3], q[0]), to_bullet(x)));
    move(*m.rigid, h_ * v, h_ * w);
  }
}

bool Step::touches(const Island& island) const {
  for (Index c : island.contacts)
    if (!impulses_.segment<3>(3 * c).isZero(0)) return true;
  return false;
}

void Step::close_joints() {
  constexpr double kClosed = 1e-10;  // m, rad
  struct Open {
    std::size_t island;
    VectorXd left;
    double worst = 0;
  };
  std::vector<Open> open;
  for (std::size_t k = 0; options.correct > 0 && k < islands_.size(); ++k) {
    if (islands_[k].joint_rows.empty() || touches(islands_[k])) continue;
    Open one{k, left_open(islands_[k])};
    one.worst = one.left.lpNorm<Eigen::Infinity>();
    if (one.worst > kClosed) open.push_back(std::move(one));
  }
  if (open.empty()) return;
  const SolverInfo& info = *solver_info();
  for (int pass = 0; pass < options.correct && !open.empty() && !over(); ++pass) {
    const VectorXd rate = frame_.joints.rate;
    const Rows6 velocities = velocities_plus_;
    const Impulses impulses = impulses_;
    for (const Open& one : open) {
      const std::vector<Index>& rows = islands_[one.island].joint_rows;
      for (std::size_t r = 0; r < rows.size(); ++r)
        frame_.joints.rate[rows[r]] += one.left[static_cast<Index>(r)] / h_;
    }
    std::vector<IslandAnswer> answers(open.size());
    executor().for_each(static_cast<Index>(open.size()), [&](Index i, int worker) {
      const auto at = static_cast<std::size_t>(i);
      answers[at] = solve_island(islands_[open[at].island], impulses, info,
                                 *solvers_[static_cast<std::size_t>(worker)]);
    });
    std::vector<Open> still;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Island& island = islands_[open[i].island];
      const Result& result = answers[i].result;
      count(answers[i]);
      const bool solved = result.status == Status::converged;
      Open one{open[i].island, open[i].left, open[i].worst};
      if (solved) {
        take(island, answers[i]);
        place_again(island);
        one.left = left_open(island);
        one.worst = one.left.lpNorm<Eigen::Infinity>();
      }
      if (!(one.worst < open[i].worst / 2)) {  // back to what was; the rest is for the projection
        for (Index r : island.joint_rows) {
          frame_.joints.rate[r] = rate[r];
          const Index row = 3 * frame_.contacts.count() + r;
          impulses_[row] = impulses[row];
        }
        for (Index c : island.contacts) impulses_.segment<3>(3 * c) = impulses.segment<3>(3 * c);
        for (Index body : island.bodies) velocities_plus_.row(body) = velocities.row(body);
        if (solved) place_again(island);
        continue;
      }
      if (pass == 0) ++report.corrected;
      outcomes_[one.island] = {true, result.errors[Measure::own_error]};
      if (one.worst > kClosed) still.push_back(std::move(one));
    }
    open = std::move(still);
  }
  write_back();
}

}  // namespace perpend::sim
