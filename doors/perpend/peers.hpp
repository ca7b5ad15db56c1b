// Solves in a process of their own, so that a solver that crashes, hangs or eats the memory is a
// result like any other; and the solvers of other projects, which live in one always.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/solve.hpp"

namespace perpend::peers {

// What a worker does with a problem.
using Answering = std::function<Result(const System&, std::string_view solver, const Options&)>;

// A child process that solves one problem after another; problems and results go over pipes. When
// it dies or has to be killed, the next solve gets a new one. It is forked without exec and knows
// whatever solvers this program knows, so it must be used from a program that has one thread.
class Worker {
 public:
  // The child may use `memory` bytes beyond what this program has; 0: as much as there is.
  explicit Worker(double memory = 0, Answering = {});  // without one: perpend::solve
  ~Worker();
  Worker(Worker&&) noexcept;
  Worker& operator=(Worker&&) noexcept;

  // The problem of the solves that follow, until another one is given.
  void give(const System&);
  // Begins a solve and returns. Of the options observer, cancelled and clock stay behind.
  void start(std::string_view solver, const Options&);
  // Readable when the result is there, or when the child is dead.
  int descriptor() const;
  // Waits for the result for up to `seconds` of the wall clock (0: for ever), then kills the child.
  // Of a child that died: crashed, and how; of one that was killed: time_limit; of one that ran
  // out of memory: too_large.
  Result wait(double seconds = 0);
  // Since start(); s.
  double running() const;
  // Ends a solve that is of no interest any more, and its child.
  void kill();

 private:
  struct Child;
  std::unique_ptr<Child> child_;
};

// give, start and wait.
Result solve(Worker&, const System&, std::string_view solver, const Options& = {},
             double seconds = 0);

// Adds the solvers of Bullet, DART (ODE) and Siconos that this was built with to the table of
// solvers (docs/peers.md), when their program is there: perpend-peers beside the running program,
// or what the environment variable PERPEND_PEERS names. Starts nothing; as add_solver(), to be
// called before the first solve. Adding them twice changes nothing.
void add_peers();
bool is_peer(const SolverInfo&);

// 64 bits of all that a system says (FNV-1a over its bytes): equal for equal problems.
std::uint64_t fingerprint(const System&);

// Solvers of a shared library (perpend/peers/plugin.h) in our table.

struct Plugin {
  std::vector<std::string> solvers;  // added to the table
  std::string refused;               // why nothing was added; names the file
};

// Loads the library for the rest of the program and adds its solvers; all of them or none.
Plugin load_plugin(const std::string& file);

}  // namespace perpend::peers
