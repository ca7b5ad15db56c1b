// Plugins: what is loaded works like a solver of ours, what is wrong is refused in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "perpend/peers.hpp"
#include "support/boxes.hpp"

namespace perpend::peers {
namespace plugin_test {

const std::string kFolder = PERPEND_BINARY_DIR "/plugins/";

// Once for all tests: a library stays in the table.
const Plugin& loaded() {
  static const Plugin plugin = load_plugin(kFolder + "solvers.so");
  return plugin;
}

TEST(Plugin, ItsSolversAreInTheTable) {
  ASSERT_EQ(loaded().refused, "");
  ASSERT_EQ(loaded().solvers.size(), 7U);
  const SolverInfo* info = solver_named("box/test-good");
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->origin, kFolder + "solvers.so");
  EXPECT_EQ(info->title, "a solver of the tests");
  ASSERT_EQ(info->options.size(), 1U);
  EXPECT_EQ(info->options[0].highest, 1.9);
}

// The same sweep as box/pgs, but for the order of sums: after the same number of them the impulses
// are equal to rounding.
TEST(Plugin, SweepsLikeOurOwn) {
  ASSERT_EQ(loaded().refused, "");
  const System s = assemble(boxes::wall(3, 3));
  Options o;
  o.max_iterations = 20;
  o.tolerance = 0;
  const Result ours = solve(s, "box/pgs", o), theirs = solve(s, "box/test-good", o);
  EXPECT_EQ(theirs.status, Status::iteration_limit);
  EXPECT_EQ(theirs.iterations, 20);
  EXPECT_LE((ours.impulses - theirs.impulses).cwiseAbs().maxCoeff(), 1e-12);
  o.set["relaxation"] = "2.5";
  EXPECT_THAT(solve(s, "box/test-good", o).message, testing::HasSubstr("relaxation"));
}

TEST(Plugin, WhatItSaysOfItselfIsInTheResult) {
  ASSERT_EQ(loaded().refused, "");
  Options o;
  o.set["word"] = "long";
  const Result r = solve(assemble(boxes::wall(3, 3)), "box/test-says-stalled", o);
  EXPECT_EQ(r.status, Status::stalled);
  EXPECT_EQ(r.message, "one sweep is all I can do");
  EXPECT_EQ(r.path, "long");
  EXPECT_EQ(r.work[static_cast<std::size_t>(Work::sweep)], 1);
}

TEST(Plugin, OneThatReturnsEarlyHasFailed) {
  ASSERT_EQ(loaded().refused, "");
  const Result r = solve(assemble(boxes::wall(3, 3)), "box/test-leaves-early");
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_TRUE(r.impulses.allFinite());
  EXPECT_EQ(solve(assemble(boxes::wall(3, 3)), "box/test-not-finite").status, Status::failed);
}

TEST(Plugin, ACrashAndAHangAreResultsInAWorker) {
  ASSERT_EQ(loaded().refused, "");
  Worker worker;
  const System s = assemble(boxes::wall(3, 3));
  EXPECT_EQ(solve(worker, s, "box/test-crashes").status, Status::crashed);
  EXPECT_EQ(solve(worker, s, "box/test-hangs", {}, 0.3).status, Status::time_limit);
  EXPECT_EQ(solve(worker, s, "box/test-good").status, Status::converged);
}

TEST(Plugin, WhatIsWrongWithItIsSaidAndNothingIsAdded) {
  const std::size_t before = (loaded(), solvers().size());
  const std::pair<const char*, const char*> wrong[] = {
      {"newer_abi.so", "has ABI 2, this program has 1"},
      {"known_name.so", "there is already a solver called box/pgs"},
      {"no_formulation.so", "'sphere/pgs' is not FORMULATION/METHOD"},
      {"same_name_twice.so", "has box/test-first twice"},
      {"wrong_fallback.so", "size"},
      {"nothing.so", "has no solvers"},
      {"no_function.so", "has no function perpend_plugin"},
      {"absent.so", "no such plugin"},
  };
  for (const auto& [file, why] : wrong) {
    const Plugin plugin = load_plugin(kFolder + file);
    EXPECT_THAT(plugin.refused, testing::StartsWith(kFolder + file + ": "));
    EXPECT_THAT(plugin.refused, testing::HasSubstr(why));
    EXPECT_TRUE(plugin.solvers.empty());
  }
  const std::string text = kFolder + "text.so";
  std::ofstream(text) << "no library\n";
  EXPECT_THAT(load_plugin(text).refused, testing::HasSubstr("cannot be loaded"));
  EXPECT_EQ(solvers().size(), before);
}

}  // namespace plugin_test
}  // namespace perpend::peers
