// The file a MuJoCo program gets when it steps through the recorder.
#include <gtest/gtest.h>

#include <filesystem>

#include "capture/mujoco/runs.hpp"

namespace perpend::capture::from_mujoco {
namespace file_test {

TEST(MujocoFile, IsASoundStandardFile) {
  const std::string path = temporary_path("mujoco_file_test.h5");
  const Scene scene = scene_of("stack:10");
  MujocoWorld world(scene, scene.step);
  MujocoFile file(path, &world.model(), "stack:10");
  for (int k = 0; k < 20; ++k) file.step(&world.model(), &world.data());
  EXPECT_EQ(file.error(), "");
  file.close();

  expect_sound_file(path, "mujoco", "pyramid, associated", "restitution", 20);
  const io::FrameReader reader(path);
  EXPECT_EQ(reader.header().engine_version, mj_versionString());
  EXPECT_EQ(reader.header().scene, "stack:10");
  for (Index k = 0; k < reader.frames(); ++k) {
    const io::Record record = reader.read(k);
    EXPECT_EQ(record.answer.answered, "Newton");
    EXPECT_GT(record.timing.total, 0);
    EXPECT_EQ(record.frame.contacts.cfm.rows(), record.frame.contacts.count());
    EXPECT_EQ(record.frame.contacts.bias.rows(), record.frame.contacts.count());
    EXPECT_TRUE(record.answer.errors.has(Measure::own_error));
    EXPECT_LT(record.answer.errors[Measure::own_error], 1e-6);
  }
  std::filesystem::remove(path);
}

TEST(MujocoFile, ThatCannotBeMadeSaysSo) {
  const Scene scene = scene_of("stack:1");
  MujocoWorld world(scene, scene.step);
  EXPECT_THROW(MujocoFile("/nowhere/run.h5", &world.model()), io::InputError);
}

// mj_step1 and mj_step2 with control in between are as good as mj_step.
TEST(MujocoFile, AroundAProgramsOwnStep) {
  const Scene scene = scene_of("stack:3");
  MujocoWorld world(scene, scene.step);
  tighten(world.model());
  std::vector<io::Record> records;
  MujocoRecorder recorder([&](MujocoStep& step) { records.push_back(step.record); });
  for (int k = 0; k < 10; ++k) {
    recorder.before(&world.model(), &world.data());
    mj_step1(&world.model(), &world.data());
    world.data().xfrc_applied[6 * (world.model().nbody - 1)] = 0.5;
    mj_step2(&world.model(), &world.data());
    recorder.after(&world.model(), &world.data());
  }
  ASSERT_EQ(records.size(), 10u);
  for (const io::Record& record : records) EXPECT_LT(momentum_gap(record), 1e-12);
  EXPECT_EQ(records.back().frame.bodies.forces(records.back().frame.bodies.count() - 1, 0), 0.5);
}

}  // namespace file_test
}  // namespace perpend::capture::from_mujoco
