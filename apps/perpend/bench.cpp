// perpend bench: files x solvers, measured in worker processes, kept in a folder.
#include "perpend/bench.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

#include "command.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "perpend/cli.hpp"
#include "progress_bar.hpp"
#include "results_show.hpp"
#include "share.hpp"
#include "solver_options.hpp"
#include "source.hpp"
#include "suite.hpp"

namespace perpend::app {
namespace {

Options defaults() {
  Options options;
  options.time_limit = bench::Settings().time_limit;
  return options;
}

struct BenchRequest {
  std::vector<std::string> files;
  std::string frames, shard, out, title, suite;
  long repeat = bench::Settings().repeat, jobs = 1;
  bool overwrite = false, json = false, share = false;
  SolverOptions options = SolverOptions::several_by("--solvers", defaults());
};

std::pair<std::int64_t, std::int64_t> shard(const std::string& text) {
  if (text.empty()) return {1, 1};
  std::int64_t which = 0, of = 0;
  const char* end = text.data() + text.size();
  const auto slash = std::from_chars(text.data(), end, which);
  const bool whole = slash.ec == std::errc{} && slash.ptr != end && *slash.ptr == '/';
  const auto last = whole ? std::from_chars(slash.ptr + 1, end, of) : slash;
  if (!whole || last.ec != std::errc{} || last.ptr != end || which < 1 || which > of)
    throw UsageError("--shard: '" + text + "' is not I/N with 1 <= I <= N");
  return {which, of};
}

// Whether one of these frames has an answer in the file.
bool has_answer(const io::Source& source, const std::vector<Index>& frames) {
  return std::any_of(frames.begin(), frames.end(), [&](Index frame) {
    return !interrupted() && io::recorded(source.read(frame)).size() > 0;
  });
}

bench::Campaign campaign(BenchRequest& request, const Globals& globals) {
  bench::Campaign made;
  made.title = request.title;
  const std::vector<const SolverInfo*> infos = request.options.chosen();
  for (const SolverInfo* info : infos) {
    request.options.options(*info, globals, infos);  // throws what does not fit
    made.solvers.push_back(info->name);
  }
  bench::Settings& s = made.settings;
  s = bench::settings_of(request.options.common());
  s.warm_start = request.options.warm_start();
  s.repeat = request.repeat;
  s.jobs = request.jobs;
  s.command = globals.command;
  const std::string& recorded = io::recorded_solver().name;
  bool row = std::find(made.solvers.begin(), made.solvers.end(), recorded) != made.solvers.end();
  for (const std::string& file : request.files) {
    if (file == "-") throw UsageError("bench: give the name of a file, not -");
    const auto source = io::open_source(file);
    made.inputs.push_back({file, select_frames(request.frames, file, *source, globals), {}});
    if (row || !has_answer(*source, made.inputs.back().frames)) continue;
    made.solvers.push_back(recorded);
    row = true;
  }
  if (!request.suite.empty())
    for (bench::Input& input : suite_inputs(request.suite, request.out, globals))
      made.inputs.push_back(std::move(input));
  std::tie(made.shard, made.shards) = shard(request.shard);
  made.commit = commit();
  return made;
}

// share/NAME.html for each file with bodies to show.
void share_problems(const bench::Campaign& what, const std::string& folder,
                    const Globals& globals) {
  std::error_code failed;
  std::filesystem::create_directories(folder + "/share", failed);
  if (failed) throw UsageError("--out: " + folder + "/share: " + failed.message());
  bench::Pages pages;
  std::set<std::string> names;
  for (const bench::Input& input : what.inputs) {
    const io::Kind kind = io::kind_of(input.file);
    if (kind != io::Kind::standard && kind != io::Kind::json_lines) {
      note(globals, "--share: no page for " + input.file + ": it is " + std::string(name(kind)) +
                        " and has no bodies to show");
      continue;
    }
    std::string stem = std::filesystem::path(input.file).stem().string();
    for (char& letter : stem)
      if (!std::isalnum(static_cast<unsigned char>(letter)) && letter != '-') letter = '_';
    std::string called = stem;
    for (int k = 2; !names.insert(called).second; ++k) called = stem + "-" + std::to_string(k);
    const std::string page = "share/" + called + ".html";
    SharedPage(ShareRequest{folder + "/" + page, false})
        .write({{input.file, {}, input.frames}}, globals);
    pages[input.file] = page;
  }
  bench::write_pages(pages, folder);
}

int run_bench(BenchRequest& request, const Globals& globals) {
  const Patient patient;
  if (request.share) check_share();
  if (request.files.empty() && request.suite.empty())
    throw UsageError("bench: give files with problems, or --suite small, medium or large");
  const bench::Campaign what = campaign(request, globals);
  if (interrupted()) return kInterrupted;
  if (request.overwrite) bench::forget(request.out);
  std::optional<ProgressBar> bar;
  bench::Hooks hooks;
  hooks.stop = interrupted;
  hooks.progress = [&](long done, long before, long total) {
    if (!bar) {
      if (before > 0 && !globals.quiet)
        note(globals, request.out + ": " + std::to_string(before) + " of " + std::to_string(total) +
                          " rows are already done");
      bar.emplace(globals, "rows", total, before);
    }
    bar->show(done);
  };
  const bench::Results results = bench::run(what, request.out, hooks);
  bar.reset();
  bench::write_results(results, request.out);
  if (request.share && !interrupted()) share_problems(what, request.out, globals);
  bench::write_report(results, request.out);
  if (request.json)
    print(summary_document(results, request.out));
  else
    print_summary(results, request.out);
  if (interrupted()) {
    note(globals, "stopped by " + stopped_by() + " with " + std::to_string(results.rows.size()) +
                      " of " + std::to_string(results.rows_planned) +
                      " rows done; run the same command to continue");
    return kInterrupted;
  }
  return kSuccess;
}

}  // namespace

void add_bench(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand("bench", "Compare solvers on the frames of files");
  const auto request = std::make_shared<BenchRequest>();
  command->add_option("FILE", request->files, "Standard files, FCLIB files, JSON lines");
  command
      ->add_option("--suite", request->suite,
                   "Frames of built-in scenes: small (100), medium (1,000), large (10,000)")
      ->type_name("NAME");
  request->options.add(*command);
  command
      ->add_option("--frames", request->frames,
                   "Frames of each file: K, A-B, most-contacts:N, or worst:N [all]")
      ->type_name("SELECTION");
  command
      ->add_option("--repeat", request->repeat,
                   "Timed runs of each solver on each frame; no new one starts after one second")
      ->transform(cli::whole(0, 10000))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--jobs", request->jobs, "How many solves run at the same time")
      ->transform(cli::whole(1, 1024))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--shard", request->shard, "Only part I of N of the problems (see merge)")
      ->type_name("I/N");
  command->add_option("--title", request->title, "Title of the report")->type_name("TEXT");
  command->add_option("--out", request->out, "Folder for the results; continues if it has some")
      ->required()
      ->type_name("DIR");
  command->add_flag("--overwrite", request->overwrite,
                    "Delete the results in the folder and start again");
  command->add_flag("--share", request->share,
                    "Write a page for each file, DIR/share/NAME.html, that shows its frames and "
                    "solves them; rows of the report link to it");
  command->add_flag("--json", request->json, "Print the summary as one JSON document");
  command->footer(
      "Exits 0 when all rows are done, even if solvers failed.\n\n"
      "Example:\n  perpend bench --suite small --solvers all --jobs 2 --out results\n"
      "  perpend bench recording.h5 --solvers ncp/nncg,box/pgs --frames "
      "most-contacts:20 --jobs 2 --out results");
  command->callback([request, &globals, &exit] { exit = run_bench(*request, globals); });
}

}  // namespace perpend::app
