// ncp/apgd: accelerated projected gradient descent (Mazhar, Heyn, Negrut, Tasora 2015).
//
// With s = mu |u_T| held, Coulomb's law is the optimality of a convex problem over cones and bounds
// (scaled_cone.hpp has its units),
//   minimize 1/2 x' A x + x' (b + s n)
// and Nesterov's method (1983) takes projected gradient steps from an extrapolated point y:
//   g = A y + b + s n,  x+ = P_K(y - g/L),  L doubled until d' A d <= L |d|^2, d = x+ - y
//   theta+ = theta (sqrt(theta^2 + 4) - theta)/2,  beta = theta (1 - theta)/(theta^2 + theta+)
//   y = x+ + beta (x+ - x);  where g' (x+ - x) > 0 the momentum is dropped, theta = 1
//   L shrinks by a tenth after each iteration
// s is taken anew from u_T every `period` iterations (de Saxce, Feng 1998), without which the
// answer would be the associated law's, that lifts what slides.
//
// Where we deviate: the paper bounds L by values of the objective, whose difference drowns in
// rounding at half the digits; for a quadratic function d' A d is the same test and keeps all.
// A x is computed, A y is extrapolated like y: one product with A per trial. The paper returns
// its iterate of least residual: Progress keeps that.
#include <algorithm>
#include <cmath>

#include "solve/kit/scaled_cone.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kShrink = 0.9;
// Curvature is compared beyond rounding; a step this short would be no step.
constexpr double kRounding = 1e-9, kHighestL = 1e12;

void run(const ConeProblem& problem, Progress& progress) {
  const System& system = problem.system();
  const ScaledCone cone(system);
  const long period = static_cast<long>(progress.number("period"));
  VectorXd x = cone.scaled(progress.start());
  cone.project(x);
  VectorXd u = cone.velocity(x), y = x, u_y = u, next, u_next, g, s, d;
  cone.sliding(u, s);
  double L = 1, theta = 1;
  for (long k = 1;; ++k) {
    g = u_y;
    cone.lift(s, g);
    for (;;) {
      next = y - g / L;
      cone.project(next);
      u_next = cone.velocity(next);
      progress.count(Work::product);
      d = next - y;
      const double length2 = d.squaredNorm(), curvature = d.dot(u_next - u_y);
      if (!(curvature > (1 + kRounding) * L * length2) || L > kHighestL) break;
      L = std::min(2 * L, (1 + 2 * kRounding) * curvature / length2);
    }
    if (!progress.next(cone.impulses(next), cone.residual(next, u_next))) return;

    if (g.dot(next - x) > 0) {
      progress.restarted();
      theta = 1;
      y = next;
      u_y = u_next;
    } else {
      const double after = 0.5 * theta * (std::sqrt(theta * theta + 4) - theta);
      const double beta = theta * (1 - theta) / (theta * theta + after);
      theta = after;
      y = next + beta * (next - x);
      u_y = u_next + beta * (u_next - u);
    }
    if (progress.wants_iterates()) progress.iterate(cone.impulses(y));
    x.swap(next);
    u.swap(u_next);
    if (k % period == 0) cone.sliding(u, s);
    L *= kShrink;
  }
}

}  // namespace

SolverInfo ncp_apgd() {
  return solver("ncp/apgd",
                "accelerated projected gradients on the cone problem, lagged de Saxce term",
                "Mazhar, Heyn, Negrut, Tasora 2015, with the term of de Saxce, Feng 1998", run,
                {{"period", "iterations between updates of de Saxce's term", "10", {}, 1, 1000}});
}

}  // namespace perpend
