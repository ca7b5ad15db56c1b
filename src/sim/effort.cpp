#include "sim/effort.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "sim/step_frame.hpp"

namespace perpend {
namespace sim {
namespace {

// `real-time`, in sweeps over an island: visits of contacts in a step, one by one; sweeps at least,
// which take less than to find the contacts of a large island, and at most, which solve nearly
// every small world.
constexpr double kVisits = 5e4, kFewest = 30, kMost = 400;
// Contacts of a small island, and sweeps with which it is solved as without a limit.
constexpr Index kSmall = 64;
constexpr double kSolve = 100;
// Contacts of a large one.
constexpr std::size_t kLarge = 256;
// Kept back from the first solve for what follows it.
constexpr double kReserve = 0.2;
// The least of a second solve.
constexpr double kDebt = 0.1;
// Of islands that fell short: the part of an overlap or joint error that is mended in a step, how
// much of the latter at most (of the smaller body's radius, or rad), and how much overlap is left
// alone, of that radius.
constexpr double kPushed = 0.2, kFastest = 0.05, kLeft = 0.006;
// Sweeps that pay five factorizations of a usual island in three dimensions.
constexpr double kWorthFactorizing = 60;

constexpr std::string_view kOurChoice = "ncp/auto";

double size_of(const Island& island) {
  return sweep_operations(static_cast<Index>(island.contacts.size()),
                          static_cast<Index>(island.joint_rows.size()));
}

}  // namespace

double Account::most() const {
  if (effort_.kind == Effort::Kind::sweeps) return static_cast<double>(effort_.sweeps);
  return std::clamp(kVisits * sweep_operations(1, 0) / std::max(size_, 1.0), kFewest, kMost);
}

void Account::open(const std::vector<Island>& islands) {
  size_ = 0;
  for (const Island& island : islands) size_ += size_of(island);
  asked_ = size_;
  limit_ = most() * size_;
}

void Account::open(const std::vector<Island>& islands, std::span<const std::size_t> which) {
  open(islands);
  asked_ = 0;
  for (const std::size_t k : which) asked_ += size_of(islands[k]);
}

double Account::first_share() const {
  return std::max(1.0, (reserve_ ? 1 - kReserve : 1) * most());
}

double Account::share() const {
  const double first = first_share();
  if (spent_ == 0) return first;
  const double left = std::max(kDebt * most() * size_, (limit_ - spent_) / 2);
  return std::clamp(left / std::max(asked_, 1.0), 1.0, first);
}

void Account::correct() {
  asked_ = size_;
  if (reserve_) limit_ = std::max(limit_, spent_ + kReserve * most() * size_);
}

void Account::pay(const Island& island, double sweeps) { spent_ += sweeps * size_of(island); }

bool small(const Island& island, const Account& account) {
  return size_of(island) <= sweep_operations(kSmall, 0) && account.share() >= kSolve;
}

bool large(const Island& island) { return island.contacts.size() >= kLarge; }

bool sweeps(std::string_view solver) {
  const auto ends = [&](std::string_view with) {
    return solver.size() >= with.size() && solver.substr(solver.size() - with.size()) == with;
  };
  return ends("/pgs") || ends("/nncg");
}

bool swept(std::string_view solver, double share) {
  return solver == kOurChoice ? share < kWorthFactorizing : sweeps(solver);
}

bool any_of(const Island& island, const Bodies& bodies, const std::vector<std::int64_t>& ids) {
  if (ids.empty()) return false;
  return std::any_of(island.bodies.begin(), island.bodies.end(), [&](Index row) {
    return std::binary_search(ids.begin(), ids.end(), bodies.ids[static_cast<std::size_t>(row)]);
  });
}

void soften(Frame& frame, const std::vector<Island>& islands, const StepBodies& bodies,
            const Start& start, std::string_view solver, Account& account) {
  account.open(islands);
  const auto radius = [&](Index row) {
    const bool moves = row < bodies.count() && bodies.moves(row);
    return moves ? bodies[row].radius : std::numeric_limits<double>::infinity();
  };
  std::vector<Index> first_row{0};
  for (const Index rows : frame.joints.rows) first_row.push_back(first_row.back() + rows);
  for (const Island& island : islands) {
    if (!any_of(island, frame.bodies, start.fell_short)) continue;
    for (const Index k : island.joints) {
      const double shorter =
          std::min(radius(frame.joints.pairs(k, 0)), radius(frame.joints.pairs(k, 1)));
      for (Index r = first_row[static_cast<std::size_t>(k)];
           r < first_row[static_cast<std::size_t>(k) + 1]; ++r) {
        const auto row = frame.joints.jacobian.row(r);
        const bool turns = row.segment<3>(0).isZero(0) && row.segment<3>(6).isZero(0);
        const double most = kFastest * (turns ? 1 : shorter);
        double& violation = frame.joints.violation[r];
        violation = std::clamp(kPushed * violation, -most, most);
      }
    }
    if (!swept(solver, account.share())) continue;
    for (const Index i : island.contacts) {
      const double gap = frame.contacts.asked_gap()[i];
      const double left =
          kLeft * std::min(radius(frame.contacts.pairs(i, 0)), radius(frame.contacts.pairs(i, 1)));
      if (gap < 0) ask_for(frame.contacts, i, kPushed * std::min(0.0, gap + left));
    }
  }
}

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
  std::vector<double> each(kTimes);
  for (double& one : each) one = solve(system, *info, *solver, options).seconds;
  const double of_one = quantile(each, 0.5) / static_cast<double>(kSweeps * system.contacts());
  const double all = of_one * static_cast<double>(std::max<Index>(contacts, 1));
  return std::max(1L, std::lround(std::min(seconds / all, 1e9)));
}

}  // namespace perpend
