#include "view/panes.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perpend/io.hpp"
#include "view/session_things.hpp"

namespace panes_test {

using namespace perpend;
using namespace perpend::view;
using namespace session_things;

std::vector<PaneOptions> panes(const std::vector<std::string>& texts) {
  std::vector<PaneOptions> out;
  for (const std::string& text : texts) EXPECT_EQ(parse_pane(text, {}, out.emplace_back()), "");
  return out;
}

Scene named(const char* scene) {
  std::string why;
  const std::optional<Scene> found = scene_named(scene, 0, why);
  EXPECT_TRUE(found) << why;
  return found.value_or(Scene{});
}

Hand events(const Panes& run) { return hand_from_json(run.first().events_message().json, "run"); }

TEST(ViewPanes, NamesAreSolversAndBulletWithIterations) {
  PaneOptions pane;
  EXPECT_EQ(parse_pane("box/nncg@50", {}, pane), "");
  EXPECT_EQ(pane.step.solver, "box/nncg");
  EXPECT_EQ(pane.step.solve.max_iterations, 50);
  EXPECT_EQ(pane.step.correct, 0);
  EXPECT_FALSE(pane.stock);
  EXPECT_EQ(parse_pane("bullet", {}, pane), "");
  EXPECT_TRUE(pane.stock);
  EXPECT_EQ(pane.step.solve.max_iterations, 10);
  EXPECT_EQ(parse_pane("ode", {}, pane), "no solver is called 'ode', and it is not bullet");
  EXPECT_EQ(parse_pane("box/pgs@0", {}, pane),
            "'0' is not a number of iterations from 1 to 1000000");
  EXPECT_EQ(parse_pane("box/pgs@", {}, pane), "'' is not a number of iterations from 1 to 1000000");
}

TEST(ViewPanes, SameSolverAndHandGiveTheSameBits) {
  Panes run(two_cubes(), panes({"box/nncg@50", "box/nncg@50"}), serial);
  busy_hand(run);
  make(run, 240);
  ASSERT_EQ(run.first().steps(), 300);
  EXPECT_EQ(run[0].hash(), run[1].hash());
  EXPECT_EQ(run.parting().step, -1);
  EXPECT_EQ(run.words(), "");
  Session alone(two_cubes(), panes({"box/nncg@50"})[0].step, serial, events(run));
  make(alone, 300);
  EXPECT_EQ(alone.hash(), run[0].hash());
}

// Ten cubes that a hand shakes at the bottom: with so few sweeps they go different ways.
TEST(ViewPanes, DifferentSolversPartAndTheStepIsTold) {
  Panes run(named("stack:10"), panes({"ncp/auto", "box/pgs@3"}), serial);
  const Scene& scene = run.first().scene();
  std::uint32_t body = 0;
  while (scene.bodies[body].mass <= 0) ++body;
  act(run, drag(body, {0.5, 0, 0.6}));
  Index parted = -1;
  for (int i = 0; i < 300 && parted < 0; ++i) {
    ASSERT_EQ(run.step(), "");
    double largest = 0;  // in radii
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      if (scene.bodies[b].mass > 0)
        largest = std::max(largest, (run[0].pose(b).position - run[1].pose(b).position).norm() /
                                        radius(scene.bodies[b]));
    if (largest > Panes::kApart) parted = run.first().steps();
    EXPECT_EQ(run.parting().step, parted);
  }
  ASSERT_GT(parted, 0);
  EXPECT_EQ(run.parting().pane, 1u);
  EXPECT_NE(run.words().find("in step " + std::to_string(parted)), std::string::npos);
  run.go_back(parted - 1);
  EXPECT_EQ(run.parting().step, -1);
  make(run, 2);
  EXPECT_EQ(run.parting().step, parted);
  run.reset();
  EXPECT_EQ(run.parting().step, -1);
}

TEST(ViewPanes, SettingIsOfAllPanesOrOfOne) {
  Panes run(two_cubes(), panes({"box/pgs@50", "box/nncg@50"}), serial);
  make(run, 2);
  act(run, set("2:solver", "ncp/auto"));
  act(run, set("iterations", "20"));
  act(run, set("gravity", "3"));
  EXPECT_EQ(run[0].settings().settings.step.solver, "box/pgs");
  EXPECT_EQ(run[1].settings().settings.step.solver, "ncp/auto");
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(run[k].settings().settings.step.solve.max_iterations, 20);
    EXPECT_EQ(run[k].settings().settings.gravity, 3);
  }
  EXPECT_EQ(run.act(set("3:solver", "ncp/auto")), "3:solver: there are 2 panes");
  EXPECT_EQ(run.act(set("2:h", "0.01")), "h is the same in all panes");
  EXPECT_EQ(run.act(set("1:solver", "x")), "solver: no solver is called 'x'");
  const auto list = nlohmann::json::parse(run.settings_message().json);
  EXPECT_EQ(list[0]["name"], "1:solver");
  EXPECT_EQ(list[0]["pane"], 1);
  int gravities = 0;
  for (const auto& one : list) gravities += one["name"] == "gravity";
  EXPECT_EQ(gravities, 1);

