// What the numbers of a scene may be, so that what is simulated of it can be recorded.
#pragma once

#include <cmath>
#include <initializer_list>
#include <string>

#include "perpend/record/limits.h"

namespace perpend::scene {

// Of lengths, speeds, ratios and coefficients: the product of two is far below the longest lever
// that a recording may have, and the fifth power of one is a number. Weights and stiffnesses have
// the limits of a recording.
inline constexpr double kLargest = 1e30, kSmallest = 1e-30;
static_assert(kLargest * kLargest * 1e9 <= PERPEND_RECORD_LONGEST);

// "FIELD: what is wrong", or empty.
inline std::string number(const std::string& field, double x) {
  if (!std::isfinite(x)) return field + ": not finite";
  return std::abs(x) <= kLargest ? "" : field + ": beyond 1e30";
}
template <class Numbers>
std::string numbers(const std::string& field, const Numbers& list) {
  for (const double x : list)
    if (std::string why = number(field, x); !why.empty()) return why;
  return {};
}
inline std::string length(const std::string& field, double x) {
  if (!std::isfinite(x) || x <= 0) return field + ": not positive";
  return x >= kSmallest && x <= kLargest ? "" : field + ": not in 1e-30 ... 1e30";
}
inline std::string first_of(std::initializer_list<std::string> complaints) {
  for (const std::string& why : complaints)
    if (!why.empty()) return why;
  return {};
}

}  // namespace perpend::scene
