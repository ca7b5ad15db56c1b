// The zero of the slope of a convex function along a line.
#pragma once

#include <algorithm>
#include <cmath>

namespace perpend {

// `slope(a)` grows with a. Bracketed; full steps are tried first and taken when they halve the
// slope, so that a Newton step which is nearly right costs two evaluations.
template <class Slope>
double convex_line_search(const Slope& slope) {
  const double first = slope(0.0);
  if (!(first < 0)) return 1;  // rounding: the step is as good as done
  double low = 0, high = 1, at_low = first, at_high = slope(1.0);
  for (int k = 0; k < 4 && at_high < 0.5 * first; ++k) {
    low = high;
    at_low = at_high;
    high *= 2;
    at_high = slope(high);
  }
  if (std::abs(at_high) <= -0.5 * first) return high;
  if (at_high < 0) return at_high > first ? high : 1;  // not steeper but by rounding
  for (int k = 0; k < 30; ++k) {
    // Regula falsi, kept off the ends.
    double a = low + (high - low) * at_low / (at_low - at_high);
    a = std::clamp(a, low + 0.05 * (high - low), high - 0.05 * (high - low));
    const double at_a = slope(a);
    if (std::abs(at_a) <= -0.1 * first) return a;
    if (at_a < 0) {
      low = a;
      at_low = at_a;
    } else {
      high = a;
      at_high = at_a;
    }
  }
  return 0.5 * (low + high);
}

}  // namespace perpend
