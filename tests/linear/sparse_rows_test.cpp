// Sums and products of sparse matrices against dense ones.
#include "linear/sparse_rows.hpp"

#include <gtest/gtest.h>

namespace perpend::linear {
namespace sparse_rows_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(SparseRows, DiagonalIsAddedWhereThereIsNone) {
  MatrixXd A(4, 4);  // with an entry on the diagonal, without, without any, and after the diagonal
  A << 1, 0, 2, 0,   //
      3, 0, 0, 4,    //
      0, 0, 0, 0,    //
      5, 0, 0, 6;
  const VectorXd d = VectorXd::LinSpaced(4, 0.5, 3.5);
  const RowSparse sum = plus_diagonal(A.sparseView(), d);
  EXPECT_EQ(MatrixXd(sum), A + MatrixXd(d.asDiagonal()));
  EXPECT_EQ(sum.nonZeros(), 8);
}

TEST(SparseRows, ProductIsThatOfDenseMatrices) {
  MatrixXd A(2, 3), B(3, 2);
  A << 1, 0, 2, 0, 3, 0;
  B << 4, 0, 0, 5, 6, 0;
  EXPECT_EQ(MatrixXd(product(A.sparseView(), B.sparseView())), A * B);
}

}  // namespace sparse_rows_test
}  // namespace perpend::linear
