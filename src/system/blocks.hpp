// How large explicit A would be.
#pragma once

#include <span>

#include "perpend/system.hpp"

namespace perpend {

// Sum of left_i right_j over all block rows i, j (contacts, then joint rows) that a nonzero block
// of A couples: with the dimensions of the blocks on both sides, the values of explicit A.
// `cluster`, of bodies, joins such as count as one body (empty: none does); explicit blocks ignore
// it.
double coupled(const System&, std::span<const double> left, std::span<const double> right,
               std::span<const Index> cluster = {});
// Values of A by its nonzero blocks, without making it.
double explicit_values(const System&);
// Bytes that to_sparse takes at its peak, about.
double sparse_bytes(const System&);

}  // namespace perpend
