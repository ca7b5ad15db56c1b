// What it costs to reach a tolerance, and how solvers compare in it: performance profiles (Dolan
// and More 2002) and data profiles (More and Wild 2009).
//
// The cost of a row is the time, or the number of iterations, until its error first was at most the
// tolerance. Its ratio is that over the least cost of any solver on the same problem. A profile
// tells for each solver on how many problems the ratio, or the cost, is at most x.
//
// Costs below what can be told apart (kLeastSeconds, one iteration) count as that: a start that is
// already the answer is not infinitely faster than one iteration.
#pragma once

#include <vector>

#include "perpend/bench.hpp"

namespace perpend::bench {

enum class Cost { seconds, iterations };

struct Costs {
  std::vector<double> cost, ratio;  // per row; NaN: it never reached the tolerance
  std::vector<double> best;         // per problem: the least cost; NaN: no solver reached it
};

// When each row first reached each of the tolerances, by one of the two errors.
class Moments {
 public:
  // Precondition: own_error or velocity_error.
  explicit Moments(const Results&, Measure error);
  const Moment& at(std::size_t row, std::size_t tolerance) const {
    return moments_[row][tolerance];
  }
  Costs costs(std::size_t tolerance, Cost) const;

 private:
  const Results& results_;
  std::vector<std::vector<Moment>> moments_;  // per row; those that do not apply never did
};

// Per solver, over the rows of these problems: the median; NaN: it has no value.
std::vector<double> medians(const Results&, const std::vector<double>& per_row,
                            const std::vector<bool>& problems);

struct Profile {
  std::vector<double> x;                           // ascending, the same for all solvers
  std::vector<std::vector<std::uint32_t>> counts;  // per solver: rows whose value is at most x
};
// Every step, or where there are more than `most`, as many values of x evenly on a log scale. They
// are rounded up to kProfileBits (0.2 %, less than a pixel); the counts are those at the rounded x.
inline constexpr int kProfileBits = 10;
Profile profile(const Results&, const std::vector<double>& per_row,
                const std::vector<bool>& problems, std::size_t most);

}  // namespace perpend::bench
