// Small tools that every part of the library uses: numbers as text, quantiles, hashes, disjoint
// sets, and Executor, the interface for running loops in threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace perpend {

// Formats a number as printf does.
std::string formatted(const char* format, double);
std::string short_number(double);        // three digits: "0.0123"
std::string full_number(double);         // the fewest digits that read back as the same number
std::string hexadecimal(std::uint64_t);  // sixteen digits

std::string base64(const std::string& bytes);
std::string timestamp();  // now, in UTC, ISO 8601

// The name of an enum value. `names` is in the order of the enum. Returns an empty name for others.
template <std::size_t N>
constexpr std::string_view name_in(const std::array<std::string_view, N>& names, auto value) {
  const auto at = static_cast<std::size_t>(value);
  return at < N ? names[at] : std::string_view();
}

// The nearest value at this share of the sorted list: 0 is the smallest, 1 the largest. NaN for an
// empty list.
double quantile(std::vector<double>, double share);
// The middle value, or the mean of the two in the middle. NaN for an empty list.
double median(std::vector<double>);

// FNV-1a, 64 bits. It detects damage and change; it is not cryptographic.
inline constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325U;
std::uint64_t fnv(const void* data, std::size_t bytes, std::uint64_t hash = kFnvStart);

// A hash over the bits of numbers. Two runs with the same hash had the same trajectory.
class StateHash {
 public:
  void add(double);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = kFnvStart;
};

// Union-find over the numbers 0 to count - 1. A set is named by its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::ptrdiff_t count);
  std::ptrdiff_t of(std::ptrdiff_t member);
  void join(std::ptrdiff_t, std::ptrdiff_t);

 private:
  std::ptrdiff_t& above(std::ptrdiff_t i) { return above_[static_cast<std::size_t>(i)]; }
  std::vector<std::ptrdiff_t> above_;
};

// Runs the items of a loop. This one runs them one after the other in the calling thread. Derive
// from it to use your own threads, or use ThreadPool of perpend/host.hpp. The library starts no
// threads by itself.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual int workers() const { return 1; }
  // Calls item(i, worker) once for each i = 0 ... count - 1, in any order, and returns when all are
  // done. Calls that run at the same time get different workers in 0 ... workers() - 1. If each
  // item writes only to its own place, and you sum up afterwards in a fixed order, the result has
  // the same bits with any number of threads.
  virtual void for_each(std::ptrdiff_t count,
                        const std::function<void(std::ptrdiff_t i, int worker)>& item) {
    for (std::ptrdiff_t i = 0; i < count; ++i) item(i, 0);
  }
};

}  // namespace perpend
