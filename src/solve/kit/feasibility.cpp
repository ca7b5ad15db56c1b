#include "solve/kit/feasibility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/kit/line_search.hpp"
#include "solve/kit/prox_cone.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFirstPenalty = 10, kLastPenalty = 1e10, kGrowth = 100;
constexpr int kSteps = 30;          // of Newton, for one penalty
constexpr double kAccuracy = 1e-6;  // of a motion, part of its largest speed
constexpr double kReach = 100;      // impulses for which the proof holds, times the usual ones
constexpr double kRounding = 1e-9;  // part of the terms of b.d that it must exceed
constexpr double kStays = 0.5;      // part of a bound that a hundred times the penalty must leave

// Without friction, and every bound that is not infinite at zero: what the signs of d allow.
System signs_of(const System& s) {
  System out = s;
  out.mu.setZero();
  for (Index j = 0; j < s.joint_rows(); ++j) {
    if (std::isfinite(s.lower[j])) out.lower[j] = 0;
    if (std::isfinite(s.upper[j])) out.upper[j] = 0;
  }
  return out;
}

// What would stop all bodies at the largest speed there is, infinite where masses are not known.
// Not the impulses that a solver has met: where there is no solution they grow for ever.
double usual_impulse(const System& s) {
  if (!s.dynamics) return kInfinity;
  return s.dynamics->mass.diagonal().sum() * s.b.lpNorm<Eigen::Infinity>();
}

double proved(const System& s, const VectorXd& d) {
  const Index m = s.contacts();
  double size = 0;
  for (Index i = 0; i < m; ++i) size += d[3 * i] * std::sqrt(1 + s.mu[i] * s.mu[i]);
  size += d.tail(s.joint_rows()).lpNorm<1>();
  if (!(size > 0)) return 0;
  const double rest = apply(s, d).lpNorm<1>() * kReach * usual_impulse(s) +
                      kRounding * s.b.cwiseAbs().dot(d.cwiseAbs());
  return std::max(0.0, (-s.b.dot(d) - rest) / size);
}

}  // namespace

template <class Space>
double least_error(const System& system, Space& space, const Impulses& best, Progress& progress) {
  const System signs = signs_of(system);
  ProxCone cone;
  cone.prepare(signs);
  cone.set_law(ProxCone::Law::associated);
  cone.centre(VectorXd::Zero(system.rows()), VectorXd::Zero(system.contacts()));
  VectorXd w, u, w_p, u_p, d, du, weight;
  space.respond(cone.centre(), w);
  space.velocity(w, u);
  double before = 0, least = 0;
  for (double rho = kFirstPenalty; rho <= kLastPenalty; rho *= kGrowth) {
    cone.penalize(rho);
    for (int k = 0;; ++k) {
      cone.project(u);
      space.respond(cone.p(), w_p);
      space.velocity(w_p, u_p);
      if ((u - u_p).template lpNorm<Eigen::Infinity>() <=
          kAccuracy * u.template lpNorm<Eigen::Infinity>())
        break;
      if (k == kSteps) return 0;
      cone.linearize();
      progress.count(Work::factorization);
      if (!space.factorize(cone.slopes())) return 0;
      space.step(w - w_p, d);
      if (!d.allFinite()) return 0;
      space.differential(d, du);
      space.weigh(d, du, weight);
      const double at_start = weight.dot(w), growth = weight.dot(d);
      const double a = convex_line_search(
          [&](double t) { return at_start + t * growth - cone.along(u, du, t); });
      w += a * d;
      u += a * du;
      if (!progress.next(best, kInfinity)) return 0;
    }
    cone.project(u);
    before = least;
    least = proved(system, cone.p() / rho);
  }
  // Where there is a solution violations fall with rho, however heavy the bodies are.
  return least > kStays * before ? least : 0;
}

template double least_error(const System&, BodyNewtonSpace&, const Impulses&, Progress&);
template double least_error(const System&, ImpulseNewtonSpace&, const Impulses&, Progress&);

}  // namespace perpend
