// Masses and inertia: moments of inertia that no body can have (I1 + I2 < I3, not positive, out of
// proportion to its size), or masses so different that the solver fails. Certificate: the moments.
// Experiment: the same sweeps over the frame with equal masses.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kTriangle = 1e-3;             // of the largest moment
constexpr double kSmall = 0.05, kLarge = 1.5;  // radius of gyration beside the size
constexpr double kOutside = 3;  // times the inertia of a solid box: its mass lies in its corners
constexpr double kSame = 0.01, kOther = 0.1;  // of the moments: the same, and others
// The same where the size is not known, and for links of a robot: rotors and parts without a
// collision shape count in their inertia, and their shape may be a foot alone.
constexpr double kFarTooLarge = 30;
constexpr double kRatio = 10;              // of masses: less is hard for nobody
constexpr double kGoal = 0.01;             // of what the step asks for
constexpr long kMost = 20000, kMany = 50;  // sweeps
constexpr double kHelps = 4;               // times fewer sweeps with equal masses

std::string moments(const BodyFacts& b) {
  return short_number(b.moments[0]) + ", " + short_number(b.moments[1]) + ", " +
         short_number(b.moments[2]) + " kg m^2";
}

// How far the inertia is from that of its solid shape, if it has its principal moments but not its
// axes: swapped axes. 0: not so.
double turned_about(const Examination& e, std::int64_t id, const BodyFacts& b) {
  const Matrix3d* solid = e.sizes.solid(id);
  if (!solid) return 0;
  const Vector3d moments = b.mass * Eigen::SelfAdjointEigenSolver<Matrix3d>(*solid).eigenvalues();
  if ((moments - b.moments).norm() > kSame * moments.norm()) return 0;
  const double apart = (b.mass * *solid - b.inertia).norm() / moments.norm();
  return apart > kOther ? apart : 0;
}

// How many times the inertia is that of its solid shape, all moments alike. A link of a robot whose
// shape is a part of it has other proportions. 0: not so.
double times_solid(const Examination& e, std::int64_t id, const BodyFacts& b) {
  const Matrix3d* solid = e.sizes.solid(id);
  if (!solid) return 0;
  const double times = b.inertia.trace() / (b.mass * solid->trace());
  const bool alike = (b.inertia - times * b.mass * *solid).norm() < kSame * b.inertia.norm();
  return alike ? times : 0;
}

std::optional<Finding> impossible(Examination& e) {
  std::optional<Finding> out;
  double worst = 0;
  for (const auto& [id, b] : e.bodies) {
    Finding f;
    double wrong = 0, after = 0;
    const double gap = b.moments[2] - b.moments[0] - b.moments[1];
    const double known = b.half > 0 ? b.half : b.arm;
    const double gyration = std::sqrt(std::max(0.0, b.moments.sum() / 2) / b.mass);
    if (b.moments[0] <= 0) {
      wrong = 1e9;
      f.value = b.moments[0];
      f.unit = "kg m^2";
      f.says = "a moment of inertia is not positive: " + moments(b);
      f.proof = "certificate: the principal moments";
    } else if (gap > kTriangle * b.moments[2]) {
      wrong = 1e6 * gap / b.moments[2];
      f.value = gap;
      f.unit = "kg m^2";
      f.says = "no body has the moments of inertia " + moments(b);
      f.proof =
          "certificate: the largest exceeds the sum of the others by " + number_with(gap, "kg m^2");
    } else if (const double turned = turned_about(e, id, b); turned > 0) {
      wrong = 1e3 * turned;
      f.value = turned;
      f.unit = "times";
      f.says = "its moments of inertia are those of its shape, but about other axes";
      f.proof =
          "certificate: the principal moments beside those of the solid shape, and axes that "
          "make them differ by " +
          short_number(100 * turned) + " %";
    } else if (const double times = times_solid(e, id, b); times > kOutside) {
      wrong = times;
      after = 1;
      f.value = times;
      f.unit = "times";
      f.says = "its moments of inertia are " + short_number(times) + " times those of its shape";
      f.proof =
          "certificate: the same proportions as the solid shape; more than 3 times would lie "
          "outside";
    } else if (known > 0 &&
               (gyration < kSmall * known ||
                gyration > (b.half > 0 && !b.joined ? kLarge : kFarTooLarge) * known)) {
      wrong = std::max(gyration / known, known / gyration);
      after = known / 2;
      f.value = gyration;
      f.unit = "m";
      f.says = "its inertia is that of a body of size " + number_with(gyration, "m") +
               ", but it reaches " + number_with(known, "m") + " far";
      f.proof = "certificate: radius of gyration beside shapes and contact points";
    }
    if (wrong <= worst) continue;
    worst = wrong;
    f.frame = b.frame;
    const io::Record record = e.read(b.frame);
    const auto at = std::find(record.frame.bodies.ids.begin(), record.frame.bodies.ids.end(), id);
    f.where = e.body(record, static_cast<Index>(at - record.frame.bodies.ids.begin()));
    f.change = "compute mass and inertia from the shape and its density";
    f.predicted_value = after;
    f.predicted = "moments of inertia that a body can have";
    out = std::move(f);
  }
  return out;
}

