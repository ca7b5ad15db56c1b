// The options of commands that are about solvers: --tolerance, --error, ..., --set, and --solver.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "perpend/solve.hpp"

namespace perpend::app {

class SolverOptions {
 public:
  SolverOptions() = default;
  // A command with defaults of its own, which makes --solver optional and starts warm by itself.
  // `files`: the answers in a file are a solver.
  SolverOptions(std::string solver, const Options& defaults, bool files = false)
      : solver_(std::move(solver)), common_(defaults), files_(files) {}
  // A command with defaults of its own that takes several solvers by that option.
  static SolverOptions several_by(std::string option, const Options& defaults);
  void add(CLI::App& command);

  bool warm_start() const { return warm_start_; }
  // `all`, `peers`, or patterns: what does not fit a problem is left out, not an error.
  bool all() const {
    return solver_ == "all" || solver_ == "peers" || solver_.find('*') != std::string::npos;
  }
  bool several() const { return all() || solver_.find(',') != std::string::npos; }
  // The solvers asked for, in the order given; for `all` in the order of the registry.
  std::vector<const SolverInfo*> chosen() const;
  // The options for one of the chosen solvers. Throws UsageError when they do not fit it.
  Options options(const SolverInfo&, const Globals&, const std::vector<const SolverInfo*>& chosen);
  // What they have in common, after options(); `set` holds what was given for any of them.
  const Options& common() const { return common_; }

 private:
  void read_set(const std::vector<const SolverInfo*>& chosen);

  std::string option_ = "--solver", solver_;
  Options common_;
  std::map<std::string, std::string, std::less<>> given_;  // texts by the fields of Options
  std::vector<std::string> set_;
  bool warm_start_ = false;
  bool files_ = true;  // the command reads files, whose answers `recorded` stands for
};

// Of one word: a name, a pattern like ncp/*, or `all`, which is all of ours and of the plugins but
// not the peers. In the order of the registry; none when nothing is called so.
std::vector<const SolverInfo*> solvers_called(const std::string& word);

// "512M" and the like: k, M, G, T are powers of 1024.
std::optional<double> bytes(const std::string&);

}  // namespace perpend::app
