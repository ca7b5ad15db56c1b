// The errors of every solver on recorded frames, computed again from the file in 113 bits.
#include <gtest/gtest.h>

#include "perpend/io.hpp"
#include "perpend/sim.hpp"
#include "support/reported_errors.hpp"
#include "support/scratch.hpp"

namespace perpend {
namespace recorded_errors_test {

// A stack, balls, a chain of joints and an arch.
TEST(RecordedErrors, OfEverySolverOn200FramesAreTrueUpToRounding) {
  const scratch::Folder folder;
  Index frames = 0;
  for (const char* name : {"stack:3", "pile-spheres:4", "snake", "arch"}) {
    std::string why;
    const std::optional<Scene> scene = scene_named(name, 1, why);
    ASSERT_TRUE(scene) << why;
    SimulateOptions options;
    options.steps = 50;
    options.out = folder.path("recorded.h5");
    simulate(*scene, options);
    const io::FrameReader reader(options.out);
    for (Index i = 0; i < reader.frames(); ++i, ++frames) {
      const Frame frame = reader.read(i).frame;
      for (const SolverInfo& info : solvers()) {
        SCOPED_TRACE(info.name + ", " + name + ", frame " + std::to_string(i));
        quad::reported_errors_are_true(frame, info, 10);
      }
    }
  }
  EXPECT_EQ(frames, 200);
}

}  // namespace recorded_errors_test
}  // namespace perpend
