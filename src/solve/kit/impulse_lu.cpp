#include "solve/kit/impulse_lu.hpp"

#include "linear/sparse_rows.hpp"

namespace perpend {
namespace {

// Dense up to so many rows, and where at least this part of the entries is there.
constexpr Index kSmall = 96, kMostDense = 600;
constexpr double kFull = 0.3;

}  // namespace

template <class Add>
void ImpulseLu::for_each_entry(const Add& add) const {
  for (std::size_t k = 0; k < resisting_.size(); ++k) {
    const Index row = resisting_[k];
    const bool contact = row < 3 * contacts_;
    for (Index q = 0; q < (contact ? 3 : 1); ++q) {
      const Index from = contact ? row - row % 3 + q : row;
      const double g = contact ? slopes_.contact[static_cast<std::size_t>(row / 3)](row % 3, q)
                               : slopes_.joint[static_cast<std::size_t>(row - 3 * contacts_)];
      if (g == 0) continue;
      for (SparseMatrix::InnerIterator it(*A_, from); it; ++it)
        if (const Index column = number_[static_cast<std::size_t>(it.col())]; column >= 0)
          add(static_cast<Index>(k), column, g * it.value());
    }
  }
}

double ImpulseLu::count_entries() const {
  double count = 0;
  for (const Index row : resisting_)
    for (SparseMatrix::InnerIterator it(*A_, row); it; ++it)
      count += number_[static_cast<std::size_t>(it.col())] >= 0;
  return count;
}

bool ImpulseLu::factorize(const SparseMatrix& A, Index contacts, const RowSlopes& slopes) {
  A_ = &A;
  contacts_ = contacts;
  slopes_ = slopes;
  resisting_.clear();
  number_.assign(static_cast<std::size_t>(A.rows()), -1);
  for (Index row = 0; row < A.rows(); ++row) {
    const bool open = row < 3 * contacts
                          ? RowSlopes::open(slopes.contact[static_cast<std::size_t>(row / 3)])
                          : slopes.joint[static_cast<std::size_t>(row - 3 * contacts)] == 0;
    if (open) continue;
    number_[static_cast<std::size_t>(row)] = static_cast<Index>(resisting_.size());
    resisting_.push_back(row);
  }
  const Index n = static_cast<Index>(resisting_.size());
  const double all = static_cast<double>(n) * static_cast<double>(n);
  if (n <= kSmall || (n <= kMostDense && count_entries() >= kFull * all)) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(n, n);
    for_each_entry([&](Index row, Index column, double v) { matrix(row, column) += v; });
    dense_ = std::make_unique<linear::DenseLu>(matrix);
    return n == 0 || dense_->regular();
  }
  dense_.reset();
  linear::Triplets entries;
  for (Index row = 0; row < n; ++row)
    entries.emplace_back(static_cast<int>(row), static_cast<int>(row), 1.0);
  for_each_entry([&](Index row, Index column, double v) {
    entries.emplace_back(static_cast<int>(row), static_cast<int>(column), v);
  });
  return sparse_.factorize(linear::from_triplets(n, n, entries));
}

void ImpulseLu::multiply_slopes(VectorXd& y) const {
  for (std::size_t i = 0; i < slopes_.contact.size(); ++i) {
    const Index row = 3 * static_cast<Index>(i);
    y.segment<3>(row) = (slopes_.contact[i] * y.segment<3>(row)).eval();
  }
  for (std::size_t j = 0; j < slopes_.joint.size(); ++j)
    y[3 * contacts_ + static_cast<Index>(j)] *= slopes_.joint[j];
}

void ImpulseLu::solve(VectorXd& x) {
  // What the given unknowns make goes to the right-hand side.
  given_ = x;
  for (const Index row : resisting_) given_[row] = 0;
  made_.noalias() = *A_ * given_;
  multiply_slopes(made_);
  rest_ = (x - made_)(resisting_);
  if (rest_.size() == 0) return;
  if (dense_)
    rest_ = dense_->solve(rest_);
  else
    sparse_.solve(rest_);
  x(resisting_) = rest_;
}

}  // namespace perpend
