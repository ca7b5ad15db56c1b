// ncp/staggered: two convex quadratic programs in turns (Nguyen and Trinkle 2010, section 5, after
// Milenkovic and Schmidl 2001; Kaufman, Sueda, James, Pai 2008).
//
//   lambda_T = 0
//   repeat  lambda_n <- minimize 1/2 x' A x + b' x over lambda_n >= 0,  lambda_T held
//           lambda_T <- the same over |lambda_T| <= mu lambda_n,        lambda_n held
// Each program is the law of its rows with the other impulses given: contacts do not penetrate, and
// friction dissipates most within its bounds. A fixed point of the two is Coulomb's law. Joint
// impulses are unknowns of both programs, within their own bounds.
//
// Where we deviate from the paper: the programs are stated in velocities there and in impulses
// here, which is the dual of the same; the friction bound is the disk, not a polygon of facets,
// because `ncp` is the exact cone (the second program is then a quadratically constrained one);
// they stop when the velocities of the two programs agree, we when Coulomb's law is met. The
// programs are solved by the sparse solver of qp.hpp, each from its last solution and to a
// hundredth of the present error.
//
// The turns are a fixed-point iteration for lambda_T without a promise to converge: where normal
// and friction impulses hold each other (wedges, joints), they chase each other. Anderson
// acceleration (anderson.hpp) of lambda_T, in units of the square root of an energy, shortens the
// chase; when a number of turns does not halve the error, the status is `stalled`.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/kit/anderson.hpp"
#include "solve/kit/projections.hpp"
#include "solve/kit/qp.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kAccuracy = 0.01;  // of a program, part of the error of the turn before
constexpr long kPatience = 300;     // turns that may pass without halving the smallest error

template <class Space>
class Staggered {
 public:
  bool prepare(const System& s) { return normal_.prepare(s) && friction_.prepare(s); }

  void run(const ConeProblem& problem, Progress& progress) {
    const System& s = problem.system();
    begin(s, progress.start());
    Anderson anderson(t_.size(), static_cast<Index>(progress.number("memory")));
    const auto next = [&](const VectorXd& x, double residual) {
      admissible(s, x);
      return progress.next(judged_, residual);
    };
    double mark = std::numeric_limits<double>::infinity();
    long turns = 0;
    for (long since_mark = 0;; ++turns) {
      const double tolerance = std::max(kAccuracy * error_, 0.1 * progress.tolerance());
      hold_friction(s);
      if (!go_on(normal_.solve(normal_sets_, tolerance, x_, next), progress)) break;
      hold_normals(s);
      if (!go_on(friction_.solve(friction_sets_, tolerance, x_, next), progress)) break;
      admissible(s, x_);
      error_ = measure(s, judged_, Measure::velocity_error);
      if (!progress.next(judged_, error_)) break;
      if (error_ < 0.5 * mark) {
        mark = error_;
        since_mark = 0;
      } else if (++since_mark >= kPatience) {
        progress.finish(Status::stalled,
                        std::to_string(kPatience) + " turns have not halved the error");
        break;
      }
      for (Index i = 0; i < d_.size(); ++i)
        f_.segment<2>(2 * i) = x_.segment<2>(3 * i + 1) / d_[i] - t_.segment<2>(2 * i);
      if (anderson.advance(t_, f_)) progress.restarted();
    }
    progress.count(Work::factorization, normal_.factorizations() + friction_.factorizations());
    progress.path("staggered, " + std::to_string(turns + 1) + (turns > 0 ? " turns" : " turn"));
  }

 private:
  void begin(const System& s, const VectorXd& start) {
    const Index m = s.contacts();
    x_ = start;
    error_ = measure(s, x_, Measure::velocity_error);
    d_.resize(m);
    t_.resize(2 * m);
    f_.resize(2 * m);
    for (Index i = 0; i < m; ++i) {
      d_[i] = std::sqrt(effective_mass(s, i));
      t_.segment<2>(2 * i) = x_.segment<2>(3 * i + 1) / d_[i];
    }
    normal_sets_.normal_lower.setZero(m);
    normal_sets_.normal_upper.setConstant(m, std::numeric_limits<double>::infinity());
    normal_sets_.centre.setZero(m, 2);
    normal_sets_.radius.setZero(m);
    normal_sets_.joint_lower = s.lower;
    normal_sets_.joint_upper = s.upper;
    friction_sets_ = normal_sets_;
  }

  void hold_friction(const System& s) {
    for (Index i = 0; i < s.contacts(); ++i) {
      x_.segment<2>(3 * i + 1) = d_[i] * t_.segment<2>(2 * i);
      normal_sets_.centre.row(i) = x_.segment<2>(3 * i + 1);
    }
  }

  void hold_normals(const System& s) {
    for (Index i = 0; i < s.contacts(); ++i) {
      friction_sets_.normal_lower[i] = friction_sets_.normal_upper[i] = x_[3 * i];
      friction_sets_.radius[i] = s.mu[i] * x_[3 * i];
    }
  }

  // x with friction shortened to the cone: what is judged, also in the middle of a program.
  void admissible(const System& s, const VectorXd& x) {
    judged_ = x;
    for (Index i = 0; i < s.contacts(); ++i)
      judged_.segment<2>(3 * i + 1) = to_disk(x.segment<2>(3 * i + 1), s.mu[i] * x[3 * i]);
  }

  // A program that stalls has given its best; the next turn may be easier.
  static bool go_on(QpEnd end, Progress& progress) {
    if (end == QpEnd::breakdown)
      progress.finish(Status::failed, "a quadratic program cannot be factorized in this precision");
    return end != QpEnd::stopped && end != QpEnd::breakdown;
  }

  Qp<Space> normal_, friction_;
  QpSets normal_sets_, friction_sets_;
  VectorXd x_, judged_, d_, t_, f_;  // d: sqrt of the effective masses; t, f: friction, scaled
  double error_ = 0;
};

}  // namespace

SolverInfo ncp_staggered() {
  return solver<ConeProblem, EitherSpace<Staggered>>(
      "ncp/staggered", "normal and friction impulses in turns, each a convex quadratic program",
      "Nguyen, Trinkle 2010, section 5; Kaufman, Sueda, James, Pai 2008",
      {{"memory", "turns that Anderson acceleration remembers; 0: none", "5", {}, 0, 100}});
}

}  // namespace perpend
