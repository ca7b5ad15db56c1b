#include "solver_options.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "perpend/cli.hpp"
#include "perpend/io.hpp"
#include "perpend/peers.hpp"
#include "perpend/solve/fields.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

template <class List>
std::string joined(const List& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

std::vector<std::string> names(const std::vector<const SolverInfo*>& list) {
  std::vector<std::string> words;
  words.reserve(list.size());
  for (const SolverInfo* info : list) words.push_back(info->name);
  return words;
}

[[noreturn]] void unknown_solver(const std::string& option, const std::string& word) {
  std::vector<std::string> known;
  for (const SolverInfo& info : solvers()) known.push_back(info.name);
  const auto nearest = std::min_element(known.begin(), known.end(), [&](auto& a, auto& b) {
    return cli::distance(word, a) < cli::distance(word, b);
  });
  std::string text = option + ": unknown solver '" + word + "'";
  if (nearest != known.end() && cli::distance(word, *nearest) <= 3)
    text += "; did you mean " + *nearest + "?";
  throw UsageError(text + " (perpend solvers lists them)");
}

// --max-iterations of max_iterations.
std::string option_of(std::string_view field) {
  std::string option = "--" + std::string(field);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

// What was typed for a field of Options; a unit of bytes takes suffixes.
void read_option(const Description& field, const std::string& text, double& value) {
  const std::string option = option_of(field.name);
  if (field.unit == "bytes") {
    const auto given = bytes(text);
    if (!given)
      throw UsageError(option + ": '" + text + "' is not a number of bytes (suffixes k, M, G, T)");
    value = *given;
    return;
  }
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  if (*end != '\0' || std::isnan(value))
    throw UsageError(option + ": '" + text + "' is not a number");
  if (!(value >= 0) || std::isinf(value))
    throw UsageError(option + ": " + text + " is not a finite number >= 0");
}
void read_option(const Description& field, const std::string& text, Measure& value) {
  const auto measure = measure_named(text);
  std::vector<std::string> known;
  for (const MeasureInfo& entry : measures()) known.emplace_back(entry.name);
  if (!measure)
    throw UsageError(option_of(field.name) + ": unknown error '" + text +
                     "'; choose one of: " + joined(known));
  value = *measure;
}
void read_option(const Description&, const std::string& text, long& value) {
  value = std::stol(text);
}
void read_option(const Description&, const std::string&, auto&) {}  // those that are not typed so

}  // namespace

std::optional<double> bytes(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(value) || value < 0) return std::nullopt;
  const std::string suffix = end;
  if (suffix.empty()) return value;
  if (suffix.size() > 1) return std::nullopt;
  switch (suffix.front()) {
    case 'k':
    case 'K':
      return std::ldexp(value, 10);
    case 'M':
      return std::ldexp(value, 20);
    case 'G':
      return std::ldexp(value, 30);
    case 'T':
      return std::ldexp(value, 40);
    default:
      return std::nullopt;
  }
}

SolverOptions SolverOptions::several_by(std::string option, const Options& defaults) {
  SolverOptions options;
  options.common_ = defaults;
  options.option_ = std::move(option);
  return options;
}

