// lcp/dantzig: the principal pivoting method of Dantzig and Cottle for 0 <= x perp w = A x + q >= 0
// (Cottle, Dantzig 1968; Cottle, Pang, Stone, section 4.2; Keller 1973 for pivots of order two).
//
// A complementary basis is kept: x_C is basic and w_C = 0, elsewhere w is basic and x = 0. Of the
// rows with w_i < 0 the worst is driven: x_i grows, the others follow, until w_i = 0 (i joins C) or
// another variable becomes zero and blocks. The blocking pair j is exchanged, and the drive goes
// on. What has become nonnegative stays so: each drive that ends leaves fewer violated rows.
//
// Where the pivot of j is zero, a principal exchange is impossible: j and i are exchanged together,
// a pivot of order two. From then on i is in C with w_i < 0 and it is w_i that grows, until 0 or
// until another such exchange. The rows of the sliding speeds have no diagonal and hyperstatic
// contacts make A_CC singular, so on contact problems this is common.
//
// For sufficient matrices (P, positive semidefinite ones) a drive cannot fail but by a ray, which
// shows that there is no solution. The LCP of Lu et al. 2013, eq. 19, is copositive only. There a
// drive may end in a ray, in a singular pivot of order two, or turn back to where it began, and
// none of these proves anything: the status is `failed` and tells which. There is no fallback.
//
// Ties would let it cycle: q is raised by 1e-7 of its size times numbers between 1 and 2 that are
// all different, and taken back at the end; where the last basis is then not feasible, pivots go on
// with a perturbation a thousand times smaller, twice at most.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/kit/principal_pivots.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kPerturbation = 1e-7, kLessPerturbation = 1e-3;
constexpr int kRounds = 3;
// Entries of a direction below this part of its largest are rounding and block nothing.
constexpr double kNoChange = 1e-11;
// Rows violated by less than this part of the largest |q| count as satisfied.
constexpr double kSatisfied = 1e-13;

class Dantzig {
 public:
  Dantzig(const ScaledLcp& lcp, Progress& progress)
      : lcp_(lcp), progress_(progress), n_(lcp.size()), pivots_(lcp) {}

  void run() {
    double perturbation = kPerturbation * lcp_.q.lpNorm<Eigen::Infinity>();
    for (int round = 0; round < kRounds; ++round, perturbation *= kLessPerturbation) {
      q_ = lcp_.q;
      // Multiples of the golden ratio modulo one: far apart from each other, the same every time.
      for (Index i = 0; i < n_; ++i) {
        const double golden = static_cast<double>(i + 1) * 0.6180339887498949;
        q_[i] += perturbation * (1 + golden - std::floor(golden));
      }
      if (round > 0) progress_.restarted();
      if (!solve_perturbed(perturbation)) return;
      const VectorXd x = pivots_.solve(lcp_.q, -1, 0);
      if (!progress_.next(lcp_.unscaled(x), ScaledLcp::residual(x, lcp_.w(x)))) return;
    }
    progress_.finish(Status::stalled,
                     "the basis of the perturbed problem does not solve the problem itself");
  }

 private:
  // False when progress is finished.
  bool solve_perturbed(double perturbation) {
    const double satisfied = kSatisfied * lcp_.q.lpNorm<Eigen::Infinity>();
    x_ = pivots_.solve(q_, -1, 0);
    // After a round some x_C may be negative by what the perturbation was: those leave C, and their
    // rows are driven again.
    for (Index i = 0; i < n_; ++i)
      if (pivots_.inside(i) && x_[i] < -perturbation && pivots_.exchange(i))
        x_ = pivots_.solve(q_, -1, 0);
    for (;;) {
      w_ = pivots_.product(x_) + q_;
      Index worst = -1;
      for (Index i = 0; i < n_; ++i)
        if (!pivots_.inside(i) && w_[i] < -satisfied && (worst < 0 || w_[i] < w_[worst])) worst = i;
      if (worst < 0) return true;
      if (!drive(worst)) return false;
    }
  }

  // Until w_i = 0. False when progress is finished.
  bool drive(Index i) {
    for (;;) {
      const VectorXd dx = pivots_.direction(i);
      const VectorXd dw = pivots_.product(dx);
      const bool inside = pivots_.inside(i);
      const double rate = inside ? 1 : dw[i];
      const double flat = kNoChange * std::max(dx.lpNorm<Eigen::Infinity>(), 1.0);
      double length = std::numeric_limits<double>::infinity();
      if (rate > flat) length = std::max(0.0, -w_[i]) / rate;
      Index blocking = -1;
      double best_entry = 0;
      for (Index j = 0; j < n_; ++j) {
        const bool in = pivots_.inside(j);
        if (j == i && !inside) continue;
        const double change = in ? dx[j] : dw[j], value = in ? x_[j] : w_[j];
        if (change >= -flat || (!in && value < 0)) continue;
        const double t = std::max(0.0, value) / -change;
        if (t < length || (t == length && blocking >= 0 && -change > best_entry)) {
          length = t;
          blocking = j;
          best_entry = -change;
        }
      }
      if (!std::isfinite(length)) return fail("a ray: nothing stops the variable that grows");

      const double held = inside ? w_[i] + length : x_[i] + length;
      progress_.count(Work::pivot);
      if (blocking < 0) {
        if (!inside && !pivots_.exchange(i)) return fail("a zero pivot at the end of a drive");
        x_ = pivots_.solve(q_, -1, 0);
      } else if (blocking == i) {
        return fail("a drive turned back to where it began: A is not sufficient");
      } else {
        double kept = held;  // of x_i outside, of w_i inside
        if (!pivots_.exchange(blocking)) {
          // The other variable of i is held from now on, at the value it has reached.
          kept = inside ? x_[i] + length * dx[i] : w_[i] + length * dw[i];
          if (!pivots_.exchange(i, blocking)) return fail("a singular pivot of order two");
        }
        x_ = pivots_.solve(q_, i, kept);
      }
      progress_.count(Work::factorization, pivots_.take_factorizations());
      if (!x_.allFinite()) return fail("the basis is singular");
      w_ = pivots_.product(x_) + q_;
      if (!progress_.next(lcp_.unscaled(x_), ScaledLcp::residual(x_, w_))) return false;
      if (blocking < 0) return true;
      clean(i);
    }
  }

  // Exact zeros where the basis has them.
  void clean(Index i) {
    for (Index j = 0; j < n_; ++j)
      if (pivots_.inside(j) && j != i) w_[j] = 0;
  }

  bool fail(const char* why) {
    progress_.finish(Status::failed, why);
    return false;
  }

  const ScaledLcp& lcp_;
  Progress& progress_;
  Index n_;
  PrincipalPivots pivots_;
  VectorXd q_, x_, w_;
};

void run(const LinearProblem& p, Progress& progress) {
  if (const auto lcp = scaled_lcp(p, PrincipalPivots::bytes(p), progress))
    Dantzig(*lcp, progress).run();
}

}  // namespace

SolverInfo lcp_dantzig() {
  return solver("lcp/dantzig", "principal pivoting of Dantzig and Cottle",
                "Cottle, Dantzig 1968; Keller 1973; Lu et al. 2013, Table 2", run);
}

}  // namespace perpend
