// Forces that do not add up: M (v+ - v) = h f + J' lambda is an identity. Where it fails, a force
// is missing from the recording, or acts beside it. Certificate: the force that is missing.
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kOpen = 1e-3;   // of g h
constexpr double kRound = 1e-6;  // of the body's speed: single precision

std::optional<Finding> find(Examination& e) {
  const Vitals* worst = nullptr;
  Index bad = 0;
  double highest = 0;
  for (const Vitals& v : e.frames) {
    if (!v.answered || !(v.momentum > kOpen * e.scale(v) + kRound * v.speed)) continue;
    // An engine that recovers its forces from an unsolved problem is as wrong as that.
    if (v.told > v.momentum / 4) continue;
    ++bad;
    const double by = v.momentum / e.scale(v);
    if (!worst || by > highest) {
      worst = &v;
      highest = by;
    }
  }
  if (!worst) return std::nullopt;
  const io::Record record = e.read(worst->frame);
  const Frame& frame = record.frame;
  const System rigid = assemble(frame);
  const Rows6 plus = velocity_plus(frame, rigid, answer_of(record, rigid));
  const Index body = worst->momentum_body;
  const auto apart = record.answer.velocities_plus.row(body) - plus.row(body);
  const Matrix3d inertia = frame.bodies.inertia.row(body).reshaped<Eigen::RowMajor>(3, 3);
  const Vector3d force = frame.bodies.masses[body] / frame.step * apart.head<3>().transpose();
  const Vector3d torque = inertia * apart.tail<3>().transpose() / frame.step;
  Finding out;
  out.frame = worst->frame;
  out.where = e.body(record, body);
  out.value = worst->momentum;
  out.unit = "m/s";
  out.says = "forces and impulses leave " + number_with(out.value, "m/s") +
             " of its velocity unexplained, in " + std::to_string(bad) + " frames";
  const auto vector = [](const Vector3d& v, const char* unit) {
    return "(" + short_number(v[0]) + ", " + short_number(v[1]) + ", " + short_number(v[2]) + ") " +
           unit;
  };
  out.proof = "a force of " + vector(force, "N") + " and a torque of " + vector(torque, "N m") +
              " would close M (v+ - v) = h f + J' lambda";
  out.change =
      "record that force, or switch off what acts beside the recorded forces: damping, sleeping, "
      "limits of speed";
  out.predicted_value = 0;
  out.predicted = "the forces add up to rounding";
  return out;
}

}  // namespace

Judge forces_do_not_add_up() {
  return {"forces_do_not_add_up",
          "Contact forces do not add up, momentum is not conserved",
          Blame::model,
          "what M (v+ - v) = h f + J' lambda leaves, m/s, above 0.1 % of g h",
          "record the missing force, or switch it off",
          find};
}

}  // namespace perpend::doctor
