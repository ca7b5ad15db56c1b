// A hash of numbers, bit for bit: two runs with the same value made the same trajectory.
#pragma once

#include <cstdint>
#include <cstring>

namespace perpend {

class StateHash {
 public:
  void add(double number) {  // FNV-1a over eight bytes at a time
    std::uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    value_ = (value_ ^ bits) * 0x100000001b3u;
    value_ ^= value_ >> 29;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace perpend
