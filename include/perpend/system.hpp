// System: y = A lambda + b with A = J M^-1 J^T, and the friction and bounds of its rows.
//
// A system does not know where it came from: a frame, an FCLIB file or generalized coordinates.
//
// The rows (n, t, o) of contact i start at 3i; joint rows follow at 3m. In blocks, contact i is
// block i and joint row j is block m + j. A is stored in one of two forms: body space (J and
// M^-1 J^T; a product costs O(contacts)) or explicit blocks (for FCLIB's local problems).
#pragma once

#include <Eigen/SparseCore>
#include <optional>
#include <variant>

#include "perpend/frame.hpp"

namespace perpend {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Matrix36 = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// J and M^-1 J^T: two blocks of six columns per contact and per joint row; four of a joint row that
// couples two joints (a mimic).
struct BodySpace {
  struct Contact {
    Index first, second;  // bodies
    Matrix36 j1, j2;      // rows n, t, o of J
    Matrix36 w1, w2;      // rows of (M^-1 J^T)^T
  };
  struct JointRow {
    Index first, second;
    Vector6 j1, j2, w1, w2;
    Index other = -1;  // its second pair of bodies, in `others`; -1: it has none
  };
  Index bodies = 0;
  std::vector<Contact> contacts;
  std::vector<JointRow> joints;
  // In the order of their rows. What acts on a body of both pairs stands here alone, so that the
  // first pair tells the unit of the row.
  std::vector<JointRow> others;
  VectorXd cfm;  // (3m + r) compliance on the diagonal; empty: none

  // The row's second pair of bodies, or null:
  //   for (const JointRow* pair = &row; pair; pair = other(*pair))
  const JointRow* other(const JointRow& row) const {
    return row.other < 0 ? nullptr : &others[static_cast<std::size_t>(row.other)];
  }
};

// The nonzero blocks of A: 3x3 between contacts; 3x1, 1x3 and 1x1 with joint rows.
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

// What you need to compute velocities from impulses. FCLIB's local problems do not have it.
struct Dynamics {
  SparseMatrix mass;       // (nv x nv) of the moving bodies or generalized coordinates
  VectorXd velocity;       // (nv) v
  VectorXd free_velocity;  // (nv) v + h M^-1 f
  // For bodies: the first column of each, -1 if fixed. For generalized coordinates: J and M^-1 J^T.
  std::vector<Index> body_column;
  SparseMatrix generalized_jacobian, generalized_response;  // J, M^-1 J^T
};

// Contacts that are alternatives (Nguyen and Trinkle 2010, eqs. 14-21). One impulse acts, along
// face u.
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
  // Empty if the source does not have them.
  VectorXd gap;                   // (m) m
  VectorXd c;                     // (3m + r) gap/h, restitution, joint violation, m/s
  VectorXd carried;               // (3m + r) the part of b from velocities of fixed bodies, m/s
  VectorXd resting_acceleration;  // (m) relative normal acceleration without contact forces, m/s^2
  VectorXd normal_velocity;       // (m) u- = (J v)_n, m/s
  Rows<2> friction_bounds;        // (m) N s, the engine's fixed bounds; infinite: mu lambda_n
  std::vector<Group> groups;
  std::vector<Index> frame_contact;  // (m) the contact's row in the frame (`ap` omits contacts)
  Index frame_contacts = 0;          // number of contacts in the frame
  std::optional<Dynamics> dynamics;

  Index contacts() const { return mu.size(); }
  Index joint_rows() const { return lower.size(); }
  Index rows() const { return b.size(); }
};

// lambda: (lambda_n, lambda_t, lambda_o) of every contact, then the joint rows, in N s. They push
// the second body along (n, t, o) and the first body the other way.
using Impulses = VectorXd;

enum class Model {
  rigid,  // rigid contacts and joints
  engine  // with the bias, cfm and friction bounds that the engine recorded
};

// Precondition: invalid(frame) is empty.
System assemble(const Frame&, Model = Model::rigid);

// Generalized coordinates: M v+ = M v + h f + J^T lambda, y = J v+ + c.
struct Generalized {
  SparseMatrix mass, jacobian;       // jacobian: 3m contact rows (n, t, o), then joint rows
  VectorXd velocity, free_velocity;  // an empty velocity means: the free velocity
  VectorXd momentum;                 // M v + h f, used if free_velocity is empty
  VectorXd c, mu, lower, upper;
  double step = 0;
};
// Empty if M is not symmetric positive definite or has the wrong size; `why` says so.
std::optional<System> assemble(const Generalized&, std::string& why);

// From A and b alone, as in FCLIB's local problems. A is (3m + r) square.
System assemble(const SparseMatrix& A, const VectorXd& b, const VectorXd& mu,
                const VectorXd& lower = {}, const VectorXd& upper = {});

// A as explicit blocks.
Blocks to_blocks(const System&);
// A as a sparse matrix.
SparseMatrix to_sparse(const System&);
// The same system with A in explicit blocks.
System with_blocks(const System&);
// The system with every group replaced by its face u. `kept` maps new contacts to old ones.
System without_groups(const System&, std::vector<Index>& kept);

// y = A lambda + b
VectorXd relative_velocity(const System&, const Impulses&);
// A x
VectorXd apply(const System&, const VectorXd& x);
// A_ii of a contact, its trace, and A_jj of a joint row.
Matrix3d contact_block(const System&, Index contact);
double contact_trace(const System&, Index contact);
double joint_diagonal(const System&, Index joint_row);
// rho, the mass that makes impulses and velocities of a row comparable: 3/tr A_ii for a contact,
// 1/A_jj for a joint row, 1 if that diagonal is zero.
double effective_mass(const System&, Index contact);
double effective_joint_mass(const System&, Index joint_row);
VectorXd effective_masses(const System&);  // of every row

// J in the columns of `dynamics`. Precondition: the system has dynamics.
SparseMatrix jacobian(const System&);
// b - J v_free, computed without cancellation. Precondition: the system has dynamics.
VectorXd constant_velocity(const System&);
// v+ = v_free + M^-1 J^T lambda, in the columns of `dynamics`. Precondition: it has dynamics.
VectorXd velocity_plus(const System&, const Impulses&);
// v+ of every body of the frame, fixed ones included.
Rows6 velocity_plus(const Frame&, const System&, const Impulses&);

// Impulses as rows of the frame's contacts (zero for contacts that are not in the system), and
// back.
Rows3 contact_rows(const System&, const Impulses&);
Impulses from_rows(const System&, const Rows3& contacts, const VectorXd& joints);

}  // namespace perpend
