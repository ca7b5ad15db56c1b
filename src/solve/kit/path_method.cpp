// See path_method.hpp.
#include "solve/kit/path_method.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <limits>

#include "perpend/base.hpp"
#include "solve/kit/path_search.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// e where a basis is singular: first, smallest and largest; times kProximalMore until it is not.
constexpr double kProximal = 1e-6, kProximalLeast = 1e-9, kProximalMost = 1e-1;
constexpr double kProximalMore = 100;
// Of the crash: e as a part of the residual, and its range.
constexpr double kCrashProximal = 1e-3, kCrashLeast = 1e-8, kCrashMost = 1e-3;
constexpr double kCrashShortest = 1e-2;
constexpr double kDescent = 1e-4;   // part of the promised descent that counts as one
constexpr std::size_t kMemory = 4;  // residuals that a new one is compared with
constexpr int kWatch = 4;           // steps taken unseen
constexpr double kReach = 10, kReachShrinks = 0.9;  // longest of them, in first steps
constexpr int kPatience = 6;                        // major steps that do not halve the residual
constexpr int kRestarts = 8;                        // from a basis that ended a ray
constexpr long kSameFacet = 10;  // steps without length, per row, that count as cycling

class Path {
 public:
  Path(PathSearch& search, const PathAnswer& answer, Progress& progress)
      : search_(&search),
        answer_(answer),
        progress_(&progress),
        longest_(static_cast<long>(progress.number("pivots"))),
        proximal_(progress.number("proximal")) {}

  void run(const VectorXd& from) {
    const std::string_view start = progress_->choice("start");
    const bool warm = !progress_->start().isZero(0);
    if (start == "crash" || start == "path" || (start == "auto" && warm)) {
      VectorXd z = search_->project(search_->scaled(from));
      if (start != "path" && crash(static_cast<int>(progress_->number("crash")), z)) return;
      // A bad start may lead a long way round: it gets less than a cold one would need.
      budget_ = start == "auto" ? pivots_ + 50 + search_->size() / 4 : kNoBudget;
      if (descend(search_->point_of(z))) return;
      if (start == "path") {
        give_up();
        return;
      }
      progress_->restarted();
    }
    budget_ = kNoBudget;
    proximal_ = progress_->number("proximal");
    NormalPoint x = search_->cold();
    if (from_ray(x)) return;
    if (end_ != End::solved && x.x.size() && descend(x)) return;
    give_up();
  }

 private:
  enum class End { solved, ray, singular, cycling, cut, stopped };
  static constexpr long kNoBudget = std::numeric_limits<long>::max();

  double merit(const NormalPoint& p) const { return search_->residual(p.x).norm(); }

  bool offer(const NormalPoint& p) {
    return progress_->next(answer_(search_->unscaled(search_->project(p.x))));
  }

  // The answer's path: stages in their order, the same one in a row counted.
  void stage(const std::string& name) {
    if (!stages_.empty() && stages_.back().first == name)
      ++stages_.back().second;
    else
      stages_.push_back({name, 1});
    std::string text;
    for (const auto& [what, times] : stages_) {
      if (!text.empty()) text += " > ";
      text += what;
      if (times > 1) text += " x" + std::to_string(times);
    }
    progress_->path(text);
  }

  // Pivots until the path of `search_` ends.
  End follow() {
    const long cycling = 1000 + kSameFacet * search_->size();
    for (long pivots = 0;; ++pivots) {
      if (pivots >= longest_ || pivots_ >= budget_) return End::cut;
      const PathSearch::Move move = search_->step();
      progress_->count(Work::factorization, search_->take_factorizations());
      if (move == PathSearch::Move::ray) return End::ray;
      if (move == PathSearch::Move::singular) return End::singular;
      ++pivots_;
      progress_->count(Work::pivot);
      if (move == PathSearch::Move::solved) return End::solved;
      const VectorXd z = search_->unscaled(search_->project(search_->point().x));
      if (!progress_->next(answer_(z), search_->violation())) return End::stopped;
      if (search_->degenerate() > cycling) return End::cycling;
    }
  }

