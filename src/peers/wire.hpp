// Systems, options and results as bytes, for a process of the same build: no versions, no byte
// order, every field in the order of its struct.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "perpend/peers.hpp"

namespace perpend::peers {

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

// Solvers in Python: what perpend.worker says it has when it has read the file, ...
struct PythonSolver {
  std::string name, title, reference;
  bool joints = true;
  std::vector<OptionInfo> options;
};
struct PythonTable {
  std::string refused;  // why it has none
  std::vector<PythonSolver> solvers;
};
// ... what one of them is asked (perpend/peers/plugin.h), ...
struct PlainMatrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<std::int64_t> row_start, column;  // row_start is empty where the matrix is absent
  std::vector<double> values;
};
struct PythonTask {
  std::string solver, formulation;
  std::int64_t size = 0, contacts = 0, joint_rows = 0;
  double step = 0, tolerance = 0;
  std::uint64_t seed = 0;
  PlainMatrix A, mass, jacobian;
  std::vector<double> b, mu, lower, upper, friction_bounds, free_velocity, start;
  std::map<std::string, std::string> options;
};
// ... what it answers again and again, and what it is told to that.
struct PythonStep {
  enum Kind : std::int64_t { iterate, finish, own_error };
  std::int64_t kind = iterate;
  VectorXd z;
  std::int64_t status = 0;  // of perpend_status
  std::string words;        // why it finishes
  std::string path;
  double seconds = 0, compiled = 0;  // since the step before; of it, not in Python
  std::array<std::int64_t, kWorks> work{};
  bool restarted = false;
};
struct PythonReply {
  bool go_on = false;
  double error = 0;
};

Bytes to_bytes(const Request&);
Bytes to_bytes(const Result&);
Bytes to_bytes(const Task&);
Bytes to_bytes(const Call&);
Bytes to_bytes(const Answer&);
Bytes to_bytes(const PythonReply&);
Bytes to_bytes(const PythonStep&);
Bytes to_bytes(const PythonTask&);
Bytes to_bytes(const PythonTable&);
// A System has its two in perpend/peers.hpp. False when the bytes end too early or too late, or
// hold what no writer writes: what wrote them was not in its right mind. Never allocates more than
// the bytes warrant.
bool from_bytes(std::span<const std::byte>, Request&);
bool from_bytes(std::span<const std::byte>, Result&);
bool from_bytes(std::span<const std::byte>, Task&);
bool from_bytes(std::span<const std::byte>, Call&);
bool from_bytes(std::span<const std::byte>, Answer&);
bool from_bytes(std::span<const std::byte>, PythonReply&);
bool from_bytes(std::span<const std::byte>, PythonStep&);
bool from_bytes(std::span<const std::byte>, PythonTask&);
bool from_bytes(std::span<const std::byte>, PythonTable&);

}  // namespace perpend::peers
