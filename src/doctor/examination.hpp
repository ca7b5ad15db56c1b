// All that verdicts are found from: the vitals of every frame, and frames to be solved again.
#pragma once

#include <map>

#include "doctor/verdict.hpp"
#include "doctor/vitals.hpp"
#include "perpend/solve.hpp"

namespace perpend::doctor {

struct BodyFacts {
  Index frame = -1;
  double mass = 0;
  Vector3d moments = Vector3d::Zero();  // principal moments of inertia, ascending, kg m^2
  Matrix3d inertia = Matrix3d::Zero();  // kg m^2, in the axes of the body
  double arm = 0;                       // m, farthest contact point from the centre of mass
  double half = 0;                      // m, of its shapes; 0: not known
  bool joined = false;                  // part of a joint
};

struct Examination {
  const Recording& recording;
  const Settings& settings;
  Sizes sizes;
  std::vector<Vitals> frames;
  std::map<std::int64_t, BodyFacts> bodies;
  double gravity = 0;  // m/s^2
  double speed = 0;    // m/s, largest

  // The speed that gravity gives in a step: what a contact at rest has to take away. Without
  // gravity a thousandth of the largest speed.
  double scale(const Vitals&) const;
  // The error of the answer to its own problem beside what the frame asked for.
  double short_by(const Vitals&) const;
  // The recorded impulses are not what moved the bodies, and the file does not say that the engine
  // failed: whatever is wrong, its solver cannot be judged by them.
  bool foreign(const Vitals&) const;
  // Its own problem is not solved, and that can be told.
  bool unsolved(const Vitals&) const;
  // Unsolved frames where masses differ by this ratio: the worst, and the first ones, since what
  // came after them may be a heap.
  std::vector<const Vitals*> suspects(double ratio = 0) const;
  // More than a share of the frames with contacts or joints and an answer are unsolved.
  bool solver_fails() const;

  io::Record read(Index frame) const { return recording.read(frame); }
  // Names in words.
  std::string body(const io::Record&, Index body) const;
  std::string contact(const io::Record&, Index contact) const;
  std::string joint_row(const io::Record&, Index row) const;
  // Contact, or number of contacts + joint row.
  std::string row(const io::Record&, Index row) const;
};

// A frame solved again, within a fixed amount of work.
Result solved(const System&, std::string_view solver, double tolerance, long iterations,
              const Impulses& start = {});

// Speeds that no motion can have: the least-squares violation r of y >= 0 (contacts, limits) and
// y = 0 (joints) that remains, with J' r = 0 and c' r < 0 as the certificate.
struct Infeasible {
  VectorXd violation;    // (contacts + joint rows) m/s
  double worst = 0;      // m/s
  double imbalance = 0;  // |J' r| beside |r|: 0 in an exact certificate
  bool certain = false;  // the certificate holds
};
Infeasible infeasible(const System&);

std::string number_with(double value, const std::string& unit);

// Of a joint row: "rad" if it is a rotation, else "m".
std::string unit_of(const Joints&, Index row);

}  // namespace perpend::doctor