  template <class Start>
  bool start(Start with) {
    double proximal = proximal_;
    while (!with(proximal)) {
      proximal = proximal == 0 ? kProximal : kProximalMore * proximal;
      if (!(proximal <= kProximalMost)) return false;
    }
    proximal_ = proximal;
    progress_->count(Work::factorization, search_->take_factorizations());
    return true;
  }

  // Projected Newton: the step of the cell that z and w suggest, cut to the bounds and shortened
  // until |z - pi(z - w)| falls. True when that decided the problem.
  bool crash(int steps, VectorXd& z) {
    if (steps == 0) return false;
    stage("crash");
    VectorXd current = z;
    if (z.isZero(0)) {  // free variables have no bound to guess: they start where they would be
      const NormalPoint cold = search_->cold();
      if (search_->start_at(cold, 0)) current = search_->project(search_->newton());
    }
    double now = search_->natural(current), best = search_->natural(z);
    std::deque<double> last{now};
    for (int k = 0; k < steps; ++k) {
      double proximal = std::clamp(kCrashProximal * now, kCrashLeast, kCrashMost);
      const NormalPoint point = search_->predicted(current);
      while (!search_->start_at(point, proximal)) {
        proximal *= kProximalMore;
        if (!(proximal <= kProximalMost)) return false;
      }
      progress_->count(Work::factorization, search_->take_factorizations());
      const VectorXd target = search_->newton();
      const double reference = *std::max_element(last.begin(), last.end());
      VectorXd next;
      double then = kInfinity;
      for (double step = 1; step >= kCrashShortest; step /= 2) {
        next = search_->project(current + step * (target - current));
        then = search_->natural(next);
        if (then < (1 - kDescent * step) * reference) break;
      }
      if (!(then < reference)) return false;
      current = next;
      now = then;
      last.push_back(now);
      if (last.size() > kMemory) last.pop_front();
      if (now < best) {
        best = now;
        z = current;
      }
      if (!progress_->next(answer_(search_->unscaled(current)), now)) return true;
    }
    return false;
  }

  // From the ray into the basis of x; then, to remove rounding and the proximal term, from the ray
  // into the basis where that ended. True when the problem was decided; else x is the best point.
  bool from_ray(NormalPoint& x) {
    double best = kInfinity;
    int idle = 0;
    for (int k = 0; k < kRestarts && idle < 2; ++k) {
      if (!start([&](double e) { return search_->start_ray(x, e); })) {
        end_ = End::singular;
        return false;
      }
      stage(std::string(proximal_ > 0 ? "proximal " : "") +
            (k == 0 ? "ray" : "ray into its basis"));
      const VectorXd before = search_->project(x.x);
      end_ = follow();
      if (end_ == End::stopped) return true;
      x = end_ == End::solved ? search_->point() : search_->furthest().point;
      if (!x.x.size()) return false;
      if (!offer(x)) return true;
      if (end_ == End::ray && excluded(search_->direction())) return true;
      if (end_ != End::solved) return false;
      const double now = merit(x);
      idle = now < 0.5 * best ? 0 : idle + 1;
      if (idle > 0 && excluded(search_->project(x.x) - before)) return true;
      best = std::min(best, now);
    }
    return false;
  }

