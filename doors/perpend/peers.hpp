// Solving in a separate process, so that a solver that crashes, hangs or uses up the memory still
// gives a result. Solvers of other projects and plugins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/peers/plugin.h"
#include "perpend/solve.hpp"

namespace perpend::peers {

// How a worker solves a problem.
using Answering = std::function<Result(const System&, std::string_view solver, const Options&)>;

// A child process that solves one problem after another. If it
// dies or is killed, the next solve starts a new one. It is a fork of this program and knows the
// same solvers, so this program must have only one thread.
class Worker {
 public:
  // The child may use `memory` bytes more than this program; 0: no limit. No child is waited for
  // once `stop` is true, which is asked twenty times a second.
  explicit Worker(double memory = 0, Answering = {},  // default: perpend::solve
                  std::function<bool()> stop = {});
  ~Worker();
  Worker(Worker&&) noexcept;
  Worker& operator=(Worker&&) noexcept;

  // Sends the problem of the next solves.
  void give(const System&);
  // Starts a solve and returns. The options observer, cancelled and clock are not sent. A child
  // that does not take its problem within `seconds` (0: no limit) is noticed in wait().
  void start(std::string_view solver, const Options&, double seconds = 0);
  // Readable when the result is ready or the child is dead.
  int descriptor() const;
  // Waits for the result up to `seconds` of the wall clock (0: no limit), then kills the child. The
  // status is crashed if the child died, time_limit or stopped if it was killed, too_large if it
  // ran out of memory.
  Result wait(double seconds = 0);
  // Seconds since start().
  double running() const;
  // Ends the solve and the child.
  void kill();

 private:
  struct Child;
  std::unique_ptr<Child> child_;
};

// give, start and wait.
Result solve(Worker&, const System&, std::string_view solver, const Options& = {},
             double seconds = 0);

// Adds the solvers of Bullet, DART (ODE) and Siconos to the table of solvers (docs/peers.md), if
// the program perpend-peers is in the folder of this program, or at the path in the environment
// variable PERPEND_PEERS. It starts no process. Call it before the first solve. A second call does
// nothing.
void add_peers();
bool is_peer(const SolverInfo&);

// A hash of the system (FNV-1a over its bytes): equal for equal problems.
std::uint64_t fingerprint(const System&);

// A system as bytes, for a process of the same build. False: they are none.
using Bytes = std::vector<std::byte>;
Bytes to_bytes(const System&);
bool from_bytes(std::span<const std::byte>, System&);

// A loaded plugin (perpend/peers/plugin.h).
struct Plugin {
  std::vector<std::string> solvers;  // added to the table
  std::string refused;               // why nothing was added, with the file; empty: it was
};

// Loads a plugin and adds all its solvers, or none. It stays loaded until the program ends. A file
// NAME.py is given to /usr/bin/python3 -m perpend.worker: no Python is in this program.
Plugin load_plugin(const std::string& file);

// A solver in another language: it gets its problem and its host as a plugin does, and may bill its
// own time.
using PluginRun = std::function<void(const perpend_problem&, const perpend_host&, Progress&)>;
std::function<std::unique_ptr<Solver>()> plugin_solver(PluginRun);
// Why the table of solvers cannot have it: its name, its options. Empty if it can.
std::string unfit(const SolverInfo&);
// The path of an answer of Python's, with its share of the time.
std::string python_path(double python_seconds, double seconds, const std::string& path);

}  // namespace perpend::peers
