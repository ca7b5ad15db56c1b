// Systems, options and results as bytes, for a process of the same build: no versions, no byte
// order, every field in the order of its struct.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "perpend/solve.hpp"

namespace perpend::peers {

using Bytes = std::vector<std::byte>;

struct Request {
  std::string solver;
  Options options;  // without observer, cancelled and clock
};

// What perpend-peers is given once: the matrix of w = A x + b, and whose solver it is for.
struct Task {
  std::string peer;
  SparseMatrix A;
  VectorXd mu;                  // (m) of a cone problem, empty otherwise
  std::vector<Index> bound_by;  // of each row: the row that its bounds are multiplied with, or -1
  double memory = 0;            // bytes; 0: as much as there is
};
// One call of a peer's solver. lower <= x <= upper; not read in a cone problem.
struct Call {
  VectorXd b, lower, upper, start;
  bool coupled = false;  // whether bound_by holds
  double tolerance = 0;  // in the peer's own meaning
  long iterations = 0;   // the most it may do
};
struct Answer {
  VectorXd x;
  bool solved = false;  // what the peer says
  std::string remark;
  long iterations = 0;  // 0: it does not tell
  double error = 0;     // its own measure; NaN: it does not tell
  double seconds = 0;   // inside the peer's code
};

Bytes to_bytes(const System&);
Bytes to_bytes(const Request&);
Bytes to_bytes(const Result&);
Bytes to_bytes(const Task&);
Bytes to_bytes(const Call&);
Bytes to_bytes(const Answer&);
// False when the bytes end too early or too late, or hold what no writer writes: what wrote them
// was not in its right mind. Never allocates more than the bytes warrant.
bool from_bytes(std::span<const std::byte>, System&);
bool from_bytes(std::span<const std::byte>, Request&);
bool from_bytes(std::span<const std::byte>, Result&);
bool from_bytes(std::span<const std::byte>, Task&);
bool from_bytes(std::span<const std::byte>, Call&);
bool from_bytes(std::span<const std::byte>, Answer&);

}  // namespace perpend::peers
