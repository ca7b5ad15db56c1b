// Every registered solver on inputs that break solvers: whatever it makes of them, its status is
// honest, its answer is finite and no worse than its start, and its limits hold.
//
// The frames are in examples/hard/hard.jsonl; generate.py writes them and says what is hard.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "perpend/io.hpp"
#include "support/boxes.hpp"
#include "support/every_solver.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace robustness_test {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<io::Record>& hard() {
  static const std::vector<io::Record> records =
      io::read_json_lines(PERPEND_SOURCE_DIR "/examples/hard/hard.jsonl");
  return records;
}

bool infeasible(const io::Record& r) {
  return std::find(r.tags.begin(), r.tags.end(), "infeasible") != r.tags.end();
}

class EverySolverOn : public testing::TestWithParam<std::string> {
 protected:
  const SolverInfo& info() const { return *solver_named(GetParam()); }
  static Options limited() {
    Options o;
    o.max_iterations = 300;
    o.memory_limit = 2e9;
    return o;
  }
};

TEST_P(EverySolverOn, HardInputEndsHonestly) {
  for (const io::Record& h : hard()) {
    if (!info().joints && h.frame.joints.count()) continue;
    for (const bool explicit_blocks : {false, true}) {
      SCOPED_TRACE(h.name + (explicit_blocks ? ", explicit blocks" : ""));
      System s = assemble(h.frame);
      if (explicit_blocks) s = with_blocks(s);
      const Result r = solve(s, GetParam(), limited());
      EXPECT_THAT(r.status, testing::AnyOf(Status::converged, Status::iteration_limit,
                                           Status::stalled, Status::infeasible, Status::failed))
          << name(r.status) << ": " << r.message;
      EXPECT_FALSE(r.message.empty());
      EXPECT_FALSE(r.path.empty());
      EXPECT_LE(r.iterations, 300);
      ASSERT_EQ(r.impulses.size(), s.rows());
      EXPECT_TRUE(r.impulses.allFinite());
      std::string why;
      const auto problem = formulate(s, info().formulation(), {}, why);
      ASSERT_TRUE(problem) << why;
      const double error = problem->own_error(r.z);
      EXPECT_LE(error, problem->own_error(VectorXd::Zero(problem->size())));
      EXPECT_EQ(
          r.status == Status::converged,
          error <= limited().tolerance && r.message.find("rounding may hide") == std::string::npos)
          << error << ": " << r.message;
    }
  }
}

// The vice closes at 2 m/s, the joints contradict each other by as much: 1 m/s is left somewhere.
// Where the vice's jaws slide at s, de Saxce's term hides mu s of it and s itself is an error: the
// least of (1 - mu s)^2 + s^2 is 1/(1 + mu^2), which leaves 0.894 m/s with its mu of 0.5.
TEST_P(EverySolverOn, NobodySolvesWhatHasNoSolution) {
  int asked = 0;
  for (const io::Record& h : hard()) {
    if (!infeasible(h) || (!info().joints && h.frame.joints.count())) continue;
    const Result r = solve(assemble(h.frame), GetParam(), limited());
    EXPECT_NE(r.status, Status::converged) << h.name;
    EXPECT_GE(r.errors[Measure::velocity_error], 0.89) << h.name;
    ++asked;
  }
  EXPECT_GE(asked, info().joints ? 2 : 1);
}

// Numbers at the ends of what doubles hold: lever, mass, friction, speed, step, a joint's row.
std::vector<Frame> extreme() {
  std::vector<Frame> frames;
  const auto sample = [&](auto change) {
    boxes::World w;
    const Index floor = w.fixed(), cube = w.cube(1, 1, {0, 0, 0.5});
    w.contact(floor, cube, {0, 0, 0}, Vector3d::UnitZ(), 0.5);
    w.frame().bodies.velocities.row(cube) << 1, 0, -1, 0, 0, 0;
    change(w.frame());
    frames.push_back(w.frame());
  };
  for (const double size : {1e-300, 1e-160, 1e78, 1e155, 1e300}) {
    sample([&](Frame& f) { f.contacts.points(0, 0) = size; });
    sample([&](Frame& f) { f.bodies.masses[1] = size; });
    sample([&](Frame& f) { f.contacts.mu[0] = size; });
    sample([&](Frame& f) { f.bodies.velocities.row(1) << size, 0, -size, 0, 0, 0; });
    sample([&](Frame& f) { f.step = size; });
    for (const bool touching : {false, true})
      sample([&](Frame& f) {
        Joints& j = f.joints;
        j.pairs.resize(1, 2);
        j.pairs << 0, 1;
        j.rows = {1};
        j.jacobian = Rows<12>::Zero(1, 12);
        j.jacobian(0, 6) = size;
        j.bounds.resize(1, 2);
        j.bounds << -kInfinity, kInfinity;
        j.violation = VectorXd::Constant(1, 1e-3);
        if (!touching) f.contacts = Contacts();
      });
  }
  return frames;
}

