// perpend check-solver: the conformance set on a solver of one's own, and what is wrong in words.
#include <iostream>
#include <memory>

#include "command.hpp"
#include "common_options.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "perpend/bench.hpp"
#include "perpend/cli.hpp"
#include "perpend/io/files.hpp"
#include "perpend/peers.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct CheckRequest {
  std::string what;
  double seconds = bench::CheckOptions().seconds;
  long max_iterations = bench::CheckOptions().max_iterations;
  bool json = false;
};

// A library's solvers, or the one of that name.
std::vector<std::string> asked_for(const std::string& what) {
  if (solver_named(what)) return {what};
  const peers::Plugin plugin = peers::load_plugin(what);
  if (plugin.refused.empty()) return plugin.solvers;
  throw UsageError("check-solver: " + plugin.refused);
}

Json check_document(const std::string& solver, const std::vector<bench::Check>& checks) {
  Json list = Json::array();
  for (const bench::Check& check : checks) {
    Json complaints = Json::array();
    for (const bench::Complaint& c : check.complaints)
      complaints.push_back({{"frame", c.frame}, {"words", c.words}});
    list.push_back({{"check", check.what},
                    {"asked", check.asked},
                    {"passed", check.passed},
                    {"advice", check.advice},
                    {"complaints", complaints}});
  }
  return {{"solver", solver}, {"passed", bench::passed(checks)}, {"checks", list}};
}

void print_checks(const std::string& solver, const std::vector<bench::Check>& checks) {
  std::cout << io::printable(solver) << "\n";
  for (const bench::Check& check : checks) {
    if (check.asked == 0) continue;
    const bool good = check.complaints.empty();
    std::cout << "  "
              << (good           ? "good  "
                  : check.advice ? "slow  "
                                 : "WRONG ")
              << check.what << ": " << check.passed << " of " << check.asked << "\n";
    for (std::size_t k = 0; k < check.complaints.size(); ++k) {
      if (k == 5) {
        std::cout << "          and " << check.complaints.size() - k << " more (--json has all)\n";
        break;
      }
      const bench::Complaint& c = check.complaints[k];
      std::cout << "          " << io::printable(c.frame) << ": " << io::printable(c.words) << "\n";
    }
  }
  std::cout << (bench::passed(checks) ? "  The solver passes all checks.\n"
                                      : "  The solver fails checks marked WRONG.\n");
}

int run_check_solver(const CheckRequest& request, const Globals& globals) {
  const Patient patient;
  bool all = true;
  Json list = Json::array();
  for (const std::string& solver : asked_for(request.what)) {
    std::unique_ptr<ProgressBar> bar;
    bench::CheckOptions options;
    options.seconds = request.seconds;
    options.max_iterations = request.max_iterations;
    options.progress = [&](int done, int of) {
      if (!bar) bar = std::make_unique<ProgressBar>(globals, io::printable(solver), of);
      bar->show(done);
    };
    options.cancelled = interrupted;
    const std::vector<bench::Check> checks = bench::check_solver(*solver_named(solver), options);
    bar.reset();
    if (interrupted()) return kInterrupted;
    all = all && bench::passed(checks);
    if (request.json)
      list.push_back(check_document(solver, checks));
    else
      print_checks(solver, checks);
  }
  if (request.json) print(Json{{"format_version", kJsonVersion}, {"solvers", list}});
  return all ? kSuccess : kFailed;
}

}  // namespace

void add_check_solver(CLI::App& program, const Globals& globals, int& exit) {
  const auto request = std::make_shared<CheckRequest>();
  CLI::App* command =
      program.add_subcommand("check-solver", "Test a solver of your own and say what is wrong");
  command->add_option("library", request->what, "A plugin, or the name of a solver")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--time-limit,--seconds", request->seconds,
                   "A solve that takes longer is killed")
      ->check(positive())
      ->capture_default_str()
      ->type_name("SECONDS");
  command->add_option("--max-iterations", request->max_iterations, "Iteration limit of a solve")
      ->transform(cli::whole(1))
      ->capture_default_str()
      ->type_name("N");
  add_json(*command, request->json);
  command->footer("Example:\n  perpend check-solver my_method/build/my_method.so");
  command->callback([request, &globals, &exit] { exit = run_check_solver(*request, globals); });
}

}  // namespace perpend::app
