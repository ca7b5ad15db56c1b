// Frames worked by hand. Numbers are sums of few powers of two, so that the arithmetic of the
// measures is exact on them: a residual that is 0 on paper is 0 here, and tolerances below are a
// few units in the last place, for the square roots alone.
//
// Floor: body 0, fixed, force and inertia NaN because they must not be read. Block: body 1, with
// its only contact point at its centre of mass, n = z, t = x, o = y. So A_ii = I/m, rho = m, and
// b = v + h f/m + (gap/h, 0, 0). h = 1/8 s.
#pragma once

#include <limits>
#include <vector>

#include "perpend/measure.hpp"

namespace perpend::scenes {

inline constexpr double kStep = 0.125;
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline void add_floor(Frame& f, Index body) {
  f.bodies.masses[body] = 0;
  f.bodies.inertia.row(body).setConstant(kNaN);
  f.bodies.forces.row(body).setConstant(kNaN);
}

inline void touch(Frame& f, Index contact, Index first, Index second, const Vector3d& normal,
                  double gap, double mu) {
  f.contacts.pairs.row(contact) << first, second;
  f.contacts.normals.row(contact) = normal;
  f.contacts.points.row(contact).setZero();
  f.contacts.points2.row(contact).setZero();
  f.contacts.gap[contact] = gap;
  f.contacts.mu[contact] = mu;
}

inline Frame empty_frame(Index bodies, Index contacts, const Integers& joints = {}) {
  Frame f = make_frame(bodies, contacts, joints);
  for (Index i = 0; i < bodies; ++i) f.bodies.ids[static_cast<std::size_t>(i)] = i;
  f.contacts.points2.setZero(contacts, 3);
  f.step = kStep;
  return f;
}

// A block of 2 kg: A = I/2, rho = 2 kg.
inline Frame block(const Vector3d& velocity, const Vector3d& force, double mu = 0.5,
                   double gap = 0) {
  Frame f = empty_frame(2, 1);
  add_floor(f, 0);
  f.bodies.masses[1] = 2;
  f.bodies.velocities.row(1).head<3>() = velocity;
  f.bodies.forces.row(1).head<3>() = force;
  touch(f, 0, 0, 1, Vector3d::UnitZ(), gap, mu);
  return f;
}

// Weight 16 N (b_n = -1 m/s) and a push sideways; mu = 0.5.
inline Frame sticking() { return block({0, 0, 0}, {4, 0, -16}); }    // b = (-1, 1/4, 0)
inline Frame sliding() { return block({0, 0, 0}, {16, 0, -16}); }    // b = (-1, 1, 0)
inline Frame separating() { return block({0, 0, 2}, {0, 0, -16}); }  // b = (1, 0, 0)

// One joint row along x on a body of 2 kg: A = 1/2, rho = 2 kg, b = v_x + violation/h + rate.
inline Frame slider(double speed, double lower, double upper, double rate = 0) {
  Frame f = empty_frame(2, 0, {1});
  add_floor(f, 0);
  f.bodies.masses[1] = 2;
  f.bodies.velocities(1, 0) = speed;
  f.joints.pairs.row(0) << 0, 1;
  f.joints.jacobian.setZero();
  f.joints.jacobian(0, 6) = 1;
  f.joints.bounds.row(0) << lower, upper;
  f.joints.violation[0] = 0;
  f.joints.rate = VectorXd::Constant(1, rate);
  return f;
}

// A block of 2 kg pushed down and sideways, held along x by an equal bilateral row for each
// violation. With none violated: lambda_n = 2, lambda_o = -1/2, the rows -6 N s together.
inline Frame held_block(const std::vector<double>& violations) {
  Frame f = empty_frame(2, 1, {static_cast<std::int64_t>(violations.size())});
  add_floor(f, 0);
  f.bodies.masses[1] = 2;
  f.bodies.velocities.row(1) << 3, 0.25, -1, 0, 0, 0;
  touch(f, 0, 0, 1, Vector3d::UnitZ(), 0, 0.5);
  f.joints.pairs.row(0) << 0, 1;
  f.joints.jacobian.setZero();
  f.joints.jacobian.col(6).setOnes();
  for (std::size_t i = 0; i < violations.size(); ++i)
    f.joints.violation[static_cast<Index>(i)] = violations[i];
  return f;
}

// A point of 1 kg at (1/4, 1/8) before a corner that fills x < 0, z < 0: face 0 looks up, face 1
// along x. At (-4, -2) m/s it is Nguyen and Trinkle 2010, Fig. 5.
inline Frame corner(const Vector3d& velocity = {-4, 0, -2}) {
  Frame f = empty_frame(2, 2);
  add_floor(f, 0);
  f.bodies.masses[1] = 1;
  f.bodies.velocities.row(1).head<3>() = velocity;
  touch(f, 0, 0, 1, Vector3d::UnitZ(), 0.125, 0);
  touch(f, 1, 0, 1, Vector3d::UnitX(), 0.25, 0);
  f.contacts.group = {0, 0};
  return f;
}

// A block between two plates that approach each other at 1 m/s: no forces keep both apart.
inline Frame closing_press() {
  Frame f = empty_frame(3, 2);
  add_floor(f, 0);
  add_floor(f, 2);
  f.bodies.velocities(2, 2) = -1;
  touch(f, 0, 0, 1, Vector3d::UnitZ(), 0, 0);
  touch(f, 1, 1, 2, Vector3d::UnitZ(), 0, 0);
  return f;
}

inline Impulses impulses(std::initializer_list<double> values) {
  Impulses lambda(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double v : values) lambda[i++] = v;
  return lambda;
}

// A dense matrix, row by row.
inline SparseMatrix matrix(Index n, std::initializer_list<double> values) {
  SparseMatrix a(n, n);
  Index at = 0;
  for (const double v : values) {
    if (v != 0) a.insert(at / n, at % n) = v;
    ++at;
  }
  a.makeCompressed();
  return a;
}

}  // namespace perpend::scenes
