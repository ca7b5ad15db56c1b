// check-solver: what is right passes, and every way to be wrong is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perpend/bench.hpp"
#include "perpend/peers.hpp"

namespace perpend::bench {
namespace check_test {

const SolverInfo& of_the_tests(const std::string& name) {
  static const peers::Plugin plugin = peers::load_plugin(PERPEND_BINARY_DIR "/plugins/solvers.so");
  EXPECT_EQ(plugin.refused, "");
  return *solver_named(name);
}

std::string complaints(const std::vector<Check>& checks) {
  std::string all;
  for (const Check& check : checks)
    for (const Complaint& c : check.complaints)
      if (!check.advice) all += check.what + ": " + c.frame + ": " + c.words + "\n";
  return all;
}

CheckOptions quick() {
  CheckOptions o;
  o.seconds = 0.5;
  o.max_iterations = 20000;
  return o;
}

TEST(CheckSolver, OneThatWorksPasses) {
  int told = 0, of = 0;
  CheckOptions o = quick();
  o.seconds = 20;
  o.progress = [&](int done, int total) {
    told = done;
    of = total;
  };
  const std::vector<Check> checks = check_solver(of_the_tests("box/test-good"), o);
  EXPECT_TRUE(passed(checks)) << complaints(checks);
  ASSERT_EQ(checks.size(), 5U);
  EXPECT_GE(checks[0].asked, 50);
  EXPECT_EQ(checks[0].asked, checks[0].passed);
  EXPECT_GE(checks[2].asked, 9);
  EXPECT_EQ(told, of);
}

TEST(CheckSolver, EveryWayToBeWrongIsNamed) {
  const std::pair<const char*, const char*> wrong[] = {
      {"box/test-crashes", "crashed"},
      {"box/test-hangs", "does it stop when next() returns 0?"},
      {"box/test-not-finite", "iterate 1 is not finite"},
      {"box/test-leaves-early", "returned although next()"},
      {"box/test-says-stalled", "stalled at own_error"},
      {"box/test-never-the-same", "two runs on the same problem differ"},
  };
  for (const auto& [solver, words] : wrong) {
    const std::vector<Check> checks = check_solver(of_the_tests(solver), quick());
    EXPECT_FALSE(passed(checks)) << solver;
    EXPECT_THAT(complaints(checks), testing::HasSubstr(words)) << solver;
    // Three deaths end a check: nobody waits for sixty hangs.
    if (solver != std::string_view("box/test-hangs")) continue;
    for (const Check& check : checks) EXPECT_LE(check.asked, 3) << check.what;
  }
}

// The frictionless one sees no joints, and the frames whose answer does not depend on friction.
TEST(CheckSolver, AsksOursTheSame) {
  const std::vector<Check> checks = check_solver(*solver_named("normal/simple"), quick());
  EXPECT_TRUE(passed(checks)) << complaints(checks);
}

}  // namespace check_test
}  // namespace perpend::bench
