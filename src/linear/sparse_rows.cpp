#include "linear/sparse_rows.hpp"

#include <algorithm>

#include "linear/interrupt.hpp"

namespace perpend::linear {

using Eigen::Index;

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The columns of one row of a result: marked as they are met, then ascending.
class Row {
 public:
  explicit Row(Index columns) : mark_(at(columns), -1) {}

  void begin(Index row) {
    row_ = row;
    columns_.clear();
  }
  bool meet(int column) {  // true: for the first time
    if (mark_[at(column)] == row_) return false;
    mark_[at(column)] = row_;
    columns_.push_back(column);
    return true;
  }
  std::size_t count() const { return columns_.size(); }
  const std::vector<int>& ascending() {
    constexpr std::size_t kDense = 8;
    if (columns_.size() < mark_.size() / kDense) {
      std::sort(columns_.begin(), columns_.end());
      return columns_;
    }
    columns_.clear();
    for (std::size_t c = 0; c < mark_.size(); ++c)
      if (mark_[c] == row_) columns_.push_back(static_cast<int>(c));
    return columns_;
  }

 private:
  Index row_ = -1;
  std::vector<Index> mark_;
  std::vector<int> columns_;
};

}  // namespace

RowSparse from_triplets(Index rows, Index columns, const Triplets& list) {
  std::vector<std::size_t> start(at(rows) + 1, 0);
  for (const auto& entry : list) ++start[at(entry.row()) + 1];
  for (std::size_t i = 0; i < at(rows); ++i) start[i + 1] += start[i];
  std::vector<std::size_t> place(start.begin(), start.end() - 1), order(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    order[place[at(list[k].row())]++] = k;
    Interrupt::after(1);
  }
  RowSparse out(rows, columns);
  out.reserve(static_cast<Index>(list.size()));
  Row row(columns);
  std::vector<double> sum(at(columns));
  for (Index i = 0; i < rows; ++i) {
    row.begin(i);
    for (std::size_t k = start[at(i)]; k < start[at(i) + 1]; ++k) {
      const auto& entry = list[order[k]];
      double& value = sum[at(entry.col())];
      value = row.meet(entry.col()) ? entry.value() : value + entry.value();
    }
    out.startVec(i);
    for (const int c : row.ascending()) out.insertBackByOuterInner(i, c) = sum[at(c)];
    Interrupt::after(4.0 * static_cast<double>(start[at(i) + 1] - start[at(i)]));
  }
  out.finalize();
  return out;
}

RowSparse product(const RowSparse& A, const RowSparse& B) {
  Row row(B.cols());
  // Counted first: a result that grows as it is made would take twice its memory.
  Index entries = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    row.begin(i);
    double visits = 1;
    for (RowSparse::InnerIterator a(A, i); a; ++a)
      for (RowSparse::InnerIterator b(B, a.col()); b; ++b, ++visits)
        row.meet(static_cast<int>(b.col()));
    entries += static_cast<Index>(row.count());
    Interrupt::after(visits);
  }
  RowSparse out(A.rows(), B.cols());
  out.reserve(entries);
  Row again(B.cols());
  std::vector<double> sum(at(B.cols()));
  for (Index i = 0; i < A.rows(); ++i) {
    again.begin(i);
    double visits = 1;
    for (RowSparse::InnerIterator a(A, i); a; ++a)
      for (RowSparse::InnerIterator b(B, a.col()); b; ++b, ++visits) {
        const double part = a.value() * b.value();
        double& value = sum[at(b.col())];
        value = again.meet(static_cast<int>(b.col())) ? part : value + part;
      }
    out.startVec(i);
    for (const int c : again.ascending()) out.insertBackByOuterInner(i, c) = sum[at(c)];
    Interrupt::after(2 * visits);
  }
  out.finalize();
  return out;
}

RowSparse plus_diagonal(const RowSparse& A, const Eigen::VectorXd& d) {
  RowSparse out(A.rows(), A.cols());
  out.reserve(A.nonZeros() + A.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    out.startVec(i);
    bool met = false;
    for (RowSparse::InnerIterator it(A, i); it; ++it) {
      if (!met && it.col() > i) out.insertBackByOuterInner(i, i) = d[i];
      met |= it.col() >= i;
      out.insertBackByOuterInner(i, it.col()) = it.col() == i ? it.value() + d[i] : it.value();
    }
    if (!met) out.insertBackByOuterInner(i, i) = d[i];
    Interrupt::after(static_cast<double>(A.row(i).nonZeros()));
  }
  out.finalize();
  return out;
}

FactorCost factor_cost(const Eigen::SparseMatrix<double>& A,
                       const Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>& order) {
  const Index n = A.cols();
  // Below the diagonal of A + A', in the order of elimination: the earlier rows of each later one.
  const auto place = [&](Index i) {
    return order.size() ? order.indices()[i] : static_cast<int>(i);
  };
  std::vector<std::vector<int>> earlier(at(n));
  for (Index j = 0; j < n; ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it) {
      const int p = place(it.row()), q = place(j);
      if (p != q) earlier[at(std::max(p, q))].push_back(std::min(p, q));
    }
    Interrupt::after(static_cast<double>(A.col(j).nonZeros()));
  }
  // Row by row of L: from each entry up the elimination tree until a column that has this row.
  std::vector<int> parent(at(n), -1), mark(at(n), -1);
  std::vector<double> below(at(n), 0);
  for (int k = 0; k < n; ++k) {
    mark[at(k)] = k;
    double visits = 1;
    for (int i : earlier[at(k)])
      for (; mark[at(i)] != k; i = parent[at(i)], ++visits) {
        if (parent[at(i)] < 0) parent[at(i)] = k;
        below[at(i)] += 1;
        mark[at(i)] = k;
      }
    Interrupt::after(visits);
  }
  FactorCost cost;
  for (const double count : below) {
    cost.flops += 2 * count * (count + 1);
    cost.bytes += 2 * 12 * (count + 1);
  }
  return cost;
}

}  // namespace perpend::linear
