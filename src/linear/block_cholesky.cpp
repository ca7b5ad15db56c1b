#include "linear/block_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "linear/block_products.hpp"
#include "linear/interrupt.hpp"

namespace perpend::linear {
namespace {

using Block = BlockCholesky::Block;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr double kBlockFlops = 2 * 6 * 6 * 6;  // of the product of two blocks

// The lower triangle becomes L; the reciprocals of its diagonal stand on the diagonal.
bool cholesky(Block& a) {
  for (int k = 0; k < 6; ++k) {
    for (int j = 0; j < k; ++j)
      for (int i = k; i < 6; ++i) a(i, k) -= a(i, j) * a(k, j);
    if (!(a(k, k) > 0)) return false;
    const double inverse = 1 / std::sqrt(a(k, k));
    if (!(inverse > 0)) return false;
    a(k, k) = inverse;
    for (int i = k + 1; i < 6; ++i) a(i, k) *= inverse;
  }
  return true;
}

// b <- b L^-T
void divide(Block& b, const Block& l) {
  for (int k = 0; k < 6; ++k) {
    for (int j = 0; j < k; ++j) b.col(k) -= l(k, j) * b.col(j);
    b.col(k) *= l(k, k);
  }
}

void forward(const Block& l, Vector6& x) {
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    x[k] *= l(k, k);
#pragma GCC unroll 6
    for (int i = k + 1; i < 6; ++i) x[i] -= l(i, k) * x[k];
  }
}

void backward(const Block& l, Vector6& x) {
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
#pragma GCC unroll 6
    for (int i = k + 1; i < 6; ++i) x[k] -= l(i, k) * x[i];
    x[k] *= l(k, k);
  }
}

}  // namespace

void BlockCholesky::analyze(int rows, std::vector<BlockPattern::Edge> edges) {
  has_factor_ = false;
  pattern_.analyze(rows, std::move(edges));
  // These three, and the two of a BlockLu beside it.
  Interrupt::before(0, 5 * static_cast<double>(sizeof(Block)) * pattern_.blocks());
  for (Blocks* blocks : {&input_, &known_, &values_})
    blocks->resize(static_cast<std::size_t>(pattern_.blocks()));
  changed_.resize(static_cast<std::size_t>(rows));
  target_.resize(static_cast<std::size_t>(rows));
  permuted_.resize(6 * rows);
}

void BlockCholesky::clear() {
  for (Block& b : input_) b.setZero();
}

Block& BlockCholesky::diagonal(int row) {
  return input_[static_cast<std::size_t>(pattern_.start(pattern_.position(row)))];
}

Block& BlockCholesky::edge(std::size_t edge) {
  return input_[static_cast<std::size_t>(pattern_.edge_block(edge))];
}

bool BlockCholesky::upper(std::size_t edge) const {
  const auto& [i, j] = pattern_.edges()[edge];
  return pattern_.position(i) > pattern_.position(j);
}

// Columns whose input differs from the factor's, and all that take an update from such a one. They
// get their new input.
void BlockCholesky::find_changes() {
  std::fill(changed_.begin(), changed_.end(), has_factor_ ? char{0} : char{1});
  factorized_ = 0;
  for (int k = 0; k < pattern_.rows(); ++k) {
    const auto first = static_cast<std::size_t>(pattern_.start(k));
    const std::size_t count = static_cast<std::size_t>(pattern_.start(k + 1)) - first;
    const std::size_t bytes = count * sizeof(Block);
    char& changed = changed_[static_cast<std::size_t>(k)];
    if (!changed) changed = std::memcmp(&input_[first], &known_[first], bytes) != 0;
    if (!changed) continue;
    ++factorized_;
    for (std::size_t b = first; b < first + count; ++b) {
      known_[b] = values_[b] = input_[b];
      changed_[static_cast<std::size_t>(pattern_.row(static_cast<int>(b)))] = 1;
    }
  }
}

bool BlockCholesky::factorize() {
  find_changes();
  has_factor_ = false;
  const auto changed = [&](int column) { return changed_[static_cast<std::size_t>(column)] != 0; };
  for (int k = 0; k < pattern_.rows(); ++k) {
    const int first = pattern_.start(k), end = pattern_.start(k + 1);
    Interrupt::after(kBlockFlops / 2 * (end - first) * (end - first));
    if (changed(k)) {
      if (!cholesky(block(first))) return false;
      for (int b = first + 1; b < end; ++b) divide(block(b), block(first));
    }
    // Column k is done: it is taken from every later column j that it reaches and that is made
    // anew.
    for (int b = first + 1; b < end; ++b) {
      if (!changed(pattern_.row(b))) continue;
      const Block transposed = block(b).transpose();
      pattern_.find_targets(b, end, target_.data());
      subtract_products(values_.data(), target_.data(), {&block(b)}, {&transposed, true}, end - b);
    }
  }
  has_factor_ = true;
  return true;
}

void BlockCholesky::solve(Eigen::VectorXd& x) {
  const int n = pattern_.rows();
  for (int i = 0; i < n; ++i) permuted_.segment<6>(6 * pattern_.position(i)) = x.segment<6>(6 * i);
  for (int k = 0; k < n; ++k) {
    const int first = pattern_.start(k);
    Vector6 known = permuted_.segment<6>(6 * k);
    forward(block(first), known);
    permuted_.segment<6>(6 * k) = known;
    for (int b = first + 1; b < pattern_.start(k + 1); ++b)
      permuted_.segment<6>(6 * pattern_.row(b)).noalias() -= block(b).lazyProduct(known);
  }
  for (int k = n - 1; k >= 0; --k) {
    const int first = pattern_.start(k);
    Vector6 sum = permuted_.segment<6>(6 * k);
    for (int b = first + 1; b < pattern_.start(k + 1); ++b)
      sum.noalias() -= block(b).transpose().lazyProduct(permuted_.segment<6>(6 * pattern_.row(b)));
    backward(block(first), sum);
    permuted_.segment<6>(6 * k) = sum;
  }
  for (int i = 0; i < n; ++i) x.segment<6>(6 * i) = permuted_.segment<6>(6 * pattern_.position(i));
}

}  // namespace perpend::linear
