#include "linear/bordered_inverse.hpp"

#include <gtest/gtest.h>

namespace perpend::linear {
namespace bordered_inverse_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Well conditioned and not symmetric: 4 on the diagonal, small numbers beside it.
MatrixXd matrix(Eigen::Index n) {
  MatrixXd a(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      a(i, j) = i == j ? 4 : static_cast<double>((3 * i + 5 * j) % 7) / 10 - 0.3;
  return a;
}

TEST(BorderedInverse, FollowsRowsThatComeAndGo) {
  const MatrixXd a = matrix(6);
  std::vector<Eigen::Index> rows;
  BorderedInverse inverse;
  const auto check = [&] {
    MatrixXd part(rows.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows.size(); ++j)
        part(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = a(rows[i], rows[j]);
    const VectorXd x = VectorXd::LinSpaced(static_cast<Eigen::Index>(rows.size()), 1, 2);
    ASSERT_EQ(inverse.size(), x.size());
    EXPECT_LT((part * inverse.solve(x) - x).norm(), 1e-14);
  };
  const auto append = [&](Eigen::Index k) {
    VectorXd row(rows.size()), column(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      row[static_cast<Eigen::Index>(i)] = a(k, rows[i]);
      column[static_cast<Eigen::Index>(i)] = a(rows[i], k);
    }
    inverse.append(row, column, a(k, k));
    rows.push_back(k);
    check();
  };
  const auto remove = [&](std::size_t at) {
    inverse.remove(static_cast<Eigen::Index>(at));
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(at));
    check();
  };
  for (const Eigen::Index k : {2, 0, 5, 1}) append(k);
  remove(1);
  append(3);
  remove(0);
  remove(2);
  for (const Eigen::Index k : {4, 0, 2}) append(k);
  while (!rows.empty()) remove(rows.size() - 1);
}

TEST(BorderedInverse, SchurComplementOfACopiedRowIsZero) {
  BorderedInverse inverse;
  inverse.append(VectorXd(0), VectorXd(0), 2);
  const VectorXd same = VectorXd::Constant(1, 2);
  EXPECT_EQ(inverse.schur(same, same, 2), 0);
}

TEST(BorderedInverse, RebuildsFromTheMatrixAndRefusesASingularOne) {
  BorderedInverse inverse;
  const MatrixXd a = matrix(4);
  ASSERT_TRUE(inverse.rebuild(a, 1e-12));
  const VectorXd x = VectorXd::Ones(4);
  EXPECT_LT((a * inverse.solve(x) - x).norm(), 1e-14);
  EXPECT_FALSE(inverse.rebuild(MatrixXd::Ones(3, 3), 1e-12));
}

}  // namespace bordered_inverse_test
}  // namespace perpend::linear
