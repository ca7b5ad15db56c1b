// Joints against contacts or limits: they ask for opposite motions, or a joint starts outside its
// limits. Certificate: as for no_solution; of a limit, how far outside it starts.
#include <cmath>

#include "doctor/infeasible_frames.hpp"

namespace perpend::doctor {
namespace {

constexpr double kOutside = 0.02;  // rad, or of the body's size

// Of the first frame.
std::optional<Finding> starts_outside(Examination& e) {
  if (e.frames.empty() || e.frames.front().limit.row < 0) return std::nullopt;
  const Vitals& v = e.frames.front();
  const io::Record record = e.read(v.frame);
  const Frame& frame = record.frame;
  const std::string unit = unit_of(frame.joints, v.limit.row);
  double size = 1;
  if (unit == "m") {
    Index joint = 0, row = v.limit.row;
    while (row >= frame.joints.rows[static_cast<std::size_t>(joint)])
      row -= frame.joints.rows[static_cast<std::size_t>(joint++)];
    for (Index side = 0; side < 2; ++side)
      if (const Index body = frame.joints.pairs(joint, side); !frame.bodies.fixed(body))
        size = std::min(size, e.sizes.of(frame, body));
  }
  if (v.limit.value < kOutside * size) return std::nullopt;
  Finding out;
  out.frame = v.frame;
  out.where = e.joint_row(record, v.limit.row);
  out.value = v.limit.value;
  out.unit = unit;
  out.says = "the joint starts outside its limit by " + number_with(out.value, out.unit);
  out.proof =
      "its row asks for " + number_with(out.value / v.h, out.unit + "/s") + " in the first step";
  out.change = "start inside the limit, or move the limit";
  out.predicted_value = 0;
  out.predicted = "no joint is outside its limits at the start";
  return out;
}

std::optional<Finding> find(Examination& e) {
  if (std::optional<Finding> outside = starts_outside(e)) return outside;
  const std::optional<Contradiction> at = contradiction(e);
  if (!at || at->joint_row < 0 || (at->contact < 0 && !at->limit)) return std::nullopt;
  Finding out;
  out.frame = at->frame;
  out.where = e.joint_row(at->record, at->joint_row);
  if (at->contact >= 0) out.where += ", against " + e.contact(at->record, at->contact);
  out.value = at->apart;
  out.unit = at->unit;
  out.says = std::string(at->contact >= 0 ? "joint and contact" : "joint rows and a limit") +
             " ask for opposite motions, " + number_with(at->apart, at->unit) + " apart";
  out.proof = "certificate: impulses on these rows that no body feels (" +
              short_number(100 * at->proof.imbalance) +
              " % are left), so that they stay broken by " +
              number_with(at->proof.worst, at->unit + "/s") + " whatever the solver does";
  out.change = "no contacts between bodies that a joint links, or move the limit";
  out.predicted_value = 0;
  out.predicted = "the frame has a solution";
  return out;
}

}  // namespace

Judge joints_against_contacts() {
  return {"joints_against_contacts",
          "Joints against contacts or limits: redundant, contradicting",
          Blame::model,
          "how far joints, limits and contacts are apart in every motion, m or rad",
          "no collision of linked bodies, limits around the start",
          find};
}

}  // namespace perpend::doctor
