// perpend reproduce: figures and tables of papers again, each as plot, CSV and verdict, on one
// page.
#include "perpend/reproduce.hpp"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "common_options.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/cli.hpp"
#include "perpend/host.hpp"
#include "perpend/io/files.hpp"
#include "progress_bar.hpp"
#include "recorders.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct ReproduceRequest {
  std::vector<std::string> what, replaced;
  std::string out;
  bool quick = false, list = false, json = false;
};

std::vector<const reproduce::Experiment*> chosen_experiments(
    const std::vector<std::string>& names) {
  std::vector<const reproduce::Experiment*> list;
  if (names.empty())
    for (const reproduce::Experiment& one : reproduce::experiments()) list.push_back(&one);
  for (const std::string& text : names) {
    const reproduce::Experiment* one = reproduce::experiment_named(text);
    if (!one) {
      std::string known;
      for (const reproduce::Experiment& other : reproduce::experiments())
        known += (known.empty() ? "" : ", ") + other.name;
      throw UsageError("unknown experiment '" + text + "'; choose one of: " + known);
    }
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
  }
  return list;
}

// NAME=OTHER: both exist and have one formulation, so that OTHER can stand in for NAME.
std::map<std::string, std::string> replacements(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> out;
  for (const std::string& text : texts) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos) throw UsageError("--replace: '" + text + "' is not NAME=OTHER");
    const std::string name = text.substr(0, at), other = text.substr(at + 1);
    for (const std::string& one : {name, other})
      if (!solver_named(one)) throw UsageError("--replace: there is no solver '" + one + "'");
    if (solver_named(name)->formulation() != solver_named(other)->formulation())
      throw UsageError("--replace: " + name + " and " + other + " have different formulations");
    out[name] = other;
  }
  return out;
}

void print_experiments(bool json) {
  if (json) {
    Json list = Json::array();
    for (const reproduce::Experiment& one : reproduce::experiments())
      list.push_back(Json{
          {"name", one.name}, {"paper", one.paper}, {"figure", one.figure}, {"title", one.title}});
    return print(Json{{"format_version", kJsonVersion}, {"experiments", list}});
  }
  Table table;
  for (const char* title : {"experiment", "paper", "figure or table", "what"})
    table.column(title, Table::Align::left);
  for (const reproduce::Experiment& one : reproduce::experiments())
    table.row({one.name, one.paper, one.figure, one.title});
  table.print(std::cout);
}

void write_file(const std::string& path, const std::string& text) {
  Output file(path, Output::Content::text);
  file.write(text);
  file.commit();
}

// The page in a folder that is made if needed.
std::unique_ptr<Output> page_in(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw UsageError("--out: " + folder + ": " + failed.message());
  return std::make_unique<Output>(folder + "/index.html", Output::Content::text);
}

// Refuses a folder in which no page can be written, and leaves nothing there: there may be an hour
// until the page is, or Ctrl-C.
void check_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> made;  // the innermost first
  std::error_code ignored;
  for (fs::path path = folder; !path.empty() && !fs::exists(fs::symlink_status(path, ignored));
       path = path.parent_path())
    made.push_back(path);
  const auto remove = [&] {
    for (const fs::path& path : made) fs::remove(path, ignored);
  };
  try {
    page_in(folder);
  } catch (...) {
    remove();
    throw;
  }
  remove();
}

// The page is opened first and written last: where it is, everything it names is there.
void write_page(const std::string& folder, const std::vector<reproduce::Finished>& done,
                const reproduce::Settings& settings) {
  const std::unique_ptr<Output> page = page_in(folder);
  for (const reproduce::Finished& one : done) {
    for (const reproduce::Figure& figure : one.outcome.figures)
      write_file(folder + "/" + figure.name + ".svg", reproduce::svg(figure));
    for (const reproduce::Table& table : one.outcome.tables)
      write_file(folder + "/" + table.name + ".csv", reproduce::csv(table));
  }
  write_file(folder + "/index.md", reproduce::markdown(done, settings));
  page->write(reproduce::html(done, settings));
  page->commit();
}

