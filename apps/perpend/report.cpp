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

void add_report(CLI::App& program, const Globals&, int& exit) {
  CLI::App* command = program.add_subcommand(
      "report", "Write report.html and report.md again from a folder of results");
  struct Request {
    std::string folder, plot;
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
  add_json(*command, request->json);
  command->footer("Example:\n  perpend report results");
  command->callback([request, &exit] {
    const std::string& folder = request->folder;
    if (!std::filesystem::is_directory(folder)) throw UsageError(folder + ": no such folder");
    const bench::Results results = bench::read_results(folder);
    if (!request->plot.empty()) {
      check_ending("--plot", request->plot, {".svg"});
      if (request->problem >= results.problems.size())
        throw UsageError("--problem: " + folder + " has " +
                         std::to_string(results.problems.size()) + " problems");
      Output file(request->plot, Output::Content::text);
      file.write(convergence_plot(results, request->problem));
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
