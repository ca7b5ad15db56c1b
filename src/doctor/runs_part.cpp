// Two runs that part: the first frame, body and term in which two recordings differ. Terms are
// compared in the order in which a step makes them, so that the first one is the cause.
#include <algorithm>
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

// Above rounding of a sum of a few numbers, and far below anything that is seen.
constexpr double kSame = 1e-12;  // of the largest entry

struct Difference {
  std::string term, unit;
  double by = 0;
  Index row = -1;
  enum class Of { frame, body, contact, joint_row } of = Of::frame;
};

template <class A, class B>
bool differ(const A& a, const B& b, double floor, Difference& out) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) {
    out.by = std::abs(static_cast<double>(a.rows() - b.rows()));
    out.unit = "rows";
    return true;
  }
  double size = floor;
  for (Index i = 0; i < a.size(); ++i)
    if (const double v = std::abs(static_cast<double>(a.reshaped()[i])); std::isfinite(v))
      size = std::max(size, v);
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k) {
      const double x = static_cast<double>(a(i, k)), y = static_cast<double>(b(i, k));
      if (x == y || (std::isnan(x) && std::isnan(y))) continue;
      const double by = std::abs(x - y);
      if (by <= kSame * size) continue;
      out.by = by;
      out.row = i;
      return true;
    }
  return false;
}

std::optional<Difference> difference(const io::Record& a, const io::Record& b) {
  using Of = Difference::Of;
  const Frame &f = a.frame, &g = b.frame;
  Difference out;
  const auto term = [&](const char* name, const char* unit, Of of, const auto& x, const auto& y,
                        double floor) {
    if (!differ(x, y, floor, out)) return false;
    out.term = name;
    if (out.unit.empty()) out.unit = unit;
    out.of = of;
    return true;
  };
  const Eigen::Matrix<double, 1, 1> h(f.step), k(g.step);
  double weight = 0;  // N s in a step
  for (Index i = 0; i < f.bodies.count(); ++i)
    if (!f.bodies.fixed(i))
      weight = std::max(weight, f.step * f.bodies.forces.row(i).head<3>().norm());
  if (term("step", "s", Of::frame, h, k, 0) ||
      term("masses", "kg", Of::body, f.bodies.masses, g.bodies.masses, 0) ||
      term("positions", "m", Of::body, f.bodies.positions, g.bodies.positions, 0) ||
      term("quaternions", "", Of::body, f.bodies.quaternions, g.bodies.quaternions, 0) ||
      term("inertia", "kg m^2", Of::body, f.bodies.inertia, g.bodies.inertia, 0) ||
      term("velocities", "m/s or rad/s", Of::body, f.bodies.velocities, g.bodies.velocities,
           f.step) ||
      term("forces", "N or N m", Of::body, f.bodies.forces, g.bodies.forces, 0) ||
      term("contact pairs", "", Of::contact, f.contacts.pairs, g.contacts.pairs, 0) ||
      term("gap", "m", Of::contact, f.contacts.gap, g.contacts.gap, 1e-3) ||
      term("push", "m", Of::contact, f.contacts.push, g.contacts.push, 1e-3) ||
      term("surface velocity", "m/s", Of::contact, f.contacts.surface_velocity,
           g.contacts.surface_velocity, f.step) ||
      term("normals", "", Of::contact, f.contacts.normals, g.contacts.normals, 0) ||
      term("contact points", "m", Of::contact, f.contacts.points, g.contacts.points, 0) ||
      term("mu", "", Of::contact, f.contacts.mu, g.contacts.mu, 0) ||
      term("joint pairs", "", Of::frame, f.joints.pairs, g.joints.pairs, 0) ||
      term("joint violation", "m or rad", Of::joint_row, f.joints.violation, g.joints.violation,
           1e-3) ||
      term("joint bounds", "N s", Of::joint_row, f.joints.bounds, g.joints.bounds, 0) ||
      term("impulses z", "N s", Of::contact, a.answer.z, b.answer.z, weight) ||
      term("impulses z_joints", "N s", Of::joint_row, a.answer.z_joints, b.answer.z_joints,
           weight) ||
      term("velocities_plus", "m/s or rad/s", Of::body, a.answer.velocities_plus,
           b.answer.velocities_plus, f.step))
    return out;
  return std::nullopt;
}

}  // namespace

std::optional<Finding> compare(const Recording& first, const Recording& second,
                               const Settings& settings) {
  const Index frames = std::min(first.frames, second.frames);
  std::vector<Index> chosen = settings.frames;
  if (chosen.empty())
    for (Index i = 0; i < frames; ++i) chosen.push_back(i);
  Finding out;
  out.verdict = verdict_named("runs_part");
  for (const Index frame : chosen) {
    if (frame >= frames || (settings.cancelled && settings.cancelled())) break;
    const io::Record a = first.read(frame), b = second.read(frame);
    const std::optional<Difference> found = difference(a, b);
    if (!found) continue;
    const Examination names{first, settings, Sizes(first.model), {}, {}, 0, 0};
    using Of = Difference::Of;
    out.frame = frame;
    const bool known = found->row >= 0;
    if (!known || found->of == Of::frame)
      out.where = "the whole frame";
    else if (found->of == Of::body)
      out.where = names.body(a, found->row);
    else if (found->of == Of::contact)
      out.where = names.contact(a, found->row);
    else
      out.where = names.joint_row(a, found->row);
    out.value = found->by;
    out.unit = found->unit;
    out.says = "the runs part here, first in " + found->term + ": " +
               number_with(found->by, found->unit) + " apart";
    out.proof =
        "all terms before it in the step, and all frames before this one, are equal to 12 "
        "digits";
    out.change = "start with what sets " + found->term +
                 ": order of insertion, iterations, threads, time limits, or another build";
    out.predicted_value = 0;
    out.predicted = "equal runs";
    return out;
  }
  if (first.frames != second.frames && settings.frames.empty()) {
    out.frame = frames;
    out.where = "the whole frame";
    out.value = static_cast<double>(std::abs(first.frames - second.frames));
    out.unit = "frames";
    out.says = "one run ends here; up to here they are equal";
    out.proof = "all frames before this one are equal to 12 digits";
    out.change = "the same number of steps";
    out.predicted_value = 0;
    out.predicted = "equal runs";
    return out;
  }
  return std::nullopt;
}

Judge runs_part() {
  return {"runs_part",
          "Two runs part: not deterministic, not reproducible",
          Blame::solver,
          "first term of the first frame that differs in two recordings, in its unit",
          "what sets that term: order, threads, clocks, builds",
          nullptr};
}

}  // namespace perpend::doctor
