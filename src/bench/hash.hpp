// FNV-1a, 64 bits: to notice damage and change, not to keep out an enemy.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace perpend::bench {

inline constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325U;

inline std::uint64_t fnv(const void* data, std::size_t size, std::uint64_t hash = kFnvStart) {
  const auto* at = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ at[i]) * 0x100000001b3U;
  return hash;
}

inline std::string hexadecimal(std::uint64_t hash) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace perpend::bench
