// The recorded answer as a row beside solvers. A cube of 2 kg on a plane without friction, one
// contact below its centre: 2 g h N s hold it, and a share c of that leaves (1 - c) g h m/s.
#include <gtest/gtest.h>

#include <cmath>

#include "io/files.hpp"
#include "perpend/io.hpp"
#include "support/boxes.hpp"

namespace perpend::io {
namespace recorded_test {

constexpr double kStep = 0.01, kFall = boxes::kGravity * kStep;  // m/s

Record record(double share) {
  boxes::World w(kStep);
  const Index floor = w.fixed(), cube = w.cube(2, 1, {0, 0, 0.5});
  w.contact(floor, cube, {0, 0, 0}, Vector3d::UnitZ(), 0);
  Record r;
  r.frame = w.frame();
  r.answer.z = Rows3::Zero(1, 3);
  r.answer.z(0, 0) = share * 2 * kFall;
  r.answer.iterations = 10;
  r.timing.solver = 0.5;
  r.timing.formulation = 0.25;
  return r;
}

Case read_back(const Record& r) {
  const test::Scratch folder;
  FrameWriter writer(folder.path("frame.h5"), {});
  writer.append(r);
  writer.close();
  return open_source(folder.path("frame.h5"))->read(0);
}

TEST(Recorded, HasTheErrorDerivedByHandAndTheTimeOfTheFile) {
  Options options;
  options.history = true;
  const Result short_of = recorded_result(read_back(record(0.9)), options);
  EXPECT_EQ(short_of.status, Status::stalled);
  EXPECT_NEAR(short_of.errors[Measure::velocity_error], 0.1 * kFall, 1e-15);
  EXPECT_EQ(short_of.errors[Measure::own_error], short_of.errors[Measure::velocity_error]);
  EXPECT_EQ(short_of.seconds, 0.5);
  EXPECT_EQ(short_of.formulation_seconds, 0.25);
  EXPECT_EQ(short_of.iterations, 10);
  ASSERT_EQ(short_of.history.size(), 1U);
  EXPECT_EQ(short_of.history[0].seconds, 0.5);
  EXPECT_EQ(short_of.history[0].errors[Measure::own_error],
            short_of.errors[Measure::velocity_error]);

  EXPECT_EQ(recorded_result(read_back(record(1)), options).status, Status::converged);
  options.tolerance = 0.2 * kFall;
  EXPECT_EQ(recorded_result(read_back(record(0.9)), options).status, Status::converged);
}

// A soft contact, say: the engine solved what it meant to solve, and the answer is not rigid.
TEST(Recorded, HasTheOwnErrorThatWasMeasuredWhenItWasRecorded) {
  Record r = record(0.9);
  r.answer.errors[Measure::own_error] = 1e-12;
  const Result answer = recorded_result(read_back(r), {});
  EXPECT_EQ(answer.errors[Measure::own_error], 1e-12);
  EXPECT_NEAR(answer.errors[Measure::velocity_error], 0.1 * kFall, 1e-15);
  EXPECT_EQ(answer.status, Status::converged);
  Options coulomb;
  coulomb.error = Measure::velocity_error;
  EXPECT_EQ(recorded_result(read_back(r), coulomb).status, Status::stalled);
}

// By the measures that every solver is judged by.
TEST(Recorded, IsMeasuredAsASolverWithTheSameImpulsesWouldBe) {
  const Case problem = read_back(record(0.9));
  Options options;
  options.warm_start = recorded(problem);
  options.max_iterations = 0;
  const Result solver = solve(*problem.system, "ncp/nncg", options);
  const Result answer = recorded_result(problem, options);
  EXPECT_EQ(answer.impulses, solver.impulses);
  for (const MeasureInfo& m : measures()) {
    EXPECT_EQ(answer.errors.has(m.measure), solver.errors.has(m.measure)) << m.name;
    if (solver.errors.has(m.measure)) {
      EXPECT_EQ(answer.errors[m.measure], solver.errors[m.measure]) << m.name;
    }
  }
}

TEST(Recorded, WithoutAnAnswerATimeOrNumbersSaysSo) {
  Record none = record(1);
  none.answer = {};
  EXPECT_EQ(recorded_result(read_back(none), {}).status, Status::invalid_input);
  Record untimed = record(1);
  untimed.timing = {};
  EXPECT_TRUE(std::isnan(recorded_result(read_back(untimed), {}).seconds));
  Case wild = read_back(record(1));
  wild.answer.z(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(recorded_result(wild, {}).status, Status::failed);
  Options merit;
  merit.error = Measure::lcp_merit;
  EXPECT_EQ(recorded_result(read_back(record(1)), merit).status, Status::invalid_input);
}

}  // namespace recorded_test
}  // namespace perpend::io
