#include "view/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perpend/io.hpp"
#include "view/session_things.hpp"

namespace session_test {

using namespace perpend;
using namespace perpend::view;

using namespace session_things;

TEST(ViewSession, SameHandGivesTheSameBits) {
  Session first(two_cubes(), {}, serial);
  busy_hand(first);
  Session again(two_cubes(), {}, serial, hand_of(first));
  make(again, 60);
  EXPECT_EQ(again.hash(), first.hash());
  EXPECT_EQ(again.time(), first.time());
  Session idle(two_cubes(), {}, serial);
  make(idle, 60);
  EXPECT_NE(idle.hash(), first.hash());
}

TEST(ViewSession, GoingBackAndForthChangesNothing) {
  Session session(two_cubes(), {}, serial);
  busy_hand(session);
  const std::uint64_t end = session.hash();
  for (const Index to : {59, 26, 25, 24, 6, 0}) {
    session.go_back(to);
    EXPECT_EQ(session.steps(), to);
    make(session, static_cast<int>(60 - to));
    EXPECT_EQ(session.hash(), end) << to;
  }
}

TEST(ViewSession, GoesBackFarWithFewStatesKept) {
  Session all(two_cubes(), {}, serial), few(two_cubes(), {}, serial);
  few.keep_within(20000);
  for (Session* session : {&all, &few}) {
    make(*session, 3);
    act(*session, drag(2, {1, 0, 3}));
    make(*session, 97);
  }
  EXPECT_EQ(all.kept(), 101u);
  EXPECT_LT(few.kept(), 30u);
  for (const Index to : {71, 33, 2}) {
    all.go_back(to);
    few.go_back(to);
    EXPECT_EQ(all.hash(), few.hash()) << to;
  }
}

// Held in its middle, a body hangs m g/k = 9.81/400 m below the hand.
TEST(ViewSession, HandLiftsABodyAndFeelsItsWeight) {
  Session session(two_cubes(), {}, serial);
  act(session, drag(2, {0, 0, 4}));
  make(session, 240);
  EXPECT_NEAR(place(session, 2).z(), 4 - 9.81 / 400, 1e-4);
  const StateMessage state = session.state_message();
  ASSERT_EQ(state.held, (field::counts{2}));
  EXPECT_NEAR(state.pulls[2], 9.81, 1e-3);
  EXPECT_NEAR(state.grips[5], 4, 1e-6);
}

TEST(ViewSession, WeakHandDoesNotLift) {
  Session session(two_cubes(), {}, serial);
  act(session, set("strength", "0.9"));
  act(session, drag(2, {0, 0, 50}));
  make(session, 60);
  EXPECT_NEAR(place(session, 2).z(), 1.5, 1e-6);
}

// On the floor the force at the contacts is the weight, 3 kg by 9.81 m/s^2.
TEST(ViewSession, ContactsCarryTheWeight) {
  Session session(two_cubes(), {}, serial);
  make(session, 5);
  const StateMessage state = session.state_message();
  double on_floor = 0;
  for (std::size_t i = 0; i < state.frictions.size(); ++i) {
    if (state.pairs[2 * i] != 0 && state.pairs[2 * i + 1] != 0) continue;
    on_floor += std::abs(state.forces[3 * i + 2]);
    EXPECT_NEAR(state.points[3 * i + 2], 0, 1e-6);
    EXPECT_EQ(state.modes[i], 1);
  }
  EXPECT_NEAR(on_floor, 3 * 9.81, 1e-3);
  EXPECT_EQ(state.status, "converged");
}

TEST(ViewSession, EverySolverOfTheRegistryCanBeTakenInTheMiddle) {
  Session session(two_cubes(), {}, serial);
  for (const SolverInfo& info : solvers()) {
    ASSERT_EQ(session.act(set("solver", info.name.c_str())), "");
    ASSERT_EQ(session.step(), "") << info.name;
  }
  EXPECT_EQ(session.steps(), static_cast<Index>(solvers().size()));
  EXPECT_NEAR(place(session, 2).z(), 1.5, 1e-2);
}

TEST(ViewSession, SettingsAreCheckedAndNamed) {
  Session session(two_cubes(), {}, serial);
  EXPECT_EQ(session.act(set("solver", "no/such")), "solver: no solver is called 'no/such'");
  EXPECT_EQ(session.act(set("h", "1e9")), "h: '1e9' is not between 1e-05 and 0.1");
  EXPECT_EQ(session.act(set("h", "")), "h: '' is not a number");
  EXPECT_EQ(session.act(set("iterations", "2.5")), "iterations: '2.5' is not a whole number");
  EXPECT_EQ(session.act(set("volume", "11")), "no setting is called 'volume'");
  EXPECT_EQ(session.act(set("stepper", "rk")), "stepper: 'rk' is none of st, ap");
  EXPECT_EQ(session.act(drag(0, {0, 0, 0})), "body 0 is fixed");
  EXPECT_EQ(session.act(drag(9, {0, 0, 0})), "body 9: there are 3");
  EXPECT_EQ(session.act(Cut{}), "joint 0: there are 0");
  EXPECT_EQ(session.act(Play{}), "play is nothing that a hand does");
  EXPECT_EQ(hand_of(session).events.size(), 0u);
  const auto list = nlohmann::json::parse(session.settings_message().json);
  EXPECT_EQ(list[0]["name"], "solver");
  EXPECT_EQ(list[0]["value"], "ncp/auto");
  EXPECT_EQ(list[0]["choices"].size(), solvers().size());
}

TEST(ViewSession, EverySolverTakesOverWithoutAReset) {
  Session session(two_cubes(), {}, serial);
  act(session, drag(2, {0.3, 0.1, 1.7}));
  Index made = 0;
  for (const SolverInfo& info : solvers()) {
    act(session, set("solver", info.name.c_str()));
    make(session, 2);
    made += 2;
    EXPECT_EQ(session.steps(), made);
    EXPECT_LT((place(session, 1) - Vector3d(0, 0, 0.5)).norm(), 0.05) << info.name;
  }
}

// Half of the friction lets a cube slide on at twice the way: v^2/(2 mu g).
TEST(ViewSession, FrictionIsAFactorOfTheScenes) {
  double way[2];
  for (int half = 0; half < 2; ++half) {
    Scene scene = two_cubes();
    scene.bodies.pop_back();
    scene.bodies[1].velocity[0] = 2;
    scene.step = 0.001;
    Session session(scene, {}, serial);
    if (half) act(session, set("friction", "0.5"));
    make(session, 1000);
    way[half] = place(session, 1).x();
  }
  EXPECT_NEAR(way[0], 4 / (2 * 0.5 * 9.81), 2e-3);  // steps of 1 ms: h v / 2
  EXPECT_NEAR(way[1] / way[0], 2, 1e-2);
}

TEST(ViewSession, CutJointLetsGo) {
  Session session(pendulum(), {}, serial);
  make(session, 30);
  EXPECT_NEAR(place(session, 0).norm(), 1, 1e-3);
  EXPECT_EQ(session.state_message().cut, (field::bytes{0}));
  act(session, Cut{});
  EXPECT_EQ(session.state_message().cut, (field::bytes{1}));
  make(session, 60);
  EXPECT_GT(place(session, 0).norm(), 3);
  Session again(pendulum(), {}, serial, hand_of(session));
  make(again, 90);
  EXPECT_EQ(again.hash(), session.hash());
  session.go_back(20);
  EXPECT_EQ(session.state_message().cut, (field::bytes{0}));
}

TEST(ViewSession, ThrownBallHitsAndIsGoneBeforeItWasThrown) {
  Session session(two_cubes(), {}, serial);
  make(session, 2);
  const std::uint32_t run = session.run();
  act(session, ball());
  EXPECT_NE(session.run(), run);  // the page gets the scene again
  EXPECT_EQ(session.scene().bodies.size(), 4u);
  make(session, 60);
  EXPECT_GT(place(session, 2).x(), 0.2);
  act(session, drag(3, {0, 0, 1}));
  make(session, 3);
  Session again(two_cubes(), {}, serial, hand_of(session));
  make(again, 65);
  EXPECT_EQ(again.hash(), session.hash());
  session.go_back(1);
  EXPECT_EQ(session.scene().bodies.size(), 3u);
}

TEST(ViewSession, NewHandForgetsWhatCameLater) {
  Session session(two_cubes(), {}, serial);
  act(session, drag(2, {1, 0, 2}));
  make(session, 10);
  act(session, drag(2, {2, 0, 2}));
  make(session, 10);
  session.go_back(5);
  EXPECT_EQ(hand_of(session).events.size(), 2u);
  act(session, release(2));
  const Hand left = hand_of(session);
  ASSERT_EQ(left.events.size(), 2u);
  EXPECT_EQ(left.events[1].step, 5);
  EXPECT_EQ(name(left.events[1].message), "release");
}

TEST(ViewSession, ResetKeepsSettingsAndForgetsPulls) {
  Session session(two_cubes(), {}, serial);
  make(session, 5);
  act(session, set("solver", "box/pgs"));
  act(session, drag(2, {1, 0, 2}));
  make(session, 20);
  session.reset();
  EXPECT_EQ(session.steps(), 0);
  EXPECT_NEAR(place(session, 2).z(), 1.5, 1e-12);
  const Hand left = hand_of(session);
  ASSERT_EQ(left.events.size(), 1u);
  EXPECT_EQ(std::get<Set>(left.events[0].message).value, "box/pgs");
  EXPECT_FALSE(session.holds(2));
  Session other(two_cubes(), {}, serial, left);
  make(session, 10);
  make(other, 10);
  EXPECT_EQ(session.hash(), other.hash());
}

TEST(ViewSession, ResetFollowsAGivenHandAgain) {
  Session first(two_cubes(), {}, serial);
  busy_hand(first);
  Session again(two_cubes(), {}, serial, hand_of(first));
  make(again, 30);
  again.reset();
  make(again, 60);
  EXPECT_EQ(again.hash(), first.hash());
}

TEST(ViewSession, HandThatDoesNotFitIsRefused) {
  Hand hand;
  hand.events = {{0, drag(7, {0, 0, 0})}};
  EXPECT_THROW(Session(two_cubes(), {}, serial, hand), io::InputError);
  hand.events = {{0, ball()}, {1, drag(3, {0, 0, 0})}};
  EXPECT_NO_THROW(Session(two_cubes(), {}, serial, hand));
}

TEST(ViewSession, HullsAreSentAsMeshes) {
  Scene scene = two_cubes();
  Shape& hull = scene.bodies[2].shape;
  hull.type = Shape::Type::hull;
  hull.points = {{0, 0, 0.5}, {0.5, 0, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, -0.5}};
  Session session(scene, {}, serial);
  const auto sent = nlohmann::json::parse(session.scene_message().json);
  EXPECT_EQ(sent["bodies"][2]["shape"]["type"], "mesh");
  EXPECT_EQ(sent["bodies"][2]["shape"]["triangles"].size(), 4u);
  EXPECT_EQ(sent["bodies"][1]["shape"]["type"], "box");
}

// The pose sent is that of the shape's frame, wherever the centre of mass is.
TEST(ViewSession, PosesAreThoseOfTheShapes) {
  Scene scene = two_cubes();
  scene.bodies[2].centre_of_mass = Vector3d(0.2, 0.1, -0.1);
  scene.bodies[2].inertia = (Matrix3d() << 2, 0.3, 0, 0.3, 1.5, 0.2, 0, 0.2, 1).finished();
  Session session(scene, {}, serial);
  const StateMessage state = session.state_message();
  EXPECT_NEAR(state.poses[14], 0, 1e-6);
  EXPECT_NEAR(state.poses[16], 1.5, 1e-6);
  EXPECT_NEAR(std::abs(state.poses[20]), 1, 1e-6);  // not turned
}

}  // namespace session_test
