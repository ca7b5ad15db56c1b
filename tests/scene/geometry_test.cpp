// Where the bodies of the built-in scenes are: nothing overlaps, and what rests touches.
#include <gtest/gtest.h>

#include <set>

#include "perpend/scene.hpp"
#include "scene/solids.hpp"

namespace perpend {
namespace geometry_test {

Scene named(const std::string& name) {
  std::string why;
  return scene_named(name, 1, why).value();
}

struct Near {
  std::size_t first, second;
  double apart;
};

// Pairs of bodies nearer than a centimetre, at least one of them moving, that may touch.
std::vector<Near> neighbours(const Scene& scene) {
  std::set<std::pair<Index, Index>> joined;
  for (const Joint& joint : scene.joints)
    if (!joint.collide)
      joined.insert({std::min(joint.first, joint.second), std::max(joint.first, joint.second)});
  std::vector<std::vector<solids::Solid>> all;
  std::vector<double> radii;
  std::vector<Vector3d> centres;
  for (const Body& body : scene.bodies) {
    all.push_back(solids::solids(body));
    radii.push_back(radius(body));
    centres.push_back(body.pose.position + body.pose.orientation * centre_of_mass(body));
  }
  std::vector<Near> list;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      if (scene.bodies[i].mass == 0 && scene.bodies[k].mass == 0) continue;
      if (joined.contains({static_cast<Index>(i), static_cast<Index>(k)})) continue;
      if ((centres[i] - centres[k]).norm() > radii[i] + radii[k] + 0.01) continue;
      const double apart = solids::apart(all[i], all[k]);
      if (apart < 0.01 - 1e-9) list.push_back({i, k, apart});
    }
  return list;
}

// Rounding of coordinates of up to 50 m and of turned corners.
constexpr double kRounding = 1e-13;

std::size_t touching(const Scene& scene) {
  std::size_t count = 0;
  for (const Near& pair : neighbours(scene)) count += std::abs(pair.apart) < kRounding;
  return count;
}

TEST(Geometry, NothingOverlapsAtTheStart) {
  for (const SceneInfo& info : scenes()) {
    const Scene scene = info.make(info.parameter, 1);
    for (const Near& pair : neighbours(scene))
      EXPECT_GE(pair.apart, -kRounding) << info.name << ": " << scene.bodies[pair.first].name
                                        << " and " << scene.bodies[pair.second].name;
  }
}

TEST(Geometry, OtherSeedsDoNotOverlapEither) {
  for (const char* name : {"spheres", "logs", "pile-spheres:64", "pile-boxes:64"})
    for (std::uint64_t seed = 2; seed < 6; ++seed) {
      std::string why;
      for (const Near& pair : neighbours(scene_named(name, seed, why).value()))
        EXPECT_GE(pair.apart, -kRounding) << name << ", seed " << seed;
    }
}

// Pairs that touch; nearly every pair of boxes has four contacts.
TEST(Geometry, WhatRestsTouchesExactly) {
  EXPECT_EQ(touching(named("stack")), 13u);      // 2 + 3 * 3 + 2: 52 contacts
  EXPECT_EQ(touching(named("heavy-top")), 14u);  // 56 contacts
  EXPECT_EQ(touching(named("stack-small")), 4u);
  EXPECT_EQ(touching(named("stack:10")), 10u);
  EXPECT_EQ(touching(named("heavy-column")), 14u);
  EXPECT_EQ(touching(named("mass-ratio:1e5")), 5u);
  EXPECT_EQ(touching(named("pyramid:20")), 400u);     // 20 + 2 * 190: 1,600 contacts
  EXPECT_EQ(touching(named("crates:8")), 65u);        // 8 + 2 * 28, and the ball on the floor
  EXPECT_EQ(touching(named("wall")), 300u);           // 12 * 25, and the floor 0.5 m below
  EXPECT_EQ(touching(named("slope")), 14u);           // 8 on the slope, 5 in the rows, 1 on top
  EXPECT_EQ(touching(named("friction-stack")), 53u);  // 3 + 5 * 6 laid, 10 * 2 leaning
  EXPECT_EQ(touching(named("gears-small")), 9u);      // 3 on the floor, 6 pairs of flanks
  EXPECT_EQ(touching(named("gears")), 17u);           // 4 and 12, and one at the wall
  EXPECT_EQ(touching(named("arch")), 2u);
  EXPECT_EQ(touching(named("snake")), 0u);
  EXPECT_EQ(touching(named("creep")), 1u);
  EXPECT_EQ(touching(named("yaw")), 8u);
  EXPECT_EQ(touching(named("plate")), 12u);
  EXPECT_EQ(touching(named("painleve")), 1u);
}

TEST(Geometry, FeetOfTheArchTouchByOneEdgeEach) {
  const Scene scene = named("arch");
  int on_floor = 0;
  for (const Body& body : scene.bodies) {
    if (body.mass == 0) continue;
    const std::vector<solids::Solid> parts = solids::solids(body);
    for (const Vector3d& corner : parts[0].points) on_floor += std::abs(corner.z()) < kRounding;
  }
  EXPECT_EQ(on_floor, 4);
}

TEST(Geometry, LowestGearsStandOnTwoTeethOfEachWheel) {
  const Scene scene = named("gears-small");
  for (const Body& body : scene.bodies) {
    if (body.mass == 0) continue;
    int on_floor = 0;
    for (const solids::Solid& part : solids::solids(body))
      for (const Vector3d& corner : part.points) on_floor += std::abs(corner.z()) < kRounding;
    EXPECT_EQ(on_floor, body.name.starts_with("gear 0.") ? 8 : 0) << body.name;
  }
}

TEST(Geometry, GearWeighsWhatItsOutlineEncloses) {
  // Its parts only touch: twelve teeth and a hub of twelve sides, by areas of polygons.
  const Body gear = named("gears").bodies.back();
  const double root = 0.35, half_width = 0.15, tan15 = std::tan(15 * 3.14159265358979323846 / 180);
  double teeth = 0;
  for (std::size_t i = 1; i < gear.shape.parts.size(); ++i)
    teeth += mass_properties(gear.shape.parts[i].shape).volume;
  EXPECT_NEAR(mass_properties(gear.shape).volume, 12 * root * root * tan15 * 2 * half_width + teeth,
              1e-14);
  EXPECT_NEAR(mass_properties(gear.shape).centre.norm(), 0, 1e-15);
}

// 1/m + r_x (r_x - mu r_z)/I < 0 with r from the centre to the corner on the floor: no finite force
// keeps the rod out of it.
TEST(Geometry, RodIsInPainlevesParadox) {
  const Body rod = named("painleve").bodies.back();
  Vector3d r = Vector3d::Zero();
  const std::vector<solids::Solid> parts = solids::solids(rod);
  for (const Vector3d& corner : parts[0].points)
    if (std::abs(corner.z()) < kRounding) r = corner - rod.pose.position;
  EXPECT_LT(r.x(), 0);
  EXPECT_LT(rod.velocity[0], 0);
  EXPECT_LT(1 / rod.mass + r.x() * (r.x() - rod.mu * r.z()) / inertia(rod)(1, 1), -0.5);
}

}  // namespace geometry_test
}  // namespace perpend
