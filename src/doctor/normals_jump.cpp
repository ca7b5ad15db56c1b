// Normals that jump: from one frame to the next the normal at a place turns by more than the bodies
// can have turned. Certificate: the angle. Experiment where forces do not add up either: with the
// normal turned round they do.
#include <Eigen/Geometry>
#include <cmath>
#include <map>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kShare = 0.03;  // of contacts that were followed
constexpr double kRound = 1e-3;  // the same, if some turn round
constexpr double kMended = 0.1;  // of the momentum that does not add up
constexpr std::size_t kTried = 64;
constexpr double kDegrees = 57.29577951308232;

using Rows = std::vector<Index>;

// By how much momentum does not add up, m/s and rad/s.
double momentum_gap(const io::Record& record) {
  const System system = assemble(record.frame);
  return (velocity_plus(record.frame, system, answer_of(record, system)) -
          record.answer.velocities_plus)
      .norm();
}

// What may be the wrong way: a contact, all of two bodies, all.
std::vector<Rows> choices(const Contacts& contacts) {
  std::vector<Rows> out;
  std::map<std::pair<Index, Index>, Rows> pairs;
  Rows all;
  for (Index i = 0; i < contacts.count(); ++i) {
    if (out.size() < kTried) out.push_back({i});
    pairs[{contacts.pairs(i, 0), contacts.pairs(i, 1)}].push_back(i);
    all.push_back(i);
  }
  for (auto& [bodies, rows] : pairs)
    if (out.size() < 2 * kTried) out.push_back(std::move(rows));
  out.push_back(std::move(all));
  return out;
}

// A frame whose momentum is mended by turning normals round: they are the wrong way in all frames.
std::optional<Finding> turned_round(Examination& e) {
  for (const Vitals& v : e.frames) {
    if (!v.answered || !e.foreign(v) || v.contacts == 0) continue;
    const io::Record record = e.read(v.frame);
    if (record.frame.contacts.tangents.rows() == 0) return std::nullopt;
    const double before = momentum_gap(record);
    double left = before;
    Rows best;
    for (const Rows& rows : choices(record.frame.contacts)) {
      io::Record turned = record;
      for (const Index row : rows) turned.frame.contacts.normals.row(row) *= -1;
      if (const double now = momentum_gap(turned); now < left) {
        left = now;
        best = rows;
      }
    }
    if (!(left < kMended * before)) return std::nullopt;
    Finding out;
    out.frame = v.frame;
    out.where = e.contact(record, best.front());
    out.value = 180;
    out.unit = "degrees";
    out.says = best.size() == 1 ? "the normal points the wrong way, into the first body"
                                : std::to_string(best.size()) +
                                      " normals point the wrong way, into the first body";
    out.proof = "turned round, " + short_number(100 * left / before) +
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
  const double share = static_cast<double>(jumps) / static_cast<double>(followed);
  const bool many = jumps >= 3 && share > kShare;
  if (!worst || !(many || (flips > 0 && share > kRound))) {
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
