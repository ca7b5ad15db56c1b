#include "sim/project.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "sim/hand_made.hpp"
#include "support/boxes.hpp"

namespace perpend::sim {
namespace project_test {

constexpr double kH = 0.01;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Cubes of 1 kg and 3 kg, one above the other, that overlap by 4 mm.
struct Overlap {
  HandMade made;
  btRigidBody &light = made.cube(1, 0, 0, 0), &heavy = made.cube(3, 0, 0, 0.996);
  std::vector<TouchPair> pairs = {{nullptr, 0, 1}};
  std::vector<std::vector<ContactPoint>> points{1};

  Overlap() {
    for (double x : {-0.5, 0.5})
      for (double y : {-0.5, 0.5})
        points[0].push_back(
            {{x, y, 0.5}, {x, y, 0.496}, Vector3d::UnitZ(), -0.004, points[0].size()});
  }
  Frame frame(double still = 0) {
    return positions_frame(body_columns(made.gathered(kH)), pairs, points, {}, {still});
  }
};

TEST(Project, TheFrameOfPositionsHasNoVelocityForceOrFriction) {
  Overlap o;
  o.light.setLinearVelocity(btVector3(1, 2, 3));
  o.light.applyCentralForce(btVector3(0, 0, -10));
  const Frame frame = o.frame();
  EXPECT_EQ(invalid(frame), "");
  EXPECT_EQ(frame.step, 1);
  EXPECT_EQ(frame.bodies.velocities, Rows6::Zero(2, 6));
  EXPECT_EQ(frame.bodies.forces, Rows6::Zero(2, 6));
  EXPECT_EQ(frame.contacts.mu, VectorXd::Zero(4));
  EXPECT_EQ(frame.contacts.points.row(3), Eigen::RowVector3d(0.5, 0.5, 0.5));
  EXPECT_EQ(frame.contacts.gap[0], -0.004);
  EXPECT_EQ(violation(frame), 0.004);
  EXPECT_EQ(o.frame(0.003).contacts.gap[0], -0.001) << "no farther than may be pushed";
}

TEST(Project, PairsThatBeganDeepMayStillOverlap) {
  Touches touches{{{nullptr, 0, 1, 0, 2}, {nullptr, 1, 2, 2, 1}, {nullptr, 2, 3, 3, 1}}, {}};
  for (double gap : {-0.1, -0.5, 0.2, -0.01}) {
    touches.list.emplace_back();
    touches.list.back().point.gap = gap;
  }
  EXPECT_EQ(still_overlapping(touches, 2, 0.125), (std::vector<double>{0.25, 0, 0}));
  EXPECT_EQ(still_overlapping(touches, kInfinity, 0.125), (std::vector<double>{0, 0, 0}));
}

TEST(Project, ViolationsAreOfGapsJointsAndLimitsThatArePassed) {
  Frame frame = make_frame(2, 1, {2});
  frame.contacts.gap[0] = 3;
  EXPECT_EQ(violation(frame), 0);
  frame.joints.violation << -0.5, 9;
  frame.joints.bounds(1, 0) = 0;  // a limit, 9 away from it
  EXPECT_EQ(violation(frame), 0.5);
  frame.joints.violation[1] = -2;
  EXPECT_EQ(violation(frame), 2);
  Island island;
  island.joint_rows = {0};
  EXPECT_EQ(violation(frame, island), 0.5);
  island.contacts = {0};
  frame.contacts.gap[0] = -0.75;
  EXPECT_EQ(violation(frame, island), 0.75);
}

TEST(Project, BodiesAreShiftedApartByTheirMasses) {
  Overlap o;
  const Frame frame = o.frame();
  const std::vector<Island> list = islands(frame);
  ASSERT_EQ(list.size(), 1u);
  const Options options;
  StepClock clock(options);
  Solvers solvers;
  Executor serial;
  const Solving with{solvers, clock, serial};
  const std::vector<Shift> shifts = project_islands(frame, list, {100}, options, with);
  ASSERT_EQ(shifts.size(), 1u);
  EXPECT_EQ(shifts[0].end, Status::converged);
  // Least mass-weighted way: 3/4 of it by the light one. 1e-11 m is the solve's tolerance.
  Rows6 expected = Rows6::Zero(2, 6);
  expected(0, 2) = -0.003;
  expected(1, 2) = 0.001;
  EXPECT_LT((shifts[0].bodies - expected).lpNorm<Eigen::Infinity>(), 1e-10);

  // Who may take no iterations, or has nothing to mend, is not asked.
  EXPECT_EQ(project_islands(frame, list, {0}, options, with)[0].end, Status::not_called);
  EXPECT_EQ(project_islands(o.frame(0.004), list, {100}, options, with)[0].bodies.rows(), 0);
}

// One cube on a floor, which has moved with these velocities.
std::vector<bool> may(const Vector6& velocity, Stepper stepper, Outcome outcome) {
  boxes::World world(kH);
  world.fixed();
  world.cube(1, 1, Vector3d(0, 0, 0.5));
  world.face(0, 1, Vector3d(0, 0, 0), 1, 0.5);
  world.frame().stepper = stepper;
  StepBodies bodies;
  bodies.list.resize(2);
  bodies[1].moves = true;
  bodies[1].radius = 1;
  Solution solution = free_motion(world.frame(), bodies, islands(world.frame()));
  solution.outcomes[0] = outcome;
  solution.velocities_plus.row(1) = velocity.transpose();
  return may_violate(bodies, world.frame(), solution);
}

TEST(Project, OnlyCurvedOrUnsolvedMotionsLeaveAnError) {
  const std::vector<bool> nobody(2, false), cube{false, true};
  const Outcome solved{true, 1e-12, false};
  Vector6 velocity = Vector6::Zero();
  velocity[0] = 100;  // however fast: straight
  EXPECT_EQ(may(velocity, Stepper::st, solved), nobody);
  EXPECT_EQ(may(velocity, Stepper::ap, solved), cube) << "a step that does not look ahead";
  EXPECT_EQ(may(velocity, Stepper::st, {false, 1e-12, false}), cube);
  EXPECT_EQ(may(velocity, Stepper::st, {true, 1e-7, false}), cube) << "1e-9 m in the step";
  velocity.setZero();
  velocity[5] = 1e-3;  // |w| h = 1e-5 rad: 5e-11 m at the rim
  EXPECT_EQ(may(velocity, Stepper::st, solved), nobody);
  velocity[5] = 2e-3;  // 2e-10 m
  EXPECT_EQ(may(velocity, Stepper::st, solved), cube);
  EXPECT_EQ(may(velocity, Stepper::st, {true, 1e-12, true}), nobody) << "closed already";
}

StepSetup setup_of(Overlap& o) {
  StepSetup setup;
  setup.bodies = o.made.gathered(kH);
  setup.touches.pairs = o.pairs;
  for (const ContactPoint& point : o.points[0]) {
    setup.touches.list.push_back({point, 0, 0, tangents(point.normal)});
    ++setup.touches.pairs[0].count;
  }
  setup.frame =
      step_frame(body_columns(setup.bodies), setup.touches, {}, kH, Stepper::st, kInfinity);
  return setup;
}

TEST(Project, EndsWithTheTimeOfTheStep) {
  for (double limit : {1, 2, 3, 4}) {
    Overlap o;
    StepSetup setup = setup_of(o);
    StepOptions options;
    double now = 0;
    options.solve.clock = [&now] { return now += 1; };  // by each look at it
    options.solve.time_limit = limit;
    StepClock clock(options.solve);
    Solvers solvers;
    Executor serial;
    std::vector<ContactFinder> finders;
    const Solution unsolved = free_motion(setup.frame, setup.bodies, islands(setup.frame));
    EXPECT_EQ(correct_positions(setup, unsolved, {}, options, finders, {solvers, clock, serial}),
              0);
    EXPECT_TRUE(clock.ended());
    EXPECT_EQ(clock.status(), Status::time_limit);
    EXPECT_EQ(o.light.getCenterOfMassPosition().z(), 0) << "nothing moved";
  }
}

TEST(Project, CorrectsWhatAStepHasLeft) {
  Overlap o;
  StepSetup setup = setup_of(o);
  const Solution unsolved = free_motion(setup.frame, setup.bodies, islands(setup.frame));
  StepOptions options;
  StepClock clock(options.solve);
  Solvers solvers;
  Executor serial;
  std::vector<ContactFinder> finders;
  EXPECT_EQ(correct_positions(setup, unsolved, {}, options, finders, {solvers, clock, serial}), 1);
  EXPECT_NEAR(o.light.getCenterOfMassPosition().z(), -0.003, 1e-10);
  EXPECT_NEAR(o.heavy.getCenterOfMassPosition().z(), 0.997, 1e-10);
  options.correct = 0;
  EXPECT_EQ(correct_positions(setup, unsolved, {}, options, finders, {solvers, clock, serial}), 0);
}

TEST(Project, APassThatTurnsBodiesIsLookedAtAgain) {
  // A cube on one corner of another, 4 mm too deep: it is turned by some 1e-3 rad, which leaves
  // 1e-6 m for the next pass.
  Overlap o;
  btTransform place = o.heavy.getWorldTransform();
  place.setOrigin(btVector3(0.9, 0.9, 0.996));
  o.heavy.setCenterOfMassTransform(place);
  StepSetup setup;
  setup.bodies = o.made.gathered(kH);
  setup.touches.pairs = o.pairs;
  const ContactPoint corner{{0.45, 0.45, 0.5}, {0.45, 0.45, 0.496}, Vector3d::UnitZ(), -0.004, 0};
  setup.touches.list.push_back({corner, 0, 0, tangents(corner.normal)});
  setup.touches.pairs[0].count = 1;
  setup.frame =
      step_frame(body_columns(setup.bodies), setup.touches, {}, kH, Stepper::st, kInfinity);
  const Solution unsolved = free_motion(setup.frame, setup.bodies, islands(setup.frame));
  StepOptions options;
  StepClock clock(options.solve);
  Solvers solvers;
  Executor serial;
  std::vector<ContactFinder> finders;
  const Solving with{solvers, clock, serial};
  EXPECT_GE(correct_positions(setup, unsolved, {}, options, finders, with), 2);
  EXPECT_EQ(correct_positions(setup, unsolved, {}, options, finders, with), 0)
      << "nothing is left above 1e-10 m";
}

TEST(Project, LeavesLargeIslandsAloneThatFellShortBySweeps) {
  Frame frame = make_frame(3, 300);
  frame.bodies.masses << 0, 1, 1;
  Solution solution;
  solution.islands.resize(2);
  solution.islands[0].bodies = {0, 1};
  solution.islands[0].contacts.resize(299);
  solution.islands[1].bodies = {0, 2};
  solution.islands[1].contacts.resize(1);
  solution.outcomes.resize(2);
  const auto alone = [&](const char* effort) {
    Account account(*effort_named(effort));
    account.open(solution.islands);
    return left_alone(frame, solution, "ncp/auto", &account);
  };
  EXPECT_EQ(alone("10"), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(alone("100"), std::vector<bool>(3, false)) << "that pays for factorizations";
  EXPECT_EQ(alone("exact"), std::vector<bool>(3, false));
  solution.outcomes[0].converged = true;
  EXPECT_EQ(alone("10"), std::vector<bool>(3, false));
}

}  // namespace project_test
}  // namespace perpend::sim
