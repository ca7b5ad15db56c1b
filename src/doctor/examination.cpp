// Scales, names, and frames solved again.
#include "doctor/examination.hpp"

#include <algorithm>
#include <cmath>

#include "perpend/frame/rotation.hpp"

namespace perpend::doctor {
namespace {

constexpr double kShort = 0.1;    // of what the step asked for: ten per cent is no solution
constexpr double kOpen = 0.01;    // of g h: so much more than rounding does not add up
constexpr double kWild = 5;       // times what the step asked for: one frame is enough
constexpr double kFrames = 0.02;  // of the frames
constexpr std::size_t kSuspects = 4;
constexpr double kSlow = 1e-3;  // of the largest speed, without gravity

}  // namespace

double Examination::scale(const Vitals& v) const {
  const double by_gravity = gravity * v.h, by_speed = kSlow * speed;
  const double out = gravity > 0 ? by_gravity : by_speed;
  return out > 0 ? out : 1e-6;
}

double Examination::short_by(const Vitals& v) const {
  return v.own / std::max(scale(v), std::isfinite(v.demand) ? v.demand : 0);
}

bool Examination::foreign(const Vitals& v) const {
  const double asked = std::max(scale(v), std::isfinite(v.demand) ? v.demand : 0);
  return v.momentum > kOpen * scale(v) && !(v.told > kShort * asked);
}

bool Examination::unsolved(const Vitals& v) const {
  return v.answered && short_by(v) > kShort && !foreign(v);
}

std::vector<const Vitals*> Examination::suspects(double ratio) const {
  std::vector<const Vitals*> first, out;
  for (const Vitals& v : frames)
    if (unsolved(v) && v.ratio.value >= ratio) first.push_back(&v);
  out = first;
  std::stable_sort(out.begin(), out.end(),
                   [&](const Vitals* a, const Vitals* b) { return short_by(*a) > short_by(*b); });
  out.resize(std::min(out.size(), kSuspects));
  first.resize(std::min(first.size(), kSuspects));
  out.insert(out.end(), first.begin(), first.end());
  return out;
}

bool Examination::solver_fails() const {
  Index asked = 0, failed = 0;
  bool wildly = false;
  for (const Vitals& v : frames) {
    if (!v.answered || v.contacts + v.joint_rows == 0) continue;
    ++asked;
    if (!unsolved(v)) continue;
    ++failed;
    wildly = wildly || short_by(v) > kWild;
  }
  const double few = asked >= 20 ? 2 : 0;  // a step or two are an impact
  return failed > 0 &&
         (wildly || static_cast<double>(failed) > few + kFrames * static_cast<double>(asked));
}

std::string Examination::body(const io::Record& record, Index at) const {
  return io::FrameNames(recording.names, record).body(at);
}

std::string Examination::contact(const io::Record& record, Index at) const {
  return io::FrameNames(recording.names, record).contact(at);
}

std::string Examination::joint_row(const io::Record& record, Index at) const {
  return io::FrameNames(recording.names, record).joint_row(at);
}

std::string Examination::row(const io::Record& record, Index at) const {
  if (record.frame.bodies.count() == 0) return "row " + std::to_string(at);
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
  Result out = solve(system, solver, options);
  if (out.impulses.size() != system.rows()) out.impulses = Impulses::Zero(system.rows());
  return out;
}

std::string unit_of(const Joints& joints, Index row) {
  const auto j = joints.jacobian.row(row);
  return turns(j.head<6>(), j.tail<6>()) ? "rad" : "m";
}

std::string number_with(double value, const std::string& unit) {
  return short_number(value) + (unit.empty() ? "" : " " + unit);
}

}  // namespace perpend::doctor
