// Duplicate contacts share a place, a normal and a pair; flickering ones come and go while the
// bodies rest. Experiment: the frame is solved again without the duplicates: the motion is the
// same.
#include <cmath>
#include <numeric>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kTwins = 0.05;     // of all contacts
constexpr double kTrembles = 0.02;  // of g h
constexpr double kFlicker = 0.15;   // of pairs at rest, from frame to frame

Frame without(const Frame& frame, const std::vector<Index>& kept) {
  Frame out = frame;
  Contacts& k = out.contacts;
  const auto keep = [&](auto& rows) {
    if (rows.rows() > 0) rows = rows(kept, Eigen::all).eval();
  };
  keep(k.pairs), keep(k.normals), keep(k.points), keep(k.gap), keep(k.mu), keep(k.points2);
  keep(k.tangents), keep(k.restitution), keep(k.rolling_mu), keep(k.torsional_mu), keep(k.bias);
  keep(k.cfm), keep(k.friction_bounds);
  k.group.clear();
  k.ids.clear();
  return out;
}

// Contacts whose place no earlier contact of the pair has.
std::vector<Index> single(const Frame& frame) {
  std::vector<Index> out;
  const Contacts& k = frame.contacts;
  for (Index i = 0; i < k.count(); ++i) {
    bool twin = false;
    for (const Index j : out)
      twin = twin || (k.pairs.row(i) == k.pairs.row(j) &&
                      (k.points.row(i) - k.points.row(j)).norm() < 1e-5 &&
                      (k.normals.row(i) - k.normals.row(j)).norm() < 1e-3);
    if (!twin) out.push_back(i);
  }
  return out;
}

std::string motion_without(const io::Record& record, double scale) {
  const System all = assemble(record.frame);
  const Frame rest = without(record.frame, single(record.frame));
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
  std::vector<double> trembling;  // of g h
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    pairs += v.flicker.looked;
    changed += v.flicker.showed;
    if (v.flicker.showed == 0) continue;
    trembling.push_back(v.flicker.sum / static_cast<double>(v.flicker.showed) / e.scale(v));
    if (e.foreign(v)) ++unexplained;
    if (!worst || v.flicker.worst.value > worst->flicker.worst.value) worst = &v;
  }
  if (!worst || changed < 5 || static_cast<double>(changed) < kFlicker * static_cast<double>(pairs))
    return std::nullopt;
  if (median(trembling) < kTrembles && 5 * unexplained < trembling.size()) return std::nullopt;
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

std::optional<Finding> find(Examination& e) {
  Index contacts = 0, twins = 0;
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    contacts += v.twins.looked;
    twins += v.twins.showed;
    if (v.twins.showed > 0 && (!worst || v.twins.showed > worst->twins.showed)) worst = &v;
  }
  if (!worst || static_cast<double>(twins) < kTwins * static_cast<double>(contacts))
    return flickers(e);
  const io::Record record = e.read(worst->frame);
  Finding out;
  out.frame = worst->frame;
  out.where = e.contact(record, worst->twins.worst.row);
  out.value = static_cast<double>(worst->twins.showed);
  out.unit = "contacts";
  out.says = std::to_string(worst->twins.showed) + " of " + std::to_string(worst->contacts) +
             " contacts of the frame are at the place of another one";
  out.proof = motion_without(record, e.scale(*worst));
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
