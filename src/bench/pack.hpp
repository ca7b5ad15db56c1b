// Numbers as the page of the report reads them: bytes that deflate well, as texts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace perpend::bench {

// The bytes of little-endian values, byte 0 of all of them first: what is alike stands together.
template <class Value>
std::string shuffled(const std::vector<Value>& values) {
  static_assert(std::endian::native == std::endian::little);
  std::string bytes(values.size() * sizeof(Value), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    char parts[sizeof(Value)];
    std::copy_n(reinterpret_cast<const char*>(&values[i]), sizeof(Value), parts);
    for (std::size_t b = 0; b < sizeof(Value); ++b) bytes[b * values.size() + i] = parts[b];
  }
  return bytes;
}

// Each value as its distance from the one before, modulo its range.
template <class Value>
std::vector<Value> differences(const std::vector<Value>& values) {
  std::vector<Value> list(values.size());
  Value before = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    list[i] = static_cast<Value>(values[i] - before);
    before = values[i];
  }
  return list;
}

// float32; a number that is not zero stays so.
float brief(double);
// 16 bits of a logarithm between 1e-40 and 1e10 (within 0.1 %). 0: zero, 65535: not a number.
std::uint16_t log_code(double);
std::string base64(const std::string& bytes);
std::string deflated(const std::string& bytes);

}  // namespace perpend::bench