void SolverOptions::add(CLI::App& command) {
  const Options fallback = common_;
  const bool several = solver_.empty();  // a command without a default takes several
  std::vector<std::string> errors;
  for (const MeasureInfo& info : measures()) errors.emplace_back(info.name);
  const std::string group = "Solver options";
  const auto solver_option = [&](const std::string& field, const std::string& help,
                                 const std::string& type) {
    return command.add_option(option_of(field), given_[field], help)->type_name(type)->group(group);
  };
  command
      .add_option(
          option_ + (option_ == "--solver" ? ",--solvers" : ",--solver"), solver_,
          several ? "Names or patterns like ncp/*, separated by commas (see perpend solvers); all: "
                    "ours; peers: those of other projects; recorded: the answer in the file"
                  : "Name (see perpend solvers) [" + solver_ + "]")
      ->required(several)
      ->type_name("S");
  solver_option("tolerance", "Stop at this error [" + brief(fallback.tolerance) + "]", "T");
  solver_option("error", "The error that must reach the tolerance [own_error]: " + joined(errors),
                "NAME");
  solver_option("max_iterations",
                "Iteration limit [" + std::to_string(fallback.max_iterations) + "]", "N")
      ->transform(cli::whole(0));
  solver_option("time_limit",
                fallback.time_limit > 0
                    ? "Seconds per run, 0: none [" + brief(fallback.time_limit) + "]"
                    : "Seconds per frame and solver, or per step [0: none]",
                "SECONDS");
  solver_option("memory_limit",
                "Bytes that a solver may allocate, with k, M, G [0: half of the machine's memory]",
                "BYTES");
  if (several)
    command
        .add_flag("--warm-start", warm_start_, "Start from the answer recorded in the file, if any")
        ->group(group);
  solver_option(
      "facets",
      "Directions of the friction cone in lcp and mlcp [" + std::to_string(fallback.facets) + "]",
      "N")
      ->transform(cli::whole(3));
  command.add_option("--set", set_, "An option of the solver (see perpend solvers)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group(group);
}

std::vector<const SolverInfo*> solvers_called(const std::string& word) {
  std::vector<const SolverInfo*> list;
  for (const SolverInfo& info : solvers())
    if (word == "all"     ? !peers::is_peer(info)
        : word == "peers" ? peers::is_peer(info)
                          : fnmatch(word.c_str(), info.name.c_str(), 0) == 0)
      list.push_back(&info);
  return list;
}

std::vector<const SolverInfo*> SolverOptions::chosen() const {
  std::vector<const SolverInfo*> list;
  for (std::size_t begin = 0; begin <= solver_.size();) {
    const std::size_t end = std::min(solver_.find(',', begin), solver_.size());
    const std::string word = solver_.substr(begin, end - begin);
    std::vector<const SolverInfo*> called = solvers_called(word);
    if (files_ && word == io::recorded_solver().name) called = {&io::recorded_solver()};
    if (called.empty()) unknown_solver(option_, word);
    for (const SolverInfo* info : called)
      if (std::find(list.begin(), list.end(), info) == list.end()) list.push_back(info);
    begin = end + 1;
  }
  return list;
}

void SolverOptions::read_set(const std::vector<const SolverInfo*>& chosen) {
  for (const std::string& text : set_) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError("--set: '" + text + "' is not NAME=VALUE");
    common_.set[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [option, value] : common_.set) {
    std::vector<std::string> known;
    for (const SolverInfo* info : chosen)
      for (const OptionInfo& own : info->options)
        if (std::find(known.begin(), known.end(), own.name) == known.end())
          known.push_back(own.name);
    if (std::find(known.begin(), known.end(), option) != known.end()) continue;
    throw UsageError("--set: " + joined(names(chosen)) + " has no option '" + option + "'" +
                     (known.empty() ? "; it has none" : "; choose one of: " + joined(known)));
  }
}

Options SolverOptions::options(const SolverInfo& info, const Globals& globals,
                               const std::vector<const SolverInfo*>& chosen) {
  for_each_field(common_, [&](const auto& field, auto& value) {
    if (const auto text = given_.find(field.name); text != given_.end() && !text->second.empty())
      read_option(field, text->second, value);
  });
  common_.seed = globals.seed;
  read_set(chosen);

  Options own = common_;
  own.set.clear();
  for (const auto& entry : common_.set)
    for (const OptionInfo& option : info.options)
      if (option.name == entry.first) own.set.insert(entry);
  const std::string reason = invalid(own, info);
  if (!reason.empty()) throw UsageError(info.name + ": " + reason);
  return own;
}

}  // namespace perpend::app
