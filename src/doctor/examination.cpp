// Scales, names, and frames solved again.
#include "doctor/examination.hpp"

#include <algorithm>
#include <cmath>

namespace perpend::doctor {
namespace {

constexpr double kShort = 0.05;   // of what the step asked for: five per cent is no solution
constexpr double kFrames = 0.02;  // of the frames
constexpr double kSlow = 1e-3;    // of the largest speed, without gravity

// The row of its joint: K joints, their first rows.
std::pair<Index, Index> joint_of(const Joints& joints, Index row) {
  Index joint = 0;
  while (joint + 1 < joints.count() && row >= joints.rows[static_cast<std::size_t>(joint)])
    row -= joints.rows[static_cast<std::size_t>(joint++)];
  return {joint, row};
}

std::string name_of(const Integers& ids, const std::vector<io::NameText>& names, std::int64_t id) {
  const auto found = std::find(ids.begin(), ids.end(), id);
  const auto at = static_cast<std::size_t>(found - ids.begin());
  return found != ids.end() && at < names.size() ? names[at].str() : std::string();
}

}  // namespace

double Examination::scale(const Vitals& v) const {
  const double by_gravity = gravity * v.h, by_speed = kSlow * speed;
  const double out = gravity > 0 ? by_gravity : by_speed;
  return out > 0 ? out : 1e-6;
}

double Examination::short_by(const Vitals& v) const {
  return v.own / std::max(scale(v), std::isfinite(v.demand) ? v.demand : 0);
}

bool Examination::solver_fails() const {
  Index asked = 0, failed = 0;
  bool wildly = false;
  for (const Vitals& v : frames) {
    if (!v.answered || v.contacts + v.joint_rows == 0) continue;
    ++asked;
    if (v.momentum > 0.01 * scale(v)) continue;  // another answer than the recorded one
    if (short_by(v) > kShort) ++failed;
    wildly = wildly || short_by(v) > 0.5;
  }
  return failed > 0 &&
         (wildly || static_cast<double>(failed) > kFrames * static_cast<double>(asked));
}

std::string Examination::body(const io::Record& record, Index at) const {
  const std::int64_t id = record.frame.bodies.ids[static_cast<std::size_t>(at)];
  const std::string named = name_of(recording.model.body_ids, recording.model.body_names, id);
  return named.empty() ? "body " + std::to_string(id) : named;
}

std::string Examination::contact(const io::Record& record, Index at) const {
  if (at >= record.frame.contacts.count()) return "contact " + std::to_string(at);
  const auto pair = record.frame.contacts.pairs.row(at);
  return "contact " + std::to_string(at) + " of " + body(record, pair[1]) + " on " +
         body(record, pair[0]);
}

std::string Examination::joint_row(const io::Record& record, Index at) const {
  const Joints& joints = record.frame.joints;
  if (at >= joints.row_count()) return "joint row " + std::to_string(at);
  const auto [joint, row] = joint_of(joints, at);
  std::string named;
  if (static_cast<std::size_t>(joint) < record.joint_ids.size())
    named = name_of(recording.model.joint_ids, recording.model.joint_names,
                    record.joint_ids[static_cast<std::size_t>(joint)]);
  if (named.empty())
    named = "joint " + std::to_string(joint) + " of " + body(record, joints.pairs(joint, 0)) +
            " and " + body(record, joints.pairs(joint, 1));
  return named + ", row " + std::to_string(row);
}

std::string Examination::row(const io::Record& record, Index at) const {
  const Index contacts = record.frame.contacts.count();
  return at < contacts ? contact(record, at) : joint_row(record, at - contacts);
}

Result solved(const System& system, std::string_view solver, double tolerance, long iterations,
              const Impulses& start) {
  Options options;
  options.tolerance = tolerance;
  options.max_iterations = iterations;
  options.warm_start = start;
  options.measure_all = false;
  return solve(system, solver, options);
}

std::string number_with(double value, const std::string& unit) {
  return short_number(value) + (unit.empty() ? "" : " " + unit);
}

}  // namespace perpend::doctor
