// A problem as peers are given it: w = A x + b with bounds or cones, dimensionless.
//
// Rows have different units and magnitudes, and what peers compare with their tolerances is made of
// all of them. With D the root of the rows' effective masses (of a linear problem: of its scales)
// and beta = max |D b|, x = z/(beta D) and A' = D A D, b' = D b/beta: diagonals and velocities are
// of the order of 1, and D is the same for the three rows of a contact, so that cones stay cones.
#pragma once

#include "perpend/formulate.hpp"

namespace perpend::peers {

struct Translation {
  SparseMatrix A;
  VectorXd b, lower, upper;     // bounds of rows with bound_by are factors
  VectorXd mu;                  // (m) cone problems only; they have no bounds
  std::vector<Index> bound_by;  // the row whose x bounds this one, or -1
  VectorXd unit;                // z = unit .* x
  VectorXd velocity;            // residual of x in row i, times this, is in m/s

  VectorXd to_peer(const VectorXd& z) const { return z.cwiseQuotient(unit); }
  VectorXd from_peer(const VectorXd& x) const { return x.cwiseProduct(unit); }
  // False where A, b or the units leave the range of numbers.
  bool finite() const;
  // The bounds that hold at x.
  void bounds_at(const VectorXd& x, VectorXd& least, VectorXd& most) const;
};

// box, ncp, lcp; anything else throws std::bad_cast.
Translation translate(const Problem&, bool scale);

}  // namespace perpend::peers
