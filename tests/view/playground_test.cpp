// The examples of the playground: each is a problem that the default solver solves, and has shapes
// unless it is a sample.
#include "view/playground.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "perpend/io.hpp"
#include "perpend/solve.hpp"
#include "support/scratch.hpp"
#include "view/resolve.hpp"
#include "view/samples.hpp"

namespace playground_test {

using namespace perpend;
using Json = nlohmann::json;

const auto go_on = [] { return false; };

TEST(Playground, EveryExampleIsAProblemThatIsSolved) {
  const Json examples = Json::parse(view::playground_examples(go_on))["examples"];
  EXPECT_GT(examples.size(), 50u);
  std::set<std::string> names;
  scratch::Folder folder;
  for (const Json& one : examples) {
    const std::string name = one["name"], text = one["text"];
    EXPECT_TRUE(names.insert(name).second) << name << " is there twice";
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos);
    EXPECT_LT(text.size(), 150'000u) << name;
    std::ofstream(folder.path(name)) << text << "\n";
    const io::JsonLines lines(folder.path(name));
    ASSERT_EQ(lines.frames(), 1) << name;
    const io::Record record = lines.read(0);
    const bool scene = one["group"] == "One step of a scene";
    EXPECT_EQ(record.model.empty(), !scene) << name;
    EXPECT_EQ(record.derivation.empty(), scene) << name;
    Options options;
    options.max_iterations = 1000;
    const Result result = solve(io::system_of(record, name), "ncp/auto", options);
    EXPECT_EQ(result.status, Status::converged) << name << ": " << result.message;
  }
}

// What the page tells of a solver: each contact sticks or slides, and the velocities after the
// step.
TEST(Playground, ASolvedFrameTellsModesAndVelocities) {
  scratch::Folder folder;
  std::ofstream(folder.path("blocks.jsonl")) << view::sample_blocks();
  const io::JsonLines lines(folder.path("blocks.jsonl"));
  for (const auto& [frame, mode] : {std::pair(0, 1), std::pair(1, 2)}) {  // below, above the angle
    const io::Record record = lines.read(frame);
    view::SolveFrame ask;
    ask.solver = "ncp/auto";
    ask.iterations = 1000;
    ask.tolerance = 1e-10;
    const view::Resolved solved(record, ask, {});
    const view::SolvedMessage told = solved.message();
    EXPECT_EQ(told.modes, std::vector<std::uint8_t>(4, static_cast<std::uint8_t>(mode)));
    const Rows6& expected = record.answer.velocities_plus;
    ASSERT_EQ(static_cast<Index>(told.velocities.size()), expected.size());
    for (Index i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(told.velocities[static_cast<std::size_t>(i)], expected.data()[i], 1e-9);
    ASSERT_EQ(told.own.size(), told.errors.size());
    EXPECT_LE(told.own.back(), 1e-10);
    const view::IterateMessage first = solved.iterate(0);
    EXPECT_EQ(first.modes.size(), 4u);
    EXPECT_EQ(first.velocities.size(), told.velocities.size());
    EXPECT_NE(first.velocities, told.velocities);
  }
}

TEST(Playground, ExamplesAreTheSameEveryTimeAndStopWhenAsked) {
  EXPECT_EQ(view::playground_examples(go_on), view::playground_examples(go_on));
  EXPECT_EQ(view::playground_examples([] { return true; }), "");
}

}  // namespace playground_test
