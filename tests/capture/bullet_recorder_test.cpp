// A recording of stock Bullet is what Bullet computed: nothing changes by being recorded, momentum
// closes from the recorded numbers alone, and its own method on the recorded problem gives its own
// velocities.
#include <gtest/gtest.h>

#include <cmath>

#include "capture/bullet_runs.hpp"
#include "measure/box_sweep.hpp"
#include "perpend/capture.hpp"

namespace perpend::capture {
namespace {

using Si = btSequentialImpulseConstraintSolver;
using Nncg = btNNCGConstraintSolver;

struct Run {
  std::string scene;
  int steps;
};
std::ostream& operator<<(std::ostream& out, const Run& run) { return out << run.scene; }

// Enough steps that things have hit each other: `spheres` fall until step 30, the wall until 20,
// the ragdolls until 50.
class RecordedScene : public testing::TestWithParam<Run> {
 protected:
  const Scene scene = scene_of(GetParam().scene);
  const int steps = GetParam().steps;
};

TEST_P(RecordedScene, TrajectoryIsTheSameBitForBitWithAndWithoutRecording) {
  Si plain;
  BulletRecorder recorder([](BulletStep&) {}, false);
  Recording<Si> recording(recorder);
  EXPECT_EQ(run(plain, scene, steps), run(recording, scene, steps));
}

// Rounding: a body's balance is a sum of a few hundred terms at most, each known to a few 1e-16.
TEST_P(RecordedScene, MomentumClosesInEveryFrame) {
  double worst = 0;
  Index contacts = 0, joint_rows = 0;
  BulletRecorder recorder(
      [&](BulletStep& step) {
        ASSERT_EQ(invalid(step.record.frame), "");
        worst = std::max(worst, momentum_gap(step.record));
        contacts = std::max(contacts, step.record.frame.contacts.count());
        joint_rows = std::max(joint_rows, step.record.frame.joints.row_count());
      },
      false);
  Recording<Si> solver(recorder);
  run(solver, scene, steps);
  RecordProperty("worst", std::to_string(worst));
  std::cout << GetParam().scene << ": momentum closes to " << worst << ", at most " << contacts
            << " contacts, " << joint_rows << " joint rows\n";
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(contacts + joint_rows, 0);
}

// Bullet's sweep on our system: joint rows, then all normals, then all friction rows; friction of a
// contact that does not press is left as it is. Its step in a joint row divides by A_jj without the
// compliance.
VectorXd as_bullet_sweeps(const System& system, const Impulses& start, std::int64_t iterations) {
  const VectorXd diagonal = row_diagonal(system);
  const Index m = system.contacts();
  return with_state(system, [&](auto& state) -> VectorXd {
    state.set(start);
    const VectorXd& lambda = state.lambda();
    for (std::int64_t k = 0; k < iterations; ++k) {
      for (Index j = 0; j < system.joint_rows(); ++j) {
        const Index row = 3 * m + j;
        if (diagonal[row] == 0) continue;
        const double x = lambda[row] - state.u_joint(j) / diagonal[row];
        state.push_joint(j, std::clamp(x, system.lower[j], system.upper[j]) - lambda[row]);
      }
      for (Index i = 0; i < m; ++i)
        state.push(i, 0,
                   std::max(0.0, lambda[3 * i] - state.u(i, 0) / diagonal[3 * i]) - lambda[3 * i]);
      for (Index i = 0; i < m; ++i) {
        if (!(lambda[3 * i] > 0)) continue;
        const Eigen::Vector2d limits = friction_limits(system, i, lambda[3 * i]);
        for (Index d = 1; d < 3; ++d) {
          const Index row = 3 * i + d;
          if (limits[d - 1] == 0) continue;
          const double x = lambda[row] - state.u(i, d) / diagonal[row];
          state.push(i, d, std::clamp(x, -limits[d - 1], limits[d - 1]) - lambda[row]);
        }
      }
    }
    return lambda;
  });
}

double largest_speed(const Rows6& v) { return v.rows() ? v.cwiseAbs().maxCoeff() : 0; }

TEST_P(RecordedScene, BoxSweepsInItsOrderGiveItsVelocities) {
  double worst = 0;
  BulletRecorder recorder(
      [&](BulletStep& step) {
        const Frame& frame = step.record.frame;
        const System system = assemble(frame, Model::engine);
        const Impulses z = as_bullet_sweeps(system, step.start, step.record.answer.iterations);
        const Rows6 plus = velocity_plus(frame, system, z);
        const double scale = std::max(1.0, largest_speed(plus));
        worst = std::max(worst, largest_speed(plus - step.record.answer.velocities_plus) / scale);
      },
      false);
  Recording<Si> solver(recorder);
  run(solver, scene, steps);
  std::cout << GetParam().scene << ": velocities reproduced to " << worst << " m/s\n";
  EXPECT_LT(worst, 1e-10);
}

// Every step of a run, kept.
template <class Prepare>
std::vector<BulletStep> recorded(const Scene& scene, int steps, Prepare&& prepare) {
  std::vector<BulletStep> kept;
  BulletRecorder recorder([&](BulletStep& step) { kept.push_back(step); });
  Recording<Si> solver(recorder);
  run(solver, scene, steps, prepare);
  return kept;
}
std::vector<BulletStep> recorded(const Scene& scene, int steps) {
  return recorded(scene, steps, [](btDiscreteDynamicsWorld&) {});
}

double reproduced(const BulletStep& step) {
  const Frame& frame = step.record.frame;
  const System system = assemble(frame, Model::engine);
  const Impulses z = as_bullet_sweeps(system, step.start, step.record.answer.iterations);
  return largest_speed(velocity_plus(frame, system, z) - step.record.answer.velocities_plus);
}

TEST(BulletRecorder, ContactForcesOfABoxAtRestAddUpToItsWeight) {
  const BulletStep last = recorded(scene_of("stack:1"), 120).back();
  const Frame& frame = last.record.frame;
  ASSERT_EQ(frame.contacts.count(), 4);
  Vector3d force = Vector3d::Zero();  // of the floor (id 0) on the box (id 1), N
  for (Index i = 0; i < 4; ++i) {
    ASSERT_EQ(frame.bodies.ids[static_cast<std::size_t>(frame.contacts.pairs(i, 0))], 0);
    ASSERT_EQ(frame.bodies.ids[static_cast<std::size_t>(frame.contacts.pairs(i, 1))], 1);
    force += last.record.answer.z(i, 0) / frame.step * frame.contacts.normals.row(i).transpose();
  }
  EXPECT_NEAR(force.z(), 9.81, 1e-3);  // Bullet's box is still rising out of the floor
  const Index box = frame.contacts.pairs(0, 1);
  const double gained =
      last.record.answer.velocities_plus(box, 2) - frame.bodies.velocities(box, 2);
  EXPECT_NEAR(force.z(), 9.81 + gained / frame.step, 1e-12);
  EXPECT_NEAR(force.head<2>().norm(), 0, 1e-9);
}

TEST(BulletRecorder, OneFrictionDirectionIsABoundOfZeroAlongTheOther) {
  const BulletStep step = recorded(scene_of("creep"), 10).back();
  const Contacts& k = step.record.frame.contacts;
  ASSERT_GT(k.count(), 0);
  for (Index i = 0; i < k.count(); ++i) {
    EXPECT_TRUE(std::isinf(k.friction_bounds(i, 0)));
    EXPECT_EQ(k.friction_bounds(i, 1), 0);
    EXPECT_EQ(step.record.answer.z(i, 2), 0);
  }
}

TEST(BulletRecorder, TwoFrictionDirectionsAreBothRecorded) {
  const auto two = [](btDiscreteDynamicsWorld& world) {
    world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  };
  double along_o = 0;
  for (const BulletStep& step : recorded(scene_of("yaw"), 30, two)) {
    EXPECT_LT(momentum_gap(step.record), 1e-12);
    EXPECT_LT(reproduced(step), 1e-10);
    if (step.record.answer.z.rows())
      along_o = std::max(along_o, step.record.answer.z.col(2).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(along_o, 1e-3);
}

TEST(BulletRecorder, IslandsThatAreSolvedOneByOneAreOneFrame) {
  const auto alone = [](btDiscreteDynamicsWorld& world) {
    world.getSolverInfo().m_minimumSolverBatchSize = 1;
  };
  const std::vector<BulletStep> apart = recorded(scene_of("spheres"), 60, alone);
  const std::vector<BulletStep> together = recorded(scene_of("spheres"), 60);
  ASSERT_EQ(apart.size(), 60u);
  for (std::size_t k = 0; k < apart.size(); ++k) {
    EXPECT_EQ(apart[k].record.frame.contacts.count(), together[k].record.frame.contacts.count());
    EXPECT_LT(momentum_gap(apart[k].record), 1e-12);
    EXPECT_LT(reproduced(apart[k]), 1e-10);
  }
  EXPECT_EQ((apart.back().record.frame.bodies.masses.array() > 0).count(), 15);
}

// A ball that hits the floor at u leaves it at -e u: Bullet's term is e u on the right-hand side.
TEST(BulletRecorder, RestitutionIsInTheBias) {
  Scene scene = scene_of("stack:1");
  for (Body& body : scene.bodies) body.restitution = 0.5;
  scene.bodies[1].shape.type = Shape::Type::sphere;
  scene.bodies[1].velocity << 0, 0, -2, 0, 0, 0;
  const BulletStep step = recorded(scene, 1).front();
  const Frame& frame = step.record.frame;
  ASSERT_EQ(frame.contacts.count(), 1);
  EXPECT_NEAR(frame.contacts.restitution[0], 0.5, 1e-15);
  const Index ball = frame.bodies.masses[0] > 0 ? 0 : 1;
  EXPECT_NEAR(frame.contacts.bias(0, 0), -1, 1e-12);
  EXPECT_NEAR(step.record.answer.velocities_plus(ball, 2), 1, 1e-12);
  // By our law it is the same: c = e u-.
  EXPECT_NEAR(assemble(frame).c[0], -1, 1e-12);
}

// 0.1 m deep: beyond 0.04 m the push out goes to positions alone, and v+ does not know of it.
TEST(BulletRecorder, SplitImpulseIsNoPartOfTheVelocities) {
  Scene scene = scene_of("stack:1");
  scene.bodies[1].pose.position.z() -= 0.1;
  const BulletStep step = recorded(scene, 1).front();
  ASSERT_EQ(step.record.frame.contacts.count(), 4);
  EXPECT_NEAR(step.record.frame.contacts.gap[0], -0.1, 1e-9);
  EXPECT_NEAR(step.record.frame.contacts.bias.cwiseAbs().maxCoeff(), 0, 1e-12);
  EXPECT_LT(momentum_gap(step.record), 1e-12);
  EXPECT_LT(reproduced(step), 1e-12);
}

// 0.02 m deep: a fifth of it (erp2) in one step.
TEST(BulletRecorder, ErrorReductionIsInTheBias) {
  Scene scene = scene_of("stack:1");
  scene.bodies[1].pose.position.z() -= 0.02;
  const BulletStep step = recorded(scene, 1).front();
  for (Index i = 0; i < step.record.frame.contacts.count(); ++i)
    EXPECT_NEAR(step.record.frame.contacts.bias(i, 0), -0.2 * 0.02 / scene.step, 1e-9);
}

TEST(BulletRecorder, GyroscopicTorqueIsAForce) {
  Scene scene = scene_of("stack:1");
  scene.bodies[1].shape.half_extents = Vector3d(0.1, 0.3, 0.5);
  scene.bodies[1].pose.position.z() = 10;
  scene.bodies[1].velocity << 0, 0, 0, 3, 2, 1;
  for (const BulletStep& step : recorded(scene, 20)) {
    const Bodies& b = step.record.frame.bodies;
    ASSERT_EQ(b.count(), 1);  // the floor is not there: nothing touches it
    EXPECT_NEAR(b.forces(0, 2), -9.81, 1e-12);
    EXPECT_GT(b.forces.row(0).tail<3>().norm(), 0.01);
    EXPECT_LT(momentum_gap(step.record), 1e-12);
  }
}

TEST(BulletRecorder, KinematicBodyKeepsItsVelocity) {
  const std::vector<BulletStep> steps = recorded(scene_of("plate"), 10);
  double fastest = 0;
  for (const BulletStep& step : steps) {
    const Bodies& b = step.record.frame.bodies;
    for (Index i = 0; i < b.count(); ++i)
      if (b.fixed(i)) {
        fastest = std::max(fastest, b.velocities.row(i).norm());
        EXPECT_EQ(b.velocities.row(i), step.record.answer.velocities_plus.row(i));
      }
  }
  EXPECT_GT(fastest, 0.01);
}

TEST(BulletRecorder, OwnErrorTellsHowFarItsSweepsCame) {
  const auto own_error = [](int sweeps) {
    const auto told = [&](btDiscreteDynamicsWorld& world) {
      world.getSolverInfo().m_numIterations = sweeps;
    };
    const BulletStep step = recorded(scene_of("mass-ratio:100"), 3, told).back();
    EXPECT_EQ(step.record.answer.iterations, sweeps);
    EXPECT_TRUE(step.record.answer.errors.has(Measure::velocity_error));
    EXPECT_EQ(step.record.answer.slide_or_stick.size(),
              static_cast<std::size_t>(step.record.frame.contacts.count()));
    std::cout << sweeps << " sweeps: own_error " << step.record.answer.errors[Measure::own_error]
              << " m/s\n";
    return step.record.answer.errors[Measure::own_error];
  };
  EXPECT_GT(own_error(10), 100 * own_error(1000));
}

// The other solvers: whatever they answer, it is recorded, and momentum closes.
template <class Solver, class... Arguments>
void records(const Scene& scene, int steps, Index& fallbacks, Arguments... arguments) {
  fallbacks = 0;
  BulletRecorder recorder(
      [&](BulletStep& step) {
        EXPECT_LT(momentum_gap(step.record), 1e-12);
        fallbacks += step.fell_back;
        if (std::is_same_v<Solver, btMLCPSolver>) {
          EXPECT_EQ(step.record.answer.iterations >= 0, step.fell_back);
        }
      },
      false);
  Recording<Solver> solver(recorder, arguments...);
  Solver plain(arguments...);
  EXPECT_EQ(run(solver, scene, steps), run(plain, scene, steps));
}

TEST(BulletRecorder, ConjugateGradientsAreRecorded) {
  Index fallbacks;
  records<Nncg>(scene_of("stack:10"), 60, fallbacks);
  EXPECT_EQ(fallbacks, 0);
}

TEST(BulletRecorder, DantzigIsRecordedAndItsFallbacksAreCounted) {
  btDantzigSolver dantzig;
  Index fallbacks;
  records<btMLCPSolver>(scene_of("stack:10"), 120, fallbacks, &dantzig);
  EXPECT_GT(fallbacks, 60);  // most steps, and Bullet does not say so
}

INSTANTIATE_TEST_SUITE_P(Bullet, RecordedScene,
                         testing::Values(Run{"stack", 60}, Run{"stack:10", 120},
                                         Run{"heavy-top", 60}, Run{"snake", 120}, Run{"arch", 60},
                                         Run{"wall", 30}, Run{"spheres", 120}, Run{"hose", 120},
                                         Run{"ragdolls", 120}, Run{"mass-ratio:100", 120},
                                         Run{"creep", 60}, Run{"logs", 60}, Run{"plate", 60}),
                         [](const auto& one) {
                           std::string name = one.param.scene;
                           for (char& letter : name)
                             if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
                           return name;
                         });

}  // namespace
}  // namespace perpend::capture
