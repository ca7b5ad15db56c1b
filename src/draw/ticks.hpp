// Where an axis has its ticks, and how they are written.
#pragma once

#include <string>
#include <vector>

namespace perpend::draw {

struct Tick {
  double value;
  std::string label;  // empty: a small tick
};

// What is larger, and on a log axis what is smaller, is not drawn: sums and ratios of what is left
// are numbers.
inline constexpr double kLargest = 1e300, kSmallest = 1e-300;

// The range of an axis: what the values span, widened to end well; values that differ by rounding
// alone are one value.
struct Range {
  double lower = 0, upper = 1;
};
// NaN stands for no values at all.
Range widened(double least, double largest, bool log);
// About `count` labelled ticks inside the range: 1, 2, 5 times a power of ten; on a log axis powers
// of ten (every second, third, ... one where there are many), with 2 and 5 or 2..9 between them.
std::vector<Tick> ticks(const Range&, bool log, int count);

// Shortest decimal with at most six digits: "0.25", "1e-06" as "1e-6".
std::string number_text(double);

}  // namespace perpend::draw
