// The file a Bullet program gets when its solver records.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "capture/bullet/runs.hpp"
#include "perpend/capture.hpp"

namespace perpend::capture::from_bullet {
namespace file_test {

TEST(BulletFile, IsASoundStandardFile) {
  const std::string path = temporary_path("bullet_file_test.h5");
  BulletFile file(path, "stack:10");
  Recording<btSequentialImpulseConstraintSolver> solver(file);
  run(solver, scene_of("stack:10"), 20);
  EXPECT_EQ(file.error(), "");
  file.close();

  expect_sound_file(path, "bullet", "box", "sleeping", 20);
  const io::FrameReader reader(path);
  EXPECT_EQ(reader.header().engine_version, bullet::version());
  EXPECT_EQ(reader.header().scene, "stack:10");
  for (Index k = 0; k < reader.frames(); ++k) {
    const io::Record record = reader.read(k);
    EXPECT_EQ(record.frame.contacts.count(), 40);
    EXPECT_LT(momentum_gap(record), 1e-12);
    EXPECT_EQ(record.answer.iterations, 10);
    EXPECT_GT(record.timing.solver, 0);
    EXPECT_GT(record.timing.formulation, 0);
    EXPECT_EQ(record.frame.contacts.bias.rows(), 40);
    EXPECT_EQ(record.frame.contacts.friction_bounds.rows(), 40);
  }
  std::filesystem::remove(path);
}

TEST(BulletFile, ThatCannotBeMadeSaysSo) {
  EXPECT_THROW(BulletFile("/nowhere/run.h5"), io::InputError);
}

// As a disk that is full: no file of the process, which is one of its own, may grow beyond 1 MB. It
// ends as programs do, with HDF5's own clean-up, which does not survive files it could not write.
TEST(BulletFileDeathTest, ThatCannotGrowStopsTheRecordingAndNotTheSimulation) {
  const std::string path = temporary_path("bullet_full_test.h5");
  const auto recorded = [&] {
    signal(SIGXFSZ, SIG_IGN);
    BulletFile file(path);
    rlimit small{};
    getrlimit(RLIMIT_FSIZE, &small);
    small.rlim_cur = 1'000'000;
    setrlimit(RLIMIT_FSIZE, &small);
    Recording<btSequentialImpulseConstraintSolver> solver(file);
    btSequentialImpulseConstraintSolver plain;
    if (run(solver, scene_of("stack:10"), 200) != run(plain, scene_of("stack:10"), 200)) _exit(2);
    try {
      file.close();
    } catch (const io::InputError& error) {
      std::cerr << error.what();
      std::exit(0);
    }
    _exit(1);
  };
  EXPECT_EXIT(recorded(), testing::ExitedWithCode(0), "cannot be written .File too large.");
  EXPECT_GE(io::FrameReader(path).frames(), 0);  // those of the last flush
  std::filesystem::remove(path);
}

TEST(MomentumGap, IsLargeWhenAnImpulseIsWrongAndUnknownWithoutOne) {
  std::vector<io::Record> kept;
  BulletRecorder recorder([&](BulletStep& step) { kept.push_back(step.record); });
  Recording<btSequentialImpulseConstraintSolver> solver(recorder);
  run(solver, scene_of("stack:1"), 5);
  io::Record record = kept.back();
  EXPECT_LT(momentum_gap(record), 1e-14);
  record.answer.z(0, 0) *= 1.01;
  EXPECT_GT(momentum_gap(record), 1e-4);
  record.answer.z.resize(0, 3);
  EXPECT_TRUE(std::isnan(momentum_gap(record)));
}

}  // namespace file_test
}  // namespace perpend::capture::from_bullet
