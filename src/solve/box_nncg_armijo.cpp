// box/nncg-armijo: box/nncg with a backtracking line search (Silcowitz-Hansen et al. 2010, Fig. 3).
//
//   r(x) = PGS(x) - x,  f = |r|^2/2,  grad f = -r
//   x <- x + alpha p with the first alpha = 1, 1/2, 1/4 ... that meets
//   f(x + alpha p) <= f(x) + c_1 alpha grad f.p,  c_1 = 0.01
//   beta = |r|^2/|r_prev|^2,  p <- r + beta p
// Every trial costs a sweep and counts as an iteration. With alpha = 1 always accepted it is
// box/nncg without restarts.
//
// -r is not the derivative of f (the paper calls it an element of the generalized one), so it may
// happen that p does not lead downwards, or that no trial is accepted: then p = r is tried, and
// where that fails too the plain PGS step is taken as it is. What is judged is the swept iterate of
// a trial; the trial itself is the lambda^k of histories, one sweep later than that of box/nncg.
#include "solve/kit/box_sweeps.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kC1 = 0.01;
constexpr long kRebuilt = 50;  // steps after which M^-1 J^T lambda is computed anew

// A point or a direction, with M^-1 J^T of it where there are bodies.
struct Vector {
  VectorXd lambda;
  Rows6 body;

  Vector plus(double alpha, const Vector& other) const {
    return {lambda + alpha * other.lambda, body + alpha * other.body};
  }
};

template <class State>
class LineSearch {
 public:
  LineSearch(const System& system, State& state, Progress& progress)
      : sweeps_(system, state, progress),
        state_(state),
        progress_(progress),
        trials_(static_cast<int>(progress.number("trials"))) {}

  void run() {
    Vector x = here(), p;
    if (!evaluate(x)) return;
    Vector r = r_;
    double f = f_;
    p = r;
    for (long k = 1;; ++k) {
      bool steepest = false;
      if (!(r.lambda.dot(p.lambda) > 0)) {
        p = r;
        steepest = true;
        progress_.restarted();
      }
      while (!search(x, r, p, f)) {
        if (stopped_) return;
        if (steepest) {  // PGS itself, whatever it does to f
          trial_ = x.plus(1, r);
          if (!evaluate(trial_)) return;
          break;
        }
        p = r;
        steepest = true;
        progress_.restarted();
      }
      x = trial_;
      const double beta = f > 0 ? f_ / f : 0;
      r = r_;
      f = f_;
      p = r.plus(beta, p);
      if (k % kRebuilt == 0) {
        state_.set(x.lambda);
        x = here();
      }
    }
  }

 private:
  Vector here() const { return {state_.lambda(), state_.velocity()}; }
  // r and f at x; false: stop.
  bool evaluate(const Vector& x) {
    const Vector now = here();
    state_.extrapolate(1, x.lambda - now.lambda, x.body - now.body);
    sweeps_.sweep();
    r_ = here().plus(-1, x);
    f_ = 0.5 * r_.lambda.squaredNorm();
    stopped_ = !sweeps_.next();
    if (!stopped_) progress_.iterate(x.lambda);
    return !stopped_;
  }
  // True: trial_, r_ and f_ are the accepted point.
  bool search(const Vector& x, const Vector& r, const Vector& p, double f) {
    const double slope = -r.lambda.dot(p.lambda);
    double alpha = 1;
    for (int k = 0; k < trials_; ++k, alpha *= 0.5) {
      trial_ = x.plus(alpha, p);
      if (!evaluate(trial_)) return false;
      if (f_ <= f + kC1 * alpha * slope) return true;
    }
    return false;
  }

  BoxSweeps<State> sweeps_;
  State& state_;
  Progress& progress_;
  int trials_;
  Vector trial_, r_;
  double f_ = 0;
  bool stopped_ = false;
};

void run(const BoxProblem& problem, Progress& progress) {
  const System& system = problem.system();
  with_state(system, [&](auto& state) { LineSearch(system, state, progress).run(); });
}

}  // namespace

SolverInfo box_nncg_armijo() {
  return solver(
      "box/nncg-armijo", "nonsmooth nonlinear conjugate gradients over PGS, Armijo line search",
      "Silcowitz-Hansen, Niebe, Erleben 2010, Fig. 3", run,
      {option_bounds(), {"trials", "step lengths tried: 1, 1/2, 1/4 ...", "5", {}, 1, 60}});
}

}  // namespace perpend
