// How far y = A lambda + b may be off because numbers have 53 bits, and the errors made of it.
//
// Every row of y is a sum, and a sum of k terms is off by at most gamma_k = k eps/(1 - k eps) times
// the sum of their magnitudes:
//   delta = gamma_k (|J| |W| |lambda| + |b|),  W = M^-1 J^T,
// k the terms that the bodies of the row sum up, and 12; |A| |lambda| and the terms of its row
// where A is explicit. |b| stands for the terms that b was summed from, where they are known. By
// compensated sums k is 1/2: what is left is that J, W and b are themselves rounded.
//
// Impulses that grow without bound (two joints that contradict each other, each pushing against the
// other) hide every error below the rounding of their own sum; so delta is part of every verdict.
#pragma once

#include <limits>

#include "measure/natural_map.hpp"
#include "perpend/measure.hpp"

namespace perpend {

// What the evaluation of a residual e at velocity w adds, in units of |w| + e (natural_map.hpp).
inline constexpr double kResidualRounding = 64 * std::numeric_limits<double>::epsilon();

struct RoundedVelocity {
  VectorXd y, delta;  // m/s
};
RoundedVelocity rounded_velocity(const System&, const Impulses&, Sums);
// The same for w = A z + b with any A.
RoundedVelocity rounded_product(const SparseMatrix& A, const VectorXd& z, const VectorXd& b, Sums);
// By how much the residual of a contact may be off where its velocity u is by delta.
double contact_rounding(double residual, const Vector3d& u, const Vector3d& delta, double mu);
// delta alone.
VectorXd velocity_rounding(const System&, const Impulses&, Sums);

// |J| |W| |lambda| of each row, and how many terms the row's sum has: of it come the deltas of both
// kinds of sums.
struct RowMagnitudes {
  VectorXd size, terms;
  double least() const;  // of plain sums: the largest delta is at least this
};
RowMagnitudes row_magnitudes(const System&, const Impulses&);
VectorXd velocity_rounding(const System&, const RowMagnitudes&, Sums);
// By compensated sums. `masses`: effective ones of the rows.
Bounded bounded_velocity_error(const System&, const Impulses&, const RowMagnitudes&,
                               const VectorXd& masses);

// The median of w, least and most, where w is off by at most delta (natural_map.hpp: least and most
// are (lambda - upper)/rho and (lambda - lower)/rho).
Bounded rounded_row(double w, double delta, double least, double most);

}  // namespace perpend
