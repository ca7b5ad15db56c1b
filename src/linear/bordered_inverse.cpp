#include "linear/bordered_inverse.hpp"

#include <algorithm>

#include "linear/dense_lu.hpp"

namespace perpend::linear {

using Eigen::Index;
using Eigen::VectorXd;

double BorderedInverse::schur(const VectorXd& row, const VectorXd& column, double diagonal) const {
  return diagonal - row.dot(solve(column));
}

void BorderedInverse::append(const VectorXd& row, const VectorXd& column, double diagonal) {
  const Index n = size_;
  if (inverse_.rows() <= n) {
    const Index room = std::max<Index>(8, 2 * n);
    inverse_.conservativeResize(room, room);
  }
  auto inverse = inverse_.topLeftCorner(n, n);
  const VectorXd right = inverse * column;
  const VectorXd left = inverse.transpose() * row;
  const double s = diagonal - row.dot(right);
  inverse.noalias() += (right / s) * left.transpose();
  inverse_.col(n).head(n) = -right / s;
  inverse_.row(n).head(n) = -left.transpose() / s;
  inverse_(n, n) = 1 / s;
  ++size_;
}

void BorderedInverse::remove(Index k) {
  const Index last = size_ - 1;
  const VectorXd column = inverse_.col(k).head(size_), row = inverse_.row(k).head(size_);
  inverse_.topLeftCorner(size_, size_).noalias() -= (column / row[k]) * row.transpose();
  for (Index i = k; i < last; ++i) inverse_.row(i).head(size_) = inverse_.row(i + 1).head(size_);
  for (Index i = k; i < last; ++i) inverse_.col(i).head(last) = inverse_.col(i + 1).head(last);
  --size_;
}

bool BorderedInverse::rebuild(const Eigen::MatrixXd& B, double threshold) {
  if (B.rows() == 0) return true;
  const DenseLu lu(B);
  if (!(lu.reciprocal_condition() > threshold)) return false;
  size_ = B.rows();
  if (inverse_.rows() < size_) inverse_.resize(size_, size_);
  inverse_.topLeftCorner(size_, size_) = lu.inverse();
  return true;
}

}  // namespace perpend::linear
