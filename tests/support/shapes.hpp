// Shapes that fall in tests and benchmarks, and a mesh to fall on.
#pragma once

#include <cmath>

#include "scene/build.hpp"

namespace perpend::shapes {

inline Shape box(double x, double y, double z) {  // half of its edges, m
  return scene::box(2 * x, 2 * y, 2 * z);
}

inline Shape gem() {  // an octahedron cut at the bottom, so that it has a face to stand on
  return scene::hull({{0.3, 0, 0.1},
                      {-0.3, 0, 0.1},
                      {0, 0.3, 0.1},
                      {0, -0.3, 0.1},
                      {0.2, 0, -0.2},
                      {-0.2, 0, -0.2},
                      {0, 0.2, -0.2},
                      {0, -0.2, -0.2},
                      {0, 0, 0.3}});
}

inline Shape table() {  // plate and four legs
  std::vector<Part> parts = {{box(0.4, 0.4, 0.05), {}}};
  for (double x : {-0.3, 0.3})
    for (double y : {-0.3, 0.3})
      parts.push_back({box(0.05, 0.05, 0.15), {{x, y, -0.2}, Eigen::Quaterniond::Identity()}});
  return scene::compound(parts);
}

// A grid with waves of that height, m; its edges run below everything that falls.
inline Shape mesh(double waves) {
  Shape shape;
  shape.type = Shape::Type::mesh;
  constexpr Index kSide = 17;
  for (Index i = 0; i < kSide; ++i)
    for (Index j = 0; j < kSide; ++j) {
      const auto x = static_cast<double>(i), y = static_cast<double>(j);
      shape.points.emplace_back(0.45 * x - 3.7, 0.45 * y - 3.5,
                                waves * std::sin(2 * x) * std::cos(1.7 * y));
    }
  for (Index i = 0; i + 1 < kSide; ++i)
    for (Index j = 0; j + 1 < kSide; ++j) {
      const Index a = i * kSide + j, b = a + kSide;
      shape.triangles.push_back({a, b, b + 1});
      shape.triangles.push_back({a, b + 1, a + 1});
    }
  return shape;
}

}  // namespace perpend::shapes
