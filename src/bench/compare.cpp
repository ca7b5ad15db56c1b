// Two results held against each other. Runs are deterministic, so status, iterations and errors
// have no noise unless the clock ended a run; seconds have the noise that the repeated runs show.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "perpend/base.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {
namespace {

constexpr double kSlack = 0.1;      // of errors and iterations
constexpr double kClockSlack = 9;   // of errors where the clock ended a run: a factor of 10
constexpr double kShortest = 2e-5;  // s; what a clock and a scheduler do to any run

double spread(const Row& row) {
  return row.seconds > 0 ? (row.seconds_high - row.seconds_low) / row.seconds : 0;
}

// Rows are the same row when solver and problem have the same name and the same bytes. A problem
// that is there twice is matched in order.
using Key = std::tuple<std::string, std::string, int>;
std::map<Key, std::size_t> keys(const Results& results) {
  std::map<Key, std::size_t> all;
  std::map<std::string, std::map<std::size_t, int>> seen;  // hash: problem: which of the equal ones
  for (std::size_t r = 0; r < results.rows.size(); ++r) {
    const Row& row = results.rows[r];
    auto& equal = seen[results.problems[row.problem].hash];
    const int which = equal.try_emplace(row.problem, static_cast<int>(equal.size())).first->second;
    all[{results.problems[row.problem].hash, results.solvers[row.solver].name, which}] = r;
  }
  return all;
}

bool slower(const Row& before, const Row& after, double noise) {
  const double margin = std::max({noise, spread(before), spread(after)});
  return after.seconds_low > before.seconds_high * (1 + margin) &&
         after.seconds_low - before.seconds_high > kShortest;
}

class Judge {
 public:
  Judge(const Results& a, const Results& b, Comparison& into) : a_(a), b_(b), out_(into) {}

  void rows(std::size_t i, std::size_t j) {
    const Row &before = a_.rows[i], &after = b_.rows[j];
    if (before.status != after.status)
      add(Change::What::status,
          before.status == Status::converged || after.status == Status::crashed, i, j, 0, 0);
    error(a_.settings.error, i, j);
    if (a_.settings.error != Measure::velocity_error) error(Measure::velocity_error, i, j);
    // Iterations and seconds tell something where both did the same job.
    if (before.status != Status::converged || after.status != Status::converged) return;
    iterations(i, j);
    // Of a single run nobody knows the noise.
    if (!out_.times_judged || before.runs.size() < 2 || after.runs.size() < 2) return;
    if (slower(before, after, out_.noise))
      add(Change::What::time, true, i, j, before.seconds, after.seconds);
    else if (slower(after, before, out_.noise))
      add(Change::What::time, false, i, j, before.seconds, after.seconds);
  }

 private:
  void add(Change::What what, bool worse, std::size_t i, std::size_t j, double before, double after,
           Measure measure = Measure::own_error) {
    out_.changes.push_back({what, worse, i, j, measure, before, after});
  }

  void error(Measure measure, std::size_t i, std::size_t j) {
    const Row &before = a_.rows[i], &after = b_.rows[j];
    const double was = before.errors[measure], is = after.errors[measure];
    if (std::isnan(was) || std::isnan(is)) return;
    const double slack = before.reproducible && after.reproducible ? kSlack : kClockSlack;
    const double tolerance = a_.settings.tolerance;
    if (is > was * (1 + slack) + tolerance)
      add(Change::What::error, true, i, j, was, is, measure);
    else if (was > is * (1 + slack) + tolerance)
      add(Change::What::error, false, i, j, was, is, measure);
  }

  void iterations(std::size_t i, std::size_t j) {
    const auto was = static_cast<double>(a_.rows[i].iterations);
    const auto is = static_cast<double>(b_.rows[j].iterations);
    if (is > was * (1 + kSlack) && is > was + 1)
      add(Change::What::iterations, true, i, j, was, is);
    else if (was > is * (1 + kSlack) && was > is + 1)
      add(Change::What::iterations, false, i, j, was, is);
  }

  const Results &a_, &b_;
  Comparison& out_;
};

// Seconds are compared on one kind of machine only; its build and its system may differ.
bool comparable(const Results& a, const Results& b) {
  if (a.settings.jobs != b.settings.jobs) return false;
  const std::string& cpu = a.machines.front().cpu;
  const auto same_cpu = [&](const Machine& m) { return m.cpu == cpu; };
  return std::all_of(a.machines.begin(), a.machines.end(), same_cpu) &&
         std::all_of(b.machines.begin(), b.machines.end(), same_cpu);
}

}  // namespace

std::string_view name(Change::What what) {
  switch (what) {
    case Change::What::status:
      return "status";
    case Change::What::error:
      return "error";
    case Change::What::iterations:
      return "iterations";
    case Change::What::time:
      return "time";
  }
  return "status";
}

Comparison compare(const Results& a, const Results& b) {
  Comparison comparison;
  comparison.times_judged = !a.machines.empty() && !b.machines.empty() && comparable(a, b);
  std::vector<double> spreads;
  for (const Results* results : {&a, &b})
    for (const Row& row : results->rows)
      if (row.runs.size() > 1) spreads.push_back(spread(row));
  comparison.noise = spreads.empty() ? 0 : median(spreads);
  if (spreads.empty()) comparison.times_judged = false;

  const std::map<Key, std::size_t> in_a = keys(a), in_b = keys(b);
  std::vector<std::pair<std::size_t, std::size_t>> both;
  for (const auto& [key, i] : in_a)
    if (const auto j = in_b.find(key); j != in_b.end()) both.emplace_back(i, j->second);
  std::sort(both.begin(), both.end());
  comparison.only_a = in_a.size() - both.size();
  comparison.only_b = in_b.size() - both.size();
  // Problems that a solver takes neither there nor here tell nothing about it.
  const auto refused = [&](const std::pair<std::size_t, std::size_t>& rows) {
    return a.rows[rows.first].status == Status::invalid_input &&
           b.rows[rows.second].status == Status::invalid_input;
  };
  const auto end = std::remove_if(both.begin(), both.end(), refused);
  comparison.refused = static_cast<std::size_t>(both.end() - end);
  both.erase(end, both.end());
  comparison.common = both.size();
  Judge judge(a, b, comparison);
  for (const auto& [i, j] : both) judge.rows(i, j);
  return comparison;
}

}  // namespace perpend::bench