  // Major steps from x. True when they decided the problem.
  bool descend(NormalPoint x) {
    struct Checkpoint {
      NormalPoint point;
      std::vector<PathSearch::Mark> marks;  // of the path that starts there
    } check;
    double now = merit(x), best = now, reach = kInfinity;
    std::deque<double> accepted{now};
    int unseen = 0, idle = 0;
    while (idle < kPatience) {
      if (!start([&](double e) { return search_->start_at(x, e); })) {
        end_ = End::singular;
        return false;
      }
      stage(proximal_ > 0 ? "proximal path" : "path");
      const VectorXd before = search_->project(x.x);
      end_ = follow();
      if (end_ == End::stopped) return true;
      PathSearch::Mark last = search_->furthest();
      if (end_ == End::solved) last = {1, search_->point()};
      if (unseen == 0) {
        check = {x, search_->marks()};
        if (last.t > 0 && last.t < 1) check.marks.push_back(last);
      }
      if (end_ == End::ray && excluded(search_->direction())) return true;
      if (!last.point.x.size() || !(last.t > 0)) return false;
      if (!offer(last.point)) return true;

      const double then = merit(last.point), length = (last.point.x - x.x).norm();
      const double reference = *std::max_element(accepted.begin(), accepted.end());
      if (reach == kInfinity) reach = kReach * length;
      if (then <= (1 - kDescent * last.t) * reference) {
        x = std::move(last.point);
        now = then;
        unseen = 0;
      } else if (last.t == 1 && unseen < kWatch && length <= reach) {
        x = std::move(last.point);
        reach *= kReachShrinks;
        ++unseen;
        continue;
      } else {
        const PathSearch::Mark* back = nullptr;
        for (const PathSearch::Mark& mark : check.marks)
          if (merit(mark.point) <= (1 - kDescent * mark.t) * reference &&
              (!back || mark.t > back->t))
            back = &mark;
        progress_->restarted();
        if (!back) {
          if (excluded(search_->project(last.point.x) - before)) return true;
          return false;
        }
        stage("watchdog back to t = " + short_number(back->t));
        x = back->point;
        now = merit(x);
        unseen = 0;
      }
      accepted.push_back(now);
      if (accepted.size() > kMemory) accepted.pop_front();
      idle = now < 0.5 * best ? 0 : idle + 1;
      best = std::min(best, now);
      if (proximal_ > 0) proximal_ = std::min(proximal_, std::max(kProximalLeast, now));
    }
    return false;
  }

  // Whether this direction shows that nothing solves the problem.
  bool excluded(const VectorXd& direction) {
    const double least = std::max(search_->excludes(direction), search_->excludes(-direction));
    if (!(least > progress_->tolerance())) return false;
    progress_->finish(Status::infeasible, "no z within its bounds brings w closer than " +
                                              short_number(least) +
                                              " m/s to the signs it must have");
    return true;
  }

  void give_up() {
    const auto finish = [&](Status status, const char* why) {
      progress_->finish(status, std::string(why) + " after " + std::to_string(pivots_) + " pivots");
    };
    if (end_ == End::ray) return finish(Status::failed, "secondary ray");
    if (end_ == End::singular) return finish(Status::failed, "singular basis");
    if (end_ == End::cycling) return finish(Status::stalled, "cycling");
    if (end_ == End::cut) return finish(Status::stalled, "the path was longer than the limit");
    finish(Status::stalled,
           "the path was followed to its end, but rounding keeps the error above the tolerance");
  }

  PathSearch* search_;
  const PathAnswer& answer_;
  Progress* progress_;
  std::vector<std::pair<std::string, int>> stages_;
  long pivots_ = 0, longest_, budget_ = kNoBudget;
  double proximal_;
  End end_ = End::solved;
};

}  // namespace

void follow_path(const LinearProblem& problem, const VectorXd& start, const PathAnswer& answer,
                 Progress& progress) {
  if (progress.too_large(PathSearch::bytes(problem))) return;
  PathSearch search(problem);
  Path(search, answer, progress).run(start);
}

void follow_path(const LinearProblem& problem, Progress& progress) {
  follow_path(
      problem, progress.start(), [](const VectorXd& z) { return z; }, progress);
}

std::vector<OptionInfo> path_options() {
  return {
      {"start",
       "where the first path begins: on Lemke's ray, after projected Newton steps (crash), or at "
       "the start as given (path); auto: crash for a warm start, ray for a cold one",
       "auto",
       {"auto", "ray", "crash", "path"}},
      {"crash", "projected Newton steps before the first path", "10", {}, 0, 1000},
      {"pivots", "most pivots of one path; then its farthest point is used", "1e6", {}, 1, 1e9},
      {"proximal",
       "proximal term of the first path; 0: only if a basis is singular",
       "0",
       {},
       0,
       1},
  };
}

}  // namespace perpend
