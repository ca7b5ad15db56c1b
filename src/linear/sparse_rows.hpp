// Sparse matrices row by row, in loops that can be left: products and sums of triplets as Eigen
// makes them, to the same bits, for matrices that may take seconds; and what a factorization of one
// would cost.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace perpend::linear {

using RowSparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Triplets = std::vector<Eigen::Triplet<double>>;

// Entries at the same place are added in the order of the list.
RowSparse from_triplets(Eigen::Index rows, Eigen::Index columns, const Triplets&);

RowSparse product(const RowSparse& A, const RowSparse& B);
// A + diag(d), whether or not A has entries on its diagonal.
RowSparse plus_diagonal(const RowSparse& A, const Eigen::VectorXd& d);

// Of L and U of a square matrix eliminated in this order with pivots on the diagonal: what partial
// pivoting takes at least.
struct FactorCost {
  double flops = 0, bytes = 0;
};
FactorCost factor_cost(const Eigen::SparseMatrix<double>&,
                       const Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>& order);
// Below this size no factorization is worth the question: a fraction of a second at most.
inline constexpr Eigen::Index kWorthAsking = 1500;

}  // namespace perpend::linear
