#include "bench/json.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace perpend::bench {

std::string exact(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

double rounded(double value, int digits) {
  if (!std::isfinite(value)) return value;
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::scientific, digits - 1)
                       .ptr;
  std::from_chars(text.data(), end, value);
  return value;
}

}  // namespace perpend::bench
