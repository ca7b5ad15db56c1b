// How the time of a solve grows with the size of the problem: columns, walls and shaken walls of
// doubling size, and the exponent of a power law through the solves that converged.
// Usage: perpend_growth_bench FAMILY LARGEST SOLVER...
// FAMILY is column, wall or shaken; LARGEST is the number of cubes (column) or of layers.
// Nguyen and Trinkle 2010, section 5, claim linear growth for staggered programs, and n^3 for a
// pivoting method:
//   perpend_growth_bench column 256 ncp/staggered mlcp/path
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace {

using namespace perpend;

constexpr double kTolerance = 1e-8;  // m/s
constexpr double kLimit = 60;        // s of one solve
constexpr int kRuns = 3;             // the fastest counts

Frame frame(const std::string& family, Index size) {
  if (family == "column") return boxes::column(size, 1, 1);
  if (family == "wall") return boxes::wall(size, size);
  return boxes::shaken(boxes::wall(size, size), 0.1);
}

// Slope of log seconds over log contacts, by least squares; NaN for fewer than two points.
double exponent(const std::vector<std::pair<double, double>>& points) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [contacts, seconds] : points) {
    const double x = std::log(contacts), y = std::log(seconds);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void grow(const std::string& family, Index largest, const SolverInfo& info) {
  std::vector<std::pair<double, double>> points;
  for (Index size = 2; size <= largest; size *= 2) {
    const System s = assemble(frame(family, size));
    Options o;
    o.tolerance = kTolerance;
    o.max_iterations = 1000000;
    o.time_limit = kLimit;
    o.measure_all = false;
    Result r;
    double seconds = 0;
    for (int k = 0; k < kRuns; ++k) {
      r = solve(s, info.name, o);
      seconds = k == 0 ? r.seconds : std::min(seconds, r.seconds);
      if (seconds > 1) break;  // one run is long enough
    }
    std::printf("%-8s %-18s %6ld %9ld %-16s %9.1e %9ld %11.6f\n", family.c_str(), info.name.c_str(),
                static_cast<long>(size), static_cast<long>(s.contacts()),
                std::string(name(r.status)).c_str(), r.errors[Measure::own_error], r.iterations,
                seconds);
    if (r.status != Status::converged) break;
    points.emplace_back(static_cast<double>(s.contacts()), seconds);
  }
  std::printf("%-8s %-18s seconds grow like contacts^%.2f\n", family.c_str(), info.name.c_str(),
              exponent(points));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string family = argc > 1 ? argv[1] : "";
  const long largest = argc > 2 ? std::atol(argv[2]) : 0;
  if (argc < 4 || largest < 2 || (family != "column" && family != "wall" && family != "shaken")) {
    std::fprintf(stderr, "usage: perpend_growth_bench column|wall|shaken LARGEST SOLVER...\n");
    return 2;
  }
  std::printf("%-8s %-18s %6s %9s %-16s %9s %9s %11s\n", "family", "solver", "size", "contacts",
              "status", "own_error", "iterations", "seconds");
  for (int k = 3; k < argc; ++k) {
    const SolverInfo* info = solver_named(argv[k]);
    if (!info) {
      std::fprintf(stderr, "no solver called %s\n", argv[k]);
      return 2;
    }
    grow(family, largest, *info);
  }
}
