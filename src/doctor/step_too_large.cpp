// The step is too large: bodies overlap by what no step before announced, or turn so far in one
// step that a straight line is no picture of their motion. Both are proportional to h.
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kDeep =
    0.5;  // of the smaller body's size; 0.37: a ball of 0.2 m falls 1 m, h = 1/60 s
constexpr double kTurn = 1;  // rad in a step

std::optional<Finding> find(Examination& e) {
  const Vitals *deep = nullptr, *wide = nullptr;
  for (const Vitals& v : e.frames) {
    if (v.surprise.value > kDeep && (!deep || v.surprise.value > deep->surprise.value)) deep = &v;
    if (v.turn.value > kTurn && (!wide || v.turn.value > wide->turn.value)) wide = &v;
  }
  Finding out;
  if (deep) {
    const io::Record record = e.read(deep->frame);
    out.frame = deep->frame;
    out.where = e.contact(record, deep->surprise.row);
    out.value = -record.frame.contacts.gap[deep->surprise.row];
    out.unit = "m";
    out.says = "bodies are " + number_with(out.value, "m") +
               " inside each other, and the step before did not see it coming";
    out.proof = "the overlap exceeds the one that the speeds of the frame before give by " +
                short_number(100 * deep->surprise.value) + " % of the body's size";
    out.change = "a step of " +
                 number_with(deep->h * std::min(0.5, 0.05 / deep->surprise.value), "s") +
                 " in place of " + number_with(deep->h, "s");
    out.predicted_value = out.value * std::min(0.5, 0.05 / deep->surprise.value);
    out.predicted = "overlaps of about " + number_with(out.predicted_value, "m");
    return out;
  }
  if (!wide) return std::nullopt;
  const io::Record record = e.read(wide->frame);
  out.frame = wide->frame;
  out.where = e.body(record, wide->turn.row);
  out.value = wide->turn.value;
  out.unit = "rad";
  out.says = "it turns by " + number_with(out.value, "rad") + " in one step";
  out.proof = "contacts and joints are straight lines in a step; this turn bends them by " +
              short_number(100 * (1 - std::cos(out.value))) + " % of their arm";
  out.change = "a step of " + number_with(wide->h * 0.2 / out.value, "s") + " in place of " +
               number_with(wide->h, "s");
  out.predicted_value = 0.2;
  out.predicted = "turns of about 0.2 rad a step";
  return out;
}

}  // namespace

Judge step_too_large() {
  return {"step_too_large",
          "Time step too large, bodies tunnel or sink in",
          Blame::model,
          "overlap that the step before did not predict, m, above half of the body; or turn in a "
          "step, rad, above 1",
          "a smaller step",
          find};
}

}  // namespace perpend::doctor
