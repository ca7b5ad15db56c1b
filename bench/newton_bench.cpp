// Solvers from step to step: stacks that fall 5 cm and settle within a second, then rest; and walls
// that are shaken. Gaps and velocities change as in a simulator, contact points and normals stay
// the same. Usage: perpend_newton_bench [SOLVER...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace {

using namespace perpend;

constexpr double kTolerance = 1e-10;  // m/s
constexpr int kSteps = 120;           // of 1/60 s; the last 60 count as rest
constexpr long kLimit = 2000;         // iterations of a step

struct Scene {
  const char* name;
  Frame frame;
};

double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

template <class T>
T median(std::vector<T> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

void settle(const SolverInfo& info, const Scene& scene) {
  Frame f = scene.frame;
  f.step = 1.0 / 60;
  for (Index i = 0; i < f.contacts.count(); ++i)
    f.contacts.gap[i] = f.bodies.fixed(f.contacts.pairs(i, 0)) ? 0.05 : 0;
  const std::unique_ptr<Solver> kept = info.make();
  std::vector<double> ms;
  std::vector<long> iterations;
  Impulses last;
  int open = 0;
  double worst = 0;
  for (int k = 0; k < kSteps; ++k) {
    const System s = assemble(f);
    Options o;
    o.tolerance = kTolerance;
    o.max_iterations = kLimit;
    o.measure_all = false;
    o.warm_start = last;
    const auto started = std::chrono::steady_clock::now();
    const Result r = solve(s, info, *kept, o);
    ms.push_back(1e3 * seconds_since(started));
    iterations.push_back(r.iterations);
    open += r.status != Status::converged;
    worst = std::max(worst, r.errors[Measure::own_error]);
    last = r.impulses;
    const VectorXd y = relative_velocity(s, last);
    for (Index i = 0; i < s.contacts(); ++i) f.contacts.gap[i] += f.step * (y[3 * i] - s.c[3 * i]);
    f.bodies.velocities = velocity_plus(f, s, last);
  }
  const auto middle = ms.begin() + kSteps / 2;
  const std::vector<long> rest(iterations.begin() + kSteps / 2, iterations.end());
  std::printf("%-16s %-16s %8ld %10d %9.1e %7ld %7ld %10.3f %10.3f\n", scene.name,
              info.name.c_str(), static_cast<long>(f.contacts.count()), open, worst, median(rest),
              *std::max_element(iterations.begin(), iterations.end()),
              median(std::vector<double>(middle, ms.end())),
              *std::max_element(ms.begin(), ms.end()));
}

void throw_about(const SolverInfo& info) {
  int all = 0, solved = 0;
  double total = 0;
  std::vector<double> ms;
  for (double mu : {0.3, 0.8, 1.0})
    for (double speed : {0.1, 1.0, 10.0})
      for (std::uint64_t seed : {1u, 2u})
        for (const Frame& f :
             {boxes::wall(5, 5, mu), boxes::pyramid(10, mu), boxes::column(10, 1, 1, mu)}) {
          const System s = assemble(boxes::shaken(f, speed, seed));
          Options o;
          o.tolerance = kTolerance;
          o.max_iterations = kLimit;
          const Result r = solve(s, info.name, o);
          ++all;
          solved += r.status == Status::converged;
          ms.push_back(1e3 * r.seconds);
          total += r.seconds;
        }
  std::printf("%-16s %-16s %3d of %3d solved, median %.2f ms, all %.2f s\n", "thrown about",
              info.name.c_str(), solved, all, median(ms), total);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) names = {"ncp/prox-newton", "ncp/auto", "ncp/nncg"};
  const Scene scenes[] = {{"column of 10", boxes::column(10, 1, 1)},
                          {"100:1 on 13", boxes::column(14, 1, 100)},
                          {"1e5:1 on 4", boxes::column(5, 1, 1e5)},
                          {"pyramid of 210", boxes::pyramid(20)},
                          {"wall of 169", boxes::wall(13, 13)}};
  std::printf("%-16s %-16s %8s %10s %9s %7s %7s %10s %10s\n", "scene", "solver", "contacts",
              "not solved", "worst m/s", "it rest", "it most", "ms at rest", "ms at most");
  for (const std::string& name : names) {
    const SolverInfo* info = solver_named(name);
    if (!info) {
      std::fprintf(stderr, "no solver is called '%s'\n", name.c_str());
      return 2;
    }
    for (const Scene& scene : scenes) settle(*info, scene);
    throw_about(*info);
  }
  return 0;
}
