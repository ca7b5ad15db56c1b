#include "sim/effort.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace perpend {
namespace sim {
namespace {

// Islands of more bodies are swept: factorizations grow faster than sweeps.
constexpr std::size_t kMostBodies = 200;
// `real-time`, in sweeps over an island: enough for five to ten factorizations of a small one; what
// Bullet takes of a large one.
constexpr long kSmallIsland = 60, kLargeIsland = 10;
// Kept back from the first solve for what follows it.
constexpr double kReserve = 0.2;
// The least of a second solve.
constexpr double kDebt = 0.1;
// Of islands that fell short: the part of an overlap or joint error that is mended in a step, how
// fast at most (m/s, rad/s), and how much overlap is left alone, of the smaller body's radius.
constexpr double kPushed = 0.2, kFastest = 1, kLeft = 0.006;
// Sweeps that pay at least about five factorizations.
constexpr double kWorthFactorizing = 16;
// Factorizations of a cold interior point, and of Newton's method near the answer.
constexpr long kMostFactorizations = 10, kNearFactorizations = 6;

constexpr std::string_view kOurChoice = "ncp/auto";
constexpr std::string_view kNewton = "ncp/prox-newton", kInteriorPoint = "ncp/interior-point",
                           kSweeps = "ncp/nncg";
constexpr std::array kMethods{kNewton, kInteriorPoint, kSweeps};

double size_of(const Island& island) {
  return sweep_operations(static_cast<Index>(island.contacts.size()),
                          static_cast<Index>(island.joint_rows.size()));
}

}  // namespace

long Account::most(const Island& island) const {
  if (effort_.kind == Effort::Kind::sweeps) return effort_.sweeps;
  return island.bodies.size() <= kMostBodies ? kSmallIsland : kLargeIsland;
}

void Account::open(const std::vector<Island>& islands) {
  size_ = limit_ = 0;
  for (const Island& island : islands) {
    size_ += size_of(island);
    limit_ += static_cast<double>(most(island)) * size_of(island);
  }
}

double Account::share(const Island& island) const {
  const double all = static_cast<double>(most(island));
  if (spent_ == 0) return std::max(1.0, (reserve_ ? 1 - kReserve : 1) * all);
  return std::max({1.0, kDebt * all, (1 - spent_ / limit_) / 2 * all});
}

void Account::pay(const Island& island, double sweeps) { spent_ += sweeps * size_of(island); }

Method method_for(const Island& island, double sweeps, bool near) {
  if (island.bodies.size() > kMostBodies) return {kSweeps};
  if (near) return {kNewton, kNearFactorizations};
  if (sweeps >= kWorthFactorizing) return {kInteriorPoint, kMostFactorizations};
  return {kSweeps};
}

bool sweeps(std::string_view solver) {
  const auto ends = [&](std::string_view with) {
    return solver.size() >= with.size() && solver.substr(solver.size() - with.size()) == with;
  };
  return ends("/pgs") || ends("/nncg");
}

bool swept(const Island& island, std::string_view solver, const Account& account) {
  if (solver != kOurChoice) return sweeps(solver);
  return sweeps(method_for(island, account.share(island), false).solver);
}

void soften(Frame& frame, const StepBodies& bodies, Start& start, std::string_view solver,
            const Account& account) {
  start.gap = frame.contacts.gap;
  const auto radius = [&](Index row) {
    const bool moves = row < bodies.count() && bodies.moves(row);
    return moves ? bodies[row].radius : std::numeric_limits<double>::infinity();
  };
  const auto fell_short = [&](Index row) {
    return std::binary_search(start.fell_short.begin(), start.fell_short.end(),
                              frame.bodies.ids[static_cast<std::size_t>(row)]);
  };
  for (const Island& island : islands(frame)) {
    if (std::none_of(island.bodies.begin(), island.bodies.end(), fell_short)) continue;
    for (const Index r : island.joint_rows) {
      double& violation = frame.joints.violation[r];
      violation = std::clamp(kPushed * violation, -kFastest * frame.step, kFastest * frame.step);
    }
    if (!swept(island, solver, account)) continue;
    for (const Index i : island.contacts) {
      double& gap = frame.contacts.gap[i];
      const double left =
          kLeft * std::min(radius(frame.contacts.pairs(i, 0)), radius(frame.contacts.pairs(i, 1)));
      if (gap < 0) gap = kPushed * std::min(0.0, gap + left);
    }
  }
}

std::span<const std::string_view> limited_solvers() { return kMethods; }

}  // namespace sim

std::string name(const Effort& effort) {
  switch (effort.kind) {
    case Effort::Kind::exact:
      return "exact";
    case Effort::Kind::real_time:
      return "real-time";
    case Effort::Kind::sweeps:
      break;
  }
  return std::to_string(effort.sweeps);
}

std::optional<Effort> effort_named(const std::string& text) {
  Effort out;
  if (text == "exact") return out;
  if (text == "real-time") {
    out.kind = Effort::Kind::real_time;
    return out;
  }
  out.kind = Effort::Kind::sweeps;
  const std::from_chars_result end =
      std::from_chars(text.data(), text.data() + text.size(), out.sweeps);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size() || out.sweeps < 1) return {};
  return out;
}

long sweeps_within(double seconds, Index contacts) {
  constexpr long kSweeps = 30;
  constexpr int kTimes = 9;
  std::string why;
  const std::optional<Scene> scene = scene_named("pyramid:10", 1, why);
  const System system = assemble(first_frame(*scene));
  const SolverInfo* info = solver_named("ncp/nncg");
  const std::unique_ptr<Solver> solver = info->make();
  Options options;
  options.tolerance = 0;
  options.max_iterations = kSweeps;
  options.measure_all = false;
  std::vector<double> each;
  for (int k = 0; k < kTimes; ++k) each.push_back(solve(system, *info, *solver, options).seconds);
  const double of_one = quantile(each, 0.5) / static_cast<double>(kSweeps * system.contacts());
  const double all = of_one * static_cast<double>(std::max<Index>(contacts, 1));
  return std::max(1L, std::lround(std::min(seconds / all, 1e9)));
}

}  // namespace perpend