// The two bodies of a contact or joint whose masses differ most.
std::pair<Index, Index> heaviest_on_light(const Frame& frame) {
  const Peak ratio = mass_ratio(frame);
  const Index contacts = frame.contacts.count();
  const auto pair = ratio.row < contacts ? frame.contacts.pairs.row(ratio.row)
                                         : frame.joints.pairs.row(ratio.row - contacts);
  const bool first = frame.bodies.masses[pair[0]] > frame.bodies.masses[pair[1]];
  return {pair[first ? 0 : 1], pair[first ? 1 : 0]};
}

Frame equalised(const Frame& frame) {
  Frame out = frame;
  std::vector<double> all;
  for (Index i = 0; i < frame.bodies.count(); ++i)
    if (!frame.bodies.fixed(i)) all.push_back(frame.bodies.masses[i]);
  const double typical = median(all);
  for (Index i = 0; i < frame.bodies.count(); ++i) {
    if (frame.bodies.fixed(i)) continue;
    const double by = typical / frame.bodies.masses[i];
    out.bodies.masses[i] *= by;
    out.bodies.inertia.row(i) *= by;
    out.bodies.forces.row(i) *= by;
  }
  return out;
}

std::optional<Finding> too_different(Examination& e) {
  if (!e.solver_fails()) return std::nullopt;
  for (const Vitals* at : e.suspects(kRatio)) {
    const io::Record record = e.read(at->frame);
    const double goal = kGoal * std::max(e.scale(*at), at->demand);
    const auto sweeps = [&](const Frame& frame) {
      return solved(assemble(frame, Model::engine), "box/pgs", goal, kMost).iterations;
    };
    const long now = sweeps(record.frame), equal = sweeps(equalised(record.frame));
    if (now < kMany || static_cast<double>(now) < kHelps * static_cast<double>(equal)) continue;
    const auto [heavy, light] = heaviest_on_light(record.frame);
    Finding out;
    out.frame = at->frame;
    out.where = e.body(record, heavy) + " and " + e.body(record, light);
    out.value = at->ratio.value;
    out.unit = "times";
    out.says = "a body of " + number_with(record.frame.bodies.masses[heavy], "kg") +
               " meets one of " + number_with(record.frame.bodies.masses[light], "kg") +
               ", and the solver fails";
    out.proof = "to one per cent of what the step asks for the frame needs " +
                (now < kMost ? std::to_string(now) : "more than " + std::to_string(kMost)) +
                " sweeps; with equal masses " + std::to_string(equal);
    out.change = "masses within " + short_number(kRatio) + " of each other, or a direct solver";
    out.predicted = std::to_string(equal) + " sweeps are enough";
    return out;
  }
  return std::nullopt;
}

std::optional<Finding> find(Examination& e) {
  if (std::optional<Finding> out = impossible(e)) return out;
  return too_different(e);
}

}  // namespace

Judge masses_and_inertia() {
  return {
      "masses_and_inertia",
      "Mass ratio, wrong masses or inertia",
      Blame::model,
      "moments of inertia, kg m^2, their axes, or radius of gyration, m, that no such body has; "
      "ratio of masses at which sweeps fail",
      "inertia from the shape; masses within 10 of each other",
      find};
}

}  // namespace perpend::doctor