TEST_P(EverySolverOn, NumbersBeyondReasonEndHonestly) {
  for (const Frame& frame : extreme()) {
    const System s = assemble(frame);
    const Result r = solve(s, GetParam(), limited());
    SCOPED_TRACE(std::string(name(r.status)) + ": " + r.message);
    EXPECT_FALSE(r.message.empty());
    if (r.status == Status::invalid_input) continue;
    ASSERT_EQ(r.impulses.size(), s.rows());
    EXPECT_TRUE(r.impulses.allFinite());
  }
}

// Below rounding: whatever is left, it is told.
TEST_P(EverySolverOn, AToleranceBelowRoundingEndsHonestly) {
  Options o = limited();
  o.tolerance = 1e-17;
  for (const io::Record& h : hard()) {
    if (!info().joints && h.frame.joints.count()) continue;
    if (h.frame.contacts.count() > 4) continue;
    SCOPED_TRACE(h.name);
    const Result r = solve(assemble(h.frame), GetParam(), o);
    EXPECT_THAT(r.status, testing::AnyOf(Status::converged, Status::iteration_limit,
                                         Status::stalled, Status::infeasible, Status::failed))
        << name(r.status) << ": " << r.message;
    EXPECT_TRUE(r.impulses.allFinite());
    if (r.status == Status::converged) {
      EXPECT_LE(r.errors[Measure::own_error], o.tolerance);
    }
  }
}

// A = 0: two contacts close at 0.08 and 2.3 m/s whatever pushes; 2.3/sqrt(1 + mu^2) = 1.9 m/s is
// the least error of the second. Impulses grow until the natural map, evaluated as it is written,
// is 0 to the last bit.
TEST_P(EverySolverOn, NobodySolvesWhatNoImpulseMoves) {
  VectorXd b(6);
  b << -0.0799344, -0.690418, 3.02199, -2.30875, -6.97617, -2.33975;
  const System s = assemble(SparseMatrix(6, 6), b, Eigen::Vector2d(0.7, 0.7));
  for (const long iterations : {300L, 2000L}) {
    Options o = limited();
    o.max_iterations = iterations;
    const Result r = solve(s, GetParam(), o);
    EXPECT_NE(r.status, Status::converged) << r.message;
    if (r.status == Status::invalid_input) continue;  // mlcp and mncp want masses
    EXPECT_GE(r.errors[Measure::velocity_error], 1.8) << r.message;
    EXPECT_EQ(r.message.find("within rounding"), std::string::npos) << r.message;
  }
}

TEST_P(EverySolverOn, NothingTouchesNothingToDo) {
  boxes::World w;
  w.fixed();
  w.cube(1, 1, {0, 0, 5});
  const Result r = solve(assemble(w.frame()), GetParam());
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE(r.iterations, 1);  // mlcp and mncp have velocities to find
  for (Measure m : {Measure::own_error, Measure::velocity_error, Measure::natural_map_error})
    EXPECT_EQ(r.errors[m], 0);
}

TEST_P(EverySolverOn, NotANumberIsRefused) {
  const System good = assemble(boxes::column(2, 1, 1));
  std::vector<System> bad(3, good);
  bad[0].b[4] = kNaN;
  bad[1].mu[1] = kNaN;
  std::get<BodySpace>(bad[2].A).contacts[5].w1(0, 0) = kNaN;
  bad.push_back(with_blocks(good));
  Blocks& blocks = std::get<Blocks>(bad.back().A);
  blocks.values[1] = kInfinity;  // beside the diagonal
  for (const System& s : bad) {
    const Result r = solve(s, GetParam());
    EXPECT_EQ(r.status, Status::invalid_input);
    EXPECT_THAT(r.message, testing::AnyOf(testing::HasSubstr("not a number"),
                                          testing::HasSubstr("not finite")));
  }
}

// A clock that ticks a second each time it is read: after the limit nobody reads it often.
TEST_P(EverySolverOn, TimeIsUpWhenItIsUp) {
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.7), 0.3));
  Options o = limited();
  o.tolerance = 0;  // out of reach
  o.time_limit = 20;
  double now = 0;
  o.clock = [&now] { return now += 1; };
  const Result r = solve(s, GetParam(), o);
  EXPECT_THAT(r.status, testing::AnyOf(Status::time_limit, Status::stalled, Status::converged,
                                       Status::failed))
      << name(r.status) << ": " << r.message;
  EXPECT_LE(r.iterations, 21);  // `next` reads it once for every iteration
  EXPECT_EQ(r.reproducible, r.status != Status::time_limit);
}

INSTANTIATE_TEST_SUITE_P(Robustness, EverySolverOn, testing::ValuesIn(every_solver::names()),
                         every_solver::test_name);

}  // namespace robustness_test
}  // namespace perpend
