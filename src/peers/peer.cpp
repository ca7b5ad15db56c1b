#include "peers/peer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "peers/process.hpp"
#include "peers/translate.hpp"
#include "perpend/base.hpp"

namespace perpend::peers {
namespace {

// Calls that may fail to improve the error before we call it stalled: of a peer that says it is
// done, of one whose friction bounds are still moving, and of one that was still at work.
constexpr int kIdle = 5, kIdleExact = 25, kIdleAtWork = 1000;

class Peer final : public Solver {
 public:
  Peer(const PeerInfo& info, const std::string& program) : info_(info), process_(program) {}

  void run(const Problem& problem, Progress& progress) override {
    problem_ = &problem;
    progress_ = &progress;
    calls_ = iterations_ = 0;
    progress.bill(0);  // only its calls are the peer's
    patience_ = progress.number("patience");
    if (patience_ == 0) patience_ = std::numeric_limits<double>::infinity();
    const double n = static_cast<double>(problem.size());
    if (progress.too_large(8 * info_.matrices * n * n)) return;
    t_ = translate(problem, progress.choice("scale") == "yes");
    if (late()) return;
    if (!t_.finite())
      return progress.finish(Status::failed, "the problem for " + who() + " is not finite");
    if (!process_.begin(stop_)) {
      if (progress.cancelled()) return progress.finish(Status::stopped, kStopped);
      return progress.finish(Status::crashed, who() + " cannot be started");
    }
    task_ = Task();
    task_.peer = info_.name;
    task_.A = t_.A;
    task_.mu = t_.mu;
    task_.bound_by = t_.bound_by;
    task_.memory = progress.memory_limit();
    call_ = Call();
    call_.b = t_.b;
    call_.lower = t_.lower;
    call_.upper = t_.upper;
    call_.start = t_.to_peer(progress.start());
    call_.iterations = static_cast<long>(progress.number("iterations"));
    best_ = mark_ = problem.own_error(progress.start());
    idle_ = 0;
    same_ = false;
    shift_ = last_ = best_x_ = VectorXd();
    switch (info_.manner) {
      case Manner::sweeps:
        return sweep();
      case Manner::tolerance:
        return tighten();
      case Manner::exact:
        return repeat();
    }
  }

 private:
  void sweep() {
    process_.give(task_, waiting());
    call_.coupled = true;
    while (asked() && !stuck()) call_.start = answer_.x;
  }

  void tighten() {
    process_.give(task_, waiting());
    // The peer's error is a norm over all rows, relative to that of b: where the rows' residuals
    // are alike, this is the tolerance that gives ours.
    const double mean = std::exp(t_.velocity.array().log().mean());
    call_.tolerance =
        std::clamp(progress_->tolerance() / mean / std::max(1.0, t_.b.norm()), kFinest, kCoarsest);
    while (asked()) {
      const bool at_rest = call_.tolerance <= kFinest || !answer_.solved;
      if (at_rest && stuck()) return;
      if (answer_.solved) {
        const double ratio = 0.3 * progress_->tolerance() / error_;
        call_.tolerance = std::max(call_.tolerance * std::clamp(ratio, 1e-3, 0.5), kFinest);
      }
      // What is at work may go up before it goes down; what has gone astray goes back.
      call_.start = at_work() && error_ < 10 * best_ ? answer_.x : best_x_;
    }
  }

  void repeat() {
    const double cfm = progress_->number("cfm");
    SparseMatrix identity(t_.A.rows(), t_.A.cols());
    identity.setIdentity();
    const SparseMatrix transposed = t_.A.transpose();
    task_.A = 0.5 * (t_.A + transposed) + cfm * identity;
    const SparseMatrix defect = t_.A - task_.A;
    if (late()) return;
    process_.give(task_, waiting());
    call_.coupled = info_.couples && call_.start.isZero(0) && holds_zero();
    VectorXd x = call_.start;
    while (true) {
      call_.b = t_.b + defect * x;
      if (!call_.coupled) t_.bounds_at(x, call_.lower, call_.upper);
      shift_into_bounds();
      if (!asked() || stuck()) return;
      call_.coupled = false;
      // Bounds that chase each other meet half way.
      x = idle_ > 0 ? VectorXd(0.5 * (x + answer_.x)) : answer_.x;
    }
  }

  // Whether lower <= 0 <= upper in every row whose bounds are numbers.
  bool holds_zero() const {
    for (Index i = 0; i < t_.lower.size(); ++i)
      if (t_.bound_by[static_cast<std::size_t>(i)] < 0 && (t_.lower[i] > 0 || t_.upper[i] < 0))
        return false;
    return true;
  }

  // ODE's methods want lower <= 0 <= upper: where that is not so, x is counted from its bound.
  void shift_into_bounds() {
    shift_ = VectorXd::Zero(t_.b.size());
    if (call_.coupled) return;
    for (Index i = 0; i < shift_.size(); ++i)
      shift_[i] = std::clamp(0.0, call_.lower[i], call_.upper[i]);
    if (shift_.isZero(0)) return;
    call_.b += task_.A * shift_;
    call_.lower -= shift_;
    call_.upper -= shift_;
  }

