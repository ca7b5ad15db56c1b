// c[target[i]] -= a[i] b[i] for many 6x6 blocks: nearly all the work of a block factorization.
//
// Compiled twice from the same lines, for base x86-64 and for AVX2; the processor decides. Every
// entry is c - a_0 b_0 - ... - a_5 b_5 from left to right and nothing is fused
// (-ffp-contract=off), so both give the same bits.
#pragma once

#include <Eigen/Core>

namespace perpend::linear {

using Block6 = Eigen::Matrix<double, 6, 6>;  // column by column

// Consecutive blocks, or one that is taken every time.
struct BlockRun {
  const Block6* first;
  bool same = false;
};

enum class BlockKernel { base, avx2 };
BlockKernel best_block_kernel();

void subtract_products(Block6* c, const int* target, BlockRun a, BlockRun b, int count,
                       BlockKernel = best_block_kernel());

}  // namespace perpend::linear
