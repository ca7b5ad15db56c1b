#include "sim/close_joints.hpp"

#include <algorithm>
#include <cmath>

#include "perpend/measure.hpp"
#include "sim/bullet_body.hpp"
#include "sim/drives.hpp"

namespace perpend::sim {
namespace {

constexpr double kClosed = 1e-10;  // m, rad
// Energy that a step may gain by closing where none is to be gained, of the kinetic energy.
constexpr double kGain = 1e-5;

// Of the island's rows at the present poses.
struct Left {
  VectorXd open;        // Phi; 0 of rows that do not hold a position both ways
  bool limits = false;  // one is exceeded
  double worst() const { return open.lpNorm<Eigen::Infinity>(); }
};

struct Open {
  std::size_t island;
  Left left;
  double worst() const { return left.worst(); }
};

// `rows`: memory for it.
void find_open(const Island& island, const HeldJoints& joints, double h,
               std::vector<JointRow>& rows, Left& left) {
  left.open.setZero(static_cast<Index>(island.joint_rows.size()));
  left.limits = false;
  Index at = 0;
  for (Index k : island.joints) {
    const HeldJoint& held = joints.list[static_cast<std::size_t>(k)];
    if (held.follower) {
      left.open[at++] = mimic_violation(*held.follower, *joints.drives);
      continue;
    }
    rows.clear();
    if (held.joint && held.joint->isEnabled()) joint_violations(*held.joint, h, rows);
    for (const JointRow& row : rows)
      left.limits |= row.position && !row.bilateral() && row.violation < -kClosed;
    std::size_t next = 0;  // most rows are where they were
    for (Index r = held.start; r < held.start + held.count; ++r, ++at, ++next) {
      const JointRow& old = joints.rows[static_cast<std::size_t>(r)];
      if (!old.position || !old.bilateral()) continue;
      if (next < rows.size() && rows[next].key == old.key) {
        left.open[at] = rows[next].violation - old.later;
        continue;
      }
      for (const JointRow& row : rows)
        if (row.key == old.key) left.open[at] = row.violation - old.later;
    }
  }
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
    rigid.setWorldTransform(btTransform(btQuaternion(q[1], q[2], q[3], q[0]), to_bullet(x)));
    move(rigid, h * v, h * w);
  }
}

bool touches(const Island& island, const Impulses& impulses) {
  for (Index c : island.contacts)
    if (!impulses.segment<3>(3 * c).isZero(0)) return true;
  return false;
}

// No pair of the step has a body of the island.
bool joints_alone(const Island& island, const StepSetup& setup) {
  for (const TouchPair& pair : setup.touches.pairs)
    for (const Index body : {pair.first, pair.second})
      if (setup.bodies.moves(body) &&
          std::binary_search(island.bodies.begin(), island.bodies.end(), body))
        return false;
  return true;
}

// Nothing but rows that hold both ways without bounds: its impulses are linear in what they answer.
bool linear(const Island& island, const HeldJoints& joints) {
  return island.contacts.empty() &&
         std::all_of(island.joint_rows.begin(), island.joint_rows.end(),
                     [&](Index r) { return joints.rows[static_cast<std::size_t>(r)].unbounded(); });
}

// Steps s_k of a root search in which one factor stands for the derivative, made better by
// Broyden's rank-one updates (Kelley, Iterative Methods for Linear and Nonlinear Equations, 1995,
// sec. 7.3).
class BroydenSteps {
 public:
  // `weights`: of the inner product.
  explicit BroydenSteps(VectorXd weights) : weights_(std::move(weights)) {}
  // `z`: the step by the factor alone; becomes the one to take.
  void improve(VectorXd& z) {
    for (std::size_t j = 0; j + 1 < steps_.size(); ++j) z += part(steps_[j], z) * steps_[j + 1];
    if (!steps_.empty()) {
      const double along = part(steps_.back(), z);
      if (along < 0.5) z /= 1 - along;
    }
    steps_.push_back(z);
  }
  // Forgets the updates; false where there were none.
  bool restart() {
    const bool updated = steps_.size() > 1;
    steps_.clear();
    return updated;
  }

