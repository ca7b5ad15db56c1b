// Fast falls: every shape, turned at random, falls at 20 m/s on every kind of ground. Prints how
// deep it sinks in. Usage: perpend_fall_bench [RUNS [CORRECTIONS [nonconvex]]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "perpend/sim.hpp"
#include "support/shapes.hpp"

namespace {

using namespace perpend;
using namespace perpend::shapes;

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
  const Named shapes[] = {
      {"box", box(0.25, 0.25, 0.25)},   {"hull", gem()},
      {"sphere", scene::sphere(0.3)},   {"cylinder", scene::cylinder(0.25, 0.5)},
      {"cone", scene::cone(0.25, 0.5)}, {"capsule", scene::capsule(0.2, 0.4)}};
  std::printf("%-10s %-10s %6s %12s %12s\n", "shape", "ground", "runs", "deepest m", "over 1e-6 m");
  for (const Named& falling : shapes)
    for (const Named& ground : grounds) {
      Random random;
      double deepest = 0;
      int over = 0;
      for (int run = 0; run < runs; ++run) {
        Scene falls;
        falls.steps = 60;
        falls.bodies.resize(2);
        falls.bodies[0].shape = ground.shape;
        Body& body = falls.bodies[1];
        body.shape = falling.shape;
        body.mass = 1;
        const auto draw = [&] { return random.between(-1, 1); };
        const double x = 0.2 * draw(), y = 0.2 * draw(), z = ground.top + 1.2 + 0.17 * draw();
        const double a = draw(), b = draw(), c = draw(), d = draw();
        body.pose.position = {x, y, z};
        body.pose.orientation = Eigen::Quaterniond(a, b, c, d).normalized();
        body.velocity[2] = -20;
        const double overlap = simulate(falls, options).max_penetration;
        deepest = std::max(deepest, overlap);
        over += overlap > 1e-6;
      }
      std::printf("%-10s %-10s %6d %12.2e %12d\n", falling.name, ground.name, runs, deepest, over);
    }
}
