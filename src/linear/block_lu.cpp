#include "linear/block_lu.hpp"

#include <cmath>

#include "linear/block_products.hpp"
#include "linear/interrupt.hpp"

namespace perpend::linear {

using Block = BlockLu::Block;
using Vector6 = Eigen::Matrix<double, 6, 1>;

namespace {

// a <- a^-1 by Gauss and Jordan's elimination with the largest pivot of each column; false when
// there is none.
bool invert(Block& a) {
  int from[6];
  for (int k = 0; k < 6; ++k) {
    int pivot = k;
    for (int i = k + 1; i < 6; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    from[k] = pivot;
    if (pivot != k)
      for (int j = 0; j < 6; ++j) std::swap(a(k, j), a(pivot, j));
    const double inverse = 1 / a(k, k);
    if (!std::isfinite(inverse)) return false;
    Vector6 column = a.col(k);
    column[k] = 0;
    a.col(k).setZero();
    a(k, k) = 1;
    for (int j = 0; j < 6; ++j) {
      const double along = a(k, j) * inverse;
      a.col(j) -= along * column;
      a(k, j) = along;
    }
  }
  for (int k = 5; k >= 0; --k)  // exchanged rows are exchanged columns of the inverse
    if (from[k] != k) a.col(k).swap(a.col(from[k]));
  return true;
}

}  // namespace

void BlockLu::analyze(const BlockPattern& pattern) {
  pattern_ = &pattern;
  lower_.resize(static_cast<std::size_t>(pattern.blocks()));
  upper_.resize(lower_.size());
  target_.resize(static_cast<std::size_t>(pattern.rows()));
  permuted_.resize(6 * pattern.rows());
}

void BlockLu::clear() {
  for (Block& b : lower_) b.setZero();
  for (Block& b : upper_) b.setZero();
}

Block& BlockLu::diagonal(int row) { return lower(pattern_->start(pattern_->position(row))); }

Block& BlockLu::off_diagonal(std::size_t edge, int i, int j) {
  const int b = pattern_->edge_block(edge);
  return pattern_->position(i) > pattern_->position(j) ? lower(b) : upper(b);
}

bool BlockLu::factorize() {
  constexpr double kBlockFlops = 2 * 6 * 6 * 6;  // of the product of two blocks
  for (int k = 0; k < pattern_->rows(); ++k) {
    const int first = pattern_->start(k), end = pattern_->start(k + 1);
    Interrupt::after(kBlockFlops * (end - first) * (end - first));
    Block inverse = lower(first);
    if (!invert(inverse) || !inverse.allFinite()) return false;
    lower(first) = inverse;
    for (int b = first + 1; b < end; ++b) upper(b) = inverse.lazyProduct(upper(b)).eval();
    for (int b = first + 1; b < end; ++b) {
      // Column and row of the later block that b stands for.
      pattern_->find_targets(b, end, target_.data());
      const int count = end - b;
      subtract_products(lower_.data(), target_.data(), {&lower(b)}, {&upper(b), true}, count);
      subtract_products(upper_.data(), target_.data() + 1, {&lower(b), true}, {&upper(b) + 1},
                        count - 1);
    }
  }
  return true;
}

void BlockLu::solve(Eigen::VectorXd& x) {
  const int n = pattern_->rows();
  for (int i = 0; i < n; ++i) permuted_.segment<6>(6 * pattern_->position(i)) = x.segment<6>(6 * i);
  for (int k = 0; k < n; ++k) {
    const int first = pattern_->start(k);
    const Vector6 known = lower(first).lazyProduct(permuted_.segment<6>(6 * k));
    permuted_.segment<6>(6 * k) = known;
    for (int b = first + 1; b < pattern_->start(k + 1); ++b)
      permuted_.segment<6>(6 * pattern_->row(b)).noalias() -= lower(b).lazyProduct(known);
  }
  for (int k = n - 1; k >= 0; --k)
    for (int b = pattern_->start(k) + 1; b < pattern_->start(k + 1); ++b)
      permuted_.segment<6>(6 * k).noalias() -=
          upper(b).lazyProduct(permuted_.segment<6>(6 * pattern_->row(b)));
  for (int i = 0; i < n; ++i) x.segment<6>(6 * i) = permuted_.segment<6>(6 * pattern_->position(i));
}

}  // namespace perpend::linear
