// A robotics engineer's own MJCF file, examples/capture/gripper.xml.
#include <gtest/gtest.h>

#include "capture/mujoco/runs.hpp"

namespace perpend::capture::from_mujoco {
namespace model_test {

const std::string kGripper = std::string(PERPEND_SOURCE_DIR) + "/examples/capture/gripper.xml";

Task gripper() {
  Task out;
  out.scene.name = "gripper.xml";
  out.file = kGripper;
  out.solver = "default";
  return out;
}

// Coupled joints, rotors, friction in joints, a welded pad, actuators, contacts that resist spin.
TEST(MujocoModel, MomentumClosesInEveryFrame) {
  const Engine engine = mujoco_engine();
  const Momentum found = momentum_of(engine, gripper(), 500);
  EXPECT_LT(found.worst, 1e-12);  // with damping in joints velocities come from the forces
  EXPECT_GT(found.contacts, 2);
  EXPECT_GT(found.joint_rows, 20);
  EXPECT_EQ(found.answered, (std::map<std::string, int>{{"Newton, elliptic cones", 500}}));
}

TEST(MujocoModel, TrajectoryIsTheSameBitForBitWithAndWithoutRecording) {
  expect_same_trajectory(mujoco_engine(), gripper(), 500);
}

TEST(MujocoModel, TheFileSaysStepSolverAndConeUnlessTold) {
  const Engine engine = mujoco_engine();
  Task task = gripper();
  const std::unique_ptr<capture::Run> run = engine.make(task);
  EXPECT_EQ(run->h(), 0.004);
  EXPECT_EQ(run->solver(), "Newton, elliptic cones");
  EXPECT_EQ(run->header().friction_model, "cone, associated");
  task.solver = "pgs";
  task.h = 0.002;
  task.iterations = 7;
  const std::unique_ptr<capture::Run> told = engine.make(task);
  EXPECT_EQ(told->h(), 0.002);
  EXPECT_EQ(told->iterations(), 7);
  EXPECT_EQ(told->solver(), "PGS, elliptic cones");  // the cone is the file's
}

// The fingers close on the ball, and the first keyframe's controls are what moves them.
TEST(MujocoModel, StartsAtItsFirstKeyframe) {
  const Engine engine = mujoco_engine();
  bool touched = false;
  run_scene(engine, gripper(), 500, [&](const io::Record& record) {
    for (Index i = 0; i < record.frame.contacts.count(); ++i)
      touched = touched || (record.frame.contacts.pairs.row(i).minCoeff() > 0 &&
                            record.answer.z(i, 0) > 0);  // not the floor
  });
  EXPECT_TRUE(touched);
}

TEST(MujocoModel, RefusesRungeKuttaNamingFileAndField) {
  const std::string path = testing::TempDir() + "rk4.xml";
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs("<mujoco><option integrator=\"RK4\"/></mujoco>", file);
  std::fclose(file);
  Task task = gripper();
  task.file = path;
  task.scene.name = "rk4.xml";
  try {
    mujoco_engine().make(task);
    FAIL();
  } catch (const io::InputError& why) {
    EXPECT_EQ(std::string(why.what()).find("rk4.xml: option/integrator: RK4"), 0u) << why.what();
  }
}

}  // namespace model_test
}  // namespace perpend::capture::from_mujoco