  make(run, 20);
  run.reset();
  EXPECT_EQ(run[1].settings().settings.step.solver, "ncp/auto");
  EXPECT_EQ(run[0].settings().settings.step.solver, "box/pgs");
  EXPECT_EQ(run[0].events_message().json, run[1].events_message().json);
  make(run, 10);
  Panes again(two_cubes(), panes({"box/pgs@50", "box/nncg@50"}), serial, events(run));
  make(again, 10);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(again[k].hash(), run[k].hash());
}

// Stock Bullet holds a cube with its weight, and what its solver wrote is what is shown.
TEST(ViewPanes, BulletShowsTheForcesOfItsOwnSolver) {
  Panes run(two_cubes(), panes({"bullet", "ncp/auto"}), serial);
  make(run, 120);
  const StateMessage state = run[0].state_message();
  ASSERT_GE(state.modes.size(), 8u);
  double floor = 0;
  for (std::size_t i = 0; i < state.modes.size(); ++i)
    if (state.pairs[2 * i] == 0) floor += state.forces[3 * i + 2];  // on what lies on the floor
  EXPECT_NEAR(floor, 3 * 9.81, 0.05 * 3 * 9.81);
  EXPECT_EQ(state.error, -1);  // not known
  EXPECT_NEAR(place(run[0], 2).z(), 1.5, 0.02);
}

TEST(ViewPanes, BulletFollowsTheHandAndGoesBack) {
  Panes run(two_cubes(), panes({"bullet@50", "bullet@50", "ncp/auto"}), serial);
  busy_hand(run);
  const std::uint64_t end = run[0].hash();
  EXPECT_EQ(end, run[1].hash());
  EXPECT_NE(end, run[2].hash());
  EXPECT_EQ(run[0].scene().bodies.size(), 4u);
  run.go_back(20);
  EXPECT_EQ(run[0].steps(), 20);
  EXPECT_EQ(run[0].scene().bodies.size(), 3u);
  make(run, 40);
  EXPECT_EQ(run[0].hash(), end);
  run.reset();
  EXPECT_NEAR(place(run[0], 2).z(), 1.5, 1e-12);
}

TEST(ViewPanes, BulletsCutJointLetsGo) {
  Panes run(pendulum(), panes({"bullet", "ncp/auto"}), serial);
  make(run, 30);
  EXPECT_NEAR(place(run[0], 0).norm(), 1, 0.1);  // its joints give
  act(run, Cut{});
  make(run, 60);
  EXPECT_GT(place(run[0], 0).norm(), 3);
}

TEST(ViewPanes, OneMessageHasTheStatesOfAll) {
  Panes run(two_cubes(), panes({"box/pgs@50", "bullet"}), serial);
  make(run, 3);
  std::vector<StateMessage> states{run[0].state_message(), run[1].state_message()};
  const PanesMessage message = run.panes_message(states);
  EXPECT_EQ(message.titles,
            "box/pgs, 50 iterations\nBullet " + bullet_version() + ", 10 iterations");
  std::size_t at = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    std::string why;
    const Message one = decoded(message.states.data() + at, message.sizes[k], why);
    ASSERT_EQ(why, "");
    EXPECT_EQ(std::get<StateMessage>(one).hash, states[k].hash);
    at += message.sizes[k];
  }
  EXPECT_EQ(at, message.states.size());
}

// The curve ends at the error of the step, and looking at it changes nothing.
TEST(ViewPanes, CurveIsOfTheStepAndWatchingChangesNoBits) {
  for (const char* solver : {"ncp/auto", "box/nncg@50", "ncp/nncg@50"}) {
    Panes watched(named("stack:10"), panes({solver}), serial),
        other(named("stack:10"), panes({solver}), serial);
    watched.watch(true);
    make(watched, 1);
    const CurveMessage curve = watched.curve_message();
    ASSERT_EQ(curve.lengths.size(), 1u);
    EXPECT_EQ(curve.lengths[0], curve.errors.size());
    EXPECT_EQ(curve.restarts.size(), curve.errors.size());
    if (std::string(solver) != "ncp/auto") {  // from nothing, it must iterate
      ASSERT_GT(curve.errors.size(), 1u) << solver;
      EXPECT_LT(curve.own.back(), curve.own.front());
      EXPECT_EQ(curve.errors.size(), curve.own.size());
      EXPECT_EQ(curve.iterations.back(), 50);
    }
    make(watched, 11);
    make(other, 12);
    EXPECT_EQ(watched[0].hash(), other[0].hash()) << solver;
    EXPECT_TRUE(other.curve_message().errors.empty());
  }
}

}  // namespace panes_test
