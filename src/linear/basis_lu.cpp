// See basis_lu.hpp.
#include "linear/basis_lu.hpp"

#include <cmath>
#include <cstdint>

namespace perpend::linear {
namespace {

// Entries of +-1 in no order that a matrix could share: they meet every singular direction.
Eigen::VectorXd probe(Eigen::Index n) {
  Eigen::VectorXd x(n);
  std::uint64_t state = 1;
  for (Eigen::Index i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x[i] = state >> 63 ? 1.0 : -1.0;
  }
  return x;
}

}  // namespace

bool BasisLu::factorize(const Matrix& B) {
  n_ = B.cols();
  slack_column_.clear();
  slack_row_.clear();
  slack_value_.clear();
  core_column_.clear();
  core_row_.clear();
  etas_.clear();
  index_.clear();
  value_.clear();

  std::vector<Index> place(static_cast<std::size_t>(n_), 0);  // of a row in C; -1: a slack's
  for (Index j = 0; j < n_; ++j) {
    Matrix::InnerIterator it(B, j);
    if (!it) return false;
    const Index row = it.row();
    const double value = it.value();
    ++it;
    if (it || value == 0 || place[static_cast<std::size_t>(row)] < 0) {
      core_column_.push_back(j);
      continue;
    }
    place[static_cast<std::size_t>(row)] = -1;
    slack_column_.push_back(j);
    slack_row_.push_back(row);
    slack_value_.push_back(value);
  }
  for (Index i = 0; i < n_; ++i)
    if (place[static_cast<std::size_t>(i)] == 0) {
      place[static_cast<std::size_t>(i)] = static_cast<Index>(core_row_.size());
      core_row_.push_back(i);
    }

  const Index k = static_cast<Index>(core_column_.size());
  if (k > 0) {
    std::vector<Eigen::Triplet<double>> core, rest;
    for (Index c = 0; c < k; ++c)
      for (Matrix::InnerIterator it(B, core_column_[static_cast<std::size_t>(c)]); it; ++it) {
        const Index r = place[static_cast<std::size_t>(it.row())];
        if (r >= 0)
          core.emplace_back(static_cast<int>(r), static_cast<int>(c), it.value());
        else
          rest.emplace_back(static_cast<int>(it.row()), static_cast<int>(c), it.value());
      }
    Eigen::SparseMatrix<double, Eigen::RowMajor> C(k, k);
    C.setFromTriplets(core.begin(), core.end());
    F_.resize(n_, k);
    F_.setFromTriplets(rest.begin(), rest.end());
    // A row or column of zeros is told apart here: the factorization need not be asked.
    Eigen::VectorXd rows = Eigen::VectorXd::Zero(k), columns = Eigen::VectorXd::Zero(k);
    for (const auto& e : core) {
      rows[e.row()] += std::abs(e.value());
      columns[e.col()] += std::abs(e.value());
    }
    if (!(rows.minCoeff() > 0) || !(columns.minCoeff() > 0)) return false;
    if (!lu_.factorize(C)) return false;
  }
  Eigen::VectorXd x = probe(n_);
  solve_factor(x);
  return x.allFinite() && x.lpNorm<Eigen::Infinity>() < kLargest;
}

void BasisLu::solve_factor(Eigen::VectorXd& x) const {
  const Index k = static_cast<Index>(core_column_.size());
  Eigen::VectorXd core(k);
  for (Index c = 0; c < k; ++c) core[c] = x[core_row_[static_cast<std::size_t>(c)]];
  Eigen::VectorXd rest = x;
  if (k > 0) {
    lu_.solve(core);
    for (Index c = 0; c < k; ++c)
      if (core[c] != 0)
        for (Matrix::InnerIterator it(F_, c); it; ++it) rest[it.row()] -= it.value() * core[c];
  }
  for (Index c = 0; c < k; ++c) x[core_column_[static_cast<std::size_t>(c)]] = core[c];
  for (std::size_t j = 0; j < slack_column_.size(); ++j)
    x[slack_column_[j]] = rest[slack_row_[j]] / slack_value_[j];
}

void BasisLu::solve(Eigen::VectorXd& x) const {
  solve_factor(x);
  std::size_t entry = 0;
  for (const Eta& eta : etas_) {
    const double step = x[eta.position] / eta.pivot;
    if (step != 0)
      for (; entry < eta.end; ++entry) x[index_[entry]] -= value_[entry] * step;
    entry = eta.end;
    x[eta.position] = step;
  }
}

void BasisLu::replace(Index p, const Eigen::VectorXd& alpha) {
  for (Index i = 0; i < n_; ++i)
    if (i != p && alpha[i] != 0) {
      index_.push_back(static_cast<int>(i));
      value_.push_back(alpha[i]);
    }
  etas_.push_back({p, alpha[p], index_.size()});
}

}  // namespace perpend::linear
