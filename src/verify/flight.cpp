// Bodies that touch nothing: a projectile that spins about a principal axis, and a free top that
// does not.
#include <cmath>

#include "verify/cases.hpp"
#include "verify/exact_motion.hpp"
#include "verify/make.hpp"

namespace perpend::verify {
namespace {

constexpr double kFlight = 2;  // s
const Vector3d kThrown(3, 1, 10);
constexpr double kSpin = 10;  // rad/s

std::vector<double> projectile_errors(const Simulator& simulate, double h) {
  Scene scene;
  scene.name = "projectile";
  scene.bodies = {moving(box({0.2, 0.4, 0.6}), 2, {0, 0, 1}, about({1, 2, 3}, 0.7))};
  Body& body = scene.bodies[0];
  const Vector3d axis = body.pose.orientation * Vector3d::UnitZ();
  body.velocity << kThrown, kSpin * axis;
  const State end = simulate(scene, h, kFlight).back();
  const double t = kFlight;
  const Vector3d x = Vector3d(0, 0, 1) + t * kThrown + t * t / 2 * scene.gravity;
  const Vector3d v = kThrown + t * scene.gravity;
  return {(position(end, 0) - x).norm(), (velocity(end, 0) - v).norm(),
          angle_between(orientation(end, 0), about(axis, kSpin * t) * body.pose.orientation)};
}

constexpr double kTurning = 1;  // s
const Vector3d kTopSpin(3, 2, 4);

// y: quaternion (w, x, y, z) and the spin in body axes. Euler's equations.
using Top = Eigen::Matrix<double, 7, 1>;
Top top_motion(const Vector3d& moments, double duration) {
  Top start;
  start << 1, 0, 0, 0, kTopSpin;
  return exact_motion<7>(
      [&](const Top& y) {
        const Quaterniond q(y[0], y[1], y[2], y[3]);
        const Vector3d w = y.tail<3>();
        const Quaterniond rate = q * Quaterniond(0, w.x() / 2, w.y() / 2, w.z() / 2);
        const Vector3d change =
            (moments.cwiseProduct(w).cross(w)).cwiseQuotient(moments);  // I w' = I w x w
        Top out;
        out << rate.w(), rate.x(), rate.y(), rate.z(), change;
        return out;
      },
      start, duration);
}

std::vector<double> top_errors(const Simulator& simulate, double h) {
  Scene scene;
  scene.name = "free top";
  scene.gravity.setZero();
  scene.bodies = {moving(box({0.3, 0.6, 1.0}), 1, Vector3d::Zero())};
  scene.bodies[0].velocity << Vector3d::Zero(), kTopSpin;
  const Path path = simulate(scene, h, kTurning);
  const State &start = path.front(), &end = path.back();
  const Vector3d moments = inertia(scene.bodies[0]).diagonal();
  const Top exact = top_motion(moments, kTurning);
  const auto momentum = [&](const State& state) -> Vector3d {
    const Quaterniond q = orientation(state, 0);
    return q * moments.cwiseProduct(q.conjugate() * spin(state, 0));
  };
  const Quaterniond turned = Quaterniond(exact[0], exact[1], exact[2], exact[3]).normalized();
  return {angle_between(orientation(end, 0), turned),
          (spin(end, 0) - turned * exact.tail<3>()).norm(),
          (momentum(end) - momentum(start)).norm()};
}

}  // namespace

Case projectile() {
  return {"projectile",
          "a box thrown with spin",
          "A box of 0.2 × 0.4 × 0.6 m, thrown at (3, 1, 10) m/s, turns at 10 rad/s about its long "
          "axis for 2 s. Velocity and orientation (by the exponential map) are exact. The position "
          "has an error of g T h / 2, because x⁺ = x + h v⁺ uses the velocity at the end of the "
          "step.",
          kStep,
          {{"position", "m", "x₀ + v₀ T + g T²/2", 1, 0},
           // 1920 * 2 additions of numbers up to 20, each rounded by 2e-15.
           {"velocity", "m/s", "v₀ + g T", 0, 1e-11},
           {"orientation", "rad", "exp(T ω) q₀", 0, 1e-11}},
          projectile_errors};
}

Case free_top() {
  return {"free-top",
          "a box that turns about no principal axis",
          "A box of 0.3 × 0.6 × 1 m without forces, ω = (3, 2, 4) rad/s, 1 s. The reference is "
          "Euler's equation I ω′ = Iω × ω, integrated. The step uses the gyroscopic torque at its "
          "end, which gives first order.",
          kStep,
          {{"orientation", "rad", "Euler's equations", 1, 0},
           {"spin", "rad/s", "Euler's equations", 1, 0},
           {"angular momentum", "N m s", "constant", 1, 0}},
          top_errors};
}

}  // namespace perpend::verify
