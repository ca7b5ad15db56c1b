// See pseudo_inverse.hpp.
#include "linear/pseudo_inverse.hpp"

#include <Eigen/QR>
#include <cmath>
#include <numeric>
#include <vector>

#include "linear/interrupt.hpp"
#include "perpend/base.hpp"

namespace perpend::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rows of each connected component of the graph of A, components by their first row.
std::vector<std::vector<Index>> connected_components(const PseudoInverse::Matrix& A) {
  DisjointSets sets(A.rows());
  for (Index i = 0; i < A.outerSize(); ++i)
    for (PseudoInverse::Matrix::InnerIterator it(A, i); it; ++it) sets.join(i, it.col());
  std::vector<std::vector<Index>> components;
  std::vector<Index> number(static_cast<std::size_t>(A.rows()), -1);
  for (Index i = 0; i < A.rows(); ++i) {
    Index& k = number[static_cast<std::size_t>(sets.of(i))];
    if (k < 0) {
      k = static_cast<Index>(components.size());
      components.emplace_back();
    }
    components[static_cast<std::size_t>(k)].push_back(i);
  }
  return components;
}

}  // namespace

struct PseudoInverse::Component {
  std::vector<Index> rows;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> scaled;
};

PseudoInverse::PseudoInverse(const Matrix& A) : scale_(VectorXd::Ones(A.rows())) {
  for (Index i = 0; i < A.rows(); ++i) {
    const double d = A.coeff(i, i);
    if (d > 0) scale_[i] = 1 / std::sqrt(d);
  }
  const auto lists = connected_components(A);
  count_ = static_cast<Index>(lists.size());
  components_ = std::make_unique<Component[]>(lists.size());
  std::vector<Index> place(static_cast<std::size_t>(A.rows()));
  for (std::size_t k = 0; k < lists.size(); ++k) {
    Component& c = components_[k];
    c.rows = lists[k];
    const Index n = static_cast<Index>(c.rows.size());
    for (Index i = 0; i < n; ++i)
      place[static_cast<std::size_t>(c.rows[static_cast<std::size_t>(i)])] = i;
    const double size = static_cast<double>(n);
    // Column by column, a third as fast as what works in blocks.
    Interrupt::before(3 * 4.0 / 3 * size * size * size, 3 * 8 * size * size);
    MatrixXd dense = MatrixXd::Zero(n, n);
    for (Index i = 0; i < n; ++i) {
      const Index row = c.rows[static_cast<std::size_t>(i)];
      for (Matrix::InnerIterator it(A, row); it; ++it)
        dense(i, place[static_cast<std::size_t>(it.col())]) +=
            scale_[row] * it.value() * scale_[it.col()];
    }
    c.scaled.setThreshold(kRankTolerance);
    c.scaled.compute(dense);
  }
}

PseudoInverse::~PseudoInverse() = default;

VectorXd PseudoInverse::solve(const VectorXd& x) const {
  VectorXd result(x.size());
  for (Index k = 0; k < count_; ++k) {
    const Component& c = components_[static_cast<std::size_t>(k)];
    const Index n = static_cast<Index>(c.rows.size());
    VectorXd part(n);
    for (Index i = 0; i < n; ++i) {
      const Index row = c.rows[static_cast<std::size_t>(i)];
      part[i] = scale_[row] * x[row];
    }
    part = c.scaled.solve(part).eval();
    for (Index i = 0; i < n; ++i) {
      const Index row = c.rows[static_cast<std::size_t>(i)];
      result[row] = scale_[row] * part[i];
    }
  }
  return result;
}

PseudoInverse::Matrix PseudoInverse::solve(const Matrix& X) const {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Index> place(static_cast<std::size_t>(X.cols()), -1);
  for (Index k = 0; k < count_; ++k) {
    const Component& c = components_[static_cast<std::size_t>(k)];
    const Index n = static_cast<Index>(c.rows.size());
    // Only the columns that touch this component.
    std::vector<Index> columns;
    for (const Index row : c.rows)
      for (Matrix::InnerIterator it(X, row); it; ++it)
        if (place[static_cast<std::size_t>(it.col())] < 0) {
          place[static_cast<std::size_t>(it.col())] = static_cast<Index>(columns.size());
          columns.push_back(it.col());
        }
    const double size = static_cast<double>(n), right = static_cast<double>(columns.size());
    Interrupt::before(4 * size * size * right, (2 * 8 + 40) * size * right);
    MatrixXd dense = MatrixXd::Zero(n, static_cast<Index>(columns.size()));
    for (Index i = 0; i < n; ++i) {
      const Index row = c.rows[static_cast<std::size_t>(i)];
      for (Matrix::InnerIterator it(X, row); it; ++it)
        dense(i, place[static_cast<std::size_t>(it.col())]) = scale_[row] * it.value();
    }
    if (dense.cols() > 0) dense = c.scaled.solve(dense).eval();
    for (Index j = 0; j < dense.cols(); ++j)
      for (Index i = 0; i < n; ++i) {
        const Index row = c.rows[static_cast<std::size_t>(i)];
        if (dense(i, j) != 0)
          entries.emplace_back(static_cast<int>(row),
                               static_cast<int>(columns[static_cast<std::size_t>(j)]),
                               scale_[row] * dense(i, j));
      }
    for (const Index column : columns) place[static_cast<std::size_t>(column)] = -1;
  }
  Matrix result(X.rows(), X.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Index PseudoInverse::rank() const {
  Index sum = 0;
  for (Index k = 0; k < count_; ++k) sum += components_[static_cast<std::size_t>(k)].scaled.rank();
  return sum;
}

}  // namespace perpend::linear
