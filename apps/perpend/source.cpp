#include "source.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "interrupt.hpp"
#include "progress_bar.hpp"

namespace perpend::app {
namespace {

std::optional<Index> whole_number(std::string_view text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

// The frames with the n largest values (the earlier frame when equal), ascending.
std::vector<Index> largest(const std::vector<double>& values, Index n) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return values[static_cast<std::size_t>(a)] > values[static_cast<std::size_t>(b)];
  });
  if (n < static_cast<Index>(order.size())) order.resize(static_cast<std::size_t>(n));
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<Index> most_contacts(const io::Source& source, Index n) {
  std::vector<double> contacts;
  for (Index frame = 0; frame < source.frames(); ++frame)
    contacts.push_back(static_cast<double>(source.counts(frame).contacts));
  return largest(contacts, n);
}

// By the velocity_error of the recorded answers, measured here, not as the file claims it.
std::vector<Index> worst(const std::string& path, const io::Source& source, Index n,
                         const Globals& globals) {
  std::vector<double> values;
  bool any = false;
  ProgressBar bar(globals, "recorded answers measured", source.frames());
  for (Index frame = 0; frame < source.frames() && !interrupted(); ++frame) {
    const io::Case problem = source.read(frame);
    const Impulses answer = io::recorded(problem);
    const bool has = problem.system && answer.size() == problem.system->rows() &&
                     (problem.answer.z.rows() > 0 || problem.system->rows() == 0);
    any = any || (has && answer.size() > 0);
    values.push_back(has ? measure(*problem.system, answer, Measure::velocity_error) : -1.0);
    bar.show(frame + 1);
  }
  if (!any) throw UsageError("--frames worst: " + path + " has no recorded answers (z)");
  return largest(values, n);
}

}  // namespace

std::vector<Index> select_frames(const std::string& selection, const std::string& path,
                                 const io::Source& source, const Globals& globals) {
  const Index frames = source.frames();
  Index first = 0, last = frames - 1;
  if (!selection.empty()) {
    const std::size_t colon = selection.find(':'), dash = selection.find('-');
    const std::string word = selection.substr(0, colon);
    if (colon != std::string::npos && (word == "most-contacts" || word == "worst")) {
      const auto n = whole_number(std::string_view(selection).substr(colon + 1));
      if (!n || *n < 1) throw UsageError("--frames " + selection + ": " + word + ":N needs N >= 1");
      return word == "worst" ? worst(path, source, *n, globals) : most_contacts(source, *n);
    }
    const auto from = whole_number(selection.substr(0, dash));
    const auto to = dash == std::string::npos ? from : whole_number(selection.substr(dash + 1));
    if (!from || !to || *from > *to)
      throw UsageError("--frames " + selection +
                       ": is not K, A-B (A <= B), most-contacts:N or worst:N");
    if (*to >= frames)
      throw UsageError("--frames " + selection + ": " + path + " has " + std::to_string(frames) +
                       " frame" + (frames == 1 ? "" : "s") + ", counted from 0");
    first = *from;
    last = *to;
  }
  std::vector<Index> list(static_cast<std::size_t>(last - first + 1));
  std::iota(list.begin(), list.end(), first);
  return list;
}

}  // namespace perpend::app
