// A cube of 2 kg on the floor, on four corners, solved exactly: a sound recording to be spoilt.
#pragma once

#include <cmath>

#include "perpend/doctor.hpp"
#include "perpend/solve.hpp"

namespace perpend::doctor {

constexpr double kStep = 0.01, kGravity = 9.81, kMass = 2, kHalf = 0.5;

// `push`: along x, N. `speed`: along a direction `angle` from x, m/s.
inline io::Record cube(double push = 0, double speed = 0, double angle = 0) {
  io::Record out;
  Frame& f = out.frame;
  f = make_frame(2, 4);
  f.step = kStep;
  f.bodies.ids = {0, 7};
  f.bodies.masses << 0, kMass;
  const double moment = kMass * 4 * kHalf * kHalf / 6;
  f.bodies.inertia.row(1) << moment, 0, 0, 0, moment, 0, 0, 0, moment;
  f.bodies.positions.row(1) << 0, 0, kHalf;
  f.bodies.velocities.row(1).head<2>() << speed * std::cos(angle), speed * std::sin(angle);
  f.bodies.forces.row(1) << push, 0, -kMass * kGravity, 0, push * -kHalf, 0;
  for (Index i = 0; i < 4; ++i) {
    f.contacts.pairs.row(i) << 0, 1;
    f.contacts.normals.row(i) << 0, 0, 1;
    f.contacts.points.row(i) << (i % 2 ? kHalf : -kHalf), (i / 2 ? kHalf : -kHalf), 0;
    f.contacts.mu[i] = 0.5;
  }
  const Tangents t = tangents(Vector3d::UnitZ());
  f.contacts.tangents.resize(4, 6);
  for (Index i = 0; i < 4; ++i) f.contacts.tangents.row(i) << t.t.transpose(), t.o.transpose();
  return out;
}

// A second one beside it, `body` 9, or only its contacts: `twice`, on a second floor, body 9.
inline io::Record two_cubes(bool twice = false) {
  io::Record out = cube();
  const Frame one = out.frame;
  Frame& f = out.frame;
  f = make_frame(3, 8);
  f.step = kStep;
  f.bodies.ids = {0, 7, 9};
  f.bodies.masses << 0, kMass, twice ? 0 : kMass;
  for (const Index i : {1, 2}) {
    f.bodies.inertia.row(i) = one.bodies.inertia.row(1);
    f.bodies.positions.row(i) = one.bodies.positions.row(1);
    f.bodies.forces.row(i) = one.bodies.forces.row(1);
  }
  if (twice)
    f.bodies.positions.row(2).setZero();
  else
    f.bodies.positions(2, 0) = 3;
  f.contacts.tangents.resize(8, 6);
  for (Index i = 0; i < 8; ++i) {
    f.contacts.pairs.row(i) << (twice && i >= 4 ? 2 : 0), (twice || i < 4 ? 1 : 2);
    f.contacts.normals.row(i) << 0, 0, 1;
    f.contacts.points.row(i) = one.contacts.points.row(i % 4);
    if (!twice && i >= 4) f.contacts.points(i, 0) += 3;
    f.contacts.mu[i] = 0.5;
    f.contacts.tangents.row(i) = one.contacts.tangents.row(0);
  }
  return out;
}

// The answer of a solver, with the velocities that it gives.
inline void answer(io::Record& record, const std::string& solver = "ncp/auto",
                   const Options& options = {}) {
  const System system = assemble(record.frame, Model::engine);
  const Result result = solve(system, solver, options);
  record.answer.z = contact_rows(system, result.impulses);
  record.answer.z_joints = result.impulses.tail(system.joint_rows());
  record.answer.velocities_plus = velocity_plus(record.frame, system, result.impulses);
}

inline Recording recording(std::vector<io::Record> records) {
  Recording out;
  out.frames = static_cast<Index>(records.size());
  out.read = [all = std::move(records)](Index i) { return all[static_cast<std::size_t>(i)]; };
  return out;
}

// The same record as often as verdicts need to believe it.
inline Recording ten(const io::Record& record) {
  return recording(std::vector<io::Record>(10, record));
}

inline const Finding* named(const Diagnosis& diagnosis, std::string_view id) {
  for (const Finding& one : diagnosis.findings)
    if (one.verdict->id == id) return &one;
  return nullptr;
}

}  // namespace perpend::doctor
