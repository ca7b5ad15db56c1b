// A drive along a hinge: a damped spring with a rotor, and a servo far stiffer than the step.
#include <cmath>

#include "verify/cases.hpp"
#include "verify/make.hpp"

namespace perpend::verify {
namespace {

constexpr double kTime = 1;  // s

// A body that turns about y through its centre; nothing pulls it.
Scene driven(Body body, const Joint::Drive& drive) {
  Scene scene;
  scene.name = "servo";
  scene.gravity.setZero();
  scene.bodies = {std::move(body)};
  Pose frame;
  frame.orientation = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d::UnitY());
  scene.joints = {joint(Joint::Type::hinge, -1, 0, frame)};
  scene.joints[0].drives[5] = drive;
  return scene;
}

double angle(const State& state) {
  const Quaterniond q = orientation(state, 0);
  return 2 * std::atan2(q.y(), q.w());
}

std::vector<double> servo_errors(const Simulator& simulate, double h) {
  Joint::Drive soft;
  soft.stiffness = 5;
  soft.damping = 0.3;
  soft.armature = 0.05;
  soft.position = 1;
  const Body bar = moving(box({1, 0.1, 0.1}), 1, Vector3d::Zero());
  const State end = simulate(driven(bar, soft), h, kTime).back();
  const double all = inertia(bar)(1, 1) + soft.armature, decay = soft.damping / (2 * all);
  const double rate = std::sqrt(soft.stiffness / all - decay * decay);
  const double left = std::exp(-decay * kTime);
  const double s = std::sin(rate * kTime), c = std::cos(rate * kTime);
  const double turned = soft.position * (1 - left * (c + decay / rate * s));
  const double speed = soft.position * left * soft.stiffness / (all * rate) * s;

  Joint::Drive stiff;
  stiff.stiffness = 1e5;
  stiff.position = 0.5;
  const Body ball = moving(sphere(0.1), 0.1, Vector3d::Zero());
  const Path path = simulate(driven(ball, stiff), h, kTime / 4);
  const double moment = inertia(ball)(1, 1);
  double q = 0, v = 0, worst = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double step = path[i].time - path[i - 1].time;
    v = (moment * v - step * stiff.stiffness * (q - stiff.position)) /
        (moment + step * step * stiff.stiffness);
    q += step * v;
    worst = std::max(worst, std::abs(angle(path[i]) - q));
  }
  return {std::abs(angle(end) - turned), std::abs(spin(end, 0).y() - speed), worst};
}

}  // namespace

Case servo() {
  return {"servo",
          "a bar on a hinge with a damped spring and a rotor; a stiff servo",
          "The spring pulls with 5 N m/rad to 1 rad, the damper has 0.3 N m s/rad, the rotor "
          "0.05 kg m²: a damped oscillation about I + a, 1 s. A servo of 1e5 N m/rad on a ball of "
          "0.1 kg follows implicit Euler at any step.",
          kStep / 4,
          {{"angle", "rad", "1 − e^(−δt)(cos ωt + δ/ω sin ωt)", 1, 0},
           {"speed", "rad/s", "its derivative", 1, 0},
           {"stiff servo", "rad", "θ⁺ = θ + h (I v − h k (θ − p))/(I + h² k)", 0, 1e-9}},
          servo_errors};
}

}  // namespace perpend::verify
