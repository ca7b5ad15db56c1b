// No solution: contacts (a wedge) or joints (a loop that does not close) leave no motion at all.
// Certificate: impulses that no body feels, and that the violated rows would do work against.
#include <cmath>

#include "doctor/infeasible_frames.hpp"

namespace perpend::doctor {
namespace {

std::optional<Finding> find(Examination& e) {
  const std::optional<Contradiction> at = contradiction(e);
  if (!at || (at->joint_row >= 0 && (at->contact >= 0 || at->limit))) return std::nullopt;
  Finding out;
  out.frame = at->frame;
  const bool loop = at->joint_row >= 0;
  out.where = loop ? e.joint_row(at->record, at->joint_row) : e.contact(at->record, at->contact);
  if (!loop && at->other >= 0) out.where += ", against " + e.contact(at->record, at->other);
  out.value = at->apart;
  out.unit = at->unit;
  out.says = loop ? "the loop of joints does not close, by " + number_with(at->apart, at->unit)
                  : "a wedge: contacts leave no room, " + number_with(at->apart, at->unit) +
                        " are missing on each side";
  out.proof = "certificate: impulses on these rows that no body feels (" +
              short_number(100 * at->proof.imbalance) +
              " % are left), so that they stay broken by " +
              number_with(at->proof.worst, at->unit + "/s") + " whatever the solver does";
  out.change = loop ? "close the loop: move the joints' anchors or drop one of them"
                    : "make room: move or shrink a body by " + number_with(2 * at->apart, at->unit);
  out.predicted_value = 0;
  out.predicted = "the frame has a solution";
  return out;
}

}  // namespace

Judge no_solution() {
  return {"no_solution",
          "No solution: wedge, jammed between walls, loop that does not close",
          Blame::geometry,
          "by how much rows stay broken in every motion, m",
          "make room, close the loop",
          find};
}

}  // namespace perpend::doctor
