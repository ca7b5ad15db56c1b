// Normals that jump: from one frame to the next the normal at a place turns by more than the bodies
// can have turned. Certificate: the angle. Experiment where forces do not add up either: with the
// normal turned round they do.
#include <Eigen/Geometry>
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kShare = 0.03;  // of contacts that were followed
constexpr double kDegrees = 57.29577951308232;

// What is left of the momentum's gap when the normal of a contact is turned round. 1: all of it.
double left_when_turned(const io::Record& record, Index contact) {
  io::Record turned = record;
  turned.frame.contacts.normals.row(contact) *= -1;
  if (turned.frame.contacts.tangents.rows() == 0) return 1;
  const auto gap = [](const io::Record& one) {
    const System system = assemble(one.frame);
    return (velocity_plus(one.frame, system, answer_of(one, system)) - one.answer.velocities_plus)
        .norm();
  };
  const double before = gap(record);
  return before > 0 ? gap(turned) / before : 1;
}

// A frame whose momentum is mended by turning one normal round: it is the wrong way in all frames.
std::optional<Finding> turned_round(Examination& e) {
  for (const Vitals& v : e.frames) {
    if (!v.answered || !e.foreign(v) || v.contacts == 0) continue;
    const io::Record record = e.read(v.frame);
    Index best = -1;
    double left = 1, all = 1;
    for (Index i = 0; i < std::min<Index>(record.frame.contacts.count(), 64); ++i) {
      const double now = left_when_turned(record, i);
      if (now < left) {
        left = now;
        best = i;
      }
    }
    io::Record turned = record;
    turned.frame.contacts.normals *= -1;
    if (turned.frame.contacts.tangents.rows() > 0) {
      const System system = assemble(turned.frame), plain = assemble(record.frame);
      const double before = (velocity_plus(record.frame, plain, answer_of(record, plain)) -
                             record.answer.velocities_plus)
                                .norm();
      all = (velocity_plus(turned.frame, system, answer_of(turned, system)) -
             record.answer.velocities_plus)
                .norm() /
            before;
    }
    if (std::min(left, all) > 0.1) return std::nullopt;
    Finding out;
    out.frame = v.frame;
    out.where = e.contact(record, best < 0 ? 0 : best);
    out.value = 180;
    out.unit = "degrees";
    out.says = "the normal points the wrong way, into the first body";
    out.proof = "turned round, " + short_number(100 * std::min(left, all)) +
                " % of the momentum that did not add up is left";
    out.change = "turn the normal round: it points away from the first body of the pair";
    out.predicted_value = 0;
    out.predicted = "the forces add up";
    return out;
  }
  return std::nullopt;
}

// Inner edges that stop what slides over them.
std::optional<Finding> ghost_edges(Examination& e) {
  Index passed = 0;
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    passed += v.ghosts.showed;
    if (v.ghosts.showed > 0 && (!worst || v.ghosts.worst.value > worst->ghosts.worst.value))
      worst = &v;
  }
  if (!worst) return std::nullopt;
  // The ghost is in the frame before the one that shows that it was none.
  const io::Record record = e.read(worst->frame - 1);
  Finding out;
  out.frame = worst->frame - 1;
  out.where = e.contact(record, worst->ghosts.worst.row);
  out.value = record.answer.z(worst->ghosts.worst.row, 0);
  out.unit = "N s";
  out.says =
      "a ghost edge: in the plane on which the body slides, a contact pushes against it with " +
      number_with(out.value, "N s") + "; " + std::to_string(passed) + " such contacts";
  out.proof = "in the next frame the contact is gone, and the body has moved " +
              number_with(worst->ghosts.worst.value, "m") + " through its plane";
  out.change = "one surface where bodies slide: join faces, or ignore inner edges";
  out.predicted_value = 0;
  out.predicted = "nothing pushes there";
  return out;
}

std::optional<Finding> find(Examination& e) {
  Index followed = 0, jumps = 0, flips = 0;
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    followed += v.jumps.looked;
    jumps += v.jumps.showed;
    flips += v.flips;
    if (v.jumps.worst.row >= 0 && (!worst || v.jumps.worst.value > worst->jumps.worst.value))
      worst = &v;
  }
  const bool many =
      jumps >= 3 && static_cast<double>(jumps) > kShare * static_cast<double>(followed);
  if (!worst || !(many || flips > 0)) {
    std::optional<Finding> other = turned_round(e);
    return other ? other : ghost_edges(e);
  }
  const io::Record record = e.read(worst->frame);
  Finding out;
  out.frame = worst->frame;
  out.where = e.contact(record, worst->jumps.worst.row);
  out.value = kDegrees * worst->jumps.worst.value;
  out.unit = "degrees";
  out.says = "normals jump in " + std::to_string(jumps) + " of " + std::to_string(followed) +
             " contacts that were followed from frame to frame, " + std::to_string(flips) +
             " turn round";
  out.proof = "in the step before, the bodies turned and moved too little for that angle";
  out.change =
      "one surface where bodies slide (no inner edges), or normals of the faces, kept from frame "
      "to frame";
  out.predicted_value = 0;
  out.predicted = "normals follow the bodies";
  return out;
}

}  // namespace

Judge normals_jump() {
  return {"normals_jump",
          "Normals jump, flipped normals, ghost edges",
          Blame::geometry,
          "angle by which a contact's normal turns in a step beyond the bodies' motion, degrees",
          "faces without inner edges, normals kept from frame to frame",
          find};
}

}  // namespace perpend::doctor
