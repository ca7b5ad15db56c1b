// What slides without friction over a flat floor keeps its velocity, whatever the floor is made of.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/build.hpp"

namespace perpend::sim {
namespace sliding_test {

Scene floor_of(const std::string& kind) {
  Scene s;
  s.name = kind;
  if (kind == "tiles") {
    for (int i = 0; i < 4; ++i) {
      Body tile;
      tile.shape.half_extents = {0.5, 1, 0.5};
      tile.pose.position = {static_cast<double>(i), 0, -0.5};
      s.bodies.push_back(tile);
    }
  } else {
    Body ground;
    Shape& shape = ground.shape;
    constexpr int kCells = 16;  // of 1/4 m
    ground.pose.position = {1.5, 0, 0};
    if (kind == "field") {
      shape.type = Shape::Type::height_field;
      shape.rows = shape.columns = kCells + 1;
      shape.spacing = 0.25;
      shape.heights.assign((kCells + 1) * (kCells + 1), 0.0);
    } else {
      shape.type = Shape::Type::mesh;
      for (int j = 0; j <= kCells; ++j)
        for (int i = 0; i <= kCells; ++i)
          shape.points.emplace_back(0.25 * (i - kCells / 2), 0.25 * (j - kCells / 2), 0);
      for (Index j = 0; j < kCells; ++j)
        for (Index i = 0; i < kCells; ++i) {
          const Index a = j * (kCells + 1) + i, c = a + kCells + 1;
          shape.triangles.push_back({a, a + 1, c + 1});
          shape.triangles.push_back({a, c + 1, c});
        }
    }
    s.bodies.push_back(ground);
  }
  for (Body& body : s.bodies) body.mu = 0;
  return s;
}

TEST(Sliding, OverSeamsOfTheFloorHasNoBump) {
  for (const char* kind : {"tiles", "mesh", "field"})
    for (const auto type : {Shape::Type::box, Shape::Type::sphere, Shape::Type::cylinder}) {
      Scene scene = floor_of(kind);
      Body slider;
      slider.mass = 1;
      slider.mu = 0;
      slider.shape.type = type;
      slider.shape.half_extents.setConstant(0.2);
      slider.shape.radius = 0.2;
      slider.shape.height = 0.4;
      slider.pose.position = {0.1234, 0.05, 0.2};
      slider.velocity[0] = 1;
      scene.bodies.push_back(slider);
      Built built(scene, scene.step, Built::Engine::perpend);
      built.ours()->options().solver = "ncp/prox-newton";
      for (int step = 0; step < 120; ++step) built.step();
      const State end = built.state();
      const Index last = end.velocities.rows() - 1;
      // The tolerance of the solver is 1e-10 m/s per step; 120 steps.
      EXPECT_NEAR(end.velocities(last, 0), 1, 1e-8) << kind << ' ' << name(type);
      EXPECT_NEAR(end.velocities(last, 2), 0, 1e-8) << kind << ' ' << name(type);
      EXPECT_NEAR(end.positions(last, 0), 2.1234, 1e-8) << kind << ' ' << name(type);
      EXPECT_NEAR(end.positions(last, 2), 0.2, 1e-8) << kind << ' ' << name(type);
    }
}

}  // namespace sliding_test
}  // namespace perpend::sim
