// A pyramid or box in place of the cone: friction does not point against the sliding velocity, or
// has another size than mu times the normal force. Experiment: the frame is solved again with the
// round cone.
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kTurned = 0.035;  // rad: 2 degrees
constexpr double kSlides = 0.3;    // of sliding contacts
constexpr Index kFew = 8;          // frames: less is an impact
constexpr double kDegrees = 57.29577951308232;

double mean(const Share& share) {
  return share.looked > 0 ? share.sum / static_cast<double>(share.looked) : 0;
}

std::optional<Finding> find(Examination& e) {
  Index slides = 0, off = 0, frames = 0;
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    if (v.turned.looked == 0 || e.foreign(v) || !(e.short_by(v) < 0.05)) continue;
    // Where convex contacts lift, their direction is theirs.
    slides += v.turned.looked;
    if (v.round) continue;  // what its solver left
    off += v.turned.showed;
    if (v.turned.showed > 0) ++frames;
    if (v.turned.worst.row >= 0 && (!worst || v.turned.worst.value > worst->turned.worst.value))
      worst = &v;
  }
  if (!worst || frames < kFew || static_cast<double>(off) < kSlides * static_cast<double>(slides))
    return std::nullopt;
  const io::Record record = e.read(worst->frame);
  const System rigid = assemble(record.frame);
  const Result again = solved(rigid, "ncp/auto", 1e-4 * e.scale(*worst), 500);
  const Vitals round = [&] {
    io::Record other = record;
    other.answer.z = contact_rows(rigid, again.impulses);
    other.answer.z_joints = again.impulses.tail(rigid.joint_rows());
    Vitals made;
    made.gravity = worst->gravity;
    examine_friction(other, rigid, rigid, e.sizes, made);
    return made;
  }();
  Finding out;
  out.frame = worst->frame;
  out.where = e.contact(record, worst->turned.worst.row);
  out.value = kDegrees * worst->turned.worst.value;
  out.unit = "degrees";
  out.says = "friction of " +
             short_number(100.0 * static_cast<double>(off) / static_cast<double>(slides)) +
             " % of sliding pairs is not against the motion with size mu times the normal force";
  out.proof = "solved again with the round cone, friction of the frame is off by " +
              number_with(kDegrees * mean(round.turned), "degrees") + " on average, not " +
              number_with(kDegrees * mean(worst->turned), "degrees");
  out.change = "a round friction cone, or more directions (elliptic in MuJoCo, --facets here)";
  out.predicted_value = kDegrees * mean(round.turned);
  out.predicted = "friction is off by " + number_with(out.predicted_value, "degrees");
  return out;
}

}  // namespace

Judge friction_anisotropy() {
  return {"friction_anisotropy",
          "Friction pyramid or box: friction depends on the direction",
          Blame::model,
          "angle between friction and the way back, or its size as an angle, degrees, of sliding "
          "contacts",
          "a round cone, or more facets",
          find};
}

}  // namespace perpend::doctor
