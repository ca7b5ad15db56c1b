// Results of a comparison that never took place: as many solvers and problems as wanted, the same
// numbers on every machine that has the same libm to a few digits. Errors fall at a rate of the
// solver's own, times grow with the contacts, pyramids and boxes stay away from Coulomb's law, some
// runs restart, stall, crash or meet their limits, and frictionless solvers take no joints.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "perpend/bench.hpp"

namespace perpend::bench {

// Numbers in [0, 1), by a linear congruential generator (Knuth's MMIX).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_;
};

inline SolverEntry invented_solver(std::size_t s) {
  static constexpr std::array<std::array<const char*, 3>, 8> kNames{{
      {"box/pgs", "box", "projected Gauss-Seidel, friction as two bounds"},
      {"box/nncg", "box", "nonsmooth nonlinear conjugate gradients over PGS"},
      {"lcp/lemke", "pyramid", "Lemke's complementary pivoting, lexicographic"},
      {"ncp/pgs", "cone", "block Gauss-Seidel with an exact local Coulomb solve"},
      {"ncp/nncg", "cone", "nonlinear conjugate gradients over block-cone sweeps"},
      {"ncp/prox-newton", "cone", "proximal point iteration with a semismooth Newton method"},
      {"ncp/auto", "cone", "prox-newton where it converges, nncg where it does not"},
      {"normal/simple", "none", "Gauss-Seidel on the normal impulses, frictionless"},
  }};
  const auto& [name, friction, title] = kNames[s % kNames.size()];
  std::string full = name;
  if (s >= kNames.size()) full.append(1, '-').append(std::to_string(s));
  return {full, full.substr(0, full.find('/')), title, "invented for a test", friction};
}

inline ProblemEntry invented_problem(std::size_t p, Draws& draw) {
  static constexpr std::array<const char*, 4> kFamilies{"stack", "pile-boxes", "ragdolls", "wall"};
  static constexpr std::array<const char*, 4> kTags{"resting", "impact", "joints", "sliding"};
  const std::size_t family = p % kFamilies.size();
  ProblemEntry problem;
  problem.file = std::string("suite/") + kFamilies[family] + ".h5";
  problem.frame = static_cast<Index>(p / kFamilies.size());
  if (p % 5 == 0) problem.title = std::string(kFamilies[family]) + " & <friends>";
  problem.tags = {kTags[family], p % 2 ? "hard" : "easy"};
  problem.counts.contacts = static_cast<std::int64_t>(std::pow(2.0, 1 + 10 * draw()));
  problem.counts.bodies = 1 + problem.counts.contacts / 3;
  problem.counts.joints = family == 2 ? problem.counts.bodies - 1 : 0;
  problem.counts.joint_rows = 5 * problem.counts.joints;
  problem.hash = "0123456789abcdef";
  problem.ordinal = static_cast<std::int64_t>(p);
  return problem;
}

