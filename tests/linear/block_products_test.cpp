#include "linear/block_products.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

namespace perpend::linear {
namespace block_products_test {

using Blocks = std::array<Block6, 5>;

Blocks random_blocks(unsigned seed) {
  std::srand(seed);  // Eigen's Random
  Blocks blocks;
  for (Block6& b : blocks) b.setRandom();
  return blocks;
}

TEST(BlockProducts, AreSubtractedWhereTheyBelong) {
  const Blocks a = random_blocks(1), b = random_blocks(2), c = random_blocks(3);
  const std::array<int, 3> target{4, 0, 2};
  for (const bool same_a : {false, true})
    for (const bool same_b : {false, true}) {
      Blocks found = c, expected = c;
      for (std::size_t i = 0; i < target.size(); ++i)
        expected[static_cast<std::size_t>(target[i])] -= a[same_a ? 0 : i] * b[same_b ? 0 : i];
      subtract_products(found.data(), target.data(), {a.data(), same_a}, {b.data(), same_b}, 3);
      // Six products of numbers below 1, and c: each sum is within 7 roundings.
      for (std::size_t i = 0; i < c.size(); ++i)
        EXPECT_LT((found[i] - expected[i]).cwiseAbs().maxCoeff(), 2e-15) << i;
      EXPECT_EQ(found[1], c[1]);
      EXPECT_EQ(found[3], c[3]);
    }
}

TEST(BlockProducts, HaveTheSameBitsOnEveryProcessor) {
  if (best_block_kernel() == BlockKernel::base) GTEST_SKIP() << "no AVX2 here";
  const Blocks a = random_blocks(4), b = random_blocks(5);
  Blocks base = random_blocks(6), wide = base;
  const std::array<int, 5> target{4, 3, 2, 1, 0};
  subtract_products(base.data(), target.data(), {a.data()}, {b.data()}, 5, BlockKernel::base);
  subtract_products(wide.data(), target.data(), {a.data()}, {b.data()}, 5, BlockKernel::avx2);
  EXPECT_EQ(base, wide);
}

}  // namespace block_products_test
}  // namespace perpend::linear
