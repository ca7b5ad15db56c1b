// The built-in scenes: what the tables say of them, and that nothing overlaps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/scene.hpp"

namespace perpend {
namespace {

Scene named(const std::string& name, std::uint64_t seed = 1) {
  std::string why;
  const std::optional<Scene> scene = scene_named(name, seed, why);
  EXPECT_TRUE(scene) << why;
  return scene.value_or(Scene{});
}

std::string refusal(const std::string& name) {
  std::string why;
  EXPECT_FALSE(scene_named(name, 1, why)) << name;
  return why;
}

Index moving(const Scene& scene) {
  return std::count_if(scene.bodies.begin(), scene.bodies.end(),
                       [](const Body& body) { return body.mass > 0; });
}

Index fixed(const Scene& scene) { return static_cast<Index>(scene.bodies.size()) - moving(scene); }

TEST(Scenes, EveryOneCanBeSimulatedAndSaysWhatItIs) {
  for (const SceneInfo& info : scenes()) {
    const Scene scene = info.make(info.parameter, 1);
    EXPECT_EQ(invalid(scene), "") << info.name;
    EXPECT_FALSE(info.title.empty()) << info.name;
    EXPECT_FALSE(info.source.empty()) << info.name;
    EXPECT_GT(moving(scene), 0) << info.name;
    // Ten seconds, unless the scene has a reason of its own.
    EXPECT_LE(scene.step * static_cast<double>(scene.steps), 10 + 1e-9) << info.name;
  }
}

TEST(Scenes, NamesAreFoundWithAndWithoutTheirParameter) {
  EXPECT_EQ(moving(named("stack")), 9);      // a scene of its own
  EXPECT_EQ(moving(named("stack:10")), 10);  // a column
  EXPECT_EQ(moving(named("pyramid:20")), 210);
  EXPECT_EQ(moving(named("pyramid")), 55);  // the default of the family
  EXPECT_EQ(moving(named("wall")), 169);
  EXPECT_EQ(moving(named("wall:3")), 9);
  EXPECT_EQ(named("mass-ratio:1e5").bodies.back().mass, 1e5);
  EXPECT_EQ(named("mass-ratio:1e5").name, "mass-ratio:1e5");
  EXPECT_EQ(named("tower", 7).seed, 7u);
}

TEST(Scenes, ThoseOfTheFirstPaperHaveAFloorAndFourWalls) {
  for (const SceneInfo& info : scenes())
    EXPECT_TRUE(info.table_rows == 0 || fixed(info.make(0, 1)) == 5) << info.name;
}

TEST(Scenes, RefusalsNameTheScenesNearBy) {
  EXPECT_THAT(refusal("stak"), ::testing::HasSubstr("stack"));
  EXPECT_THAT(refusal("pyramit:5"), ::testing::HasSubstr("pyramid:N"));
  EXPECT_THAT(refusal("creep:3"), ::testing::HasSubstr("creep"));
  EXPECT_THAT(refusal("zzzzzzzzzz"), ::testing::Not(::testing::HasSubstr("near")));
  EXPECT_THAT(refusal("stack:"), ::testing::HasSubstr("not a number"));
  EXPECT_THAT(refusal("stack:1.5"), ::testing::HasSubstr("whole number"));
  EXPECT_THAT(refusal("stack:0"), ::testing::HasSubstr("whole number"));
  EXPECT_THAT(refusal("stack:10x"), ::testing::HasSubstr("not a number"));
  EXPECT_THAT(refusal("mass-ratio:-1"), ::testing::HasSubstr("1e-12"));
  EXPECT_THAT(refusal("mass-ratio:nan"), ::testing::HasSubstr("not a number"));
  EXPECT_NE(refusal(""), "");
}

}  // namespace
}  // namespace perpend
