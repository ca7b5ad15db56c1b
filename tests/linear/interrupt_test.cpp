// Work that can be left, and what is asked before work that cannot.
#include "linear/interrupt.hpp"

#include <gtest/gtest.h>

#include "linear/pseudo_inverse.hpp"
#include "linear/sparse_lu.hpp"
#include "linear/sparse_rows.hpp"

namespace perpend::linear {
namespace interrupt_test {

// Entries without a pattern, the same every time; some places twice.
Triplets scattered(int rows, int columns, int count) {
  Triplets list;
  std::uint64_t state = 7;
  const auto next = [&](int below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(below));
  };
  for (int k = 0; k < count; ++k) {
    const int row = next(rows), column = next(columns);
    list.emplace_back(row, column, 1.0 / (1 + next(1000)) - 0.01);
  }
  return list;
}

void expect_same_bits(const RowSparse& a, const RowSparse& b) {
  ASSERT_EQ(a.nonZeros(), b.nonZeros());
  for (Eigen::Index i = 0; i < a.outerSize(); ++i)
    for (RowSparse::InnerIterator x(a, i), y(b, i); x; ++x, ++y) {
      ASSERT_EQ(x.col(), y.col());
      ASSERT_EQ(x.value(), y.value());
    }
}

TEST(SparseRows, MakeWhatEigenMakesToTheLastBit) {
  const Triplets first = scattered(60, 40, 700), second = scattered(40, 90, 500);
  RowSparse A(60, 40), B(40, 90);
  A.setFromTriplets(first.begin(), first.end());
  B.setFromTriplets(second.begin(), second.end());
  expect_same_bits(from_triplets(60, 40, first), A);
  expect_same_bits(from_triplets(40, 90, second), B);
  expect_same_bits(product(A, B), RowSparse(A * B));
}

TEST(Interrupt, EndsALoopAndIsForgottenAfterwards) {
  int asked = 0;
  {
    const Interrupt interrupt([&](double) { return ++asked == 3; });
    EXPECT_THROW(for (int k = 0; k < 100; ++k) Interrupt::after(1e6), Interrupted);
  }
  EXPECT_EQ(asked, 3);
  EXPECT_NO_THROW(Interrupt::after(1e9));
  EXPECT_FALSE(Interrupt::any());
}

TEST(Interrupt, OfTheOuterWorkEndsTheInnerToo) {
  bool ended = false;
  const Interrupt outer([&](double) { return ended; });
  const Interrupt inner([](double) { return false; });
  EXPECT_NO_THROW(Interrupt::after(1e9));
  ended = true;
  EXPECT_THROW(Interrupt::after(1e9), Interrupted);
}

// A full matrix of n rows takes 2/3 n^3 operations and 12 bytes for each entry of L and U.
TEST(SparseLu, TellsTheCostOfAFactorizationBeforeItBegins) {
  const int n = 1500;
  Triplets list;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) list.emplace_back(i, j, i == j ? 10.0 * n : 1.0 / (1 + i + j));
  const RowSparse A = from_triplets(n, n, list);
  double flops = 0, bytes = 0;
  const Interrupt interrupt(
      [&](double cost) {
        flops = cost;
        return cost > 0;
      },
      [&](double size) {
        bytes = size;
        return false;
      });
  SparseLu lu;
  EXPECT_THROW(lu.factorize(A), Interrupted);
  EXPECT_NEAR(flops / (2.0 / 3 * n * n * double(n)), 1, 0.01);
  EXPECT_NEAR(bytes / (12.0 * n * n), 1, 0.01);
}

TEST(PseudoInverse, TellsItsCostBeforeItBegins) {
  Triplets list;
  for (int i = 0; i < 40; ++i) {
    list.emplace_back(i, i, 2);
    if (i > 0) list.emplace_back(i, i - 1, -1), list.emplace_back(i - 1, i, -1);
  }
  double flops = 0;
  const Interrupt interrupt([&](double cost) {
    flops = cost;
    return true;
  });
  EXPECT_THROW(PseudoInverse(from_triplets(40, 40, list)), Interrupted);
  EXPECT_NEAR(flops, 4.0 * 40 * 40 * 40, 1);
}

}  // namespace interrupt_test
}  // namespace perpend::linear
