// Drives, joints that follow others and filters of scenes in MuJoCo; names of models of its own.
#include "capture/mujoco/runs.hpp"
#include "capture/robots.hpp"

namespace perpend::capture::from_mujoco {
namespace drives_test {

const Engine kEngine = mujoco_engine();

TEST(MujocoDrives, AreImplicit) { expect_implicit_drives(kEngine); }

// MuJoCo's couplings are soft.
TEST(MujocoDrives, AJointThatFollowsPushesTheOneItFollows) { expect_mimic(kEngine, 2e-3); }

// Its dry friction is soft as well: it creeps.
TEST(MujocoDrives, DryFrictionHoldsAndBrakes) { expect_dry_friction(kEngine, 2e-2); }

TEST(MujocoDrives, FiltersKeepBodiesApart) { expect_filters(kEngine); }

TEST(MujocoDrives, ABallHasNone) {
  Scene scene = sliders(1);
  scene.joints[0].type = Joint::Type::point;
  scene.joints[0].drives[3].damping = 1;
  try {
    to_mjcf(scene, scene.step);
    FAIL();
  } catch (const io::InputError& why) {
    EXPECT_STREQ(why.what(), "joints 0/drives: MuJoCo drives no ball; make it a generic joint");
  }
}

TEST(MujocoNames, OfAModelAreInTheRecording) {
  MujocoWorld world = world_of(
      "<mujoco><worldbody><geom type=\"plane\" size=\"5 5 1\"/><body name=\"thigh\" pos=\"0 0 2\">"
      "<joint name=\"hip\" axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"0.3 0 0\"/>"
      "<body name=\"shin\" pos=\"0.5 0 0\"><joint name=\"knee\" axis=\"0 1 0\" frictionloss=\"1\"/>"
      "<geom size=\"0.1\" pos=\"0.3 0 0\"/></body></body></worldbody>"
      "<equality><joint name=\"gear\" joint1=\"knee\" joint2=\"hip\"/></equality></mujoco>");
  std::vector<io::Record> records;
  MujocoRecorder recorder([&](MujocoStep& step) { records.push_back(step.record); });
  for (int k = 0; k < 2; ++k) world.step(&recorder);
  expect_names(records[0], {"world", "thigh", "shin"}, {"hip", "knee", "gear"});
  EXPECT_TRUE(records[1].model.empty());                    // told once
  EXPECT_EQ(records[0].joint_ids, (Integers{0, 1, 2, 2}));  // the coupling has a part at each
  EXPECT_EQ(records[0].frame.joints.rows, (Integers{5, 6, 1, 1}));  // the knee with its friction
}

TEST(MujocoNames, OfASceneAreTheScenes) {
  Scene scene = sliders(2);
  scene.joints[0].drives[2].friction = 1;
  scene.joints[1].mimic = {0, 1, 0};
  const io::Record record = records_of(kEngine, task_of(kEngine, scene), 1).front();
  for (const std::int64_t id : record.joint_ids) EXPECT_TRUE(id == 0 || id == 1) << id;
}

TEST(MujocoNames, JointsOfASceneHaveItsIds) {
  for (const char* scene : {"snake", "ragdolls"}) expect_joint_ids(kEngine, scene);
}

}  // namespace drives_test
}  // namespace perpend::capture::from_mujoco
