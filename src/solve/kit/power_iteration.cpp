#include "solve/kit/power_iteration.hpp"

#include <algorithm>
#include <cmath>

namespace perpend {
namespace {

constexpr int kSteps = 30;
constexpr double kMargin = 1.05;

}  // namespace

double uneven(Index row) { return 1 + 0.5 * std::sin(static_cast<double>(row)); }

double largest_eigenvalue(VectorXd v, const std::function<VectorXd(const VectorXd&)>& product,
                          Progress& progress) {
  double value = 1;
  for (int k = 0; k < kSteps; ++k) {
    const double size = v.norm();
    if (!(size > 0)) break;
    v /= size;
    const VectorXd next = product(v);
    value = v.dot(next);
    v = next;
  }
  progress.count(Work::product, kSteps);
  return std::max(1.0, kMargin * value);
}

}  // namespace perpend
