#include "sim/limits.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace perpend::sim {
namespace limits_test {

TEST(StepClock, SharesOutWhatIsLeftOfTheLimit) {
  double now = 100;
  Options options;
  options.time_limit = 4;
  options.clock = [&now] { return now; };
  StepClock clock(options);
  EXPECT_EQ(clock.left(), 4);
  now = 103;
  EXPECT_EQ(clock.left(), 1);
  EXPECT_EQ(clock.for_solve().time_limit, 1);
  EXPECT_FALSE(clock.over());
  now = 105;
  EXPECT_GT(clock.left(), 0) << "0 would be no limit";
  EXPECT_LT(clock.left(), 1e-6);
  EXPECT_TRUE(clock.over());
  EXPECT_EQ(clock.status(), Status::time_limit);
  EXPECT_EQ(clock.message(), "limit of 4 s for a step");
}

TEST(StepClock, WithoutLimitIsNeverAsked) {
  Options options;
  options.clock = []() -> double { throw "asked"; };
  StepClock clock(options);
  EXPECT_EQ(clock.left(), 0);
  EXPECT_FALSE(clock.over());
  EXPECT_FALSE(clock.ended());
}

TEST(StepClock, CtrlCComesBeforeTheLimit) {
  bool pressed = false;
  Options options;
  options.cancelled = [&pressed] { return pressed; };
  StepClock clock(options);
  EXPECT_FALSE(clock.over());
  pressed = true;
  EXPECT_TRUE(clock.over());
  clock.note(Status::time_limit);
  EXPECT_EQ(clock.status(), Status::stopped);
  EXPECT_EQ(clock.message(), "stopped within the step");
}

TEST(StepClock, NotesSolvesThatWereEnded) {
  const Options options;
  for (Status harmless : {Status::converged, Status::stalled, Status::iteration_limit}) {
    StepClock clock(options);
    clock.note(harmless);
    EXPECT_FALSE(clock.ended());
  }
  for (Status ended : {Status::time_limit, Status::stopped}) {
    StepClock clock(options);
    clock.note(ended);
    EXPECT_TRUE(clock.ended());
    EXPECT_EQ(clock.status(), ended);
  }
}

StepBodies two_bodies() {
  StepBodies bodies;
  bodies.list.resize(2);
  for (StepBody& m : bodies.list) m.moves = true;
  bodies[0].id = 4;
  bodies[1].id = 7;
  bodies[1].radius = 1000;
  return bodies;
}

TEST(Runaway, IsABodyOrItsRimAtABillionMetresPerSecond) {
  StepBodies bodies = two_bodies();
  EXPECT_EQ(runaway(bodies), "");
  bodies[0].velocity.x() = 0.9e9;
  bodies[1].spin.z() = 0.9e6;
  EXPECT_EQ(runaway(bodies), "");
  bodies[1].spin.z() = 1e6;
  EXPECT_EQ(runaway(bodies), "body 7 would move at 1e+09 m/s");
  bodies[1].moves = false;
  EXPECT_EQ(runaway(bodies), "") << "what is fixed may be told any speed";
}

TEST(Runaway, IsABodyWithoutASpeed) {
  const StepBodies bodies = two_bodies();
  Rows6 velocities = Rows6::Zero(2, 6);
  EXPECT_EQ(runaway(bodies, velocities), "");
  velocities(0, 4) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(runaway(bodies, velocities), "body 4 has a speed that is not a number");
}

}  // namespace limits_test
}  // namespace perpend::sim
