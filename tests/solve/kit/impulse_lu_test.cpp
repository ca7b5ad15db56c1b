#include "solve/kit/impulse_lu.hpp"

#include <gtest/gtest.h>

#include "support/cone_checks.hpp"

namespace perpend {
namespace impulse_lu_test {

// Every third contact is open, the others resist in their own, unsymmetric ways.
RowSlopes slopes_of(const System& s) {
  RowSlopes g;
  for (Index i = 0; i < s.contacts(); ++i) {
    Matrix3d own = Matrix3d::Zero();
    if (i % 3 != 1) own << 2, 0.3, 0, 0.1, 1 + 0.01 * static_cast<double>(i), 0.2, 0, -0.2, 0.5;
    g.contact.push_back(own);
  }
  g.symmetric = false;
  return g;
}

void expect_solves(const System& s) {
  const SparseMatrix A = to_sparse(s);
  const RowSlopes g = slopes_of(s);
  ImpulseLu lu;
  ASSERT_TRUE(lu.factorize(A, s.contacts(), g));
  const VectorXd right = VectorXd::LinSpaced(s.rows(), -1, 2);
  VectorXd x = right;
  lu.solve(x);
  VectorXd y = A * x;
  for (Index i = 0; i < s.contacts(); ++i)
    y.segment<3>(3 * i) = (g.contact[static_cast<std::size_t>(i)] * y.segment<3>(3 * i)).eval();
  // A backward stable factor leaves some n eps of |G A| |x|.
  EXPECT_LT((x + y - right).norm(), 1e-12 * (1 + y.norm()));
  for (Index i = 1; i < s.contacts(); i += 3) EXPECT_EQ(x[3 * i], right[3 * i]);
}

TEST(ImpulseLu, SolvesWhatIsSmallAndWhatIsLargeAndSparse) {
  expect_solves(with_blocks(assemble(boxes::column(2, 1, 1))));
  const System large = with_blocks(assemble(boxes::wall(10, 12)));
  ASSERT_GT(large.rows(), 900);
  expect_solves(large);
}

TEST(ImpulseLu, WithoutResistanceItIsTheIdentity) {
  const System s = with_blocks(assemble(boxes::column(2, 1, 1)));
  RowSlopes g;
  g.contact.assign(static_cast<std::size_t>(s.contacts()), Matrix3d::Zero());
  ImpulseLu lu;
  const SparseMatrix A = to_sparse(s);
  ASSERT_TRUE(lu.factorize(A, s.contacts(), g));
  VectorXd x = VectorXd::LinSpaced(s.rows(), -1, 2);
  lu.solve(x);
  EXPECT_EQ(x, VectorXd::LinSpaced(s.rows(), -1, 2).eval());
}

TEST(ImpulseLu, ASingularMatrixIsNoFactor) {
  // 1 + g a = 0 for g = -1, a = 1.
  SparseMatrix A(3, 3);
  A.setIdentity();
  RowSlopes g;
  g.contact.push_back(-Matrix3d::Identity());
  ImpulseLu lu;
  EXPECT_FALSE(lu.factorize(A, 1, g));
}

}  // namespace impulse_lu_test
}  // namespace perpend
