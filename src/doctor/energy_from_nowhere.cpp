// Energy from nowhere: contacts and joints that nothing drives can only take energy. They give some
// where overlaps or joint errors are pushed apart at speed, or where the answer is wrong.
// Certificate: the work lambda . (u + u+)/2 of the step; of an overlap at the start, its depth.
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kPart = 0.05;    // of kinetic energy and m g L of the moving bodies, in a step
constexpr double kInside = 0.1;   // of the smaller body's size
constexpr double kThrown = 0.05;  // of its size: how high a push of u throws a body, u^2/2g

// Bodies that begin inside each other: what parts them, at once or slowly, gives energy.
std::optional<Finding> starts_inside(Examination& e) {
  if (e.frames.empty() || e.frames.front().frame != 0 || !(e.frames.front().inside.value > kInside))
    return std::nullopt;
  const Vitals& v = e.frames.front();
  const io::Record record = e.read(v.frame);
  Finding out;
  out.frame = v.frame;
  out.where = e.contact(record, v.inside.row);
  out.value = -record.frame.contacts.gap[v.inside.row];
  out.unit = "m";
  out.says = "bodies begin " + number_with(out.value, "m") + " inside each other, " +
             short_number(100 * v.inside.value) +
             " % of the body's size: what parts them gives energy";
  out.proof = "certificate: the gap of the first frame; rigid contact would part them at " +
              number_with(out.value / v.h, "m/s");
  out.change = "remove the overlap before the run";
  out.predicted_value = 0;
  out.predicted = "no step adds energy";
  return out;
}

std::optional<Finding> find(Examination& e) {
  const Vitals* worst = nullptr;
  double most = 0;
  for (const Vitals& v : e.frames) {
    if (!v.answered || v.push.row < 0 || e.foreign(v)) continue;
    const double part = v.energy > 0 ? v.injected / v.energy : 0;
    if (part <= kPart) continue;
    const double high = e.gravity > 0 ? v.push.value * v.push.value / (2 * e.gravity) : 1;
    const io::Record record = e.read(v.frame);
    double size = std::numeric_limits<double>::infinity();
    const Frame& frame = record.frame;
    if (v.push.row < frame.contacts.count()) {
      const auto pair = frame.contacts.pairs.row(v.push.row);
      size = e.sizes.smaller(frame, pair[0], pair[1]);
    }
    if (std::isfinite(size) && high < kThrown * size) continue;
    if (part > most) {
      most = part;
      worst = &v;
    }
  }
  if (!worst) return starts_inside(e);
  const io::Record record = e.read(worst->frame);
  const Frame& frame = record.frame;
  const bool contact = worst->push.row < frame.contacts.count();
  const double apart = contact ? frame.contacts.gap[worst->push.row]
                               : frame.joints.violation[worst->push.row - frame.contacts.count()];
  Finding out;
  out.frame = worst->frame;
  out.where = e.row(record, worst->push.row);
  out.value = worst->injected;
  out.unit = "J";
  out.says = "contacts and joints gave " + number_with(out.value, "J") + " in one step, " +
             short_number(100 * most) + " % of the energy that was there";
  out.proof = "certificate: the work of their impulses; bodies leave this place at " +
              number_with(worst->push.value, "m/s") + ", where " +
              (contact ? "the gap was " + number_with(apart, "m")
                       : "the joint's error was " +
                             number_with(apart, unit_of(frame.joints,
                                                        worst->push.row - frame.contacts.count())));
  const bool overlap = contact ? apart < 0 : apart != 0;
  out.change = overlap ? "remove the overlap or joint error before the run, or limit the speed at "
                         "which it is pushed apart"
                       : "a solver that converges: the impulses are wrong";
  out.predicted_value = 0;
  out.predicted = "no step adds energy";
  return out;
}

}  // namespace

Judge energy_from_nowhere() {
  return {"energy_from_nowhere",
          "Explosion, energy from nowhere",
          Blame::model,
          "work of contacts and undriven joints in a step, J, above 5 % of the energy of the "
          "bodies; or "
          "overlap at the start, m, above 10 % of the body",
          "no overlap at the start, slower correction of overlaps",
          find};
}

}  // namespace perpend::doctor
