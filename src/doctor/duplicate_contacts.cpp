// Duplicate contacts share a place, a normal and a pair; flickering ones come and go while the
// bodies rest. Experiment: the frame is solved again without the duplicates: the motion is the
// same.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kTwins = 0.05;     // of all contacts
constexpr double kAll = 0.4;        // the same, of those beside another: an engine leaves some
constexpr double kTrembles = 0.02;  // of g h
constexpr double kFlicker = 0.15;   // of pairs at rest, from frame to frame
constexpr double kSeldom = 0.03;    // the same, if forces are missing with the contacts
constexpr double kSome = 0.9;       // of the frames: else forces are missing in all of them

Frame without(const Frame& frame, const std::vector<Index>& kept) {
  Frame out = frame;
  Contacts& k = out.contacts;
  const auto keep = [&](auto& rows) {
    if (rows.rows() > 0) rows = rows(kept, Eigen::all).eval();
  };
  keep(k.pairs), keep(k.normals), keep(k.points), keep(k.gap), keep(k.mu), keep(k.points2);
  keep(k.tangents), keep(k.restitution), keep(k.rolling_mu), keep(k.torsional_mu), keep(k.bias);
  keep(k.cfm), keep(k.friction_bounds), keep(k.push), keep(k.surface_velocity);
  k.group.clear();
  k.ids.clear();
  return out;
}

// Contacts that no earlier contact of the same bodies, or of one of them on another fixed one,
// stands for.
std::vector<Index> single(const Examination& e, const Frame& frame) {
  std::vector<Index> out;
  const Contacts& k = frame.contacts;
  const auto moving = [&](Index i) {
    std::vector<Index> bodies;
    for (const Index body : {Index(k.pairs(i, 0)), Index(k.pairs(i, 1))})
      if (!frame.bodies.fixed(body)) bodies.push_back(body);
    std::sort(bodies.begin(), bodies.end());
    return bodies;
  };
  for (Index i = 0; i < k.count(); ++i) {
    const std::vector<Index> bodies = moving(i);
    double size = std::numeric_limits<double>::infinity();
    for (const Index body : bodies) size = std::min(size, e.sizes.of(frame, body));
    if (std::none_of(out.begin(), out.end(),
                     [&](Index j) { return moving(j) == bodies && beside(frame, i, j, size); }))
      out.push_back(i);
  }
  return out;
}

std::string motion_without(const Examination& e, const io::Record& record, double scale) {
  const System all = assemble(record.frame);
  const Frame rest = without(record.frame, single(e, record.frame));
  const System fewer = assemble(rest);
  const Result with = solved(all, "ncp/auto", 1e-4 * scale, 300),
               alone = solved(fewer, "ncp/auto", 1e-4 * scale, 300);
  const double apart =
      (velocity_plus(record.frame, all, with.impulses) - velocity_plus(rest, fewer, alone.impulses))
          .cwiseAbs()
          .maxCoeff();
  return "solved again with " + std::to_string(fewer.contacts()) + " of " +
         std::to_string(all.contacts()) + " contacts, velocities change by " +
         number_with(apart, "m/s");
}

// Contacts that come and go in ODE and Siconos too, where nothing comes of it. It is a fault where
// it makes resting bodies tremble or leaves forces that nothing explains.
std::optional<Finding> flickers(Examination& e) {
  Index pairs = 0, changed = 0;
  std::size_t unexplained = 0;
  Index answers = 0, foreign = 0;
  std::vector<double> trembling;  // of g h
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    if (v.answered) ++answers;
    if (v.answered && e.foreign(v)) ++foreign;
    pairs += v.flicker.looked;
    changed += v.flicker.showed;
    if (v.flicker.showed == 0) continue;
    trembling.push_back(v.flicker.sum / static_cast<double>(v.flicker.showed) / e.scale(v));
    if (e.foreign(v)) ++unexplained;
    if (!worst || v.flicker.worst.value > worst->flicker.worst.value) worst = &v;
  }
  if (!worst || changed < 5) return std::nullopt;
  // Forces that add up in other frames are missing with a contact: one pair of many shows it.
  const bool missing = 5 * unexplained >= trembling.size() &&
                       static_cast<double>(foreign) < kSome * static_cast<double>(answers);
  const bool often = static_cast<double>(changed) >= kFlicker * static_cast<double>(pairs);
  const bool seldom = static_cast<double>(changed) < kSeldom * static_cast<double>(pairs);
  if (seldom || !(missing || (often && median(trembling) >= kTrembles))) return std::nullopt;
  const io::Record record = e.read(worst->frame);
  Finding out;
  out.frame = worst->frame;
  out.where = e.contact(record, worst->flicker.worst.row);
  out.value = 100.0 * static_cast<double>(changed) / static_cast<double>(pairs);
  out.unit = "%";
  out.says =
      "contacts come and go in " + short_number(out.value) + " % of the steps of bodies at rest";
  out.proof = "in this step " + short_number(worst->flicker.worst.value) +
              " contacts of the pair came or went, and the bodies stayed";
  out.change = "keep contacts for some steps, or a wider margin in which they are found";
  out.predicted_value = 0;
  out.predicted = "the same contacts in every step at rest";
  return out;
}

// The frame with most of them, if they are more than `part` of all contacts.
const Vitals* doubled(const Examination& e, Share Vitals::*which, double part) {
  Index contacts = 0, twins = 0;
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    const Share& share = v.*which;
    contacts += share.looked;
    twins += share.showed;
    if (share.showed > 0 && (!worst || share.showed > (worst->*which).showed)) worst = &v;
  }
  return static_cast<double>(twins) < part * static_cast<double>(contacts) ? nullptr : worst;
}

std::optional<Finding> find(Examination& e) {
  Share Vitals::*which = &Vitals::twins;
  const Vitals* worst = doubled(e, which, kTwins);
  if (!worst) worst = doubled(e, which = &Vitals::beside, kAll);
  if (!worst) return flickers(e);
  const Share& share = worst->*which;
  const io::Record record = e.read(worst->frame);
  Finding out;
  out.frame = worst->frame;
  out.where = e.contact(record, share.worst.row);
  out.value = static_cast<double>(share.showed);
  out.unit = "contacts";
  out.says = std::to_string(share.showed) + " of " + std::to_string(worst->contacts) +
             " contacts of the frame are at the place of another one";
  out.proof = motion_without(e, record, e.scale(*worst));
  out.change = "one contact for each place: drop doubled shapes, merge contacts of a pair";
  out.predicted_value = 0;
  out.predicted = "the same motion with fewer contacts";
  return out;
}

}  // namespace

Judge duplicate_contacts() {
  return {
      "duplicate_contacts",
      "Duplicate or flickering contacts",
      Blame::geometry,
      "contacts at the place of another one; or % of steps at rest in which contacts come or go",
      "one contact for each place, kept from step to step",
      find};
}

}  // namespace perpend::doctor
