// The built-in scenes: what the tables say of them, and that nothing overlaps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "perpend/scene.hpp"

namespace perpend {
namespace scenes_test {

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

TEST(Scenes, AChainHasAHingeForEachLink) {
  const Scene scene = named("chain:3");
  EXPECT_EQ(moving(scene), 3);
  ASSERT_EQ(scene.joints.size(), 3u);
  EXPECT_EQ(scene.joints[0].first, -1);
  EXPECT_EQ(scene.joints[2].first, 1);
  EXPECT_EQ(scene.joints[2].second, 2);
  EXPECT_NEAR(scene.joints[2].frame.position.norm(), 2, 1e-15);
}

// The links of Drake's atlas_minimal_contact.urdf, kg: 31 links, 175.118 kg.
TEST(Scenes, TheHumanoidHasTheMassOfAtlasInSeventeenBodies) {
  const double trunk = 9.509 + 2.27 + 0.799 + 84.609 + 2.08756;
  const double arm = 4.466 + 3.899 + 4.386 + 3.248 + 2.4798 + 0.648 + 0.6839;
  const double leg = 1.959 + 0.898 + 8.204 + 4.515 + 0.125 + 2.41;
  const Scene scene = named("hose-humanoid");
  double mass = 0;
  Index bodies = 0;
  Vector3d centre = Vector3d::Zero();
  for (const Body& body : scene.bodies) {
    if (body.mass == 0 || body.name.starts_with("hose")) continue;
    ++bodies;
    mass += body.mass;
    centre += body.mass * (body.pose.position + body.pose.orientation * centre_of_mass(body));
  }
  EXPECT_EQ(bodies, 17);
  EXPECT_NEAR(mass, trunk + 2 * arm + 2 * leg, 1e-12);
  // It stands: its centre of mass is over its soles, which touch the floor.
  EXPECT_GT((centre / mass).x(), -0.0876);
  EXPECT_LT((centre / mass).x(), 0.1728);
  EXPECT_NEAR((centre / mass).y(), 0, 0.01);
  for (const Body& body : scene.bodies)
    if (body.name.ends_with("foot")) {
      EXPECT_NEAR(body.pose.position.z(), body.shape.half_extents.z(), 1e-15) << body.name;
    }
  // A joint to each body but the pelvis, and the grip.
  const auto joints = std::count_if(scene.joints.begin(), scene.joints.end(),
                                    [](const Joint& j) { return !j.name.starts_with("hose"); });
  EXPECT_EQ(joints, 16 + 1);
}

TEST(Scenes, CratesAreHitByABallAfterFourSeconds) {
  const Scene scene = named("crates");
  EXPECT_EQ(moving(scene), 36 + 1);
  EXPECT_EQ(moving(named("crates:3")), 6 + 1);
  const Body& ball = scene.bodies.back();
  EXPECT_EQ(ball.mass, 200);
  EXPECT_EQ(ball.shape.radius, 0.7);
  EXPECT_EQ(ball.velocity[1], 18);
  EXPECT_NEAR(ball.velocity[3] * ball.shape.radius, -18, 1e-14) << "it rolls";
  for (std::size_t i = 1; i < scene.bodies.size() - 1; ++i) {
    EXPECT_EQ(scene.bodies[i].mass, 10);
    const double face = scene.bodies[i].pose.position.y() - 0.5;
    EXPECT_NEAR((face - ball.shape.radius - ball.pose.position.y()) / 18, 4, 1e-14);
  }
  EXPECT_NEAR(scene.step * static_cast<double>(scene.steps), 6, 1e-12);
}

TEST(Scenes, ThoseOfTheFirstPaperHaveItsBodies) {
  // Silcowitz-Hansen et al. 2010, Table 1 and Fig. 7: all bodies; floor and walls are five of them.
  const std::vector<std::pair<const char*, Index>> table{
      {"slope", 14}, {"friction-stack", 30}, {"stack", 14},     {"gears-small", 11}, {"gears", 15},
      {"arch", 11},  {"stack-small", 9},     {"heavy-top", 15}, {"snake", 11},       {"wall", 174}};
  for (const auto& [name, bodies] : table) {
    const Scene scene = named(name);
    EXPECT_EQ(static_cast<Index>(scene.bodies.size()), bodies) << name;
    EXPECT_EQ(fixed(scene), std::string_view(name) == "snake" ? 6 : 5) << name;
  }
}

TEST(Scenes, HingesOfArchAndSnakeStartAtALimit) {
  for (const char* name : {"arch", "snake"}) {
    const Scene scene = named(name);
    EXPECT_EQ(scene.joints.size(), 5u);
    for (const Joint& joint : scene.joints) {
      EXPECT_EQ(joint.type, Joint::Type::hinge);
      EXPECT_TRUE(joint.limits[5].lower == 0 || joint.limits[5].upper == 0) << joint.name;
      EXPECT_LT(joint.limits[5].lower, joint.limits[5].upper) << joint.name;
      EXPECT_NEAR((joint.frame.orientation * Vector3d::UnitZ() - Vector3d::UnitY()).norm(), 0,
                  1e-15);
    }
  }
}

TEST(Scenes, SameSeedSameSceneAnotherSeedAnother) {
  for (const char* name : {"spheres", "logs", "pile-spheres:20", "pile-boxes:20"}) {
    const Scene a = named(name, 3), b = named(name, 3), c = named(name, 4);
    bool differs = false;
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
      EXPECT_EQ(a.bodies[i].pose.position, b.bodies[i].pose.position);
      EXPECT_EQ(a.bodies[i].pose.orientation.coeffs(), b.bodies[i].pose.orientation.coeffs());
      differs = differs || a.bodies[i].pose.position != c.bodies[i].pose.position;
    }
    EXPECT_TRUE(differs) << name;
  }
}

// Uniform over rotations: the mean of any body axis is zero and the mean of cos^2 of its angle to
// any direction 1/3; 4,000 draws leave 5/sqrt(3 * 4000) = 0.046 and 5 * 0.298/sqrt(4000) = 0.024.
TEST(Scenes, OrientationsOfAPileFavourNoDirection) {
  const Scene scene = named("pile-boxes:4000");
  Vector3d mean = Vector3d::Zero(), square = Vector3d::Zero();
  for (const Body& body : scene.bodies) {
    if (body.mass == 0) continue;
    const Vector3d axis = body.pose.orientation * Vector3d::UnitZ();
    mean += axis / 4000;
    square += axis.cwiseAbs2() / 4000;
  }
  EXPECT_LT(mean.cwiseAbs().maxCoeff(), 0.046);
  EXPECT_LT((square - Vector3d::Constant(1.0 / 3)).cwiseAbs().maxCoeff(), 0.024);
}

TEST(Scenes, BothBodiesOfAPairHaveTheScenesFriction) {
  for (const SceneInfo& info : scenes()) {
    const Scene scene = info.make(info.parameter, 1);
    for (const Body& body : scene.bodies) EXPECT_EQ(body.mu, scene.bodies[0].mu) << info.name;
  }
}

TEST(Scenes, RefusalsNameTheScenesNearBy) {
  EXPECT_THAT(refusal("stak"), ::testing::HasSubstr("stack"));
  EXPECT_THAT(refusal("pyramit:5"), ::testing::HasSubstr("pyramid:N"));
  EXPECT_THAT(refusal("creep:3"), ::testing::HasSubstr("creep"));
  EXPECT_THAT(refusal("zzzzzzzzzz"), ::testing::Not(::testing::HasSubstr("near")));
  EXPECT_THAT(refusal("stack:"), ::testing::HasSubstr("not a number"));
  EXPECT_THAT(refusal("stack:1.5"), ::testing::HasSubstr("whole number"));
  EXPECT_THAT(refusal("stack:0"), ::testing::HasSubstr("whole number"));
  EXPECT_THAT(refusal("pyramid:1e6"), ::testing::HasSubstr("1400"));  // 5e11 cubes
  EXPECT_THAT(refusal("wall:1e9"), ::testing::HasSubstr("1000"));
  EXPECT_THAT(refusal("stack:10x"), ::testing::HasSubstr("not a number"));
  EXPECT_THAT(refusal("mass-ratio:-1"), ::testing::HasSubstr("1e-12"));
  EXPECT_THAT(refusal("mass-ratio:nan"), ::testing::HasSubstr("not a number"));
  EXPECT_NE(refusal(""), "");
}

}  // namespace scenes_test
}  // namespace perpend