 private:
  double part(const VectorXd& s, const VectorXd& z) const {
    const VectorXd weighted = weights_.cwiseProduct(s);
    return weighted.dot(z) / weighted.dot(s);
  }
  VectorXd weights_;
  std::vector<VectorXd> steps_;
};

// a' M b of the moving bodies, kg m^2/s^2.
double mass_product(const Bodies& bodies, const Rows6& a, const Rows6& b) {
  double sum = 0;
  for (Index i = 0; i < bodies.count(); ++i) {
    if (bodies.fixed(i)) continue;
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> inertia(
        bodies.inertia.row(i).data());
    const Vector3d turning = inertia * b.row(i).tail<3>().transpose();
    sum += bodies.masses[i] * a.row(i).head<3>().dot(b.row(i).head<3>()) +
           turning.dot(a.row(i).tail<3>().transpose());
  }
  return sum;
}

// The part of the way from the velocities `held`, which hold the rows where the step began, to
// `closed`, which hold them where it ends, on which the energy does not grow in the step. The way
// that the bodies go is that of `closed`, and `after` has their inertia at its end. `held` alone
// adds no energy, unless something else than forces does work, a torque or a fast turn: then all of
// the way.
double part_without_gain(const Bodies& bodies, const Bodies& after, double h, const Rows6& held,
                         const Rows6& closed) {
  const auto work = [&](const Rows6& v) {
    double sum = 0;
    for (Index i = 0; i < bodies.count(); ++i)
      if (!bodies.fixed(i)) sum += h * bodies.forces.row(i).head<3>().dot(v.row(i).head<3>());
    return sum;
  };
  const double before = mass_product(bodies, bodies.velocities, bodies.velocities) / 2;
  const double least = mass_product(after, held, held) / 2, most = before + work(closed);
  const double gained = mass_product(after, closed, closed) / 2 - most;
  if (least > before + work(held) || gained <= kGain * before) return 1;
  if (least >= most) return 0;
  const Rows6 change = closed - held;
  const double a = mass_product(after, change, change) / 2, b = mass_product(after, held, change);
  return std::clamp((-b + std::sqrt(b * b + 4 * a * (most - least))) / (2 * a), 0.0, 1.0);
}

// Whether closing adds more to the energy than the bend of the ways does, and to more than A
// (close_slowly.hpp).
bool gains(const StepSetup& setup, const Island& island, const Rows6& before, const Rows6& now,
           double max_push) {
  const Bodies& bodies = setup.frame.bodies;
  double mass = 0, turn = 0, was = 0, is = 0;
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    const Index body = island.bodies[i];
    if (bodies.fixed(body)) continue;
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> inertia(
        bodies.inertia.row(body).data());
    const auto energy = [&](const Rows6& v) {
      const auto row = v.row(static_cast<Index>(i));
      const Vector3d w = row.tail<3>().transpose();
      return (bodies.masses[body] * row.head<3>().squaredNorm() + w.dot(inertia * w)) / 2;
    };
    mass += bodies.masses[body];
    turn = std::max(turn, before.row(static_cast<Index>(i)).tail<3>().norm() * setup.frame.step);
    was += energy(before);
    is += energy(now);
  }
  return is > mass * max_push * max_push / 4 && is - was > (1e-3 + 4 * turn * turn) * was;
}