  // One call and its `next`; false: this solve is over.
  bool asked() {
    std::string why;
    const bool limited = progress_->time_left() < patience_;
    const auto asked_at = std::chrono::steady_clock::now();
    const Process::End end = process_.ask(call_, waiting(), answer_, why);
    bill(end, std::chrono::duration<double>(std::chrono::steady_clock::now() - asked_at).count());
    ++calls_;
    if (end == Process::End::hung) {
      progress_->finish(
          Status::time_limit,
          who() + (limited ? " was killed at the time limit, in call " + std::to_string(calls_)
                           : " did not answer within " + short_number(patience_) +
                                 " s and was killed"));
      return false;
    }
    if (end == Process::End::stopped) {
      progress_->finish(Status::stopped, kStopped);
      return false;
    }
    if (end == Process::End::died) {
      progress_->finish(Status::crashed, who() + " ended its process: " + why);
      return false;
    }
    if (answer_.x.size() != t_.b.size() || !answer_.x.allFinite()) {
      progress_->finish(Status::failed, who() + " returned numbers that are not finite");
      return false;
    }
    if (shift_.size() == answer_.x.size()) answer_.x += shift_;
    iterations_ += std::max(0L, answer_.iterations);
    progress_->count(info_.work, std::max(0L, answer_.iterations));
    progress_->path(told());
    const VectorXd z = t_.from_peer(answer_.x);
    if (!progress_->next(z)) return false;
    error_ = problem_->own_error(z);
    same_ = last_.size() == answer_.x.size() && last_ == answer_.x;
    last_ = answer_.x;
    ++idle_;
    if (error_ < 0.9 * mark_) {
      mark_ = error_;
      idle_ = 0;
    }
    if (error_ < best_ || best_x_.size() != last_.size()) best_x_ = last_;
    best_ = std::min(best_, error_);
    return true;
  }

  // What the peer's own process measured. A call without an answer is billed as long as we waited;
  // so is one whose answer claims more.
  void bill(Process::End end, double waited) {
    const double own = answer_.seconds;
    progress_->bill(end == Process::End::answered && own >= 0 && own <= waited ? own : waited);
  }

  // Of a call.
  Waiting waiting() const { return Waiting(std::min(patience_, progress_->time_left()), stop_); }
  // Whether the problem took all the time before the peer could be asked; says so then.
  bool late() {
    if (progress_->transfer() < progress_->time_left()) return false;
    progress_->finish(Status::time_limit, who() + " was not called: converting took all the time");
    return true;
  }
  // Whether the limit of iterations ended the call.
  bool at_work() const { return answer_.iterations >= call_.iterations; }

  // Whether asking again is of no use; says so then.
  bool stuck() {
    const int most = info_.manner == Manner::exact ? kIdleExact : at_work() ? kIdleAtWork : kIdle;
    if (!same_ && idle_ < most) return false;
    if (answer_.solved)
      progress_->finish(Status::stalled, who() + " reports success; after " +
                                             std::to_string(calls_) + " calls own_error is " +
                                             short_number(best_));
    else
      progress_->finish(Status::failed, who() + " reports failure" + remark() + "; after " +
                                            std::to_string(calls_) + " calls own_error is " +
                                            short_number(best_));
    return true;
  }

  std::string who() const { return std::string(info_.origin) + ", " + info_.name; }
  std::string remark() const { return answer_.remark.empty() ? "" : " (" + answer_.remark + ")"; }
  // What it said of itself.
  std::string told() const {
    std::string text = who() + ", call " + std::to_string(calls_);
    if (iterations_ > 0) text += ", " + std::to_string(iterations_) + " iterations of its own";
    text += answer_.solved ? ": solved" : ": failed" + remark();
    if (std::isfinite(answer_.error)) text += ", its own error " + short_number(answer_.error);
    return text;
  }

  static constexpr double kFinest = 1e-16, kCoarsest = 1e-2;
  static constexpr const char* kStopped = "stopped within a call, which was not waited for";

  const PeerInfo& info_;
  Process process_;
  // Of the solve under way:
  const Problem* problem_ = nullptr;
  Progress* progress_ = nullptr;
  const Waiting::Stop stop_ = [this] { return progress_->cancelled(); };
  Translation t_;
  Task task_;
  Call call_;
  Answer answer_;
  VectorXd shift_, last_, best_x_;
  double patience_ = 0, best_ = 0, mark_ = 0, error_ = 0;
  long calls_ = 0, iterations_ = 0;
  int idle_ = 0;
  bool same_ = false;
};

}  // namespace

SolverInfo solver_info(const PeerInfo& info, const std::string& program) {
  SolverInfo s;
  s.name = info.name;
  s.title = info.title;
  s.reference = info.reference;
  s.joints = info.joints;
  s.origin = info.origin;
  s.options = {{"iterations", "iteration limit of one call", info.iterations, {}, 1, 1e8},
               {"scale",
                "give the solver a dimensionless problem, or the numbers as they are",
                info.scale ? "yes" : "no",
                {"yes", "no"}},
               {"patience", "seconds after which a call is killed; 0: no limit", "20", {}, 0, 1e6}};
  if (info.manner == Manner::exact)
    s.options.push_back({"cfm",
                         "added to the diagonal of A, which is about 1, and corrected by the next "
                         "calls",
                         "1e-6",
                         {},
                         0,
                         1});
  s.make = [&info, program] { return std::make_unique<Peer>(info, program); };
  return s;
}

}  // namespace perpend::peers
