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

TEST(Playground, ExamplesAreTheSameEveryTimeAndStopWhenAsked) {
  EXPECT_EQ(view::playground_examples(go_on), view::playground_examples(go_on));
  EXPECT_EQ(view::playground_examples([] { return true; }), "");
}

}  // namespace playground_test
