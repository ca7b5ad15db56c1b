// The pieces of `perpend solve`: what was asked, what came out, how it is shown and kept.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "json.hpp"
#include "perpend/io/names.hpp"
#include "solver_options.hpp"
#include "source.hpp"

namespace perpend::app {

struct SolveRequest {
  std::string file, frames, out, history_measures;
  std::string path;  // of the file to be opened: standard input is kept in one
  bool history = false, json = false;
  SolverOptions options;
};

struct ChosenSolver {
  const SolverInfo* info;
  Options options;
};

// One solver's answer to one frame.
struct SolverAnswer {
  std::size_t solver;  // which of the chosen
  Result result;
  io::Worst worst;
  Rows3 z;  // impulses of the frame's contacts; kept only for --out
  VectorXd z_joints;
};

struct Refusal {
  std::size_t solver;
  std::string why;
};

// One frame with every answer to it, in the order of the solvers.
struct Outcome {
  Index frame = 0;
  std::string title;
  io::FrameCounts counts{};
  std::vector<SolverAnswer> answers;
  std::vector<Refusal> refused;  // only when `all` solvers were asked
};

bool unsolved(const std::vector<Outcome>&);
Json document(const SolveRequest&, io::Kind, const std::vector<ChosenSolver>&,
              const std::vector<Outcome>&);
void print_tables(const std::vector<ChosenSolver>&, bool several, const std::vector<Outcome>&);

// --out: the file with every answer under /solutions/<name>/.
void store(const SolveRequest&, io::Kind, const std::vector<ChosenSolver>&, std::vector<Outcome>);

// A raw LCP or MLCP; returns the exit code.
int solve_raw(const SolveRequest&, const std::vector<ChosenSolver>&);

// {"tolerance": ..., "error": ...}: what every solver was given.
Json describe(const Options&);
// "solver": one name, or the list.
Json solver_names(const SolveRequest&, const std::vector<ChosenSolver>&);

}  // namespace perpend::app
