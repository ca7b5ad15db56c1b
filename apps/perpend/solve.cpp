// perpend solve: the frames of a file, each given to one or several solvers, each answer measured.
#include "solve.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

#include "common_options.hpp"
#include "history_option.hpp"
#include "in_order.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/inputs.hpp"
#include "progress_bar.hpp"
#include "standard_file.hpp"

namespace perpend::app {
namespace {

SolverAnswer answer(const io::Case& problem, std::size_t solver, const ChosenSolver& chosen,
                    const SolveRequest& request) {
  SolverAnswer answered{solver, {}, {}, {}, {}};
  if (!problem.system) {
    answered.result.status = Status::invalid_input;
    answered.result.message = problem.refusal;
    return answered;
  }
  Options options = chosen.options;
  if (request.options.warm_start()) options.warm_start = io::recorded(problem);
  answered.result = chosen.info == &io::recorded_solver()
                        ? io::recorded_result(problem, options)
                        : solve(*problem.system, chosen.info->name, options);
  if (!request.out.empty() && answered.result.impulses.size() == problem.system->rows()) {
    answered.z = contact_rows(*problem.system, answered.result.impulses);
    answered.z_joints = answered.result.impulses.tail(problem.system->joint_rows());
  }
  answered.worst = io::worst(problem, answered.result.impulses);
  answered.result.impulses.resize(0);
  if (request.out.empty()) answered.result.z.resize(0);
  return answered;
}

Outcome solve_case(const io::Case& problem, const std::vector<ChosenSolver>& chosen,
                   const SolveRequest& request) {
  Outcome outcome{problem.frame, problem.title, problem.counts, {}, {}};
  for (std::size_t s = 0; s < chosen.size() && !interrupted(); ++s) {
    if (request.options.all() && !chosen[s].info->joints && problem.counts.joint_rows > 0) {
      outcome.refused.push_back({s, "does not accept joints"});
      continue;
    }
    SolverAnswer answered = answer(problem, s, chosen[s], request);
    // Of all solvers only those that accept the frame count; a bad frame is nobody's refusal. An
    // answer that is not recorded is no result.
    const bool left_out = request.options.all() || chosen[s].info == &io::recorded_solver();
    if (left_out && problem.system && answered.result.status == Status::invalid_input)
      outcome.refused.push_back({s, answered.result.message});
    else
      outcome.answers.push_back(std::move(answered));
  }
  return outcome;
}

std::vector<Outcome> solve_frames(const SolveRequest& request, const io::Source& source,
                                  const std::vector<ChosenSolver>& chosen, const Globals& globals) {
  const std::vector<Index> frames = select_frames(request.frames, request.file, source, globals);
  std::vector<Outcome> outcomes;
  Index without_answer = 0;
  const bool as_row = std::any_of(chosen.begin(), chosen.end(), [](const ChosenSolver& one) {
    return one.info == &io::recorded_solver();
  });
  const bool asks_answers = request.options.warm_start() || as_row;
  {
    ProgressBar bar(globals, "frames", static_cast<long>(frames.size()));
    in_order<io::Case, Outcome>(
        std::min(globals.threads, static_cast<int>(std::min(frames.size(), std::size_t{1024}))),
        frames.size(),
        [&](std::size_t i) -> std::optional<io::Case> {
          if (interrupted()) return std::nullopt;
          io::Case problem = source.read(frames[i]);
          if (asks_answers && io::recorded(problem).size() == 0) ++without_answer;
          return problem;
        },
        [&](io::Case& problem) { return solve_case(problem, chosen, request); },
        [&](std::size_t, Outcome outcome) {
          // A frame no solver got to before Ctrl-C says nothing.
          if (!outcome.answers.empty() || !interrupted()) outcomes.push_back(std::move(outcome));
          bar.show(static_cast<long>(outcomes.size()));
        });
  }
  if (without_answer > 0)
    note(globals, (as_row ? "recorded: " : "--warm-start: ") + std::to_string(without_answer) +
                      " of " + std::to_string(frames.size()) + " frames of " + request.file +
                      " have no recorded answer" +
                      (request.options.warm_start() ? " and start from zero" : ""));
  return outcomes;
}

void say_more(const std::vector<ChosenSolver>& chosen, const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes) {
    for (const SolverAnswer& answered : outcome.answers) {
      const Result& result = answered.result;
      std::cerr << "frame " << outcome.frame << ", " << chosen[answered.solver].info->name << ": "
                << name(result.status) << ", " << io::printable(result.message) << "; path "
                << io::printable(result.path) << "; formulated in " << result.formulation_seconds
                << " s;";
      if (result.transfer_seconds > 0)
        std::cerr << " converting and sending data " << result.transfer_seconds << " s;";
      for (std::size_t i = 0; i < kWorks; ++i)
        if (result.work[i] > 0)
          std::cerr << " " << result.work[i] << " " << name(static_cast<Work>(i));
      std::cerr << "\n";
    }
    for (const Refusal& refused : outcome.refused)
      std::cerr << "frame " << outcome.frame << ", " << chosen[refused.solver].info->name
                << ": refused, " << io::printable(refused.why) << "\n";
  }
}

int run_solve(SolveRequest& request, const Globals& globals) {
  const Patient patient;
  const std::vector<const SolverInfo*> infos = request.options.chosen();
  std::vector<ChosenSolver> chosen;
  for (const SolverInfo* info : infos) {
    chosen.push_back({info, request.options.options(*info, globals, infos)});
    Options& options = chosen.back().options;
    options.history = request.history || !request.history_measures.empty();
    if (!request.history_measures.empty())
      options.history_measures = history_measures(request.history_measures);
    options.cancelled = interrupted;
  }
  const Input input(request.file);
  request.path = input.path();
  io::OpenFile file(request.path);
  const io::Kind kind = file.kind();
  if (!request.out.empty()) {
    // A solution is added to its own recording.
    if (kind == io::Kind::standard && same_file(request.path, request.out))
      io::release(request.out);
    check_target(request.out);
  }
  if (kind == io::Kind::raw_problem) return solve_raw(request, chosen);

  const auto source = io::open_source(std::move(file));
  std::vector<Outcome> outcomes = solve_frames(request, *source, chosen, globals);
  if (outcomes.empty() && !interrupted()) note(globals, request.file + " has no frames");
  if (globals.verbose) say_more(chosen, outcomes);
  request.json ? print(document(request, kind, chosen, outcomes))
               : print_tables(chosen, request.options.several(), outcomes);
  const bool failed = unsolved(outcomes);
  if (!request.out.empty()) store(request, kind, chosen, std::move(outcomes));
  if (interrupted()) {
    note(globals, "stopped by " + stopped_by() + "; the results so far are kept");
    return kInterrupted;
  }
  return failed ? kFailed : kSuccess;
}

}  // namespace

