// What every room needs and none owns: numbers and bytes as texts, quantiles, hashes, sets that are
// joined, loops that others may run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace perpend {

// A number as printf's format writes it.
std::string formatted(const char* format, double);
std::string short_number(double);        // three digits: "0.0123"
std::string full_number(double);         // all digits that tell it from its neighbours
std::string hexadecimal(std::uint64_t);  // sixteen digits

std::string base64(const std::string& bytes);
std::string timestamp();  // now, in UTC, ISO 8601

// The name of an enumeration's value; the names are listed in its order. Empty: it has none.
template <std::size_t N>
constexpr std::string_view name_in(const std::array<std::string_view, N>& names, auto value) {
  const auto at = static_cast<std::size_t>(value);
  return at < N ? names[at] : std::string_view();
}

// The value at this share of the sorted ones, the nearest: 0 the smallest, 1 the largest. NaN:
// there are none.
double quantile(std::vector<double>, double share);
// The middle one, or the mean of the two in the middle. NaN: there are none.
double median(std::vector<double>);

// FNV-1a, 64 bits: to notice damage and change, not to keep out an enemy.
inline constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325U;
std::uint64_t fnv(const void* data, std::size_t bytes, std::uint64_t hash = kFnvStart);

// A hash of numbers, bit for bit: two runs with the same value made the same trajectory.
class StateHash {
 public:
  void add(double);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = kFnvStart;
};

// Sets of the numbers 0 to count - 1, which are joined; a set is named by its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::ptrdiff_t count);
  std::ptrdiff_t of(std::ptrdiff_t member);
  void join(std::ptrdiff_t, std::ptrdiff_t);

 private:
  std::ptrdiff_t& above(std::ptrdiff_t i) { return above_[static_cast<std::size_t>(i)]; }
  std::vector<std::ptrdiff_t> above_;
};

// Runs the items of a loop: here one after the other, in the calling thread. Who has threads
// derives from it; the library itself starts none unless told to (perpend/host.hpp has a
// ThreadPool).
class Executor {
 public:
  virtual ~Executor() = default;
  virtual int workers() const { return 1; }
  // Calls item(i, worker) once for each i = 0 ... count - 1, in any order, and returns when all are
  // done. Calls that overlap in time have different workers in 0 ... workers() - 1. Items write to
  // places of their own and sums are made afterwards, in a fixed order: then the result has the
  // same bits with any number of threads.
  virtual void for_each(std::ptrdiff_t count,
                        const std::function<void(std::ptrdiff_t i, int worker)>& item) {
    for (std::ptrdiff_t i = 0; i < count; ++i) item(i, 0);
  }
};

}  // namespace perpend
