// perpend merge: shards of a campaign made one again.
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "perpend/bench.hpp"
#include "results_show.hpp"

namespace perpend::app {
namespace {

struct MergeRequest {
  std::vector<std::string> folders;
  std::string out;
  bool json = false;
};

int run_merge(const MergeRequest& request, const Globals& globals) {
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::path(request.out) / "results.journal", ignored))
    throw UsageError("--out " + request.out + ": has results of its own; choose another folder");
  std::vector<bench::Results> parts;
  for (const std::string& folder : request.folders) parts.push_back(bench::read_results(folder));
  bench::Results all = bench::merged(parts, request.folders);
  all.settings.command = globals.command;
  bench::write_results(all, request.out);
  bench::write_report(all, request.out);
  if (request.json)
    print(summary_document(all, request.out));
  else
    print_summary(all, request.out);
  const auto rows = static_cast<std::int64_t>(all.rows.size());
  if (rows < all.rows_planned)
    note(globals, "a shard was interrupted: there are " + std::to_string(rows) + " of " +
                      std::to_string(all.rows_planned) + " rows");
  return kSuccess;
}

}  // namespace

void add_merge(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand("merge", "Merge the results of several shards");
  const auto request = std::make_shared<MergeRequest>();
  command->add_option("DIR", request->folders, "Folders written by perpend bench")->required();
  command->add_option("--out", request->out, "Folder of the merged results")
      ->required()
      ->type_name("DIR");
  command->add_flag("--json", request->json, "Print the summary as one JSON document");
  command->footer(
      "The settings must be the same. Rows that occur twice must agree, except for times.\n\n"
      "Example:\n  perpend merge shard-1 shard-2 shard-3 --out results");
  command->callback([request, &globals, &exit] { exit = run_merge(*request, globals); });
}

}  // namespace perpend::app