Json reproduce_document(const std::vector<reproduce::Finished>& done,
                        const std::vector<double>& seconds, const ReproduceRequest& request) {
  Json list = Json::array();
  for (std::size_t i = 0; i < done.size(); ++i) {
    Json claims = Json::array();
    for (const reproduce::Claim& claim : done[i].outcome.claims)
      claims.push_back(Json{{"where", claim.where},
                            {"quantity", claim.quantity},
                            {"paper", claim.paper.words},
                            {"paper_lowest", number(claim.paper.lowest)},
                            {"paper_highest", number(claim.paper.highest)},
                            {"ours", number(claim.ours)},
                            {"verdict", name(claim.verdict())},
                            {"reason", claim.reason()}});
    list.push_back(Json{{"name", done[i].what->name},
                        {"paper", done[i].what->paper},
                        {"figure", done[i].what->figure},
                        {"title", done[i].what->title},
                        {"seconds", number(seconds[i])},
                        {"claims", claims}});
  }
  const reproduce::Counts counts = reproduce::count(done);
  Json document{{"format_version", kJsonVersion}, {"quick", request.quick}};
  document["agrees"] = counts.agrees;
  document["differs"] = counts.differs;
  document["cannot_be_compared"] = counts.not_comparable;
  document["experiments"] = list;
  if (!request.out.empty()) document["html"] = request.out + "/index.html";
  return document;
}

void print_claims(const std::vector<reproduce::Finished>& done,
                  const std::vector<double>& seconds) {
  Table table;
  table.column("experiment", Table::Align::left);
  table.column("where", Table::Align::left);
  table.column("quantity", Table::Align::left);
  table.column("paper");
  table.column("ours");
  table.column("verdict", Table::Align::left);
  double total = 0;
  for (std::size_t i = 0; i < done.size(); ++i) {
    total += seconds[i];
    bool first = true;
    for (const reproduce::Claim& claim : done[i].outcome.claims) {
      table.row({first ? done[i].what->name : "", claim.where, claim.quantity, claim.paper.words,
                 brief(claim.ours), std::string(name(claim.verdict()))});
      first = false;
    }
  }
  table.print(std::cout);
  const reproduce::Counts counts = reproduce::count(done);
  std::cout << "\n"
            << counts.all() << " claims: " << counts.agrees << " agree, " << counts.differs
            << " differ, " << counts.not_comparable << " cannot be compared (" << brief(total)
            << " s)\n";
}

int run_reproduce(const ReproduceRequest& request, const Globals& globals) {
  if (request.list) {
    print_experiments(request.json);
    return kSuccess;
  }
  const Patient patient;
  const std::vector<const reproduce::Experiment*> list = chosen_experiments(request.what);
  reproduce::Settings settings;
  settings.quick = request.quick;
  settings.replaced = replacements(request.replaced);
  settings.cancelled = interrupted;
  settings.recorder = recorder;
  ThreadPool pool(globals.threads);
  settings.executor = &pool;
  if (!request.out.empty()) check_folder(request.out);

  std::vector<reproduce::Finished> done;
  std::vector<double> seconds;
  try {
    ProgressBar bar(globals, "experiments", static_cast<long>(list.size()));
    for (const reproduce::Experiment* one : list) {
      bar.show(static_cast<long>(done.size()));
      const auto start = std::chrono::steady_clock::now();
      done.push_back(reproduce::run(*one, settings));
      seconds.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  } catch (const reproduce::Stopped&) {
    note(globals, "stopped by " + stopped_by() + " after " + std::to_string(done.size()) + " of " +
                      std::to_string(list.size()) + " experiments; nothing was written");
    return kInterrupted;
  }
  if (!request.out.empty()) write_page(request.out, done, settings);
  if (request.json)
    print(reproduce_document(done, seconds, request));
  else
    print_claims(done, seconds);
  if (!request.json && !request.out.empty())
    std::cout << io::printable(request.out) << "/index.html\n";
  return kSuccess;
}

}  // namespace

void add_reproduce(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand(
      "reproduce", "Run the experiments of the papers and compare with what they print");
  const auto request = std::make_shared<ReproduceRequest>();
  command->add_option("WHAT", request->what, "Names of experiments, listed below [all]");
  command
      ->add_option("--out", request->out,
                   "Folder for index.html, index.md, and a plot and CSV of every figure")
      ->type_name("DIR");
  command->add_flag("--quick", request->quick, "Smaller problems and fewer iterations");
  command->add_flag("--list", request->list, "List the experiments and end");
  command
      ->add_option("--replace", request->replaced,
                   "Run solver OTHER where an experiment has NAME, to see which verdicts turn")
      ->allow_extra_args(false)
      ->type_name("NAME=OTHER");
  add_json(*command, request->json);
  std::string list = "Experiments:\n";
  for (const reproduce::Experiment& one : reproduce::experiments()) {
    std::string line = "  " + one.name;
    line.resize(std::max<std::size_t>(line.size() + 1, 22), ' ');
    list += line + one.paper + ", " + one.figure + ": " + one.title + "\n";
  }
  command->footer(list +
                  "\nExample:\n  perpend reproduce --quick --threads 2 --out papers\n"
                  "  perpend reproduce nncg-convergence --replace box/nncg=box/pgs");
  command->callback([request, &globals, &exit] { exit = run_reproduce(*request, globals); });
}

}  // namespace perpend::app
