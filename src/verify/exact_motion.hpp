// The motion of a mechanical model that is given by an ordinary differential equation y' = f(y),
// independent of the simulator: the classical Runge-Kutta method of fourth order with steps of
// 1e-4 s. For the smooth motions here its error is below 1e-12 of the values.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace perpend::verify {

template <int N, class Derivative>
Eigen::Matrix<double, N, 1> exact_motion(const Derivative& f, Eigen::Matrix<double, N, 1> y,
                                         double duration) {
  using Vector = Eigen::Matrix<double, N, 1>;
  const long steps = std::lround(std::ceil(duration / 1e-4));
  const double h = duration / static_cast<double>(steps);
  for (long i = 0; i < steps; ++i) {
    const Vector a = f(y);
    const Vector b = f(Vector(y + h / 2 * a));
    const Vector c = f(Vector(y + h / 2 * b));
    const Vector d = f(Vector(y + h * c));
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

}  // namespace perpend::verify
