#include "solve/kit/admm.hpp"

#include <algorithm>
#include <cmath>

#include "solve/kit/anderson.hpp"
#include "solve/kit/scaled_cone.hpp"

namespace perpend {
namespace {

constexpr double kLowest = 1e-9, kHighest = 1e6;  // rho
constexpr double kUnbalanced = 2, kMostAtOnce = 10;
constexpr long kFirstWait = 20;

}  // namespace

bool Admm::run(const System& system, const VectorXd& start, const AdmmOptions& how,
               Progress& progress, Pace* pace) {
  const ScaledCone cone(system);
  matrix_.prepare(system);
  const double alpha = how.relaxation;
  const VectorXd inverse_mass = cone.d().cwiseAbs2().cwiseInverse();
  const VectorXd b = system.b.cwiseProduct(cone.d());
  const double b_size = b.norm();
  rho_ = how.penalty;
  best_ = start;
  best_residual_ = std::numeric_limits<double>::infinity();
  Anderson anderson(b.size(), how.memory);

  VectorXd z = cone.scaled(start), y, s, q, x, f, impulses;
  cone.project(z);
  y = -cone.velocity(z);
  cone.sliding(y, s);
  cone.lift(-s, y);
  VectorXd v = z + y / rho_;
  bool factorized = false;
  for (long k = 1, since = 0, wait = kFirstWait;; ++k) {
    if (!factorized) {
      progress.count(Work::factorization);
      if (!matrix_.factorize(rho_ * inverse_mass)) return false;
      factorized = true;
      anderson.clear();
    }
    z = v;
    cone.project(z);
    y = rho_ * (v - z);
    if (k % how.period == 0) {
      cone.sliding(y, s);
      anderson.skip();
    }
    // (D A D + rho) x = q is (A + rho D^-2) D x = D^-1 q.
    q = rho_ * z - y - b;
    cone.lift(-s, q);
    matrix_.solve(q.cwiseQuotient(cone.d()), x);
    x = x.cwiseQuotient(cone.d());
    f = alpha * (x - z);
    impulses = cone.impulses(z);
    const double residual = cone.speed(f);
    if (residual < best_residual_) {
      best_residual_ = residual;
      best_ = impulses;
    }
    if (!progress.next(impulses, residual)) return true;
    if (pace && pace->lost(residual)) return true;

    if (++since >= wait) {
      since = 0;
      wait += wait / 2;
      const VectorXd plain = v + f;
      VectorXd z_next = plain;
      cone.project(z_next);
      const double primal = (z + f - z_next).norm() / std::max(x.norm(), z.norm());
      const double dual = rho_ * (z_next - z).norm() / std::max(y.norm(), b_size);
      const double ratio = std::clamp(std::sqrt(primal / dual), 1 / kMostAtOnce, kMostAtOnce);
      if (ratio > kUnbalanced || ratio < 1 / kUnbalanced) {
        const VectorXd y_next = rho_ * (plain - z_next);
        rho_ = std::clamp(rho_ * ratio, kLowest, kHighest);
        v = z_next + y_next / rho_;
        factorized = false;
        continue;
      }
    }
    if (anderson.advance(v, f)) progress.restarted();
  }
}

}  // namespace perpend
