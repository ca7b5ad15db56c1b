// A recording of stock Bullet is what Bullet computed: nothing changes by being recorded, momentum
// closes from the recorded numbers alone, and its own method on the recorded problem gives its own
// velocities.
#include <gtest/gtest.h>

#include <cmath>

#include "capture/bullet/methods.hpp"
#include "capture/bullet/runs.hpp"

namespace perpend::capture::from_bullet {
namespace recorder_test {

using Si = btSequentialImpulseConstraintSolver;

class RecordedScene : public SceneTest<bullet_engine> {};

TEST_P(RecordedScene, TrajectoryIsTheSameBitForBitWithAndWithoutRecording) {
  expect_same_trajectory(engine, task, steps);
}

// Rounding: a body's balance is a sum of a few hundred terms at most, each known to a few 1e-16.
TEST_P(RecordedScene, MomentumClosesInEveryFrame) {
  const Momentum found = momentum_of(engine, task, steps);
  EXPECT_LT(found.worst, 1e-12);
  EXPECT_GT(found.contacts + found.joint_rows, 0);
  EXPECT_EQ(found.answered, (std::map<std::string, int>{{"sequential impulses", steps}}));
}

double reproduced(const BulletStep& step) {
  return reproduction_gap(step.record, [&](const System& system, const io::Record&) {
    return as_sequential(system, step);
  });
}

TEST_P(RecordedScene, BoxSweepsInItsOrderGiveItsVelocities) {
  double worst = 0;
  BulletRecorder recorder([&](BulletStep& step) { worst = worse(worst, reproduced(step)); }, false);
  Recording<Si> solver(recorder);
  run(solver, scene, steps);
  std::cout << GetParam().scene << ": velocities reproduced to " << worst << "\n";
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
  for (const BulletStep& step : recorded(spinning_box(), 20))
    expect_gyroscopic_torque(step.record, 1e-12);
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

// Of joints, whose steps divide by A_jj alone, and of contacts, whose steps divide by all.
TEST(BulletRecorder, ComplianceIsRecordedWithItsRows) {
  const auto soft = [](btDiscreteDynamicsWorld& world) {
    world.getSolverInfo().m_globalCfm = 0.01;
  };
  double joints = 0, contacts = 0;
  for (const char* scene : {"snake", "stack:3"})
    for (const BulletStep& step : recorded(scene_of(scene), 30, soft)) {
      EXPECT_LT(reproduced(step), 1e-10) << scene;
      const Frame& frame = step.record.frame;
      if (frame.joints.row_count()) joints = std::max(joints, frame.joints.cfm.maxCoeff());
      if (frame.contacts.count()) contacts = std::max(contacts, frame.contacts.cfm.maxCoeff());
    }
  EXPECT_GT(joints, 0);
  EXPECT_NEAR(contacts, 0.01 * 60, 1e-12);
}

// The other solvers: whatever they answer, it is recorded, and momentum closes.
template <class Solver, class... Arguments>
void records(const Scene& scene, int steps, Index& fallbacks, Arguments... arguments) {
  fallbacks = 0;
  BulletRecorder recorder(
      [&](BulletStep& step) {
        EXPECT_LT(momentum_gap(step.record), 1e-12);
        fallbacks += step.fell_back;
        EXPECT_EQ(step.record.answer.iterations >= 0, step.fell_back);
      },
      false);
  Recording<Solver> solver(recorder, arguments...);
  Solver plain(arguments...);
  EXPECT_EQ(run(solver, scene, steps), run(plain, scene, steps));
}

TEST(BulletRecorder, DantzigIsRecordedAndItsFallbacksAreCounted) {
  btDantzigSolver dantzig;
  Index fallbacks;
  records<btMLCPSolver>(scene_of("stack:10"), 120, fallbacks, &dantzig);
  EXPECT_GT(fallbacks, 60);  // most steps, and Bullet does not say so
}

INSTANTIATE_TEST_SUITE_P(Bullet, RecordedScene, testing::ValuesIn(bullet_runs()), test_name);

}  // namespace recorder_test
}  // namespace perpend::capture::from_bullet
