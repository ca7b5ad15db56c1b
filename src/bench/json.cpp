#include "bench/json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace perpend::bench {

std::string exact(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string rounded(double value, int digits) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace perpend::bench
