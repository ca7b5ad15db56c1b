#include "draw/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "perpend/base.hpp"

namespace perpend::draw {
namespace {

constexpr double kNoise = 1e-12;  // of a number: what differs by less is one value with rounding

// 0.001 where all powers of an axis are short, else 1e-3.
std::string power_label(int exponent, const Range& range) {
  const bool short_ones = range.lower > 0.9e-4 && range.upper < 1.1e5;
  return short_ones ? number_text(std::pow(10.0, exponent)) : "1e" + std::to_string(exponent);
}

std::vector<Tick> log_ticks(const Range& range, int count) {
  std::vector<Tick> out;
  const int first = static_cast<int>(std::floor(std::log10(range.lower) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(range.upper) - 1e-9));
  const int decades = std::max(1, last - first);
  const int every = (decades + count - 1) / count;
  for (int exponent = first; exponent <= last; ++exponent) {
    const double power = std::pow(10.0, exponent);
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * power;
      if (value < range.lower * (1 - 1e-9) || value > range.upper * (1 + 1e-9)) continue;
      const bool between =
          std::log10(range.upper) - std::log10(range.lower) <= 2 && (digit == 2 || digit == 5);
      if (digit == 1 && exponent % every == 0)
        out.push_back({value, power_label(exponent, range)});
      else if (between)
        out.push_back({value, number_text(value)});
      else if (digit == 1 || decades <= 4)
        out.push_back({value, ""});
    }
  }
  return out;
}

}  // namespace

std::string number_text(double value) {
  std::string out = formatted("%.6g", value);
  if (const std::size_t e = out.find('e'); e != std::string::npos)
    out = out.substr(0, e + 1) + std::to_string(std::atoi(out.c_str() + e + 1));
  return out == "-0" ? "0" : out;
}

Range widened(double least, double largest, bool log) {
  if (!(least <= largest)) return log ? Range{0.1, 10} : Range{0, 1};
  if (log) {
    const double room = std::max(0.04 * (std::log10(largest) - std::log10(least)), 0.1);
    return {std::max(least * std::pow(10.0, -room), kSmallest / 10),
            std::min(largest * std::pow(10.0, room), kLargest * 10)};
  }
  const double size = std::max(std::abs(least), std::abs(largest));
  const double room = largest - least > std::max(kNoise * size, kSmallest)
                          ? 0.03 * (largest - least)
                          : std::max(size, 1.0) / 2;
  // An axis of values that are never negative, nearly from zero on, begins at zero.
  const bool from_zero = least >= 0 && least <= 0.3 * largest;
  return {from_zero ? 0 : least - room, largest + room};
}

std::vector<Tick> ticks(const Range& range, bool log, int count) {
  if (log) return log_ticks(range, count);
  const double rough = (range.upper - range.lower) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double digit = rough / power;
  const double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
  std::vector<Tick> out;
  // Steps that the numbers of the range cannot make: counting them would never end.
  if (!(step > kNoise / 10 * std::max(std::abs(range.lower), std::abs(range.upper)))) return out;
  const double last = range.upper / step + 1e-9;
  for (double k = std::ceil(range.lower / step - 1e-9); k <= last; ++k)
    out.push_back({k * step, number_text(k * step)});
  return out;
}

}  // namespace perpend::draw
