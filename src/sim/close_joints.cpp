#include "sim/close_joints.hpp"

#include "perpend/measure.hpp"
#include "sim/bullet_body.hpp"

namespace perpend::sim {
namespace {

constexpr double kClosed = 1e-10;  // m, rad

struct Open {
  std::size_t island;
  VectorXd left;  // Phi of its rows
  double worst() const { return left.lpNorm<Eigen::Infinity>(); }
};

// Phi of the island's rows at the present poses; 0 of rows that do not hold a position both ways.
VectorXd left_open(const Island& island, const HeldJoints& joints, double h) {
  VectorXd left = VectorXd::Zero(static_cast<Index>(island.joint_rows.size()));
  std::vector<JointRow> rows;
  Index at = 0;
  for (Index k : island.joints) {
    const HeldJoint& held = joints.list[static_cast<std::size_t>(k)];
    rows.clear();
    if (held.joint && held.joint->isEnabled()) joint_rows(*held.joint, h, rows);
    for (Index r = held.start; r < held.start + held.count; ++r, ++at) {
      const JointRow& old = joints.rows[static_cast<std::size_t>(r)];
      if (!old.position || !old.bilateral()) continue;
      for (const JointRow& row : rows)
        if (row.key == old.key) left[at] = row.violation;
    }
  }
  return left;
}

// From where the step began, with these velocities of the island's bodies.
void place_again(const Island& island, const StepSetup& setup, const Rows6& velocities) {
  const double h = setup.frame.step;
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    const Index body = island.bodies[i];
    if (!setup.bodies.moves(body)) continue;
    btRigidBody& rigid = *setup.bodies[body].rigid;
    const Vector3d v = velocities.row(static_cast<Index>(i)).head<3>().transpose();
    const Vector3d w = velocities.row(static_cast<Index>(i)).tail<3>().transpose();
    const Vector3d x = setup.frame.bodies.positions.row(body).transpose();
    const auto q = setup.frame.bodies.quaternions.row(body);
    rigid.setLinearVelocity(to_bullet(v));
    rigid.setAngularVelocity(to_bullet(w));
    rigid.setCenterOfMassTransform(btTransform(btQuaternion(q[1], q[2], q[3], q[0]), to_bullet(x)));
    move(rigid, h * v, h * w);
  }
}

bool touches(const Island& island, const Impulses& impulses) {
  for (Index c : island.contacts)
    if (!impulses.segment<3>(3 * c).isZero(0)) return true;
  return false;
}

std::vector<Open> open_islands(const StepSetup& setup, const Solution& solution) {
  std::vector<Open> open;
  for (std::size_t k = 0; k < solution.islands.size(); ++k) {
    const Island& island = solution.islands[k];
    if (island.joint_rows.empty() || touches(island, solution.impulses)) continue;
    Open one{k, left_open(island, setup.joints, setup.frame.step)};
    if (one.worst() > kClosed) open.push_back(std::move(one));
  }
  return open;
}

}  // namespace

Closing close_joints(StepSetup& setup, Solution& solution, Start start, int passes,
                     const Solving& with) {
  Closing closing;
  if (passes <= 0) return closing;
  Frame& frame = setup.frame;
  const double h = frame.step;
  std::vector<Open> open = open_islands(setup, solution);
  closing.tried = !open.empty();
  for (int pass = 0; pass < passes && !open.empty() && !with.clock.over(); ++pass) {
    if (start.impulses.size() > 0) start.impulses = solution.impulses;
    std::vector<std::size_t> which;
    std::vector<const VectorXd*> left(solution.islands.size());
    for (const Open& one : open) {
      which.push_back(one.island);
      left[one.island] = &one.left;
    }
    std::vector<IslandAnswer> answers = solve_islands(
        which,
        [&](std::size_t k) {
          Frame own = part(frame, solution.islands[k]);
          own.joints.rate += *left[k] / h;
          return island_problem(frame, solution.islands[k], std::move(own), start);
        },
        with);
    std::vector<Open> still;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Island& island = solution.islands[open[i].island];
      with.clock.note(answers[i].result.status);
      if (answers[i].result.status != Status::converged) continue;  // the rest: for the projection
      place_again(island, setup, answers[i].velocities_plus);
      Open now{open[i].island, left_open(island, setup.joints, h)};
      if (!(now.worst() < open[i].worst() / 2)) {  // back to what was
        place_again(island, setup, solution.velocities_plus(island.bodies, Eigen::all));
        continue;
      }
      for (std::size_t r = 0; r < island.joint_rows.size(); ++r)
        frame.joints.rate[island.joint_rows[r]] += open[i].left[static_cast<Index>(r)] / h;
      solution.take(frame, open[i].island, answers[i]);
      if (pass == 0) ++closing.islands;
      if (now.worst() > kClosed) still.push_back(std::move(now));
    }
    open = std::move(still);
    std::move(answers.begin(), answers.end(), std::back_inserter(closing.answers));
  }
  return closing;
}

}  // namespace perpend::sim
