// A recording of DART is what DART computed: nothing changes by being recorded, momentum closes
// from the recorded numbers alone, and its methods on the recorded problem give its velocities.
#include <gtest/gtest.h>

#include <cmath>

#include "capture/dart/boxed_lcp.hpp"
#include "capture/proof.hpp"
#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_dart {
namespace recorder_test {

class RecordedScene : public SceneTest<dart_engine> {};

TEST_P(RecordedScene, TrajectoryIsTheSameBitForBitWithAndWithoutRecording) {
  expect_same_trajectory(engine, task, steps);
}

TEST_P(RecordedScene, MomentumClosesAndItsMethodsGiveItsVelocities) {
  double reproduced = 0, own = 0;
  Momentum found;
  run_scene(engine, task, steps, [&](const io::Record& record) {
    EXPECT_EQ(invalid(record.frame), "");
    found.worst = std::max(found.worst, momentum_gap(record));
    found.contacts = std::max(found.contacts, record.frame.contacts.count());
    found.joint_rows = std::max(found.joint_rows, record.frame.joints.row_count());
    ++found.answered[record.answer.answered];
    reproduced = std::max(reproduced, reproduction_gap(record, as_dart));
    io::Record measured = record;
    measure_answer(measured);
    if (record.answer.answered == kDartDantzig)
      own = std::max(own, measured.answer.errors[Measure::own_error]);
  });
  std::cout << task.scene.name << ": momentum closes to " << found.worst << ", reproduced to "
            << reproduced << ", own error by Dantzig " << own << " m/s, at most " << found.contacts
            << " contacts, " << found.joint_rows << " joint rows;";
  for (const auto& [who, count] : found.answered) std::cout << " " << who << " " << count;
  std::cout << "\n";
  EXPECT_LT(found.worst, 1e-12);
  EXPECT_LT(reproduced, 1e-8);
  EXPECT_LT(own, 1e-6);  // how well DART solved; `logs` has 839 contacts on a few bodies
  EXPECT_GT(found.contacts + found.joint_rows, 0);
}

// Fewer steps than other engines make of `hose`, `ragdolls` and `logs`, and a smaller wall: DART's
// A is dense, and cylinders are meshes with hundreds of contacts (docs/capture.md).
INSTANTIATE_TEST_SUITE_P(Dart, RecordedScene,
                         testing::ValuesIn(scene_runs_with({{"wall", {"wall:5", 30}},
                                                            {"hose", {"hose", 10}},
                                                            {"ragdolls", {"ragdolls", 56}},
                                                            {"logs", {"logs", 26}}})),
                         test_name);

}  // namespace recorder_test
}  // namespace perpend::capture::from_dart
