// See principal_pivots.hpp.
#include "solve/kit/principal_pivots.hpp"

#include <cmath>
#include <utility>

namespace perpend {
namespace {

// A pivot below this part of the terms it is the difference of is zero.
constexpr double kZeroPivot = 1e-9;
constexpr double kSingular = 1e-13;
constexpr int kRefactorizeEvery = 40;

}  // namespace

PrincipalPivots::PrincipalPivots(const ScaledLcp& lcp)
    : lcp_(lcp), columns_(lcp.A), place_(static_cast<std::size_t>(lcp.size()), -1) {}

VectorXd PrincipalPivots::gather(const VectorXd& v) const {
  VectorXd part(static_cast<Index>(members_.size()));
  for (Index k = 0; k < part.size(); ++k) part[k] = v[members_[static_cast<std::size_t>(k)]];
  return part;
}

VectorXd PrincipalPivots::column(Index j) const {
  VectorXd part = VectorXd::Zero(static_cast<Index>(members_.size()));
  for (Eigen::SparseMatrix<double>::InnerIterator it(columns_, j); it; ++it)
    if (const Index k = place_[static_cast<std::size_t>(it.row())]; k >= 0) part[k] = it.value();
  return part;
}

VectorXd PrincipalPivots::product(const VectorXd& x) const {
  VectorXd out = VectorXd::Zero(lcp_.size());
  for (Index j = 0; j < x.size(); ++j) {
    if (x[j] == 0) continue;
    for (Eigen::SparseMatrix<double>::InnerIterator it(columns_, j); it; ++it)
      out[it.row()] += it.value() * x[j];
  }
  return out;
}

VectorXd PrincipalPivots::apply(const VectorXd& right) const {
  VectorXd u = inverse_ * right;
  VectorXd full = VectorXd::Zero(lcp_.size());
  for (std::size_t k = 0; k < members_.size(); ++k) full[members_[k]] = u[static_cast<Index>(k)];
  u += inverse_ * (right - gather(product(full)));
  return u;
}

VectorXd PrincipalPivots::direction(Index i) const {
  VectorXd d = VectorXd::Zero(lcp_.size());
  VectorXd right;
  if (inside(i)) {
    right = VectorXd::Zero(static_cast<Index>(members_.size()));
    right[place_[static_cast<std::size_t>(i)]] = 1;
  } else {
    d[i] = 1;
    right = -column(i);
  }
  const VectorXd u = apply(right);
  for (std::size_t k = 0; k < members_.size(); ++k) d[members_[k]] = u[static_cast<Index>(k)];
  return d;
}

VectorXd PrincipalPivots::solve(const VectorXd& q, Index i, double held) const {
  VectorXd x = VectorXd::Zero(lcp_.size());
  VectorXd right = -gather(q);
  if (i >= 0 && inside(i)) {
    right[place_[static_cast<std::size_t>(i)]] += held;
  } else if (i >= 0) {
    right -= held * column(i);
    x[i] = held;
  }
  const VectorXd u = apply(right);
  for (std::size_t k = 0; k < members_.size(); ++k) x[members_[k]] = u[static_cast<Index>(k)];
  return x;
}

bool PrincipalPivots::refactorize(const std::vector<Index>& members) {
  const Index k = static_cast<Index>(members.size());
  std::vector<Index> place(place_.size(), -1);
  for (Index r = 0; r < k; ++r)
    place[static_cast<std::size_t>(members[static_cast<std::size_t>(r)])] = r;
  Eigen::MatrixXd core = Eigen::MatrixXd::Zero(k, k);
  for (Index r = 0; r < k; ++r)
    for (SparseMatrix::InnerIterator it(lcp_.A, members[static_cast<std::size_t>(r)]); it; ++it)
      if (const Index c = place[static_cast<std::size_t>(it.col())]; c >= 0)
        core(r, c) = it.value();
  if (k > 0) {
    const linear::DenseLu lu(core);
    ++factorizations_;
    if (!(lu.reciprocal_condition() > kSingular)) return false;
    inverse_ = lu.inverse();
  } else {
    inverse_.resize(0, 0);
  }
  members_ = members;
  place_ = std::move(place);
  since_ = 0;
  return true;
}

bool PrincipalPivots::exchange(Index j) {
  std::vector<Index> members = members_;
  const Index k = static_cast<Index>(members_.size());
  if (inside(j)) {
    const Index r = place_[static_cast<std::size_t>(j)];
    const double pivot = inverse_(r, r);
    if (std::abs(pivot) <= kZeroPivot * inverse_.row(r).lpNorm<Eigen::Infinity>()) return false;
    members.erase(members.begin() + r);
    if (since_ + 1 >= kRefactorizeEvery) return refactorize(members);
    inverse_ -= (inverse_.col(r) * (inverse_.row(r) / pivot)).eval();
    Eigen::MatrixXd smaller(k - 1, k - 1);
    const Index after = k - 1 - r;
    smaller.topLeftCorner(r, r) = inverse_.topLeftCorner(r, r);
    smaller.topRightCorner(r, after) = inverse_.topRightCorner(r, after);
    smaller.bottomLeftCorner(after, r) = inverse_.bottomLeftCorner(after, r);
    smaller.bottomRightCorner(after, after) = inverse_.bottomRightCorner(after, after);
    inverse_ = std::move(smaller);
  } else {
    // A Schur complement: a_jj - A_jC A_CC^-1 A_Cj.
    const VectorXd u = apply(column(j));
    VectorXd row = VectorXd::Zero(k);
    double diagonal = 0;
    for (SparseMatrix::InnerIterator it(lcp_.A, j); it; ++it) {
      if (it.col() == j) diagonal = it.value();
      if (const Index c = place_[static_cast<std::size_t>(it.col())]; c >= 0) row[c] = it.value();
    }
    const double pivot = diagonal - row.dot(u);
    const double terms = std::abs(diagonal) + row.cwiseAbs().dot(u.cwiseAbs());
    if (std::abs(pivot) <= kZeroPivot * terms) return false;
    members.push_back(j);
    if (since_ + 1 >= kRefactorizeEvery) return refactorize(members);
    const Eigen::RowVectorXd left = row.transpose() * inverse_;
    Eigen::MatrixXd larger(k + 1, k + 1);
    larger.topLeftCorner(k, k) = inverse_ + u * (left / pivot);
    larger.topRightCorner(k, 1) = -u / pivot;
    larger.bottomLeftCorner(1, k) = -left / pivot;
    larger(k, k) = 1 / pivot;
    inverse_ = std::move(larger);
  }
  members_ = std::move(members);
  place_.assign(place_.size(), -1);
  for (std::size_t r = 0; r < members_.size(); ++r)
    place_[static_cast<std::size_t>(members_[r])] = static_cast<Index>(r);
  ++since_;
  return true;
}

bool PrincipalPivots::exchange(Index i, Index j) {
  std::vector<Index> members;
  for (const Index m : members_)
    if (m != i && m != j) members.push_back(m);
  if (!inside(i)) members.push_back(i);
  if (!inside(j)) members.push_back(j);
  return refactorize(members);
}

}  // namespace perpend
