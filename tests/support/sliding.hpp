// Cubes that slide: over a floor at 1 m/s, or down a slope.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "support/boxes.hpp"

namespace perpend::boxes {

// A cube of 2 kg and 1 m, 1 m/s fast along (0.6, -0.8): it slides without tipping, and loses mu g
// h.
inline Frame sliding_block(double mu = 0.25) {
  World w(0.01);
  const Index floor = w.fixed(), block = w.cube(2, 1, {0, 0, 0.5});
  w.face(floor, block, {0, 0, 0}, 1, mu);
  w.frame().bodies.velocities.row(block).head<2>() << 0.6, -0.8;
  return w.frame();
}

// v+ of that block. Without the de Saxce term the cone problem would lift it at mu |v_T|.
inline void expect_braked_and_not_lifted(const VectorXd& v, double off, double mu = 0.25) {
  const double speed = 1 - mu * kGravity * 0.01;
  EXPECT_NEAR(v[0], 0.6 * speed, off);
  EXPECT_NEAR(v[1], -0.8 * speed, off);
  EXPECT_NEAR(v[2], 0, off);
}

// A cube whose four corners rest on a plane inclined by `angle` about y; x points downhill.
inline Frame cube_on_slope(double angle, double mu) {
  World w;
  const Index floor = w.fixed();
  const Index cube = w.cube(1, 1, {0, 0, 0.5}, {std::sin(angle), 0, -std::cos(angle)});
  w.face(floor, cube, {0, 0, 0}, 1, mu);
  return w.frame();
}

// 1 kg on one contact below its centre with mu = 0.5, at (x, y) m/s.
inline Frame point_mass_at(double x, double y) {
  World w;
  const Index floor = w.fixed(), mass = w.cube(1, 1, {0, 0, 0});
  w.contact(floor, mass, {0, 0, 0}, Vector3d::UnitZ(), 0.5);
  w.frame().bodies.velocities.row(mass).head<2>() << x, y;
  return w.frame();
}

}  // namespace perpend::boxes
