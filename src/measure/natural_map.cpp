#include "measure/natural_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/exact.hpp"
#include "measure/tangential.hpp"

namespace perpend {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// mu^2 is representable below this.
constexpr double kLargeMu = 1e100;

// mu n - |(t, o)|, given p = fl(mu n) and length = fl(|(t, o)|).
double friction_left(double mu, double n, double t, double o, double p, double length) {
  if (!(length > 0.5 * p && length < 2 * p)) return p - length;  // nothing cancels
  // By a power of two, so that no square leaves the range.
  int exponent;
  std::frexp(length, &exponent);
  const double scale = std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
  t *= scale;
  o *= scale;
  const Exact bound = two_product(mu, n * scale), square = two_product(bound.value, bound.value);
  const Exact tt = two_product(t, t), oo = two_product(o, o);
  const Exact first = two_sum(square.value, -tt.value), second = two_sum(first.value, -oo.value);
  const double numerator = second.value + (first.error + second.error + square.error - tt.error -
                                           oo.error + 2 * bound.value * bound.error);
  return numerator / (bound.value + scale * length) / scale;
}

}  // namespace

Vector3d coulomb_residual(const Vector3d& lambda, const Vector3d& u, double mu, double rho,
                          ConeRegion* region) {
  const auto in = [region](ConeRegion where, const Vector3d& residual) {
    if (region) *region = where;
    return residual;
  };
  const Vector3d a = lambda / rho;
  const double speed = tangential(u[1], u[2]);
  const double hat = u[0] + mu * speed;
  const double zn = a[0] - hat, zt = a[1] - u[1], zo = a[2] - u[2];
  const double z_length = tangential(zt, zo);
  if (mu * z_length <= -zn) return in(ConeRegion::open, a);
  if (mu == 0) return in(ConeRegion::slide, {u[0], a[1], a[2]});

  const double friction = tangential(lambda[1], lambda[2]);
  const double lengths = z_length + friction / rho;
  const double longer =
      lengths > 0 ? (u[1] * (u[1] - 2 * a[1]) + u[2] * (u[2] - 2 * a[2])) / lengths : 0;
  const double p = mu * lambda[0];
  const double rest = longer + mu * hat;
  const Vector3d u_hat(hat, u[1], u[2]);
  if (zn >= 0) {
    // Inside the cone by more than rounding: the exact sigma would say the same.
    const double margin =
        32 * kEpsilon * ((std::abs(p) + friction) / rho + speed + mu * std::abs(hat));
    if (rest - (p - friction) / rho + margin <= 0) return in(ConeRegion::stick, u_hat);
  }
  const double d = rest - friction_left(mu, lambda[0], lambda[1], lambda[2], p, friction) / rho;
  if (zn >= 0 && d <= 0) return in(ConeRegion::stick, u_hat);
  const double k = mu < kLargeMu ? d / (1 + mu * mu) : d / mu / mu;
  const double along = z_length > 0 ? k / z_length : 0;
  return in(ConeRegion::slide, {hat - mu * k, u[1] + along * zt, u[2] + along * zo});
}

double coulomb_error(const Vector3d& lambda, const Vector3d& u, double mu, double rho) {
  return length(coulomb_residual(lambda, u, mu, rho));
}

}  // namespace perpend
