// The limits of a solve, for its formulation and for its iterations alike (progress.cpp).
#pragma once

#include <optional>
#include <string>

#include "perpend/solve.hpp"

namespace perpend {

struct Ending {
  Status status;
  std::string why;
};

// Seconds by the clock of the options.
double seconds_now(const Options&);
// Bytes: the limit given, or half of the machine's memory.
double memory_limit(const Options&);
std::string needs_too_much(double bytes, const Options&);
// Whether Ctrl-C or the time limit ends what has taken `spent` seconds, or whether `flops` more
// operations, which cannot be left once begun, end too late. `when`: "after 12 iterations".
std::optional<Ending> over(const Options&, double spent, double flops, const std::string& when);

}  // namespace perpend
