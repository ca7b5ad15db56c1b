// The stored blocks of explicit A, and how large it would be.
#pragma once

#include <span>

#include "perpend/system.hpp"

namespace perpend {

// Calls visit(i, j, values) for the stored blocks of A, row by row; values are those of block (i,
// j), its rows one after the other.
template <class Visit>
void for_each_block(const Blocks& a, const Visit& visit) {
  for (Index i = 0; i < a.block_rows(); ++i)
    for (Index e = a.row_start[static_cast<std::size_t>(i)];
         e < a.row_start[static_cast<std::size_t>(i) + 1]; ++e)
      visit(i, a.column[static_cast<std::size_t>(e)],
            a.values.data() + a.offset[static_cast<std::size_t>(e)]);
}

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
