#include "solve/kit/shifted_system.hpp"

#include <gtest/gtest.h>

#include "support/boxes.hpp"
#include "support/held.hpp"

namespace perpend {
namespace shifted_system_test {

// (A + C) lambda - q, to the rounding of sums of numbers of that size.
void expect_solves(const System& s, const VectorXd& C) {
  ShiftedSystem matrix;
  matrix.prepare(s);
  ASSERT_TRUE(matrix.factorize(C));
  const VectorXd q = VectorXd::LinSpaced(s.rows(), -1, 2);
  VectorXd lambda;
  matrix.solve(q, lambda);
  EXPECT_LT((apply(s, lambda) + C.cwiseProduct(lambda) - q).norm(), 1e-9 * q.norm());
}

TEST(ShiftedSystem, SolvesInBodySpaceAndWithExplicitBlocks) {
  // A of a wall is singular by far: 4 contacts where 6 rows fix a cube.
  const System s = assemble(boxes::wall(3, 3));
  const VectorXd C = VectorXd::LinSpaced(s.rows(), 0.01, 1);
  expect_solves(s, C);
  expect_solves(with_blocks(s), C);
}

TEST(ShiftedSystem, AddsTheComplianceOfTheSystem) {
  Frame f = boxes::column(1, 1, 1);
  f.contacts.cfm = Rows3::Constant(f.contacts.count(), 3, 0.3);
  const System s = assemble(f, Model::engine);
  expect_solves(s, VectorXd::Constant(s.rows(), 0.1));
}

TEST(ShiftedSystem, TakesAnANotSymmetricAsItIs) {
  SparseMatrix A(6, 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) A.insert(i, j) = i == j ? 2 : 0.01 * (i - 2 * j);
  const System s = assemble(A, VectorXd::Zero(6), VectorXd::Ones(2));
  expect_solves(s, VectorXd::Constant(6, 0.5));
}

}  // namespace shifted_system_test
}  // namespace perpend
