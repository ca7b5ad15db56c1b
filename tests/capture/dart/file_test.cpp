// The file a DART program gets, robots of URDF files, and what happens when the recorder goes
// first.
#include <gtest/gtest.h>

#include <cmath>
#include <dart/dynamics/Skeleton.hpp>
#include <filesystem>
#include <fstream>

#include "capture/dart/boxed_lcp.hpp"
#include "capture/dart/scene.hpp"
#include "capture/dart/world_run.hpp"
#include "capture/proof.hpp"
#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_dart {
namespace file_test {

TEST(DartFile, IsASoundStandardFile) {
  const std::string path = temporary_path("dart_file_test.h5");
  DartScene inside(scene_of("stack:3"), 1.0 / 60);
  DartFile file(path, "stack:3");
  file.record(inside.world());
  for (int k = 0; k < 20; ++k) inside.step();
  EXPECT_EQ(file.error(), "");
  file.close();
  inside.step();  // goes on, unrecorded

  expect_sound_file(path, "dart", "box", "soft bodies", 20);
  const io::FrameReader reader(path);
  EXPECT_EQ(reader.header().engine_version.substr(0, 2), "6.");
  for (Index k = 0; k < reader.frames(); ++k) {
    const io::Record record = reader.read(k);
    EXPECT_EQ(record.frame.contacts.count(), 12);
    EXPECT_LT(momentum_gap(record), 1e-12);
    EXPECT_EQ(record.answer.answered, kDartDantzig);
    EXPECT_GT(record.timing.solver, 0);
    EXPECT_GT(record.timing.formulation, 0);
    EXPECT_TRUE(record.answer.errors.has(Measure::own_error));
  }
  std::filesystem::remove(path);
}

TEST(DartFile, ThatCannotBeMadeSaysSo) {
  EXPECT_THROW(DartFile("/nowhere/run.h5"), io::InputError);
}

TEST(DartRecorder, WorldGoesOnWhenTheRecorderIsGone) {
  DartScene one(scene_of("stack:3"), 0.01), other(scene_of("stack:3"), 0.01);
  int steps = 0;
  {
    DartRecorder recorder([&](DartStep&) { ++steps; });
    recorder.record(one.world());
    for (int k = 0; k < 5; ++k) one.step();
    EXPECT_EQ(steps, 4);  // the last one may not be over
    recorder.finish();
    EXPECT_EQ(steps, 5);
  }
  for (int k = 0; k < 5; ++k) one.step();
  for (int k = 0; k < 10; ++k) other.step();
  EXPECT_EQ(steps, 5);
  EXPECT_EQ(state_hash(one.world()), state_hash(other.world()));
}

class Walker : public testing::Test {
 protected:
  Task task() const {
    Task out;
    out.file = PERPEND_SOURCE_DIR "/examples/capture/walker.urdf";
    out.solver = "dantzig";
    return out;
  }
  const Engine engine = dart_engine();
};

TEST_F(Walker, StandsOnTheFloorThatIsAddedAndEveryStepIsRecorded) {
  double momentum = 0, reproduced = 0;
  Index contacts = 0, limits = 0, frictions = 0;
  io::Record last;
  run_scene(engine, task(), 1000, [&](const io::Record& record) {
    ASSERT_EQ(invalid(record.frame), "");
    momentum = std::max(momentum, momentum_gap(record));
    if (record.frame.contacts.count() > contacts || record.frame.time > 0.9)
      reproduced = std::max(reproduced, reproduction_gap(record, as_dart));
    contacts = std::max(contacts, record.frame.contacts.count());
    const Joints& j = record.frame.joints;
    for (Index r = 0; r < j.row_count(); ++r) {
      const bool below = std::isfinite(j.bounds(r, 0)), above = std::isfinite(j.bounds(r, 1));
      limits += below != above;
      frictions += below && above;
    }
    last = record;
  });
  std::cout << "walker: momentum closes to " << momentum << ", velocities reproduced to "
            << reproduced << ", at most " << contacts << " contacts\n";
  EXPECT_LT(momentum, 1e-12);
  EXPECT_LT(reproduced, 1e-8);
  EXPECT_GT(contacts, 3);
  EXPECT_GT(limits, 0);
  EXPECT_GT(frictions, 0);
  EXPECT_DOUBLE_EQ(last.frame.step, 0.001);
  EXPECT_EQ((last.frame.bodies.masses.array() > 0).count(), 6);
  EXPECT_NEAR(last.frame.bodies.masses.sum(), 7.1, 1e-12);  // the links of the file
}

TEST_F(Walker, TrajectoryIsTheSameBitForBitWithAndWithoutRecording) {
  expect_same_trajectory(engine, task(), 500);
}

TEST_F(Walker, FileThatIsNoRobotIsOneClearLine) {
  const auto complaint = [&](const std::string& path) -> std::string {
    Task wrong = task();
    wrong.file = path;
    try {
      engine.make(wrong);
    } catch (const io::InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(complaint("/nowhere/robot.urdf"), "/nowhere/robot.urdf: cannot be read");
  const std::string path = temporary_path("broken.urdf");
  std::ofstream(path) << "<robot name=\"r\"><link name=\"a\"/>";
  const std::string why = complaint(path);
  EXPECT_EQ(why.find(path + ": DART cannot read this robot"), 0u) << why;
  EXPECT_EQ(why.find('\n'), std::string::npos);
  std::ofstream(path) << "<robot name=\"r\"><link name=\"a\"/></robot>";
  EXPECT_EQ(complaint(path), path + ": has no collision shape");
  std::filesystem::remove(path);
}

}  // namespace file_test
}  // namespace perpend::capture::from_dart