inline Row invented_row(const Results& results, std::size_t s, std::size_t p, double hardness,
                        Draws& draw) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::string& friction = results.solvers[s].friction;
  const auto contacts = static_cast<double>(results.problems[p].counts.contacts);
  Row row;
  row.solver = s;
  row.problem = p;
  row.path = results.solvers[s].name.substr(results.solvers[s].name.find('/') + 1);
  const double luck = draw();
  if (friction == "none" && results.problems[p].counts.joints > 0) {
    row.status = Status::invalid_input;
    row.message = results.solvers[s].name + " takes no joints";
    row.seconds = row.seconds_low = row.seconds_high = kNone;
    row.path.clear();
    return row;
  }
  if (luck < 0.004) {  // nothing came back
    row.status = Status::crashed;
    row.message = "ended by signal 11 (Segmentation fault), after \"start\"";
    row.seconds = row.seconds_low = row.seconds_high = kNone;
    row.path.clear();
    return row;
  }
  const double rate = 2.5 / (1 + static_cast<double>(s * 7 % 11)) / hardness;  // per iteration
  const double per_iteration =
      contacts * 2e-7 * (1 + static_cast<double>(s * 5 % 7)) * (0.8 + 0.4 * draw());
  const double model = friction == "cone" ? 0 : (0.001 + 0.1 * draw());  // distance from Coulomb
  const double floor = luck < 0.05 ? 1e-6 * draw() : 0;                  // it stalls there
  const double start = 0.1 + draw();
  double next = 0;
  for (long k = 0; k <= results.settings.max_iterations; ++k) {
    if (static_cast<double>(k) < next && k < results.settings.max_iterations) continue;
    next = std::max(static_cast<double>(k + 1), 1.05 * static_cast<double>(k));
    Point point;
    point.iteration = k;
    point.seconds = per_iteration * static_cast<double>(k);
    point.restart = s % 3 == 1 && k > 0 && draw() < 0.08;
    const double noise = k ? std::pow(10, 0.5 * draw() - 0.25) : 1;
    const double own = start * noise * std::exp(-rate * static_cast<double>(k)) + floor;
    const double velocity = std::max(own, friction == "cone" ? 0 : model);
    point.errors = {own, velocity, own * own * contacts,
                    friction == "none" ? kNone : velocity * contacts * 0.3};
    // What a comparison was asked for beyond the usual.
    for (std::size_t i = point.errors.size(); i < results.settings.history_measures.size(); ++i)
      point.errors.push_back(results.settings.history_measures[i] == Measure::energy_change
                                 ? own - 0.3
                                 : own * own * (1 + static_cast<double>(i)));
    row.history.push_back(point);
    row.iterations = k;
    if (own <= results.settings.tolerance) break;
    if (floor > 0 && k > 60 && own < 4 * floor) break;
  }
  const Point& last = row.history.back();
  const double own = last.errors[0];
  row.status = own <= results.settings.tolerance ? Status::converged
               : floor > 0                       ? Status::stalled
                                                 : Status::iteration_limit;
  // One that reached its tolerance and did not converge: rounding may hide more.
  if (s == 0 && p == 1 && row.status == Status::converged) row.status = Status::stalled;
  char error[32];
  std::snprintf(error, sizeof error, "%.3g", own);
  row.message = std::string("own_error ") + error + " after " + std::to_string(row.iterations) +
                " iterations";
  row.seconds = last.seconds + 1e-6;
  row.seconds_low = 0.97 * row.seconds;
  row.seconds_high = 1.06 * row.seconds;
  row.formulation_seconds = contacts * 1e-6;
  row.transfer_seconds = contacts * 1e-7;
  row.runs = {row.seconds_low, row.seconds, row.seconds_high};
  row.work[static_cast<std::size_t>(Work::sweep)] = row.iterations;
  for (const MeasureInfo& info : measures()) row.errors[info.measure] = own * 0.5;
  row.errors[Measure::own_error] = own;
  row.errors[Measure::velocity_error] = last.errors[1];
  row.errors[Measure::normal_error] = last.errors[2];
  row.errors[Measure::friction_error] = last.errors[3];
  row.errors[Measure::energy_change] = -0.3;
  row.errors[Measure::max_penetration] = kNone;
  return row;
}

// `more`: measures of the histories beyond the usual four.
inline Results invented_results(std::size_t solvers, std::size_t problems,
                                const std::vector<HistoryMeasure>& more = {}) {
  Results results;
  for (const HistoryMeasure& one : more) results.settings.history_measures.push_back(one);
  results.title = "Invented: " + std::to_string(solvers) + " solvers, " + std::to_string(problems) +
                  " problems";
  Machine machine;
  machine.cpu = "Imaginary CPU @ 3 GHz";
  machine.cores = 2;
  machine.memory_bytes = 16.0 * 1073741824;
  machine.os = "Debian GNU/Linux 12";
  machine.compiler = "g++ 12.2.0";
  machine.flags = "-O3 -ffp-contract=off";
  machine.version = "0.1.0";
  machine.commit = "0123456789ab";
  machine.date = "2026-11-15T12:00:00Z";
  machine.load = {0.1, 0.2, 0.3};
  results.machines = {machine};
  results.settings.max_iterations = 2000;
  results.settings.set = {{"bounds", "lagged"}};
  results.settings.command = "perpend bench suite/*.h5 --solvers all --out out/invented";
  for (int power = -12; power <= 0; ++power) results.tolerances.push_back(std::pow(10.0, power));
  Draws draw(42);
  for (std::size_t s = 0; s < solvers; ++s) results.solvers.push_back(invented_solver(s));
  for (std::size_t p = 0; p < problems; ++p) results.problems.push_back(invented_problem(p, draw));
  for (std::size_t p = 0; p < problems; ++p) {
    const double hardness = std::pow(10, 1.6 * draw());
    for (std::size_t s = 0; s < solvers; ++s)
      results.rows.push_back(invented_row(results, s, p, hardness, draw));
  }
  results.rows_planned = static_cast<std::int64_t>(results.rows.size());
  return results;
}

}  // namespace perpend::bench
