// The vitals of one frame.
#include "doctor/vitals.hpp"

#include <algorithm>
#include <cmath>

#include "perpend/measure/velocity_errors.hpp"

namespace perpend::doctor {
namespace {

double typical_gravity(const Frame& frame) {
  std::vector<double> all;
  for (Index i = 0; i < frame.bodies.count(); ++i)
    if (!frame.bodies.fixed(i))
      all.push_back(frame.bodies.forces.row(i).head<3>().norm() / frame.bodies.masses[i]);
  return median(std::move(all));
}

}  // namespace

Impulses answer_of(const io::Record& record, const System& system) {
  const io::Answer& answer = record.answer;
  const Index contacts = system.frame_contacts > 0 || record.frame.bodies.count() > 0
                             ? record.frame.contacts.count()
                             : system.contacts();
  const Index rows = system.joint_rows();
  const bool any = answer.z.rows() > 0 || answer.z_joints.size() > 0;
  if (answer.z.rows() != contacts || (answer.z_joints.size() != rows && answer.z_joints.size() > 0))
    return {};
  if (!any && contacts + rows > 0) return {};
  if (rows > 0 && answer.z_joints.size() == 0) return {};
  return from_rows(system, answer.z, answer.z_joints);
}

// Errors of the answer, and how its momentum adds up.
void examine_answer(const io::Record& record, const System& rigid, const System& engine,
                    Vitals& out) {
  const Impulses lambda = answer_of(record, rigid);
  out.rigid = measure(rigid, lambda, Measure::velocity_error);
  const Impulses own = answer_of(record, engine);
  out.own = own_residual(engine, own, out.own_row, out.round);
  // An engine whose law is none of these may have told how well it solved it.
  // Unless frame or answer have been changed since: then its other errors are not these either.
  const double then = record.answer.errors[Measure::velocity_error];
  if (!(std::abs(then - out.rigid) > 1e-3 * std::max(then, out.rigid) + 1e-9)) {
    out.told = record.answer.errors[Measure::own_error];
    // The recorder measured the answer, and does not know what the engine was asked.
    if (std::isnan(out.told) && std::isfinite(then)) out.own = kUnknown;
  }
  out.demand = measure(engine, Impulses::Zero(engine.rows()), Measure::velocity_error);
  if (out.told >= 0 && out.told < out.own) out.own = out.told;

  const Frame& frame = record.frame;
  if (record.answer.velocities_plus.rows() != frame.bodies.count()) return;
  const Rows6 plus = velocity_plus(frame, rigid, lambda);
  Peak gap;
  for (Index i = 0; i < frame.bodies.count(); ++i) {
    if (frame.bodies.fixed(i)) continue;
    const auto inertia = frame.bodies.inertia.row(i);
    const double radius =
        std::sqrt((inertia[0] + inertia[4] + inertia[8]) / 3 / frame.bodies.masses[i]);
    const auto apart = plus.row(i) - record.answer.velocities_plus.row(i);
    gap.raise(std::max(apart.head<3>().norm(), radius * apart.tail<3>().norm()), i);
    if (!apart.allFinite()) gap.raise(std::numeric_limits<double>::infinity(), i);
  }
  out.momentum = gap.value;
  out.momentum_body = gap.row;
}

Vitals vitals(const io::Record& record, const io::Record* before, const Sizes& sizes) {
  Vitals out;
  const Frame& frame = record.frame;
  out.h = frame.step;
  out.contacts = frame.contacts.count();
  out.joint_rows = frame.joints.row_count();
  out.refused = invalid(frame);
  if (!out.refused.empty()) return out;
  out.gravity = typical_gravity(frame);
  for (Index i = 0; i < frame.bodies.count(); ++i)
    out.speed = std::max(out.speed, frame.bodies.velocities.row(i).head<3>().norm());
  examine_geometry(record, sizes, out);
  if (before && invalid(before->frame).empty()) follow(*before, record, sizes, out);

  const bool given = record.system.b.size() > 0;
  if (frame.bodies.count() == 0 && !given) return out;
  const System engine = given ? io::system_of(record, "frame") : assemble(frame, Model::engine);
  const bool bodies = frame.bodies.count() > 0;
  const System rigid = bodies ? assemble(frame) : engine;
  const Impulses lambda = answer_of(record, rigid), own = answer_of(record, engine);
  const bool both = lambda.size() == rigid.rows() && own.size() == engine.rows();
  if (!both) return out;
  if (!lambda.allFinite()) {
    const bool contacts = lambda.head(3 * rigid.contacts()).allFinite();
    out.refused = contacts ? "solution/z_joints is not finite" : "solution/z is not finite";
    return out;
  }
  out.answered = true;
  if (!bodies) {
    out.rigid = measure(engine, own, Measure::velocity_error);
    out.own = own_residual(engine, own, out.own_row, out.round);
    out.demand = measure(engine, Impulses::Zero(engine.rows()), Measure::velocity_error);
    return out;
  }
  examine_answer(record, rigid, engine, out);
  examine_friction(record, rigid, assemble(frame, Model::engine), sizes, out);
  examine_energy(record, rigid, sizes, out);
  return out;
}

}  // namespace perpend::doctor
