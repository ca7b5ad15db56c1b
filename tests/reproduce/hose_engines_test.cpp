// The hose in engines: what the claims say when a recorder is missing, fails, or sweeps too little.
#include "reproduce/hose_engines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "perpend/host.hpp"

namespace perpend::reproduce {
namespace hose_engines_test {

using testing::HasSubstr;

const World kOde{"ODE", "ode", "quickstep"}, kOurs{"Perpend", "", "ncp/pgs"};

Settings with_recorder(std::function<std::string(const std::string&)> recorder) {
  Settings settings;
  settings.recorder = std::move(recorder);
  return settings;
}

// Those beside this program, if they are built.
std::string beside(const std::string& engine) {
  const std::string path = host::program_folder() + "/perpend-capture-" + engine;
  if (access(path.c_str(), X_OK) != 0) throw std::runtime_error("no recorder of " + engine);
  return path;
}

const Claim& claim(const Outcome& out, const std::string& quantity) {
  for (const Claim& one : out.claims)
    if (one.quantity.find(quantity) != std::string::npos) return one;
  throw std::runtime_error("no claim about " + quantity);
}

TEST(HoseEngines, AMissingRecorderIsNamedAndTheOtherWorldsAreCompared) {
  const Settings settings = with_recorder([](const std::string& engine) -> std::string {
    throw std::runtime_error("the recorder of " + engine + " was not built");
  });
  Outcome out;
  add_worlds({"hose", 3, ""}, {kOde, kOurs}, settings, out);
  ASSERT_EQ(out.claims.size(), 1u + 4u);
  EXPECT_EQ(out.claims[0].verdict(), Verdict::not_comparable);
  EXPECT_EQ(out.claims[0].reason(), "the recorder of ode was not built");
  for (std::size_t i = 1; i < out.claims.size(); ++i)
    EXPECT_NE(out.claims[i].verdict(), Verdict::not_comparable) << out.claims[i].quantity;
  EXPECT_EQ(out.figures.at(0).plots.size(), 2u) << "over the run, and one world";
}

TEST(HoseEngines, ARecorderThatFailsIsSaid) {
  Outcome out;
  add_worlds({"hose", 3, ""}, {kOde},
             with_recorder([](const std::string&) { return "/bin/false"; }), out);
  ASSERT_EQ(out.claims.size(), 1u);
  EXPECT_EQ(out.claims[0].verdict(), Verdict::not_comparable);
  EXPECT_THAT(out.claims[0].reason(), HasSubstr("recorder of ode ended: exit code 1"));
  EXPECT_TRUE(out.figures.empty());
}

// Were its joints not held, it would fall 0.44 m in this time.
TEST(HoseEngines, TheHumanoidStandsAndLiftsTheHose) {
  const Scene scene = built_in("hose-humanoid");
  const auto row = [&](const std::string& name) {
    const auto found = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                    [&](const Body& body) { return body.name == name; });
    return static_cast<Index>(found - scene.bodies.begin());
  };
  std::vector<double> pelvis, end;  // heights, m
  SimulateOptions options;
  options.steps = 300;
  options.observe = [&](const State& now) {
    pelvis.push_back(now.positions(row("pelvis"), 2));
    end.push_back(now.positions(row("hose 0"), 2));
  };
  const Summary sum = simulated(scene, options, {});
  EXPECT_FALSE(sum.fell);
  EXPECT_NEAR(pelvis.back(), pelvis.front(), 1e-3);
  EXPECT_GT(end.back() - end.front(), 0.03);
}

TEST(HoseEngines, AWorldThatSweepsTooLittleTurnsTheVerdict) {
  const auto verdict = [](long middle) {
    Outcome out;
    add_worlds({"hose", 30, "", {2, middle, 3000}}, {kOurs}, {}, out);
    return claim(out, "over 3000 iterations").verdict();
  };
  EXPECT_EQ(verdict(2000), Verdict::agrees);
  EXPECT_EQ(verdict(4), Verdict::differs);
}

// ODE's own answers are read, and more of its iterations solve its own problem better.
TEST(HoseEngines, AnEngineIsMeasuredByItsOwnRecording) {
  try {
    beside("ode");
  } catch (const std::exception& why) {
    GTEST_SKIP() << why.what();
  }
  const Scene scene = built_in("hose-humanoid");
  std::vector<WorldTask> tasks(2, {kOde, scene, 40, 5, 2, 20});
  tasks[1].iterations = 1000;
  ASSERT_EQ(scene.bodies[2].name, "pelvis");
  const std::vector<WorldRun> made = runs(tasks, with_recorder(beside));
  for (const WorldRun& run : made) {
    ASSERT_EQ(run.missing, "");
    ASSERT_EQ(run.rms.size(), 40u);
    ASSERT_EQ(run.kept.size(), 2u);
    EXPECT_EQ(run.kept[1].time, run.times[20]);
    EXPECT_NEAR(run.times.back() - run.times.front(), 0.039, 1e-12);
    for (const double error : run.rms) EXPECT_GT(error, 0);
  }
  EXPECT_LT(median(made[1].own), median(made[0].own) / 10);
  EXPECT_LT(std::abs(made[1].sunk), 1e-3);
}

}  // namespace hose_engines_test
}  // namespace perpend::reproduce
