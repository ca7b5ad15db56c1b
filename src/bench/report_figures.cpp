#include "bench/report_figures.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "bench/distribution.hpp"
#include "bench/pack.hpp"

namespace perpend::bench {
namespace {

constexpr std::size_t kGroups = 40;  // of tags, and of files
constexpr std::size_t kSteps = 150;  // of a profile: one for every few pixels

using Members = std::map<std::string, std::vector<bool>>;

void add(std::vector<Group>& groups, const char* kind, const Members& members) {
  if (members.size() > kGroups) return;
  for (const auto& [name, problems] : members) {
    Group added{kind, name, problems, 0};
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const Group& g) { return g.problems == added.problems; });
    if (same != groups.end())
      added.figures = same->figures;
    else
      for (const Group& g : groups) added.figures = std::max(added.figures, g.figures + 1);
    groups.push_back(std::move(added));
  }
}

// A number of kProfileBits as the first bits of a float32.
std::uint32_t code(double x) {
  return std::bit_cast<std::uint32_t>(brief(x)) >> (24 - kProfileBits);
}

// The columns of one group.
class Columns {
 public:
  Columns(const Results& results, const Group& group) : results_(results), group_(group) {}

  void add(const Costs& costs) {
    for (const double m : medians(results_, costs.ratio, group_.problems))
      ratio_.push_back(brief(m));
    for (const double m : medians(results_, costs.cost, group_.problems)) cost_.push_back(brief(m));
    add(profile(results_, costs.ratio, group_.problems, kSteps));
    add(profile(results_, costs.cost, group_.problems, kSteps));
  }
  void add_errors(const std::vector<double>& per_row) {
    for (const Distribution& one : distributions(results_, per_row, group_.problems)) {
      spread_.push_back(static_cast<float>(one.problems));
      for (const double q : one.quantiles) spread_.push_back(brief(q));
    }
  }
  std::string bytes() const {
    return shuffled(ratio_) + shuffled(cost_) + shuffled(steps_) + shuffled(x_) +
           shuffled(counts_) + shuffled(spread_);
  }

 private:
  void add(const Profile& made) {
    steps_.push_back(static_cast<std::uint32_t>(made.x.size()));
    std::vector<std::uint32_t> codes;
    for (const double x : made.x) codes.push_back(code(x));
    append(codes, x_);
    for (const std::vector<std::uint32_t>& line : made.counts) append(line, counts_);
  }

  static void append(const std::vector<std::uint32_t>& line, std::vector<std::uint32_t>& to) {
    for (const std::uint32_t more : differences(line)) to.push_back(more);
  }

  const Results& results_;
  const Group& group_;
  std::vector<float> ratio_, cost_, spread_;
  std::vector<std::uint32_t> steps_, x_, counts_;
};

}  // namespace

std::vector<Group> groups(const Results& results) {
  const std::size_t n = results.problems.size();
  std::vector<Group> all{{"all", "", std::vector<bool>(n, true), 0}};
  Members tags, files;
  for (std::size_t p = 0; p < n; ++p) {
    const ProblemEntry& problem = results.problems[p];
    for (const std::string& tag : problem.tags)
      tags.try_emplace(tag, std::vector<bool>(n)).first->second[p] = true;
    files.try_emplace(problem.file, std::vector<bool>(n)).first->second[p] = true;
  }
  add(all, "tag", tags);
  if (files.size() > 1) add(all, "file", files);
  return all;
}

std::string figures_of(const Results& results, const std::vector<Group>& all, const Moments& own,
                       const Moments& velocity) {
  std::vector<Columns> columns;
  for (const Group& group : all)
    if (group.figures == columns.size()) columns.emplace_back(results, group);
  for (const Moments* moments : {&own, &velocity})
    for (std::size_t t = 0; t < results.tolerances.size(); ++t)
      for (const Cost what : {Cost::seconds, Cost::iterations}) {
        const Costs costs = moments->costs(t, what);
        for (Columns& one : columns) one.add(costs);
      }
  for (std::size_t m = 0; m < results.settings.history_measures.size(); ++m)
    for (const long stage : kStages) {
      const std::vector<double> errors = errors_after(results, m, stage);
      for (Columns& one : columns) one.add_errors(errors);
    }
  std::string text;
  for (const Columns& one : columns) text += base64(deflated(one.bytes())) + "\n";
  return text;
}

}  // namespace perpend::bench
