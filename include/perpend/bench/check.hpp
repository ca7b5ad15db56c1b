// Is this a solver? The conformance set for a solver of one's own, in words for who wrote it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "perpend/solve.hpp"

namespace perpend::bench {

struct CheckOptions {
  double tolerance = 1e-8;  // m/s, of own_error
  long max_iterations = 100000;
  double seconds = 10;                             // of the wall clock, for one solve
  std::function<void(int done, int of)> progress;  // after each solve
  std::function<bool()> cancelled;
};

struct Complaint {
  std::string frame;  // what it was asked
  std::string words;  // what is wrong with the answer
};

struct Check {
  std::string what;
  int asked = 0, passed = 0;
  bool advice = false;  // what fails here is slow, not wrong
  std::vector<Complaint> complaints;
};

// Every solve in a process of its own: a crash or a hang is a complaint. A check ends early when
// three solves had to be killed or died.
std::vector<Check> check_solver(const SolverInfo&, const CheckOptions& = {});
bool passed(const std::vector<Check>&);

}  // namespace perpend::bench
