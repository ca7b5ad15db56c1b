// Fast falls: every shape, turned at random, falls at 20 m/s on every ground; how deep does it ever
// go into it? Usage: perpend_fall_bench [RUNS [CORRECTIONS [nonconvex]]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "perpend/sim.hpp"

namespace {

using namespace perpend;

class Random {  // splitmix64: the same numbers everywhere
 public:
  double between(double low, double high) {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 7;
};

Shape box(double x, double y, double z) {
  Shape shape;
  shape.half_extents = {x, y, z};
  return shape;
}

Shape round(Shape::Type type, double radius, double height = 0) {
  Shape shape;
  shape.type = type;
  shape.radius = radius;
  shape.height = height;
  return shape;
}

Shape mesh(double waves) {  // of that height, m
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

Shape table() {
  Shape shape;
  shape.type = Shape::Type::compound;
  shape.parts.push_back({box(0.4, 0.4, 0.05), {}});
  for (double x : {-0.3, 0.3})
    for (double y : {-0.3, 0.3})
      shape.parts.push_back(
          {box(0.05, 0.05, 0.15), {{x, y, -0.2}, Eigen::Quaterniond::Identity()}});
  return shape;
}

Shape gem() {
  Shape shape;
  shape.type = Shape::Type::hull;
  shape.points = {{0.3, 0, 0.1},   {-0.3, 0, 0.1}, {0, 0.3, 0.1},   {0, -0.3, 0.1}, {0.2, 0, -0.2},
                  {-0.2, 0, -0.2}, {0, 0.2, -0.2}, {0, -0.2, -0.2}, {0, 0, 0.3}};
  return shape;
}

struct Named {
  const char* name;
  Shape shape;
  double top = 0;  // m
};

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 40;
  SimulateOptions options;
  if (argc > 2) options.step.correct = std::atoi(argv[2]);
  if (argc > 3 && argv[3] == std::string_view("nonconvex"))
    options.step.contacts = ContactModel::nonconvex;
  Shape plane;
  plane.type = Shape::Type::plane;
  const Named grounds[] = {{"plane", plane},
                           {"flat mesh", mesh(0)},
                           {"rough mesh", mesh(0.15)},
                           {"small box", box(0.25, 0.25, 0.25), 0.25},
                           {"big box", box(4, 4, 0.5), 0.5},
                           {"compound", table(), 0.05}};
  const Named shapes[] = {{"box", box(0.25, 0.25, 0.25)},
                          {"hull", gem()},
                          {"sphere", round(Shape::Type::sphere, 0.3)},
                          {"cylinder", round(Shape::Type::cylinder, 0.25, 0.5)},
                          {"cone", round(Shape::Type::cone, 0.25, 0.5)},
                          {"capsule", round(Shape::Type::capsule, 0.2, 0.4)}};
  std::printf("%-10s %-10s %6s %12s %12s\n", "shape", "ground", "runs", "deepest m", "over 1e-6 m");
  for (const Named& falling : shapes)
    for (const Named& ground : grounds) {
      Random random;
      double deepest = 0;
      int over = 0;
      for (int run = 0; run < runs; ++run) {
        Scene scene;
        scene.steps = 60;
        scene.bodies.resize(2);
        scene.bodies[0].shape = ground.shape;
        Body& body = scene.bodies[1];
        body.shape = falling.shape;
        body.mass = 1;
        const auto draw = [&] { return random.between(-1, 1); };
        const double x = 0.2 * draw(), y = 0.2 * draw(), z = ground.top + 1.2 + 0.17 * draw();
        const double a = draw(), b = draw(), c = draw(), d = draw();
        body.pose.position = {x, y, z};
        body.pose.orientation = Eigen::Quaterniond(a, b, c, d).normalized();
        body.velocity[2] = -20;
        const double overlap = simulate(scene, options).max_penetration;
        deepest = std::max(deepest, overlap);
        over += overlap > 1e-6;
      }
      std::printf("%-10s %-10s %6d %12.2e %12d\n", falling.name, ground.name, runs, deepest, over);
    }
}