// The whole search in one island whose impulses are linear: with one factor of the step's own rows.
// What is left open after the last pass that helped is for the projection. `no_gain`: poses are
// closed, but velocities only as far as no energy comes from it.
void close_linear(const Open& open, StepSetup& setup, Solution& solution, int passes, bool no_gain,
                  const Solving& with, HeldRows& factor, IslandAnswer& answer) {
  StepClock& clock = with.clock;
  Frame& frame = setup.frame;
  const double h = frame.step;
  const Island& island = solution.islands[open.island];
  std::unique_ptr<IslandProblem> problem = std::move(solution.linear[open.island]);
  if (!problem) {
    problem = std::make_unique<IslandProblem>(island_problem(frame, island, {}));
    if (!factor.hold_all(problem->system)) return;
    ++answer.result.work[static_cast<std::size_t>(Work::factorization)];
  }
  const System& system = problem->system;
  const auto rows = static_cast<Index>(island.joint_rows.size());
  std::vector<char> held(island.joint_rows.size());  // keeps a position; the others: a speed
  bool speeds = false;
  VectorXd now(rows), change;
  for (Index r = 0; r < rows; ++r) {
    const Index at = island.joint_rows[static_cast<std::size_t>(r)];
    held[static_cast<std::size_t>(r)] = setup.joints.rows[static_cast<std::size_t>(at)].position;
    speeds |= !held[static_cast<std::size_t>(r)];
    now[r] = solution.impulses[3 * frame.contacts.count() + at];
  }
  BroydenSteps search(effective_masses(system).cwiseInverse());
  VectorXd closest = now;
  Left left = open.left, closest_left = left;
  VectorXd off;
  std::vector<JointRow> memory;
  double worst = open.worst();
  const Rows6 began = solution.velocities_plus(island.bodies, Eigen::all);
  Rows6 velocities = began, moved = began;
  for (int pass = 0; pass < passes && worst > kClosed && !clock.over(); ++pass) {
    off = left.open / h;
    if (speeds) {
      const VectorXd& y = factor.velocities(system, closest);
      for (Index r = 0; r < rows; ++r)
        if (!held[static_cast<std::size_t>(r)]) off[r] = y[r];
    }
    factor.step(off, change);
    search.improve(change);
    now = closest + change;
    ++answer.result.iterations;
    factor.respond(now);
    put_velocities(system, factor.change(), moved);
    if (!moved.allFinite()) break;
    place_again(island, setup, moved);
    find_open(island, setup.joints, h, memory, left);
    const double reached = left.worst();
    if (!(reached < worst / 2) || gains(setup, island, began, moved, with.max_push)) {
      // Back to what was, and on by the factor alone.
      place_again(island, setup, velocities);
      left = closest_left;
      if (!search.restart()) break;
      continue;
    }
    worst = reached;
    closest = now;
    closest_left = left;
    velocities = moved;
  }
  // Nothing that the projection could find.
  solution.outcomes[open.island].closed =
      worst <= kClosed && !left.limits && joints_alone(island, setup);
  if (worst == open.worst()) return;
  if (no_gain && !speeds) {
    const Rows6& before = began;
    const Bodies bodies = sim::part(frame, island).bodies;
    Bodies after = bodies;
    for (std::size_t i = 0; i < island.bodies.size(); ++i)
      if (setup.bodies.moves(island.bodies[i])) {
        const Matrix3d turned = world_inertia(*setup.bodies[island.bodies[i]].rigid);
        Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
            after.inertia.row(static_cast<Index>(i)).data()) = turned;
      }
    const double part = part_without_gain(bodies, after, h, before, velocities);
    if (part < 1) {
      for (Index r = 0; r < rows; ++r) {
        const Index at = island.joint_rows[static_cast<std::size_t>(r)];
        const double first = solution.impulses[3 * frame.contacts.count() + at];
        closest[r] = first + part * (closest[r] - first);
      }
      velocities = before + part * (velocities - before);
      for (std::size_t i = 0; i < island.bodies.size(); ++i) {
        const Index body = island.bodies[i];
        if (!setup.bodies.moves(body)) continue;
        const auto row = velocities.row(static_cast<Index>(i));
        setup.bodies[body].rigid->setLinearVelocity(to_bullet(row.head<3>().transpose()));
        setup.bodies[body].rigid->setAngularVelocity(to_bullet(row.tail<3>().transpose()));
      }
    }
  }
  const VectorXd& y = factor.velocities(system, closest);
  for (Index r = 0; r < rows; ++r) {
    const Index at = island.joint_rows[static_cast<std::size_t>(r)];
    if (held[static_cast<std::size_t>(r)]) frame.joints.rate[at] -= y[r];
    solution.impulses[3 * frame.contacts.count() + at] = closest[r];
  }
  solution.velocities_plus(island.bodies, Eigen::all) = velocities;
  answer.result.status = Status::converged;
}

std::vector<Open> open_islands(const StepSetup& setup, const Solution& solution) {
  std::vector<Open> open;
  std::vector<JointRow> memory;
  for (std::size_t k = 0; k < solution.islands.size(); ++k) {
    const Island& island = solution.islands[k];
    if (island.joint_rows.empty() || solution.outcomes[k].held) continue;
    if (touches(island, solution.impulses)) continue;
    Open one{k, {}};
    find_open(island, setup.joints, setup.frame.step, memory, one.left);
    if (one.worst() > kClosed) open.push_back(std::move(one));
  }
  return open;
}

}  // namespace

