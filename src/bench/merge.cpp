// Parts of a campaign made one again.
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "perpend/bench.hpp"

namespace perpend::bench {
namespace {

bool same(double a, double b) { return a == b || (a != a && b != b); }

// In what two runs of one program on one problem must agree; empty when they do.
std::string disagreement(const Row& a, const Row& b) {
  // The clock ended one of them: how far it came is chance.
  if (!a.reproducible || !b.reproducible) return {};
  if (a.status != b.status)
    return std::string(name(a.status)) + " and " + std::string(name(b.status));
  if (a.iterations != b.iterations)
    return std::to_string(a.iterations) + " and " + std::to_string(b.iterations) + " iterations";
  for (const MeasureInfo& m : measures())
    if (!same(a.errors[m.measure], b.errors[m.measure])) return "another " + std::string(m.name);
  return {};
}

template <class T, class Same>
std::size_t place(std::vector<T>& list, const T& item, Same is_same) {
  const auto found = std::find_if(list.begin(), list.end(), is_same);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(item);
  return list.size() - 1;
}

// Rows by problem, then by solver; problems of one campaign in its order.
void put_in_order(Results& all, bool one_campaign) {
  std::vector<std::size_t> order(all.problems.size()), number(all.problems.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (one_campaign)
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return all.problems[a].ordinal < all.problems[b].ordinal;
    });
  std::vector<ProblemEntry> problems;
  for (const std::size_t p : order) {
    number[p] = problems.size();
    problems.push_back(std::move(all.problems[p]));
    if (!one_campaign) problems.back().ordinal = static_cast<std::int64_t>(number[p]);
  }
  all.problems = std::move(problems);
  for (Row& row : all.rows) row.problem = number[row.problem];
  std::stable_sort(all.rows.begin(), all.rows.end(), [](const Row& a, const Row& b) {
    return std::tie(a.problem, a.solver) < std::tie(b.problem, b.solver);
  });
}

}  // namespace

Results merged(const std::vector<Results>& parts, const std::vector<std::string>& names) {
  if (parts.empty()) return {};
  Results all;
  all.title = parts.front().title;
  all.campaign = parts.front().campaign;
  all.settings = parts.front().settings;
  all.tolerances = parts.front().tolerances;
  const bool one_campaign = std::all_of(parts.begin(), parts.end(), [&](const Results& part) {
    return part.campaign == all.campaign;
  });
  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::size_t, std::size_t>> there;
  // A problem is known by its bytes and its place: in the campaign, or in a file.
  std::map<std::tuple<std::string, std::int64_t, std::string>, std::size_t> problem_number;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Results& part = parts[k];
    const std::string why = different_settings(all.settings, part.settings);
    if (!why.empty())
      throw io::InputError(names[k] + ": has other settings than " + names[0] + ": " + why);
    if (part.tolerances != all.tolerances)
      throw io::InputError(names[k] + ": has other tolerances than " + names[0]);
    all.rows_planned += part.rows_planned;
    std::vector<std::size_t> solver, problem, machine;
    for (const SolverEntry& s : part.solvers)
      solver.push_back(
          place(all.solvers, s, [&](const SolverEntry& other) { return other.name == s.name; }));
    for (const Machine& m : part.machines)
      machine.push_back(
          place(all.machines, m, [&](const Machine& other) { return other.same_as(m); }));
    for (const ProblemEntry& p : part.problems) {
      const auto [known, added] =
          one_campaign ? problem_number.try_emplace({"", p.ordinal, p.hash}, all.problems.size())
                       : problem_number.try_emplace({p.file, p.frame, p.hash}, all.problems.size());
      if (added) all.problems.push_back(p);
      problem.push_back(known->second);
    }
    for (Row row : part.rows) {
      row.solver = solver[row.solver];
      row.problem = problem[row.problem];
      row.machine = machine[row.machine];
      const auto [known, added] = there.try_emplace({row.problem, row.solver}, all.rows.size(), k);
      if (added) {
        all.rows.push_back(std::move(row));
        continue;
      }
      --all.rows_planned;
      const auto& [where, from] = known->second;
      if (const std::string what = disagreement(all.rows[where], row); !what.empty()) {
        const ProblemEntry& p = all.problems[row.problem];
        throw io::InputError(names[k] + ": " + all.solvers[row.solver].name + " on " + p.file +
                             " frame " + std::to_string(p.frame) + " disagrees with " +
                             names[from] + ": " + what);
      }
    }
  }
  put_in_order(all, one_campaign);
  if (!one_campaign)
    all.title = std::to_string(all.solvers.size()) + " solvers, " +
                std::to_string(all.problems.size()) + " problems of " +
                std::to_string(parts.size()) + " campaigns";
  return all;
}

}  // namespace perpend::bench
