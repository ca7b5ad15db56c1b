#include "solver_options.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "perpend/cli.hpp"
#include "perpend/io.hpp"
#include "perpend/peers.hpp"
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

double real(const char* option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || std::isnan(value))
    throw UsageError(std::string(option) + ": '" + text + "' is not a number");
  return value;
}

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
  command
      .add_option(
          option_ + (option_ == "--solver" ? ",--solvers" : ",--solver"), solver_,
          several ? "Names and patterns like ncp/*, comma-separated; all of ours, or peers (see "
                    "perpend solvers); recorded: the answer in the file"
                  : "Name (see perpend solvers) [" + solver_ + "]")
      ->required(several)
      ->type_name("S");
  command
      .add_option("--tolerance", tolerance_,
                  "Stop at this error [" + brief(fallback.tolerance) + "]")
      ->type_name("T")
      ->group(group);
  command
      .add_option("--error", error_,
                  "The error the tolerance is about [own_error]: " + joined(errors))
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--max-iterations", max_iterations_,
                  "Iteration limit [" + std::to_string(fallback.max_iterations) + "]")
      ->transform(cli::whole(0))
      ->type_name("N")
      ->group(group);
  command
      .add_option("--time-limit", time_limit_,
                  fallback.time_limit > 0
                      ? "Seconds per run, 0: none [" + brief(fallback.time_limit) + "]"
                      : "Seconds per frame and solver, or per step of simulate [0: none]")
      ->type_name("SECONDS")
      ->group(group);
  command
      .add_option(
          "--memory-limit", memory_limit_,
          "Bytes a formulation or solver may allocate, with k, M, G [0: half of the machine's]")
      ->type_name("BYTES")
      ->group(group);
  if (several)
    command
        .add_flag("--warm-start", warm_start_, "Start from the answer recorded in the file, if any")
        ->group(group);
  command
      .add_option("--facets", facets_,
                  "Directions of the friction cone in lcp and mlcp [" +
                      std::to_string(fallback.facets) + "]")
      ->transform(cli::whole(3))
      ->type_name("N")
      ->group(group);
  command
      .add_option("--set", set_, "The solver's own options; of several solvers, those that know it")
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
    throw UsageError("--set: unknown option '" + option + "' of " + joined(names(chosen)) +
                     (known.empty() ? "; there are no options" : "; known are: " + joined(known)));
  }
}

Options SolverOptions::options(const SolverInfo& info, const Globals& globals,
                               const std::vector<const SolverInfo*>& chosen) {
  if (!tolerance_.empty()) common_.tolerance = real("--tolerance", tolerance_);
  if (!error_.empty()) {
    const auto measure = measure_named(error_);
    std::vector<std::string> known;
    for (const MeasureInfo& entry : measures()) known.emplace_back(entry.name);
    if (!measure)
      throw UsageError("--error: unknown error '" + error_ + "'; known are: " + joined(known));
    common_.error = *measure;
  }
  if (!max_iterations_.empty()) common_.max_iterations = std::stol(max_iterations_);
  if (!time_limit_.empty()) common_.time_limit = real("--time-limit", time_limit_);
  if (!memory_limit_.empty()) {
    const auto limit = bytes(memory_limit_);
    if (!limit)
      throw UsageError("--memory-limit: '" + memory_limit_ +
                       "' is not a number of bytes (suffixes k, M, G, T)");
    common_.memory_limit = *limit;
  }
  if (!facets_.empty()) common_.facets = std::stol(facets_);
  if (!(common_.tolerance >= 0) || std::isinf(common_.tolerance))
    throw UsageError("--tolerance: " + tolerance_ + " is not a finite number >= 0");
  if (!(common_.time_limit >= 0) || std::isinf(common_.time_limit))
    throw UsageError("--time-limit: " + time_limit_ + " is not a finite number >= 0");
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
