// The convex cone lifts: in a convex model what slides at v also opens at mu v, so that a gap of
// about h mu v appears. Experiment: the frame is solved again with Coulomb's law and the engine's
// own compliance and bias.
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kSlides = 0.3;   // of sliding contacts
constexpr Index kFew = 5;         // frames: less is an impact
constexpr double kThrown = 0.02;  // of the body's size, high
constexpr double kShows = 1e-3;   // of the body's size: a smaller gap shows nowhere

std::optional<Finding> find(Examination& e) {
  Index slides = 0, lifts = 0, frames = 0;
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    if (e.foreign(v) || !(e.short_by(v) < 0.05)) continue;
    slides += v.lift.looked;
    lifts += v.lift.showed;
    if (v.lift.showed > 0) ++frames;
    if (v.lift.worst.row >= 0 && (!worst || v.lift.worst.value > worst->lift.worst.value))
      worst = &v;
  }
  if (!worst || static_cast<double>(lifts) < kSlides * static_cast<double>(slides))
    return std::nullopt;
  const io::Record record = e.read(worst->frame);
  // Few frames are an impact, unless they throw the body up.
  const double lift = worst->lift.worst.value / worst->h;
  const auto pair = record.frame.contacts.pairs.row(worst->lift.worst.row);
  const double size = e.sizes.smaller(record.frame, pair[0], pair[1]);
  if (worst->lift.worst.value < kShows * size) return std::nullopt;
  if (frames < kFew && !(lift * lift > 2 * e.gravity * kThrown * size)) return std::nullopt;
  const System engine = assemble(record.frame, Model::engine);
  const Result again = solved(engine, "ncp/auto", 1e-4 * e.scale(*worst), 500);
  Index at = -1;
  for (Index i = 0; i < engine.contacts(); ++i)
    if (engine.frame_contact[static_cast<std::size_t>(i)] == worst->lift.worst.row) at = i;
  const double open = relative_velocity(engine, again.impulses)[3 * at];
  Finding out;
  out.frame = worst->frame;
  out.where = e.contact(record, worst->lift.worst.row);
  out.value = worst->lift.worst.value;
  out.unit = "m";
  out.says = "what slides also lifts, by h mu v = " + number_with(out.value, "m") + ", in " +
             short_number(100.0 * static_cast<double>(lifts) / static_cast<double>(slides)) +
             " % of sliding contacts";
  out.proof = "solved again with Coulomb's law, the contact opens at " + number_with(open, "m/s") +
              " instead of " + number_with(out.value / worst->h, "m/s");
  out.change = "half the step (the gap is h mu v), or a solver of Coulomb's law";
  out.predicted_value = out.value / 2;
  out.predicted = "with half the step the gap is " + number_with(out.predicted_value, "m");
  return out;
}

}  // namespace

Judge cone_lifts() {
  return {"cone_lifts",
          "Convex cone lifts: a gap under sliding bodies",
          Blame::model,
          "gap h mu v, m, of sliding contacts that open at mu v",
          "half the step, or a solver of Coulomb's law",
          find};
}

}  // namespace perpend::doctor