void foresee(StepSetup& setup, const Island& island) {
  constexpr double kMore = 4;  // than the curvature by which a body's points may be off
  if (island.joint_rows.empty() || !linear(island, setup.joints)) return;
  const Rows6& velocities = setup.frame.bodies.velocities;
  const double h = setup.frame.step;
  double curved = 0;
  for (Index body : island.bodies) {
    if (!setup.bodies.moves(body)) continue;
    const double path = h * velocities.row(body).head<3>().norm();
    const double turn = h * velocities.row(body).tail<3>().norm();
    curved = std::max(curved, turn * (turn * (1 + setup.bodies[body].radius / 2) + path));
  }
  VectorXd c = VectorXd::Zero(static_cast<Index>(island.joint_rows.size()));
  Index at = 0;
  for (Index k : island.joints) {
    const HeldJoint& joint = setup.joints.list[static_cast<std::size_t>(k)];
    for (Index r = joint.start; r < joint.start + joint.count; ++r, ++at) {
      const JointRow& row = setup.joints.rows[static_cast<std::size_t>(r)];
      if (row.position)
        c[at] = velocities.row(joint.first).dot(row.jacobian.head<6>()) +
                velocities.row(joint.second).dot(row.jacobian.tail<6>());
      if (!joint.follower) continue;
      c[at] += row.rate;  // of bodies that do not move by forces
      const Joints& all = setup.frame.joints;
      for (const Index side : {0, 1})
        if (all.pairs2.rows())
          c[at] +=
              velocities.row(all.pairs2(k, side)).dot(all.jacobian2.row(r).segment<6>(6 * side));
    }
  }
  if (!(h * c.lpNorm<Eigen::Infinity>() <= kMore * curved)) return;
  for (Index r = 0; r < c.size(); ++r)
    setup.frame.joints.rate[island.joint_rows[static_cast<std::size_t>(r)]] += c[r];
}

Closing close_joints(StepSetup& setup, Solution& solution, Start start, int passes,
                     const Solving& with, std::vector<HeldRows>& held) {
  Closing closing;
  if (passes <= 0) return closing;
  Frame& frame = setup.frame;
  const double h = frame.step;
  std::vector<Open> open = open_islands(setup, solution);
  closing.tried = !open.empty();
  std::vector<Open> others;
  for (Open& one : open) {
    if (!solution.outcomes[one.island].converged ||
        !linear(solution.islands[one.island], setup.joints)) {
      others.push_back(std::move(one));
    } else if (!with.over()) {
      IslandAnswer& answer = closing.answers.emplace_back();
      const bool no_gain = with.account && with.account->limited();
      close_linear(one, setup, solution, passes, no_gain, with, held[one.island], answer);
      closing.islands += answer.result.status == Status::converged;
    }
  }
  open = std::move(others);
  std::vector<JointRow> memory;
  for (int pass = 0; pass < passes && !open.empty() && !with.over(); ++pass) {
    if (start.impulses.size() > 0) start.impulses = solution.impulses;
    std::vector<std::size_t> which;
    std::vector<const VectorXd*> left(solution.islands.size());
    for (const Open& one : open) {
      which.push_back(one.island);
      left[one.island] = &one.left.open;
    }
    std::vector<IslandAnswer> answers = solve_islands(
        solution.islands, which,
        [&](std::size_t k) {
          Frame own = part(frame, solution.islands[k]);
          own.joints.rate += *left[k] / h;
          return island_problem(frame, solution.islands[k], own, start);
        },
        with);
    std::vector<Open> still;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Island& island = solution.islands[open[i].island];
      with.clock.note(answers[i].result.status);
      if (answers[i].result.status != Status::converged) continue;  // the rest: for the projection
      place_again(island, setup, answers[i].velocities_plus);
      Open now{open[i].island, {}};
      find_open(island, setup.joints, h, memory, now.left);
      const Rows6 before = solution.velocities_plus(island.bodies, Eigen::all);
      if (!(now.worst() < open[i].worst() / 2) ||
          gains(setup, island, before, answers[i].velocities_plus, with.max_push)) {
        place_again(island, setup, before);  // back to what was
        continue;
      }
      for (std::size_t r = 0; r < island.joint_rows.size(); ++r)
        frame.joints.rate[island.joint_rows[r]] += open[i].left.open[static_cast<Index>(r)] / h;
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
