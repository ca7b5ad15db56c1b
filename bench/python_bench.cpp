// What a program in C++ needs for what bench/python_bench.py does in Python. It reads requests from
// standard input and answers each with seconds, on the clock and of the processor:
//
//   solve N    the median of N solves of one cube on the ground, four contacts (0 of the processor)
//   step N     N steps of stack:10, which goes on from where it was
#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "perpend/bullet.hpp"
#include "perpend/scene.hpp"
#include "perpend/sim.hpp"
#include "perpend/sim/world.hpp"
#include "perpend/solve.hpp"
#include "perpend/system.hpp"

using namespace perpend;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Scene scene(const char* name) {
  std::string why;
  return scene_named(name, 1, why).value();
}

double solve_median(const Frame& frame, long times) {
  Options options;
  options.tolerance = 1e-8;
  std::vector<double> spent;
  for (long i = 0; i < times; ++i) {
    const double begun = now();
    if (!invalid(frame).empty()) std::abort();
    const Result result = solve(assemble(frame), "ncp/auto", options);
    spent.push_back(now() - begun);
    if (result.status != Status::converged) std::abort();
  }
  std::nth_element(spent.begin(), spent.begin() + times / 2, spent.end());
  return spent[static_cast<std::size_t>(times / 2)];
}

}  // namespace

int main() {
  const Frame cube = first_frame(scene("stack:1"));
  const Scene stack = scene("stack:10");
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  DynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  bullet::SceneInWorld inside(stack, stack.step, world);
  std::string what;
  for (long count = 0; std::cin >> what >> count;) {
    if (count < 1 || (what != "solve" && what != "step")) return 2;
    double seconds = 0, processor = 0;
    if (what == "solve") {
      seconds = solve_median(cube, count);
    } else {
      const double begun = now();
      const std::clock_t clock = std::clock();
      for (long i = 0; i < count; ++i) inside.step();
      seconds = now() - begun;
      processor = static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC;
    }
    std::cout << seconds << " " << processor << std::endl;
  }
}
