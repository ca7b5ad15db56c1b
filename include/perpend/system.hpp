// System: y = A lambda + b with A = J M^-1 J^T, the laws of its rows, and nothing about its origin.
//
// Unknowns: contact i has the three rows (n, t, o) at 3i, joint rows follow at 3m. In block
// numbering contact i is block i and joint row j is block m + j. A is held in one of two forms:
// body space (J and M^-1 J^T; a product costs O(contacts)) and explicit blocks (FCLIB's local
// problems come only like this). Gauss-Seidel methods see either through u(i), push(i, d),
// block(i).
#pragma once

#include <Eigen/SparseCore>
#include <optional>
#include <variant>

#include "perpend/frame.hpp"

namespace perpend {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Matrix36 = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// J and M^-1 J^T, two 6-column blocks per contact and per joint row.
struct BodySpace {
  struct Contact {
    Index first, second;  // bodies
    Matrix36 j1, j2;      // rows n, t, o of J
    Matrix36 w1, w2;      // rows of (M^-1 J^T)^T
  };
  struct JointRow {
    Index first, second;
    Vector6 j1, j2, w1, w2;
  };
  Index bodies = 0;
  std::vector<Contact> contacts;
  std::vector<JointRow> joints;
  VectorXd cfm;  // (3m + r) compliance on the diagonal; absent when empty
};

// A by its nonzero blocks: 3x3 between contacts, 3x1, 1x3, 1x1 where joint rows take part.
struct Blocks {
  Index contacts = 0, joint_rows = 0;
  std::vector<Index> row_start;  // (m + r + 1) first entry of each block row
  std::vector<Index> column;     // block column of each entry, ascending in a row
  std::vector<Index> offset;     // where its values start, row-major
  std::vector<double> values;
  std::vector<Index> diagonal;  // (m + r) entry of the diagonal block, always present

  Index block_rows() const { return contacts + joint_rows; }
  Index dimension(Index block) const { return block < contacts ? 3 : 1; }
  Index first_row(Index block) const { return block < contacts ? 3 * block : 2 * contacts + block; }
};

// What is needed to go back to velocities. FCLIB's local problems do not have it.
struct Dynamics {
  SparseMatrix mass;       // (nv x nv) of the moving bodies or generalized coordinates
  VectorXd velocity;       // (nv) v
  VectorXd free_velocity;  // (nv) v + h M^-1 f
  // Bodies: of each its first column, -1 fixed. Generalized coordinates: J, (3m + r x nv).
  std::vector<Index> body_column;
  SparseMatrix generalized_jacobian, generalized_response;  // J, M^-1 J^T
};

// Contacts that are alternatives of each other (Nguyen and Trinkle 2010, eq. 14): one impulse acts,
// along face u.
struct Group {
  std::vector<Index> faces;  // contacts, ascending
  Index u = -1;              // the contact that pushes
};

struct System {
  std::variant<BodySpace, Blocks> A;
  VectorXd b;             // (3m + r) m/s
  VectorXd mu;            // (m)
  VectorXd lower, upper;  // (r) bounds of joint impulses, N s
  double step = 0;        // h, s; 0 when unknown
  // Absent (empty) where the source does not tell them.
  VectorXd gap;                   // (m) m
  VectorXd c;                     // (3m + r) gap/h, restitution, joint violation, m/s
  VectorXd carried;               // (3m + r) what velocities of fixed bodies add to b, m/s
  VectorXd resting_acceleration;  // (m) relative normal acceleration without contact forces, m/s^2
  VectorXd normal_velocity;       // (m) u- = (J v)_n, m/s
  Rows<2> friction_bounds;        // (m) N s, fixed by the engine; infinite: mu lambda_n
  std::vector<Group> groups;
  std::vector<Index> frame_contact;  // (m) row in the frame; `ap` leaves contacts out
  Index frame_contacts = 0;          // contacts of the frame
  std::optional<Dynamics> dynamics;

  Index contacts() const { return mu.size(); }
  Index joint_rows() const { return lower.size(); }
  Index rows() const { return b.size(); }
};

// lambda = (lambda_n, lambda_t, lambda_o) of every contact of the system, then its joint rows.
// They act on body 2 along (n, t, o), on body 1 against them. N s.
using Impulses = VectorXd;

enum class Model {
  rigid,  // gaps and joints only
  engine  // also the engine's recorded bias, cfm and friction bounds
};

// Precondition: invalid(frame) is empty.
System assemble(const Frame&, Model = Model::rigid);

// From generalized coordinates or a file: M v+ = M v + h f + J^T lambda, y = J v+ + c.
struct Generalized {
  SparseMatrix mass, jacobian;       // jacobian: 3m contact rows (n, t, o), then joint rows
  VectorXd velocity, free_velocity;  // velocity may be empty: taken as the free velocity
  VectorXd momentum;                 // M v + h f, read when free_velocity is empty
  VectorXd c, mu, lower, upper;
  double step = 0;
};
// The reason why M is unusable (not symmetric positive definite, wrong size) goes to `why`.
std::optional<System> assemble(const Generalized&, std::string& why);

// A and b alone (FCLIB local). A: (3m + r) square.
System assemble(const SparseMatrix& A, const VectorXd& b, const VectorXd& mu,
                const VectorXd& lower = {}, const VectorXd& upper = {});

// Explicit blocks of a system in body space (a copy when they are there already).
Blocks to_blocks(const System&);
// The same as a scalar sparse matrix.
SparseMatrix to_sparse(const System&);
// The same system with A in explicit blocks.
System with_blocks(const System&);
// Every group reduced to its face u as an ordinary contact; `kept` maps new contacts to old.
System without_groups(const System&, std::vector<Index>& kept);

// y = A lambda + b
VectorXd relative_velocity(const System&, const Impulses&);
// A x
VectorXd apply(const System&, const VectorXd& x);
// A_ii of a contact, its trace, and A_jj of a joint row.
Matrix3d contact_block(const System&, Index contact);
double contact_trace(const System&, Index contact);
double joint_diagonal(const System&, Index joint_row);
// rho, by which impulses and velocities of a row become comparable: 3/tr A_ii of a contact, 1/A_jj
// of a joint row. Where A has no diagonal no impulse changes the velocity: rho = 1.
double effective_mass(const System&, Index contact);
double effective_joint_mass(const System&, Index joint_row);
VectorXd effective_masses(const System&);  // of every row

// J in the columns of `dynamics`. Precondition: dynamics is there.
SparseMatrix jacobian(const System&);
// b - J v_free without the cancellation: c and what fixed bodies carry. The same precondition.
VectorXd constant_velocity(const System&);
// v+ = v_free + M^-1 J^T lambda, in the columns of `dynamics`. Precondition: dynamics is there.
VectorXd velocity_plus(const System&, const Impulses&);
// The same for every body of the frame, fixed ones included.
Rows6 velocity_plus(const Frame&, const System&, const Impulses&);

// Contact impulses as rows of the frame's contacts (those left out get zero), and back.
Rows3 contact_rows(const System&, const Impulses&);
Impulses from_rows(const System&, const Rows3& contacts, const VectorXd& joints);

}  // namespace perpend