bool unsolved(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes) {
    if (outcome.answers.empty()) return true;
    for (const SolverAnswer& answered : outcome.answers)
      if (answered.result.status != Status::converged) return true;
  }
  return false;
}

void add_solve(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command =
      program.add_subcommand("solve", "Solve the frames of a file and measure the answers");
  const auto request = std::make_shared<SolveRequest>();
  command
      ->add_option(
          "FILE", request->file,
          "Standard file, FCLIB file, JSON lines, or a raw LCP or MLCP as JSON; -: standard "
          "input")
      ->required();
  request->options.add(*command);
  command
      ->add_option(
          "--frames", request->frames,
          "K, A-B, most-contacts:N, or worst:N (largest velocity_error of recorded answers) "
          "[all]")
      ->type_name("SELECTION");
  command->add_flag("--history", request->history,
                    "Keep the errors of every iteration (with --json or --out)");
  add_history_measures(*command, request->history_measures, " [all; implies --history]");
  command
      ->add_option("--out", request->out,
                   "Write a copy of FILE with the solutions added under /solutions/")
      ->type_name("FILE.h5");
  add_json(*command, request->json);
  command->footer(
      "Exits 1 if a result is not converged.\n\n"
      "Example:\n  perpend solve recording.h5 --solver ncp/nncg,box/pgs --frames worst:10 "
      "--tolerance 1e-6");
  command->callback([request, &globals, &exit] { exit = run_solve(*request, globals); });
}

}  // namespace perpend::app
