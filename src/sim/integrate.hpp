// The motion of one free rigid body over a step h.
#pragma once

#include <Eigen/LU>

#include "perpend/scene.hpp"

namespace perpend::sim {

// The torque impulse I (w+ - w) of the gyroscopic term taken at the end of the step:
// I (w+ - w) + h w+ x I w+ = 0, solved by Newton from w. Implicit, so that a fast top loses energy
// and never gains any. `inertia` and `spin` in the same axes.
inline Vector3d gyroscopic_impulse(const Matrix3d& inertia, const Vector3d& spin, double h) {
  const auto cross = [](const Vector3d& a) {
    Matrix3d m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
  };
  Vector3d w = spin;
  for (int iteration = 0; iteration < 20; ++iteration) {
    const Vector3d momentum = inertia * w;
    const Vector3d residual = momentum - inertia * spin + h * w.cross(momentum);
    const Matrix3d derivative = inertia + h * (cross(w) * inertia - cross(momentum));
    const Vector3d change = derivative.partialPivLu().solve(residual);
    w -= change;
    if (change.norm() <= 1e-15 * w.norm()) break;
  }
  return inertia * (w - spin);
}

}  // namespace perpend::sim
