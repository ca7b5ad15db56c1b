// Frame: everything needed to rebuild the contact problem of one time step, as columns of numbers.
//
// World coordinates, SI units, double precision. Vectors of six have the linear part first. In
// memory, `pairs` are row indices into the bodies; in files they are body ids (Lu et al. 2013,
// section 5). An optional column is absent when it has no rows.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perpend {

using Index = Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

template <int Columns, class Scalar = double>
using Rows = Eigen::Matrix<Scalar, Eigen::Dynamic, Columns, Eigen::RowMajor>;
using Rows3 = Rows<3>;
using Rows6 = Rows<6>;
using Pairs = Rows<2, std::int64_t>;
using Integers = std::vector<std::int64_t>;

enum class Stepper : std::int8_t {
  st,  // Stewart-Trinkle: contacts at distance psi > 0 take part, c = psi/h
  ap   // Anitescu-Potra: contacts farther than 1e-6 m are left out, c = 0
};
std::string_view name(Stepper);

struct Bodies {         // n rows
  Integers ids;         // unique
  VectorXd masses;      // kg; 0: fixed (its velocity is used, its force and inertia are not)
  Rows<9> inertia;      // kg m^2, 3x3 row by row, world axes, about the centre of mass
  Rows3 positions;      // m, centre of mass
  Rows<4> quaternions;  // w, x, y, z
  Rows6 velocities;     // m/s, rad/s
  Rows6 forces;         // N, N m: external, with gravity and gyroscopic terms

  Index count() const { return masses.size(); }
  bool fixed(Index body) const { return masses[body] == 0; }
};

struct Contacts {  // m rows
  Pairs pairs;     // first, second body
  Rows3 normals;   // unit, away from the surface of the first body
  Rows3 points;    // m, r1: from the centre of mass of the first body
  VectorXd gap;    // m, psi: signed distance
  VectorXd mu;     // coefficient of friction
  // Optional columns.
  Rows3 points2;          // m, r2 on the second body; else by `second_point`
  Rows6 tangents;         // unit t, o; else by `tangents(n)`
  VectorXd restitution;   // e; else 0
  Integers group;         // contacts with the same group >= 0 are alternatives; -1: ordinary
  Integers ids;           // to follow a contact from frame to frame
  VectorXd rolling_mu;    // m, recorded, not modelled
  VectorXd torsional_mu;  // m, recorded, not modelled
  // What the step was asked for where it is not what the geometry says.
  VectorXd push;           // m: the gap in the normal row; else psi
  Rows3 surface_velocity;  // m/s, of the second body's surface relative to the first's, beside the
                           // bodies' own motion (a belt); else 0
  // The engine's own softening of the rigid law; used by Model::engine only.
  Rows3 bias;               // m/s, the engine's c of rows n, t, o
  Rows3 cfm;                // 1/kg, compliance added to the diagonal of rows n, t, o
  Rows<2> friction_bounds;  // N s, fixed bounds of |lambda_t|, |lambda_o|; infinite: mu lambda_n

  Index count() const { return gap.size(); }
  const VectorXd& asked_gap() const { return push.size() ? push : gap; }
};

struct Joints {        // K joints, R rows
  Pairs pairs;         // (K) first, second body
  Integers rows;       // (K) number of rows of each joint; joint rows are stored joint by joint
  Rows<12> jacobian;   // (R) six columns for the first body, six for the second
  Rows<2> bounds;      // (R) N s; -inf, inf bilateral; 0, inf a limit; -tau h, tau h a motor
  VectorXd violation;  // (R) Phi; for a limit the distance to it
  // Optional columns.
  VectorXd rate;  // (R) dPhi/dt; a motor's target speed is -rate; else 0
  // Of rows over four bodies: y = J v of `pairs` + J2 v of `pairs2`. Both or neither. A joint
  // without a second pair repeats its first one, with zeros in jacobian2.
  Pairs pairs2;        // (K)
  Rows<12> jacobian2;  // (R)
  // (R) of springs, dampers and servos: the row's y has compliance * lambda added, in every Model;
  // else 0. m/s or rad/s per N s or N m s.
  VectorXd compliance;
  VectorXd cfm;   // (R) compliance; used by Model::engine only
  VectorXd bias;  // (R) the engine's c; used by Model::engine only

  Index count() const { return pairs.rows(); }
  Index row_count() const { return violation.size(); }
};

struct Frame {
  Bodies bodies;
  Contacts contacts;
  Joints joints;
  double step = 0;  // h, s
  double time = 0;  // s
  Stepper stepper = Stepper::st;
};

// Why the frame cannot be assembled, with column and row. Empty if it can.
std::string invalid(const Frame&);

// r2 of a contact: given, or x1 + r1 + psi n - x2 with the gap that the step was asked for.
// Precondition: the pair is valid.
Vector3d second_point(const Frame&, Index contact);

// Tangents t, o of a unit normal n: k = index of the smallest |n_k| (the first when equal),
// t = (e_k - n_k n)/|.|, o = n x t.
struct Tangents {
  Vector3d t, o;
};
Tangents tangents(const Vector3d& normal);

// A frame with every mandatory column, filled with zeros (masses 1, unit inertia and quaternions,
// bounds -inf and inf).
Frame make_frame(Index bodies, Index contacts, const Integers& rows_of_joints = {});

}  // namespace perpend
