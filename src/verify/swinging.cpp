// Joints: a pendulum, a double pendulum, and a gyroscope on a pivot.
#include <cmath>

#include "verify/cases.hpp"
#include "verify/exact_motion.hpp"
#include "verify/make.hpp"

namespace perpend::verify {
namespace {

using Two = Eigen::Matrix<double, 2, 1>;
using Four = Eigen::Matrix<double, 4, 1>;

constexpr double kLength = 1, kThick = 0.1, kMass = 1;  // of a bar: m, m, kg
constexpr double kRodInertia = kMass * (kLength * kLength + kThick * kThick) / 12;

// Bars in a row along x from the origin, hinged about y.
Scene bars(int count) {
  Scene scene;
  scene.name = count == 1 ? "pendulum" : "double pendulum";
  for (int i = 0; i < count; ++i) {
    scene.bodies.push_back(
        moving(box({kLength, kThick, kThick}), kMass, {(i + 0.5) * kLength, 0, 0}));
    scene.joints.push_back(
        joint(Joint::Type::hinge, i - 1, i,
              {Vector3d(i * kLength, 0, 0), about(Vector3d::UnitX(), -90 * kDegree)}));
  }
  return scene;
}

// Of a bar, from hanging straight down.
double swing(const State& state, Index bar) {
  const Vector3d along = orientation(state, bar) * Vector3d::UnitX();
  return std::atan2(along.x(), -along.z());
}

double away(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

const State& at(const Path& path, double time, double h) {
  return path[std::min(static_cast<std::size_t>(std::lround(time / h)), path.size() - 1)];
}

std::vector<double> pendulum_errors(const Simulator& simulate, double h) {
  constexpr double kAngleTime = 1, kEnergyTime = 10;
  const Scene scene = bars(1);
  const Path path = simulate(scene, h, kEnergyTime);
  const double k = kMass * kGravity * kLength / 2 / (kRodInertia + kMass * kLength * kLength / 4);
  const Two exact = exact_motion<2>(
      [&](const Two& y) -> Two {
        return {y[1], -k * std::sin(y[0])};
      },
      Two(90 * kDegree, 0), kAngleTime);
  const double all = kMass * kGravity * kLength / 2;  // above hanging at rest
  const double kept = 1 + (energy(scene, path.back()) - energy(scene, path.front())) / all;
  return {away(swing(at(path, kAngleTime, h), 0), exact[0]), std::abs(std::log(kept))};
}

std::vector<double> double_errors(const Simulator& simulate, double h) {
  constexpr double kTime = 1;
  const Scene scene = bars(2);
  const Path path = simulate(scene, h, kTime);
  constexpr double kQuarter = kMass * kLength * kLength / 4;
  const Four exact = exact_motion<4>(
      [&](const Four& y) -> Four {  // both angles, their rates
        const double d = y[0] - y[1], torque = kMass * kGravity * kLength / 2;
        Eigen::Matrix2d m;
        m << kRodInertia + 5 * kQuarter, 2 * kQuarter * std::cos(d), 2 * kQuarter * std::cos(d),
            kRodInertia + kQuarter;
        const Two force(-2 * kQuarter * std::sin(d) * y[3] * y[3] - 3 * torque * std::sin(y[0]),
                        2 * kQuarter * std::sin(d) * y[2] * y[2] - torque * std::sin(y[1]));
        const Two change = m.inverse() * force;
        return {y[2], y[3], change[0], change[1]};
      },
      Four(90 * kDegree, 90 * kDegree, 0, 0), kTime);
  const double all = 2 * kMass * kGravity * kLength;  // to hang straight down from there
  return {std::hypot(away(swing(path.back(), 0), exact[0]), away(swing(path.back(), 1), exact[1])),
          std::abs(energy(scene, path.back()) - energy(scene, path.front())) / all};
}

std::vector<double> gyroscope_errors(const Simulator& simulate, double h) {
  constexpr double kRadius = 0.5, kArm = 0.3, kSpin = 30, kTime = 2;  // m, m, rad/s, s
  Scene scene;
  scene.name = "gyroscope";
  Body wheel =
      moving(cylinder(kRadius, 0.05), 1, {kArm, 0, 0}, about(Vector3d::UnitY(), 90 * kDegree));
  const double c = inertia(wheel)(2, 2), rate = kGravity * kArm / (c * kSpin);
  wheel.velocity << 0, rate * kArm, 0, kSpin, 0, rate;
  scene.bodies = {wheel};
  scene.joints = {joint(Joint::Type::point, -1, 0, {})};
  const State end = simulate(scene, h, kTime).back();
  const Vector3d axle = orientation(end, 0) * Vector3d::UnitZ();
  const Vector3d exact(std::cos(rate * kTime), std::sin(rate * kTime), 0);
  return {std::atan2(axle.cross(exact).norm(), axle.dot(exact)),
          std::abs(spin(end, 0).dot(axle) - kSpin)};
}

}  // namespace

Case pendulum() {
  return {
      "pendulum",
      "a bar of 1 m on a hinge, let go horizontally",
      "The bar is 0.1 m thick. Compared are the angle after 1 s, and what is left after 10 s of "
      "m g l/2, the energy of the swing: ln(E/E₀), which is the relative error where that is "
      "small.",
      kStep,
      {{"angle", "rad", "θ″ = −(m g l/2)/(I + m l²/4) sin θ", 1, 0},
       {"energy after 10 s", "of m g l/2", "constant; ln(E/E₀)", 1, 0}},
      pendulum_errors};
}

Case double_pendulum() {
  return {"double-pendulum",
          "two bars of 1 m hinged to one another, let go horizontally",
          "Lagrange's equations of two bars, 1 s.",
          kStep,
          {{"both angles", "rad", "Lagrange", 1, 0}, {"energy", "of 2 m g l", "constant", 1, 0}},
          double_errors};
}

Case gyroscope() {
  return {
      "gyroscope",
      "a wheel on a horizontal axle that is held at one end, 30 rad/s",
      "Its weight does not pull it down. If it starts with Ω = m g l/(C ω), it keeps turning at "
      "this rate, because C ω Ω is the moment of its weight. 2 s.",
      kStep / 2,
      {{"direction of the axle", "rad", "(cos Ω T, sin Ω T, 0)", 1, 0},
       {"spin", "rad/s", "ω", 0, 1e-8}},
      gyroscope_errors};
}

}  // namespace perpend::verify
