// perpend solve on a raw problem: w = A z + b, lower <= z <= upper, w complementary to z.
//
// The residual is the natural map max_i |z_i - clamp(z_i - w_i, lower_i, upper_i)|, without any
// scaling, because a raw problem has no units.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "interrupt.hpp"
#include "solve.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct RawAnswer {
  const SolverInfo* info;
  Result result;
  double residual;
};

double residual(const LinearProblem& problem, const VectorXd& z) {
  if (z.size() != problem.size()) return std::numeric_limits<double>::quiet_NaN();
  const VectorXd w = problem.A * z + problem.b;
  double largest = 0;
  for (Index i = 0; i < z.size(); ++i)
    largest = std::max(
        largest, std::abs(std::clamp(w[i], z[i] - problem.upper[i], z[i] - problem.lower[i])));
  return largest;
}

bool is_lcp(const LinearProblem& problem) {
  return (problem.lower.array() == 0).all() &&
         (problem.upper.array() == std::numeric_limits<double>::infinity()).all();
}

// The problem in the words of the solver's formulation: an LCP is an MLCP, and an MLCP with bounds
// (0, inf) is an LCP. Null when it cannot be said.
std::unique_ptr<LinearProblem> in_words_of(const SolverInfo& info, const LinearProblem& problem) {
  const std::string_view wanted = info.formulation();
  if (wanted != "lcp" && wanted != "mlcp") return nullptr;
  if (wanted == "lcp" && !is_lcp(problem)) return nullptr;
  return raw_problem(wanted, problem.A, problem.b, problem.lower, problem.upper);
}

RawAnswer raw_answer(const ChosenSolver& chosen, const LinearProblem& raw,
                     const LinearProblem* problem) {
  RawAnswer answered{chosen.info, {}, 0};
  if (problem == nullptr) {
    answered.result.status = Status::invalid_input;
    answered.result.message = std::string(chosen.info->formulation()) +
                              " solvers do not accept a raw " + std::string(raw.formulation());
    answered.residual = std::numeric_limits<double>::quiet_NaN();
    return answered;
  }
  answered.result = solve(*problem, chosen.info->name, chosen.options);
  answered.residual = residual(raw, answered.result.z);
  return answered;
}

Json raw_document(const SolveRequest& request, const LinearProblem& raw,
                  const std::vector<ChosenSolver>& chosen, const std::vector<RawAnswer>& answers) {
  Json results = Json::array();
  for (const RawAnswer& answered : answers) {
    Json entry = {{"frame", 0}};
    if (request.options.several()) entry["solver"] = answered.info->name;
    add_result(entry, answered.result);
    if (!std::isnan(answered.residual)) {
      entry["z"] = numbers(answered.result.z);
      entry["residual"] = number(answered.residual);
    }
    results.push_back(std::move(entry));
  }
  Json document = {{"format_version", kJsonVersion},
                   {"file", request.file},
                   {"format", raw.formulation()},
                   {"n", raw.size()},
                   {"solver", solver_names(request, chosen)},
                   {"options", describe(chosen.front().options)},
                   {"results", std::move(results)}};
  if (interrupted()) document["interrupted"] = true;
  return document;
}

void print_raw(const std::vector<RawAnswer>& answers) {
  Table table;
  table.column("solver", Table::Align::left);
  table.column("status", Table::Align::left);
  table.column("iterations");
  table.column("seconds");
  table.column("residual");
  table.column("path or reason", Table::Align::left);
  for (const RawAnswer& answered : answers) {
    const Result& result = answered.result;
    table.row({answered.info->name, std::string(name(result.status)),
               std::to_string(result.iterations), brief(result.seconds), brief(answered.residual),
               result.status == Status::converged ? result.path : result.message});
  }
  table.print(std::cout);
  if (answers.size() != 1 || answers.front().result.z.size() > 20) return;
  std::cout << "z =";
  for (const double value : answers.front().result.z) std::cout << " " << value;
  std::cout << "\n";
}

}  // namespace

int solve_raw(const SolveRequest& request, const std::vector<ChosenSolver>& chosen) {
  if (!request.out.empty())
    throw UsageError("--out: a raw problem has no frames and cannot be written to a standard file");
  if (!request.frames.empty() && request.frames != "0")
    throw UsageError("--frames " + request.frames + ": " + request.file + " is one raw problem");
  const auto raw = io::read_raw_problem(request.path);
  std::vector<RawAnswer> answers;
  for (const ChosenSolver& entry : chosen) {
    if (interrupted()) break;
    const auto problem = in_words_of(*entry.info, *raw);
    if (problem == nullptr && request.options.all()) continue;
    answers.push_back(raw_answer(entry, *raw, problem.get()));
  }
  request.json ? print(raw_document(request, *raw, chosen, answers)) : print_raw(answers);
  if (interrupted()) return kInterrupted;
  const bool solved = std::all_of(answers.begin(), answers.end(), [](const RawAnswer& answered) {
    return answered.result.status == Status::converged;
  });
  return solved && !answers.empty() ? kSuccess : kFailed;
}

}  // namespace perpend::app
