// Every registered solver on inputs that break solvers: whatever it makes of them, its status is
// honest, its answer is finite and no worse than its start, and its limits hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Hard {
  std::string name;
  Frame frame;
};

// A row of a joint between two bodies along a world axis, through the centres.
void hold(Frame& frame, Index first, Index second, const Vector3d& axis, double lower, double upper,
          double rate = 0) {
  Joints& q = frame.joints;
  const Index row = q.jacobian.rows(), joint = q.count();
  q.pairs.conservativeResize(joint + 1, 2);
  q.pairs.row(joint) << first, second;
  q.rows.push_back(1);
  q.jacobian.conservativeResize(row + 1, 12);
  q.jacobian.row(row) << -axis.transpose(), 0, 0, 0, axis.transpose(), 0, 0, 0;
  q.violation.conservativeResize(row + 1);
  q.violation[row] = 0;
  q.bounds.conservativeResize(row + 1, 2);
  q.bounds.row(row) << lower, upper;
  q.rate.conservativeResize(row + 1);
  q.rate[row] = rate;
}

// One cube between two plates that close on it at 1 m/s each: no impulse can help.
Frame vice() {
  boxes::World w;
  const Index below = w.fixed({0, 0, -0.5}, {0, 0, 1});
  const Index above = w.fixed({0, 0, 1.5}, {0, 0, -1});
  const Index cube = w.cube(1, 1, {0, 0, 0.5});
  w.face(below, cube, {0, 0, 0}, 1, 0.5);
  w.face(cube, above, {0, 0, 1}, 1, 0.5);
  return w.frame();
}

// Cubes of 1e-6 kg to 1e6 kg, each on the floor by itself.
Frame crowd() {
  boxes::World w;
  const Index floor = w.fixed();
  double x = 0;
  for (double mass : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    const Index cube = w.cube(mass, 1, {x, 0, 0.5});
    w.face(floor, cube, {x, 0, 0}, 1, 0.5);
    w.frame().bodies.velocities(cube, 0) = 0.3;
    x += 2;
  }
  return w.frame();
}

// A face of 36 contacts: 108 rows that six numbers of one body answer to.
Frame carpet() {
  boxes::World w;
  const Index floor = w.fixed(), cube = w.cube(1, 1, {0, 0, 0.5});
  for (int x = 0; x < 6; ++x)
    for (int y = 0; y < 6; ++y)
      w.contact(floor, cube, {0.2 * x - 0.5, 0.2 * y - 0.5, 0}, Vector3d::UnitZ(), 0.6);
  w.frame().bodies.velocities.row(cube) << 0.4, 0.1, 0, 0, 0, 1;
  return w.frame();
}

Frame sliding_on(double mu) {
  boxes::World w;
  const Index floor = w.fixed();
  const Index cube = w.cube(1, 1, {0, 0, 0.5}, Vector3d(std::sin(0.5), 0, -std::cos(0.5)));
  w.face(floor, cube, {0, 0, 0}, 1, mu);
  return w.frame();
}

// The same bilateral row three times, and a motor of 1 N s on top of it.
Frame redundant() {
  Frame f = boxes::column(2, 1, 1);
  for (int k = 0; k < 3; ++k) hold(f, 0, 2, Vector3d::UnitX(), -kInfinity, kInfinity);
  hold(f, 0, 1, Vector3d::UnitY(), -1, 1, -0.5);
  return f;
}

// Two bilateral rows that ask for different speeds: no solution.
Frame torn() {
  Frame f = boxes::column(1, 1, 1);
  hold(f, 0, 1, Vector3d::UnitX(), -kInfinity, kInfinity, 1);
  hold(f, 0, 1, Vector3d::UnitX(), -kInfinity, kInfinity, -1);
  return f;
}

std::vector<Hard> hard() {
  Frame light = boxes::column(4, 1e-6, 1e6);
  return {{"36 contacts under one cube", carpet()},
          {"1e-6 to 1e6 kg side by side", crowd()},
          {"1e6 kg on three cubes of 1e-6 kg", std::move(light)},
          {"a vice that closes", vice()},
          {"mu = 1e6", sliding_on(1e6)},
          {"mu = 0", sliding_on(0)},
          {"redundant joints", redundant()},
          {"joints that contradict each other", torn()},
          {"a shaken wall with mu = 1", boxes::shaken(boxes::wall(3, 3, 1), 0.5)}};
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
  for (const Hard& h : hard()) {
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
      EXPECT_EQ(r.status == Status::converged, error <= limited().tolerance) << error;
    }
  }
}

// The plates close at 2 m/s: whatever is pushed, 1 m/s is left somewhere.
TEST_P(EverySolverOn, NobodySolvesTheVice) {
  const System s = assemble(vice());
  const Result r = solve(s, GetParam(), limited());
  EXPECT_NE(r.status, Status::converged);
  EXPECT_GE(r.errors[Measure::velocity_error], 0.99);
}

TEST_P(EverySolverOn, NothingTouchesNothingToDo) {
  boxes::World w;
  w.fixed();
  w.cube(1, 1, {0, 0, 5});
  const Result r = solve(assemble(w.frame()), GetParam());
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.iterations, 0);
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

std::vector<std::string> every_solver() {
  std::vector<std::string> names;
  for (const SolverInfo& s : solvers()) names.push_back(s.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Robustness, EverySolverOn, testing::ValuesIn(every_solver()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name)
                             if (c == '/' || c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace perpend
