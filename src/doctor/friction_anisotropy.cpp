// A pyramid or box in place of the cone: friction does not point against the sliding velocity, or
// has another size than mu times the normal force. Experiment: the frame is solved again with the
// round cone.
#include <algorithm>
#include <cmath>
#include <map>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kRound = 0.05;  // of what the step asks for: solved by a round cone
constexpr double kSlides = 0.3;  // of the friction work of all slides
constexpr double kShows =
    0.02;                     // of the energy of the bodies: less work that is wrong shows nowhere
constexpr double kWay = 0.1;  // of the smaller body: who slides less than that settles
constexpr Index kFew = 5;     // frames: less is an impact
constexpr double kDegrees = 57.29577951308232;

double mean(const Share& share) {
  return share.looked > 0 ? share.sum / static_cast<double>(share.looked) : 0;
}

// Two bodies over the whole run: what settles pulls this way and that, and comes to nothing.
struct Course {
  Slide sum;
  Index frames = 0;                 // in which it is off
  const Vitals* hardest = nullptr;  // of these
  Slide there;
};

std::map<std::pair<std::int64_t, std::int64_t>, Course> courses(const Examination& e) {
  std::map<std::pair<std::int64_t, std::int64_t>, Course> out;
  for (const Vitals& v : e.frames) {
    if (e.foreign(v) || !(e.short_by(v) < 0.05)) continue;
    const bool round = v.round < kRound * std::max(e.scale(v), v.demand);
    for (const Slide& slide : v.slides) {
      Course& course = out[slide.ids];
      course.sum.coulomb += slide.coulomb;
      course.sum.way += slide.way;
      // By the law of a round cone; what is off is what its solver left.
      course.sum.back += round ? slide.coulomb : slide.back;
      if (round) continue;
      course.sum.aside += slide.aside;
      if (slide.turned() <= kTurned) continue;
      ++course.frames;
      if (course.hardest && slide.coulomb <= course.there.coulomb) continue;
      course.hardest = &v;
      course.there = slide;
    }
  }
  return out;
}

std::optional<Finding> find(Examination& e) {
  const auto all = courses(e);
  double work = 0, off = 0, wrong = 0, energy = 0;  // J
  const Course* worst = nullptr;
  for (const auto& [ids, course] : all) {
    work += course.sum.coulomb;
    if (course.frames < kFew || course.sum.turned() <= kTurned || course.sum.way < kWay) continue;
    off += course.sum.coulomb;
    wrong += std::hypot(course.sum.back - course.sum.coulomb, course.sum.aside);
    if (!worst || course.sum.coulomb > worst->sum.coulomb) worst = &course;
  }
  for (const Vitals& v : e.frames) energy = std::max(energy, v.energy);
  if (!worst || off < kSlides * work || wrong < kShows * energy) return std::nullopt;
  const Vitals& v = *worst->hardest;
  const io::Record record = e.read(v.frame);
  const System rigid = assemble(record.frame);
  const Result again = solved(rigid, "ncp/auto", 1e-4 * e.scale(v), 500);
  const Vitals round = [&] {
    io::Record other = record;
    other.answer.z = contact_rows(rigid, again.impulses);
    other.answer.z_joints = again.impulses.tail(rigid.joint_rows());
    Vitals made;
    made.gravity = v.gravity;
    examine_friction(other, rigid, rigid, e.sizes, made);
    return made;
  }();
  Finding out;
  out.frame = v.frame;
  out.where = e.contact(record, worst->there.heaviest.row);
  out.value = kDegrees * worst->sum.turned();
  out.unit = "degrees";
  out.says = short_number(100 * off / work) +
             " % of the work of friction is done by friction that is not against the motion with "
             "size mu times the normal force";
  out.proof = "solved again with the round cone, friction of the frame is off by " +
              number_with(kDegrees * mean(round.turned), "degrees") + " on average, not " +
              number_with(kDegrees * mean(v.turned), "degrees");
  out.change = "a round friction cone, or more directions (elliptic in MuJoCo, --facets here)";
  out.predicted_value = kDegrees * mean(round.turned);
  out.predicted = "friction is off by " + number_with(out.predicted_value, "degrees");
  return out;
}

}  // namespace

Judge friction_anisotropy() {
  return {
      "friction_anisotropy",
      "Friction pyramid or box: friction depends on the direction",
      Blame::model,
      "angle between friction and the way back, or its size as an angle, degrees, of sliding "
      "contacts, where bodies slide a tenth of their size and the wrong work of friction is 2 % of "
      "their energy",
      "a round cone, or more facets",
      find};
}

}  // namespace perpend::doctor
