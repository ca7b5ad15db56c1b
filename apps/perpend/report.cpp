// perpend report DIR: the page and the summary of a comparison, anew from its results.
#include <filesystem>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "common_options.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/bench.hpp"
#include "perpend/cli.hpp"
#include "perpend/io/files.hpp"
#include "picture_file.hpp"
#include "report_plot.hpp"

namespace perpend::app {
namespace {

// One that the histories have; none: no name was given.
std::optional<HistoryMeasure> measure_of(const bench::Results& results, const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::string list;
  for (const HistoryMeasure& one : results.settings.history_measures) {
    if (name(one) == text) return one;
    list.append(list.empty() ? "" : ", ").append(name(one));
  }
  throw UsageError("--measure: the histories do not have '" + text + "'; choose one of: " + list);
}

}  // namespace

void add_report(CLI::App& program, const Globals&, int& exit) {
  CLI::App* command = program.add_subcommand(
      "report", "Write report.html and report.md again from a folder of results");
  struct Request {
    std::string folder, plot, measure;
    std::size_t problem = 0;
    bool json = false;
  };
  const auto request = std::make_shared<Request>();
  command->add_option("DIR", request->folder, "Folder written by bench or merge")->required();
  command
      ->add_option("--plot", request->plot,
                   "Also plot the errors on one problem, over iterations and seconds")
      ->type_name("FILE.svg");
  command
      ->add_option("--problem", request->problem,
                   "With --plot: number of the problem in results.json, from 0 [0]")
      ->transform(cli::whole(0))
      ->type_name("K");
  command
      ->add_option("--measure", request->measure,
                   "With --plot: the error, one of the histories [the best own_error so far]")
      ->type_name("NAME");
  add_json(*command, request->json);
  command->footer("Example:\n  perpend report results");
  command->callback([request, &exit] {
    const std::string& folder = request->folder;
    if (!std::filesystem::is_directory(folder)) throw UsageError(folder + ": no such folder");
    const bench::Results results = bench::read_results(folder);
    if (!request->measure.empty() && request->plot.empty())
      throw UsageError("--measure: give --plot FILE.svg as well");
    if (!request->plot.empty()) {
      check_ending("--plot", request->plot, {".svg"});
      if (request->problem >= results.problems.size())
        throw UsageError("--problem: " + folder + " has " +
                         std::to_string(results.problems.size()) + " problems");
      const std::optional<HistoryMeasure> measure = measure_of(results, request->measure);
      Output file(request->plot, Output::Content::text);
      file.write(convergence_plot(results, request->problem, measure));
      file.commit();
    }
    bench::write_report(results, folder);
    if (request->json) {
      Json document{{"format_version", kJsonVersion}, {"folder", folder}};
      document["html"] = folder + "/report.html";
      document["markdown"] = folder + "/report.md";
      document["rows"] = results.rows.size();
      print(document);
    } else {
      const std::string shown = io::printable(folder);
      std::cout << shown << "/report.html\n" << shown << "/report.md\n";
    }
    exit = kSuccess;
  });
}

}  // namespace perpend::app
