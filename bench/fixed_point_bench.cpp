// Iterations of ncp/fixed-point against r (Lu et al. 2013, section 4.2; Foerg et al. 2006): for
// every strategy and order, the factor on r from 0.1 to 4, on a column at rest and on a wall that
// is shaken. Prints a table; with a file name it also draws the plot of docs/solvers.md.
// Usage: perpend_fixed_point_bench [PLOT.svg]
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "perpend/draw.hpp"
#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace {

using namespace perpend;

constexpr double kTolerance = 1e-6;  // m/s
constexpr long kLimit = 20000;

struct Variant {
  const char *strategy, *order;
};
constexpr Variant kVariants[] = {{"local", "gauss-seidel"},
                                 {"global", "gauss-seidel"},
                                 {"spectral", "gauss-seidel"},
                                 {"local", "jacobi"},
                                 {"spectral", "jacobi"}};

// NaN: not within the limit, or divergence.
double iterations(const System& s, const Variant& v, double factor) {
  Options o;
  o.tolerance = kTolerance;
  o.max_iterations = kLimit;
  o.measure_all = false;
  o.set = {{"strategy", v.strategy},
           {"order", v.order},
           {"start", "zero"},
           {"factor", std::to_string(factor)}};
  const Result r = solve(s, "ncp/fixed-point", o);
  return r.status == Status::converged ? static_cast<double>(r.iterations)
                                       : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

int main(int argc, char** argv) {
  const std::pair<const char*, System> problems[] = {
      {"column of 5 at rest", assemble(boxes::column(5, 1, 1))},
      {"wall of 4 x 4 thrown about", assemble(boxes::shaken(boxes::wall(4, 4), 0.2))}};
  std::vector<draw::Plot> plots;
  for (const auto& [name, system] : problems) {
    std::printf("%s, %ld contacts, 1e-6 m/s, -: not within %ld iterations\n%8s", name,
                static_cast<long>(system.contacts()), kLimit, "factor");
    for (const Variant& v : kVariants) std::printf(" %8s %-12s", v.strategy, v.order);
    std::printf("\n");
    std::vector<draw::Curve> curves;
    for (const Variant& v : kVariants)
      curves.push_back({std::string(v.strategy) + ", " + v.order, {}, {}, true});
    for (int k = -8; k <= 5; ++k) {
      const double factor = std::pow(10, 0.125 * k);
      std::printf("%8.3f", factor);
      for (std::size_t i = 0; i < curves.size(); ++i) {
        const double n = iterations(system, kVariants[i], factor);
        curves[i].x.push_back(factor);
        curves[i].y.push_back(n);
        if (std::isnan(n))
          std::printf(" %21s", "-");
        else
          std::printf(" %21.0f", n);
      }
      std::printf("\n");
    }
    plots.push_back(
        {std::string(name) + ", to 1e-6 m/s", {"factor on r", true}, {"iterations", true}, curves});
  }
  if (argc > 1) std::ofstream(argv[1]) << draw::svg(plots);
  return 0;
}
