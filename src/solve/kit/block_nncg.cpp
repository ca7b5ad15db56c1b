#include "solve/kit/block_nncg.hpp"

#include <algorithm>
#include <numeric>

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kTogether = 8;       // sweeps before parts are looked for
constexpr int kFirstRound = 8;     // sweeps of each part, doubled each time
constexpr double kUnjudged = 0.1;  // part of what it is worth that a part gets in any case
// A part's error is not measured again before its estimate has fallen by this.
constexpr double kCloser = 0.8;
// A part is solved when it is this much better than asked for: the whole is measured with what
// rounding may hide.
constexpr double kSafely = 0.99;

}  // namespace

BlockNncg::Part::Part(std::span<const Index> rows, double tolerance, double worth)
    : contacts(rows),
      pace(
          tolerance, [worth] { return worth; }, static_cast<std::size_t>(kUnjudged * worth)),
      estimate(kInfinity),
      check(tolerance) {}

BlockNncg::BlockNncg(const System& s, std::function<double(Index)> worth, Progress& progress)
    : s_(s), worth_(std::move(worth)), progress_(progress), sweep_(s) {
  all_.resize(static_cast<std::size_t>(s.contacts()));
  std::iota(all_.begin(), all_.end(), Index{0});
}

BlockNncg::Verdict BlockNncg::step(Part& part, bool alone) {
  if (part.swept) {
    const double beta = part.previous > 0 ? part.now / part.previous : 0;
    part.previous = part.now;
    if (beta > 1) {
      sweep_.restart(part.contacts);
      progress_.restarted();
    } else {
      sweep_.extrapolate(part.contacts, beta);
    }
  }
  const BlockSweep::Change change = sweep_.sweep(part.contacts);
  part.swept = true;
  part.now = change.norm2;
  part.estimate = change.worst;
  visits_ += static_cast<Index>(part.contacts.size());
  if (!alone && part.estimate <= part.check) {
    const double error = sweep_.error(part.contacts), tolerance = kSafely * progress_.tolerance();
    if (error <= tolerance) return Verdict::solved;
    part.check = part.estimate * std::min(kCloser, tolerance / error);
  }
  if (visits_ >= s_.contacts()) {
    visits_ -= s_.contacts();
    progress_.count(Work::sweep);
    if (!progress_.next(sweep_.lambda(), alone ? part.estimate : kInfinity)) return Verdict::ended;
  }
  return part.pace.lost(part.estimate) ? Verdict::slow : Verdict::go_on;
}

void BlockNncg::run(const VectorXd& start) {
  const double tolerance = progress_.tolerance();
  sweep_.set(start);
  Part whole(all_, tolerance, worth_(s_.contacts()));
  for (int k = 0; k < kTogether; ++k)
    if (step(whole, true) == Verdict::ended) return;

  parts_ = parts_of(s_);
  if (parts_.count() == 1) {
    Verdict verdict;
    do verdict = step(whole, true);
    while (verdict == Verdict::go_on);
    if (verdict == Verdict::slow) slow_.push_back(0);
    return;
  }
  progress_.path(std::to_string(parts_.count()) + " parts: nncg");
  std::vector<Part> all;
  all.reserve(parts_.count());
  for (std::size_t k = 0; k < parts_.count(); ++k)
    all.emplace_back(parts_[k], tolerance, worth_(static_cast<Index>(parts_[k].size())));
  sweep_.restart(whole.contacts);
  std::vector<std::size_t> active(parts_.count());
  std::iota(active.begin(), active.end(), std::size_t{0});
  for (int round = kFirstRound; !active.empty(); round *= 2) {
    std::size_t left = 0;
    for (const std::size_t k : active) {
      Verdict verdict = Verdict::go_on;
      for (int i = 0; i < round && verdict == Verdict::go_on; ++i) verdict = step(all[k], false);
      if (verdict == Verdict::ended) return;
      if (verdict == Verdict::slow) slow_.push_back(k);
      if (verdict == Verdict::go_on) active[left++] = k;
    }
    active.resize(left);
  }
  std::sort(slow_.begin(), slow_.end());
  if (visits_ > 0) progress_.count(Work::sweep);
  progress_.next(sweep_.lambda());
}

}  // namespace perpend
