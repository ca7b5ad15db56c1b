// Friction creeps: a contact slides although its friction is inside the cone, or sinks although it
// pushes, because the engine's rows are regularised or soft. Experiment: the frame is solved again
// with rigid friction.
#include <algorithm>
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kCreep = 2e-3;     // of g h
constexpr double kSunk = 0.02;      // of the body's size
constexpr double kTypical = 0.2;    // of the frames in which contacts push: less is settling
constexpr Index kFew = 5;           // frames: less is an impact
constexpr double kExplained = 0.5;  // of the creep that may be left with rigid friction

double mean(const Share& share) {
  return share.looked > 0 ? share.sum / static_cast<double>(share.looked) : 0;
}

// Creep that the solver's error does not explain.
bool creeps(const Examination& e, const Vitals& v) {
  return v.creep.looked > 0 && mean(v.creep) > kCreep * e.scale(v) && mean(v.creep) > 2 * v.own &&
         !e.foreign(v);
}

// The engine's frame but for its friction rows.
Frame with_rigid_friction(const Frame& frame) {
  Frame out = frame;
  if (out.contacts.cfm.rows() > 0) out.contacts.cfm.rightCols<2>().setZero();
  if (out.contacts.bias.rows() > 0) out.contacts.bias.rightCols<2>().setZero();
  out.contacts.friction_bounds.resize(0, 2);
  return out;
}

double creep_at(const System& system, const Impulses& lambda, Index row) {
  const VectorXd y = relative_velocity(system, lambda);
  for (Index i = 0; i < system.contacts(); ++i)
    if (system.frame_contact[static_cast<std::size_t>(i)] == row)
      return y.segment<2>(3 * i + 1).norm();
  return kUnknown;
}

std::optional<Finding> sinks(Examination& e) {
  std::vector<double> depths;
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    if (!v.answered || v.contacts == 0) continue;
    depths.push_back(v.soft.value);
    if (v.soft.row >= 0 && (!worst || v.soft.value > worst->soft.value)) worst = &v;
  }
  if (!worst || !(median(depths) > kSunk)) return std::nullopt;
  const io::Record record = e.read(worst->frame);
  Finding out;
  out.frame = worst->frame;
  out.where = e.contact(record, worst->soft.row);
  out.value = -record.frame.contacts.gap[worst->soft.row];
  out.unit = "m";
  out.says = "soft contacts sink " + number_with(out.value, "m") + " in, " +
             short_number(100 * worst->soft.value) + " % of the body's size";
  out.proof = "the row's compliance is " +
              number_with(record.frame.contacts.cfm(worst->soft.row, 0), "1/kg") +
              ", and it bears " + number_with(record.answer.z(worst->soft.row, 0) / worst->h, "N");
  out.change = "contacts ten times as stiff (compliance, cfm, solref or solimp)";
  out.predicted_value = out.value / 10;
  out.predicted = "they sink about " + number_with(out.predicted_value, "m");
  return out;
}

std::optional<Finding> find(Examination& e) {
  Index bearing = 0, creeping = 0;
  const Vitals* worst = nullptr;
  for (const Vitals& v : e.frames) {
    bearing += v.bearing > 0;
    if (!creeps(e, v)) continue;
    ++creeping;
    if (!worst || mean(v.creep) > mean(worst->creep)) worst = &v;
  }
  if (!worst || creeping < kFew ||
      static_cast<double>(creeping) < kTypical * static_cast<double>(bearing))
    return sinks(e);
  std::vector<double> all;
  for (const Vitals& v : e.frames)
    if (creeps(e, v)) all.push_back(mean(v.creep));
  // The typical frame, so that the number is that of the rest of the run.
  const double typical = median(all);
  for (const Vitals& v : e.frames)
    if (creeps(e, v) && std::abs(mean(v.creep) - typical) < std::abs(mean(worst->creep) - typical))
      worst = &v;
  const io::Record record = e.read(worst->frame);
  const System rigid = assemble(with_rigid_friction(record.frame), Model::engine);
  const Result again = solved(rigid, "ncp/auto", 1e-6 * e.scale(*worst), 500);
  const double left = creep_at(rigid, again.impulses, worst->creep.worst.row);
  if (!(left < kExplained * worst->creep.worst.value)) return sinks(e);  // it is not the softness
  Finding out;
  out.frame = worst->frame;
  out.where = e.contact(record, worst->creep.worst.row);
  out.value = mean(worst->creep);
  out.unit = "m/s";
  out.says = "contacts slide at " + number_with(out.value, "m/s") +
             " although their friction is inside the cone: " + short_number(1000 * 60 * out.value) +
             " mm a minute";
  out.proof = "solved again with rigid friction, the contact slides at " + number_with(left, "m/s");
  // MuJoCo's impratio with pyramids lifts what slides, and lets a gripped cube fall sooner.
  out.change =
      "friction ten times as stiff (its compliance or cfm; in MuJoCo elliptic cones with impratio "
      "10, or noslip)";
  out.predicted_value = out.value / 10;
  out.predicted = "it creeps at about " + number_with(out.predicted_value, "m/s");
  return out;
}

}  // namespace

Judge friction_creeps() {
  return {"friction_creeps",
          "Friction creeps, slow sliding, regularised or soft contacts",
          Blame::model,
          "sliding speed inside the friction cone, m/s, above 0.2 % of g h; or overlap kept by "
          "compliance, m, above 2 % of the body",
          "stiffer friction or contacts",
          find};
}

}  // namespace perpend::doctor
