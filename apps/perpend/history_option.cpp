#include "history_option.hpp"

#include <algorithm>

namespace perpend::app {
namespace {

constexpr const char* kOption = "--history-measures";

std::string known_measures() {
  std::string list;
  for (const MeasureInfo& info : measures()) list.append(info.name).append(", ");
  return list + "all";
}

// Nothing: it is no name.
std::vector<HistoryMeasure> measures_called(const std::string& word) {
  const bool at_iterate = word == "all@iterate";
  if (const auto one = history_measure_named(word)) return {*one};
  std::vector<HistoryMeasure> list;
  if (word == "all" || at_iterate)
    for (const MeasureInfo& info : measures()) list.emplace_back(info.measure, at_iterate);
  return list;
}

}  // namespace

void add_history_measures(CLI::App& command, std::string& text, const std::string& more) {
  command
      .add_option(kOption, text,
                  "Errors that histories hold, separated by commas: " + known_measures() +
                      "; NAME@iterate: at the point from which the next sweep starts" + more)
      ->type_name("LIST");
}

std::vector<HistoryMeasure> history_measures(const std::string& text) {
  std::vector<HistoryMeasure> list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::vector<HistoryMeasure> added = measures_called(word);
    if (added.empty())
      throw UsageError(std::string(kOption) + ": unknown error '" + word +
                       "'; choose from: " + known_measures() + ", each also with @iterate");
    for (const HistoryMeasure& one : added)
      if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
    begin = end + 1;
  }
  return list;
}

}  // namespace perpend::app
