// A recording of MuJoCo is what MuJoCo computed: nothing changes by being recorded, momentum closes
// from the recorded numbers alone, and the recorded problem solved by us gives its velocities.
#include <gtest/gtest.h>

#include <cmath>

#include "capture/mujoco/cone_error.hpp"
#include "capture/mujoco/runs.hpp"

namespace perpend::capture::from_mujoco {
namespace recorder_test {

class Process : public testing::Environment {
  void SetUp() override { take_over_process(); }
};
const testing::Environment* const process = testing::AddGlobalTestEnvironment(new Process);

class RecordedScene : public testing::TestWithParam<SceneRun> {
 protected:
  const Engine engine = mujoco_engine();
  const Scene scene = scene_of(GetParam().scene);
  // The bricks of `wall` land in step 20, and press on each other before; its steps are the longest
  // by far, so that one test of three goes all the way.
  const bool wall = GetParam().scene == "wall";
  const int steps = wall ? 22 : GetParam().steps, few = wall ? 4 : steps;

  // With the tolerance of `tighten`.
  Proof proof(mjtCone cone, int count) {
    MujocoWorld world(scene, scene.step);
    world.model().opt.cone = cone;
    tighten(world.model());
    const Proof out = proof_of(recorded(world, count));
    std::cout << scene.name << (cone == mjCONE_ELLIPTIC ? ", cones" : ", pyramids")
              << ": momentum closes to " << out.momentum << ", velocities reproduced to "
              << out.velocities << ", at most " << out.contacts << " contacts, " << out.joint_rows
              << " joint rows\n";
    return out;
  }
};

TEST_P(RecordedScene, TrajectoryIsTheSameBitForBitWithAndWithoutRecording) {
  expect_same_trajectory(engine, task_of(engine, scene), few);
}

// A tree adds the rounding of all that hangs on a joint; the tests ask for 1e-12.
TEST_P(RecordedScene, MomentumClosesAndTheConeProblemGivesItsVelocities) {
  const Proof found = proof(mjCONE_ELLIPTIC, steps);
  EXPECT_LT(found.momentum, 1e-12);
  EXPECT_LT(found.velocities, 1e-10);
  EXPECT_GT(found.contacts + found.joint_rows, 0);
}

TEST_P(RecordedScene, MomentumClosesAndThePyramidsEdgesGiveItsVelocities) {
  const Proof found = proof(mjCONE_PYRAMIDAL, few);
  EXPECT_LT(found.momentum, 1e-12);
  EXPECT_LT(found.velocities, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Mujoco, RecordedScene, testing::ValuesIn(scene_runs()), test_name);

constexpr const char kBox[] = R"(<mujoco>
  <option timestep="0.01" gravity="0 0 -9.81"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 1"><freejoint/><geom type="box" size="0.5 0.5 0.5" mass="3"/></body>
  </worldbody>
</mujoco>)";

TEST(MujocoRecorder, ContactForcesOfABoxAtRestAddUpToItsWeight) {
  MujocoWorld world = world_of(kBox);
  const io::Record last = recorded(world, 300).back();
  Vector3d force = Vector3d::Zero();
  for (Index i = 0; i < last.frame.contacts.count(); ++i) {
    EXPECT_EQ(last.frame.contacts.pairs(i, 0), 0);  // the floor is first: the normal points up
    EXPECT_NEAR(last.frame.contacts.normals(i, 2), 1, 1e-12);
    force += last.answer.z(i, 0) * last.frame.contacts.normals.row(i).transpose() +
             last.answer.z(i, 1) * last.frame.contacts.tangents.row(i).head<3>().transpose() +
             last.answer.z(i, 2) * last.frame.contacts.tangents.row(i).tail<3>().transpose();
  }
  EXPECT_LT((force / last.frame.step - Vector3d(0, 0, 3 * 9.81)).norm(), 1e-6);
}

// The floor of friction: a box given 1 m/s loses mu g h in a step. Pyramids are exact along t and
// o.
TEST(MujocoRecorder, FrictionActsAgainstSliding) {
  for (const mjtCone cone : {mjCONE_PYRAMIDAL, mjCONE_ELLIPTIC}) {
    MujocoWorld world = world_of(kBox);
    world.model().opt.cone = cone;
    recorded(world, 300);
    world.data().qvel[0] = 1;
    const io::Record record = recorded(world, 1).front();
    double along = 0, normal = 0;
    for (Index i = 0; i < record.frame.contacts.count(); ++i) {
      along += record.answer.z(i, 1) * record.frame.contacts.tangents(i, 0) +
               record.answer.z(i, 2) * record.frame.contacts.tangents(i, 3);
      normal += record.answer.z(i, 0);
    }
    EXPECT_LT(along, 0);
    EXPECT_NEAR(-along / normal, 1, 0.05);  // MuJoCo's mu
  }
}

// Its solvers on accelerations: what does not close at the default tolerance is what they left
// over, M qacc - qfrc_smooth - qfrc_constraint, and nothing else.
TEST(MujocoRecorder, WhatDoesNotCloseIsWhatItsSolverLeft) {
  const Scene scene = scene_of("stack:10");
  double gap[2];
  for (const bool tight : {false, true}) {
    MujocoWorld world(scene, scene.step);
    world.model().opt.cone = mjCONE_ELLIPTIC;
    world.model().opt.solver = mjSOL_CG;
    if (tight) tighten(world.model());
    world.model().opt.iterations = tight ? 2000 : 100;
    double& worst = gap[tight];
    worst = 0;
    MujocoRecorder recorder([&](MujocoStep& step) {
      const io::Record& record = step.record;
      worst = std::max(worst, momentum_gap(record));
      const mjModel& m = world.model();
      const mjData& d = world.data();
      std::vector<mjtNum> left(static_cast<std::size_t>(m.nv));
      mj_mulM(&m, &d, left.data(), d.qacc);
      for (int i = 0; i < m.nv; ++i)
        left[static_cast<std::size_t>(i)] -= d.qfrc_smooth[i] + d.qfrc_constraint[i];
      // Bodies are free and in the order of their joints: six numbers each, forces along world
      // axes first.
      const System system = assemble(record.frame, Model::engine);
      const Impulses z = from_rows(system, record.answer.z, record.answer.z_joints);
      const Rows6 plus = velocity_plus(record.frame, system, z);
      Index body = 0;
      for (Index i = 0; i < record.frame.bodies.count(); ++i) {
        if (record.frame.bodies.fixed(i)) continue;
        for (Index k = 0; k < 3; ++k)
          EXPECT_NEAR(
              record.frame.bodies.masses[i] * (record.answer.velocities_plus(i, k) - plus(i, k)),
              m.opt.timestep * left[static_cast<std::size_t>(6 * body + k)], 1e-13);
        ++body;
      }
    });
    for (int k = 0; k < 20; ++k) world.step(&recorder);
  }
  std::cout << "CG: momentum closes to " << gap[0] << " at its default tolerance, " << gap[1]
            << " at 1e-18\n";
  EXPECT_GT(gap[0], 1e-12);
  EXPECT_LT(gap[1], gap[0] / 100);
}

// PGS iterates on forces: momentum closes whether it has converged or not, and own_error tells.
TEST(MujocoRecorder, ProjectedGaussSeidelClosesUnconverged) {
  const Engine engine = mujoco_engine();
  for (const char* solver : {"pgs", "pgs-elliptic"}) {
    Task task = task_of(engine, scene_of("mass-ratio:100"), solver);
    double own[2];
    for (const int many : {0, 1}) {
      task.iterations = many ? 3000 : 10;
      io::Record last;
      run_scene(engine, task, 30, [&](const io::Record& record) {
        EXPECT_LT(momentum_gap(record), 1e-12);
        last = record;
      });
      measure_mujoco(last);
      own[many] = last.answer.errors[Measure::own_error];
      EXPECT_LE(last.answer.iterations, task.iterations);
    }
    std::cout << solver << ": own_error " << own[0] << " m/s after 10 sweeps, " << own[1]
              << " after 3000\n";
    EXPECT_GT(own[0], 10 * own[1]);
  }
}

TEST(MujocoRecorder, EverySolverIsRecordedAndNamed) {
  const Engine engine = mujoco_engine();
  for (const SolverName& solver : engine.solvers) {
    const Task task = task_of(engine, scene_of("stack:3"), solver.name);
    const std::unique_ptr<capture::Run> run = engine.make(task);
    const std::vector<std::string> known = run->header().answerers;
    for (int k = 0; k < 10; ++k) {
      const io::Record record = record_of(*run->step().record);
      EXPECT_EQ(record.answer.answered, run->solver());
      EXPECT_NE(std::find(known.begin(), known.end(), run->solver()), known.end());
      EXPECT_GE(record.answer.iterations, 0);  // 0: what it started from was good enough
      // At its default tolerance, of which CG makes little.
      EXPECT_LT(momentum_gap(record), solver.name.find("cg") == 0 ? 1e-3 : 1e-6) << solver.name;
    }
    if (solver.name != "default") {
      EXPECT_EQ(run->solver(), solver.title);
    }
  }
}

TEST(MujocoRecorder, NoSlipTakesAwaySlipAndClosesExactly) {
  const Engine engine = mujoco_engine();
  double slip[2];
  for (const int noslip : {0, 1}) {
    const Task task =
        task_of(engine, scene_of("creep"), noslip ? "newton-elliptic-noslip" : "newton-elliptic");
    io::Record last;
    run_scene(engine, task, 60, [&](const io::Record& record) {
      if (noslip) {
        EXPECT_LT(momentum_gap(record), 1e-12);
      }
      last = record;
    });
    slip[noslip] = last.answer.velocities_plus.row(last.frame.bodies.count() - 1).norm();
  }
  EXPECT_LT(slip[1], slip[0] / 10);
}

// A contact that MuJoCo sees and does not ask has no impulse, stays open in its problem, and lets
// the rigid law see it.
TEST(MujocoRecorder, ContactsInTheGapAreListedAndStayOpen) {
  Scene scene = scene_of("stack:1");
  scene.bodies[1].pose.position.z() += 0.005;
  scene.bodies[1].velocity << 0.3, 0, -1, 0, 0, 0;
  MujocoWorld world(scene, scene.step);
  const io::Record record = recorded(world, 1).front();
  ASSERT_EQ(record.frame.contacts.count(), 4);
  EXPECT_NEAR(record.frame.contacts.gap[0], 0.005, 1e-12);
  EXPECT_EQ(record.answer.z.cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(cone_error(record), 0);
  EXPECT_LT(reproduced(record), 1e-14);
  EXPECT_GT(measure(assemble(record.frame), Impulses::Zero(12), Measure::velocity_error), 0.1);
}

TEST(MujocoRecorder, OwnErrorIsSmallWhereItConvergesAndLargeWhereAnImpulseIsWrong) {
  for (const char* solver : {"newton", "newton-elliptic"}) {
    const Engine engine = mujoco_engine();
    io::Record record =
        records_of(engine, task_of(engine, scene_of("stack:10"), solver), 30).back();
    EXPECT_LT(cone_error(record), 1e-6) << solver;
    record.answer.z(0, 0) *= 1.01;
    EXPECT_GT(cone_error(record), 1e-5) << solver;
  }
}

// Contacts that resist spin (condim 4) and rolling (6) have torques in their cone: a ball and a box
// that spin and slide until they rest.
TEST(MujocoRecorder, OwnErrorKnowsSpinAndRolling) {
  for (const char* condim : {"4", "6"})
    for (const mjtCone cone : {mjCONE_PYRAMIDAL, mjCONE_ELLIPTIC}) {
      const std::string model = std::string(R"(<mujoco>
  <option timestep="0.005" gravity="0 0 -9.81"/>
  <default><geom friction="0.4 0.03 0.02" condim=")") +
                                condim + R"("/></default>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="box" pos="0 0 0.5"><freejoint/>
      <geom type="box" size="0.3 0.2 0.1" mass="3"/></body>
    <body name="ball" pos="1 0 0.3"><freejoint/><geom type="sphere" size="0.2" mass="1"/></body>
  </worldbody>
</mujoco>)";
      MujocoWorld world = world_of(model.c_str());
      world.model().opt.cone = cone;
      tighten(world.model());
      for (const int body : {0, 1}) {
        world.data().qvel[6 * body] = 1;
        world.data().qvel[6 * body + 5] = 8;  // about the vertical
      }
      double worst = 0, momentum = 0, torque = 0;
      io::Record spinning;
      for (const io::Record& record : recorded(world, 300)) {
        worst = std::max(worst, cone_error(record));
        momentum = std::max(momentum, momentum_gap(record));
        if (record.answer.z_joints.size() && record.answer.z_joints.cwiseAbs().maxCoeff() > 1e-3) {
          torque = record.answer.z_joints.cwiseAbs().maxCoeff();
          spinning = record;
        }
      }
      std::cout << "condim " << condim << (cone == mjCONE_ELLIPTIC ? ", cones" : ", pyramids")
                << ": own_error " << worst << " m/s, momentum " << momentum << "\n";
      EXPECT_LT(worst, 1e-8);
      EXPECT_LT(momentum, 1e-12);
      ASSERT_GT(torque, 0);
      spinning.answer.z_joints *= 0.9;
      EXPECT_GT(cone_error(spinning), 1e-6);
    }
}

TEST(MujocoRecorder, RungeKuttaIsRefusedInOneLine) {
  MujocoWorld world = world_of(kBox);
  world.model().opt.integrator = mjINT_RK4;
  EXPECT_NE(refusal(world.model()).find("RK4"), std::string::npos);
  MujocoRecorder recorder([](MujocoStep&) {});
  EXPECT_THROW(recorder.step(&world.model(), &world.data()), std::invalid_argument);
}

// MuJoCo begins again from its initial state when it finds bad numbers.
TEST(MujocoRecorder, AResetBeginsAgainFromRest) {
  MujocoWorld world = world_of(kBox);
  recorded(world, 5);
  world.data().qvel[2] = 1e12;
  const io::Record record = recorded(world, 1).front();
  EXPECT_EQ(record.frame.time, 0);
  EXPECT_EQ(record.frame.bodies.velocities.row(record.frame.bodies.count() - 1).norm(), 0);
  EXPECT_LT(momentum_gap(record), 1e-12);
}

}  // namespace recorder_test
}  // namespace perpend::capture::from_mujoco
