// The rows of DART's boxed LCPs in our convention.
//
// DART solves  A x = b + w,  lo <= x <= hi (friction: times x of the normal row), with w = 0
// inside, w >= 0 at lo, w <= 0 at hi, where A = J M^-1 J^T and b = what it asks for minus J v_free.
// So y = w, lambda = x, and our c (the engine's bias) is -b - J v_free. On the diagonal of A it has
// a little more (CFM times the diagonal, slip compliance): A's diagonal minus the response to a
// unit impulse without it. J is what a unit impulse of the row gives to the bodies: of every
// constraint, whatever its kind, applyImpulse tells that.
//
// A contact's rows push its body 1 along DART's normal, which points to body 1, and body 2 against
// it (signs.hpp), both at the same point.
#pragma once

#include <unordered_map>
#include <vector>

#include "capture/builder.hpp"
#include "capture/dart/links.hpp"

namespace dart {
namespace collision {
struct Contact;
}
namespace constraint {
class ConstraintBase;
}
}  // namespace dart

namespace perpend::capture::from_dart {

// The LCP of one group of skeletons as its solver is handed it.
struct BoxedLcp {
  Index n = 0, stride = 0;  // of the rows of A
  const double *A = nullptr, *b = nullptr, *lo = nullptr, *hi = nullptr;
  const int* normal = nullptr;  // of a row of friction the row it is bounded by; else negative
};

// DART's solvers pad the rows of A to a multiple of four.
inline Index padded(Index n) { return n > 1 ? ((n - 1) | 3) + 1 : n; }

struct ConstraintRow : JointRow {
  Index first = -1, second = -1;  // links; -1: the world
  bool starts = true;             // a joint; else it goes on with the row before
  Index joint = -1;               // it is about the joint above this link
  const dart::constraint::ConstraintBase* constraint = nullptr;
};

// The links of one skeleton.
struct Range {
  dart::dynamics::Skeleton* skeleton;
  std::size_t begin, end;
};

// The rows of all LCPs of a step, and what they were answered.
class LcpRows {
 public:
  std::vector<ContactRow> contacts;  // bodies: links
  std::vector<ConstraintRow> constraints;

  LcpRows(std::vector<Link>& links, const std::vector<Range>& skeletons, double h);
  // The group that is solved next: its rows follow in the order of the LCP.
  void start_group();
  // Both leave the skeletons as DART has them here: without constraint impulses. A row's response
  // to itself, of which DART's diagonal less is its compliance, has a formula for bodies that are
  // alone; for others DART is asked for it, by a unit impulse.
  void add_contact(dart::constraint::ConstraintBase&, dart::collision::Contact&, const BoxedLcp&);
  void add_constraint(dart::constraint::ConstraintBase&, const BoxedLcp&);
  // Keeps what `answer` needs of the problem, which Dantzig's method overwrites.
  void keep_frictionless(const BoxedLcp&);
  // The group's answer: impulses of its rows, and the velocities by DART's own response to the
  // impulses that it has put on the skeletons by now.
  void answer(const VectorXd& x, bool by_dantzig);

 private:
  struct LcpRow {
    // given: it ties more than two bodies, for which a frame has no row. What it gives each of its
    // joints is a row of its own, whose impulse is told.
    enum class Kind { contact, constraint, given } kind = Kind::given;
    std::size_t at = 0, count = 0;  // among contacts or constraints
    Index component = 0;
  };
  // The group's rows without friction, and of the others the row and mu that bound them.
  struct Frictionless {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A;  // padded
    VectorXd b, lo, hi;
    std::vector<Index> row;  // of each row of the group: here; -1: friction
    struct FrictionRow {
      Index at, by;  // rows of the group
      double mu;
    };
    std::vector<FrictionRow> friction;
  };
  std::size_t link_of(const dart::dynamics::BodyNode*) const;
  std::size_t range_of(std::size_t link) const;
  void find_tangents(dart::constraint::ConstraintBase&, dart::collision::Contact&, ContactRow&);
  double respond(dart::constraint::ConstraintBase&, Index component,
                 const std::vector<std::size_t>& touched) const;
  void clear(const std::vector<std::size_t>& touched) const;
  void find_dantzig_bounds();
  bool read_row(const std::vector<std::size_t>& touched, ConstraintRow&,
                std::size_t& coordinate) const;
  void add_parts(const std::vector<std::size_t>& touched, const dart::constraint::ConstraintBase&);

  std::vector<Link>& links_;
  const std::vector<Range>& skeletons_;
  double h_;
  std::unordered_map<const dart::dynamics::BodyNode*, std::size_t> places_;  // only looked up
  std::vector<LcpRow> group_;
  std::vector<bool> in_group_;  // skeletons
  Frictionless frictionless_;
  double side_ = 0;  // of the second tangents: o = side n x t; 0: not known yet
};

}  // namespace perpend::capture::from_dart
