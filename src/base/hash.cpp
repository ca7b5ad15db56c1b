#include <cstring>

#include "perpend/base.hpp"

namespace perpend {

constexpr std::uint64_t kFnvPrime = 0x100000001b3U;

std::uint64_t fnv(const void* data, std::size_t bytes, std::uint64_t hash) {
  const auto* at = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ at[i]) * kFnvPrime;
  return hash;
}

void StateHash::add(double number) {  // eight bytes at a time
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  value_ = (value_ ^ bits) * kFnvPrime;
  value_ ^= value_ >> 29;
}

}  // namespace perpend
