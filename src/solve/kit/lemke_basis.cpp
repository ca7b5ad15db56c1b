// See lemke_basis.hpp.
#include "solve/kit/lemke_basis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/kit/scaled_lcp.hpp"

namespace perpend {
namespace {

using Eigen::MatrixXd;

// Entries of a column below this part of its largest are rounding: they do not limit the step.
constexpr double kPivot = 1e-10;
// Of tied rows those with an entry below this part of the largest among them are not chosen.
constexpr double kSafePivot = 1e-2;
// Ties: rows that a step leaves within this part of the largest |q|, or of the largest change it
// makes; entries of B^-1 that agree to this part of the largest in their rows.
constexpr double kTie = 1e-12, kTieStep = 1e-13, kSameEntry = 1e-10;
// Accuracy asked of B^-1 a, relative to a; where B^-1 has lost it, B is factorized anew. Ties are
// decided by entries of B^-1 itself, so this is close to rounding.
constexpr double kColumn = 1e-11;
// Below this the column is as good as its residual can tell, and is not refined.
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
// A ray with z0 below this part of the largest |q| is a tie with z0 that rounding has hidden.
constexpr double kHiddenTie = 1e-6;
constexpr double kSingular = 1e-15;
constexpr int kCheckEvery = 16;

}  // namespace

LemkeBasis::LemkeBasis(const LinearProblem& p)
    : n_(p.size()), basic_(static_cast<std::size_t>(n_)) {
  const ScaledLcp scaled(p);
  A_ = scaled.A;
  q_ = scaled.q;
  column_scale_ = scaled.column_scale;
  tie_ = kTie * q_.lpNorm<Eigen::Infinity>();
}

void LemkeBasis::start_cold() {
  for (Index i = 0; i < n_; ++i) basic_[static_cast<std::size_t>(i)] = i;
  inverse_ = linear::RowMatrix::Identity(n_, n_);
  x_ = q_;
  d_ = VectorXd::Ones(n_);
  fresh_ = true;
  pivots_ = 0;
}

bool LemkeBasis::start_from(const VectorXd& z) {
  const VectorXd scaled = z.cwiseQuotient(column_scale_);
  const VectorXd w = A_ * scaled + q_;
  const double positive = 1e-10 * scaled.lpNorm<Eigen::Infinity>();
  for (Index i = 0; i < n_; ++i)
    basic_[static_cast<std::size_t>(i)] = scaled[i] > positive ? n_ + i : i;
  // The speed of a contact without friction (open, mu = 0) pairs with nothing in the basis, whose
  // core would be singular: the smallest w it can raise joins it, degenerate at zero.
  for (Index j = 0; j < n_; ++j) {
    if (variable(j) < n_) continue;
    Index partner = -1;
    bool alone = true;
    for (ColumnMatrix::InnerIterator it(A_, j); it && alone; ++it) {
      if (it.value() == 0) continue;
      alone = variable(it.row()) < n_;
      if (partner < 0 || w[it.row()] < w[partner]) partner = it.row();
    }
    if (alone && partner >= 0) basic_[static_cast<std::size_t>(partner)] = n_ + partner;
  }
  return restart();
}

bool LemkeBasis::restart() {
  if (!refactorize()) return false;
  d_ = product(VectorXd::Ones(n_));
  return true;
}

LemkeBasis::Move LemkeBasis::enter_artificial() {
  if (!x_.allFinite()) return Move::singular;
  if (feasible()) return Move::solved;
  // B^-1 d = e in every start: the most violated row is the lexicographic minimum of (x, B^-1).
  const VectorXd ones = VectorXd::Ones(n_);
  const double smallest = x_.minCoeff();
  std::vector<Index> tied;
  for (Index i = 0; i < n_; ++i)
    if (x_[i] <= smallest + tie_) tied.push_back(i);
  const Index row = lexicographic_minimum(tied, ones);
  exchange(row, 2 * n_, -ones, -x_[row]);
  return Move::pivoted;
}

LemkeBasis::Move LemkeBasis::step() {
  const Index entering = left_ < n_ ? left_ + n_ : left_ - n_;
  VectorXd a;
  if (!solve_column(entering, a)) return Move::singular;
  Index row = leaving_row(a);
  if (row < 0 && !fresh_) {
    refactorize();
    if (!solve_column(entering, a)) return Move::singular;
    row = leaving_row(a);
  }
  if (row < 0) row = hidden_tie(a);
  if (row < 0) return Move::ray;
  const bool last = variable(row) == 2 * n_;
  exchange(row, entering, a, std::max(0.0, x_[row]) / a[row]);
  if (!x_.allFinite()) return Move::singular;  // beyond what numbers can hold
  if (last) return Move::solved;
  if (++pivots_ >= kCheckEvery) correct_solution();
  return Move::pivoted;
}

// The row of z0 when it is as good as zero and can be exchanged, else -1.
Index LemkeBasis::hidden_tie(const VectorXd& a) const {
  const double small = kHiddenTie * q_.lpNorm<Eigen::Infinity>();
  for (Index i = 0; i < n_; ++i)
    if (variable(i) == 2 * n_)
      return x_[i] <= small && std::abs(a[i]) > kPivot * a.lpNorm<Eigen::Infinity>() ? i : -1;
  return -1;
}

// Rows whose variable would become negative first; of those z0, or the lexicographic minimum. A
// row is among the first if rounding of its own entry, or of the smallest ratio, may have hidden
// it.
Index LemkeBasis::leaving_row(const VectorXd& a) const {
  const double smallest_pivot = kPivot * a.lpNorm<Eigen::Infinity>();
  Index first = -1;
  const auto smallest_ratio = [&](double slack) {
    double smallest = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < n_; ++i) {
      if (!(a[i] > smallest_pivot)) continue;
      const double ratio = (std::max(0.0, x_[i]) + slack) / a[i];
      if (!(ratio < smallest)) continue;
      smallest = ratio;
      first = i;
    }
    return smallest;
  };
  const double exact = smallest_ratio(0);
  if (!std::isfinite(exact)) return -1;
  const double tie = tie_ + kTieStep * exact * a.lpNorm<Eigen::Infinity>();
  const double step = smallest_ratio(tie);
  std::vector<Index> tied;
  for (Index i = 0; i < n_; ++i)
    if (a[i] > smallest_pivot && std::max(0.0, x_[i]) <= step * a[i] + tie) {
      if (variable(i) == 2 * n_) return i;
      tied.push_back(i);
    }
  // The first itself may be missing where numbers are so small that a tie is none.
  if (tied.empty()) return first;
  // Nearly redundant contacts (a fourth foot 1e-9 m short) tie with entries of 1e-9: to pivot on
  // those would throw the accuracy away, so there the rule gives way.
  double largest = 0;
  for (const Index i : tied) largest = std::max(largest, a[i]);
  std::erase_if(tied, [&](Index i) { return a[i] < kSafePivot * largest; });
  return lexicographic_minimum(tied, a);
}

// Smallest row of B^-1 divided by its a_i > 0, compared entry by entry without the division.
Index LemkeBasis::lexicographic_minimum(const std::vector<Index>& rows, const VectorXd& a) const {
  Index best = rows.front();
  double best_size = inverse_.row(best).lpNorm<Eigen::Infinity>();
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const Index i = rows[k];
    const double size = inverse_.row(i).lpNorm<Eigen::Infinity>();
    const double same = kSameEntry * (size * a[best] + best_size * a[i]);
    for (Index j = 0; j < n_; ++j) {
      const double difference = inverse_(i, j) * a[best] - inverse_(best, j) * a[i];
      if (std::abs(difference) <= same) continue;
      if (difference < 0) {
        best = i;
        best_size = size;
      }
      break;
    }
  }
  return best;
}

void LemkeBasis::exchange(Index row, Index entering, const VectorXd& a, double step) {
  left_ = variable(row);
  basic_[static_cast<std::size_t>(row)] = entering;
  x_ -= step * a;
  x_[row] = step;
  fresh_ = false;

  auto pivot_row = inverse_.row(row);
  pivot_row /= a[row];
  std::vector<Index> nonzero;
  for (Index j = 0; j < n_; ++j)
    if (pivot_row[j] != 0) nonzero.push_back(j);
  const bool sparse = static_cast<Index>(nonzero.size()) < n_ / 4;
  for (Index i = 0; i < n_; ++i) {
    if (i == row || a[i] == 0) continue;
    if (sparse)
      for (const Index j : nonzero) inverse_(i, j) -= a[i] * pivot_row[j];
    else
      inverse_.row(i).noalias() -= a[i] * pivot_row;
  }
}

bool LemkeBasis::solve_column(Index entering, VectorXd& result) {
  const VectorXd a = column(entering);
  const double size = a.lpNorm<Eigen::Infinity>();
  result = apply_inverse(a);
  VectorXd rest = a - product(result);
  if (!fresh_ && rest.lpNorm<Eigen::Infinity>() > kColumn * size && refactorize()) {
    result = apply_inverse(a);
    rest = a - product(result);
  }
  if (rest.lpNorm<Eigen::Infinity>() > kRounding * size) result += inverse_ * rest;
  return result.allFinite();
}

void LemkeBasis::correct_solution() {
  x_ += inverse_ * (q_ - product(x_));
  pivots_ = 0;
}

// With w_j basic for j in W and the rest in z (and z0): rows W of B are [I D], the other rows K are
// [0 C]. So only C, as large as there are z in the basis, has to be factorized:
//   x_z = C^-1 r_K,   x_w = r_W - D x_z.
LemkeBasis::Split LemkeBasis::split() const {
  Split s;
  s.place.assign(static_cast<std::size_t>(n_), -1);
  std::vector<bool> has_w(static_cast<std::size_t>(n_), false);
  for (Index i = 0; i < n_; ++i) {
    if (variable(i) < n_)
      has_w[static_cast<std::size_t>(variable(i))] = true;
    else
      s.positions.push_back(i);
  }
  for (Index j = 0; j < n_; ++j)
    if (!has_w[static_cast<std::size_t>(j)]) {
      s.place[static_cast<std::size_t>(j)] = static_cast<Index>(s.rows.size());
      s.rows.push_back(j);
    }
  return s;
}

MatrixXd LemkeBasis::core(const Split& s) const {
  const Index k = static_cast<Index>(s.rows.size());
  MatrixXd C = MatrixXd::Zero(k, k);
  for (Index c = 0; c < k; ++c) {
    const Index v = variable(s.positions[static_cast<std::size_t>(c)]);
    if (v == 2 * n_) {
      C.col(c) = -d_(s.rows);
    } else {
      for (ColumnMatrix::InnerIterator it(A_, v - n_); it; ++it)
        if (const Index r = s.place[static_cast<std::size_t>(it.row())]; r >= 0)
          C(r, c) = -it.value();
    }
  }
  return C;
}

VectorXd LemkeBasis::solve_core(const Split& s, const linear::DenseLu& lu,
                                const VectorXd& r) const {
  const VectorXd z_part = lu.solve(r(s.rows));
  VectorXd x = VectorXd::Zero(n_);
  x(s.positions) = z_part;
  const VectorXd w_part = r - product(x);
  for (Index i = 0; i < n_; ++i)
    if (variable(i) < n_) x[i] = w_part[variable(i)];
  return x;
}

bool LemkeBasis::refactorize() {
  const Split s = split();
  const linear::DenseLu lu(core(s));
  ++factorizations_;
  if (!(lu.reciprocal_condition() > kSingular)) return false;

  const linear::RowMatrix C = lu.inverse();
  const Index k = C.rows();
  // Rows of B^-1: C^-1 for z, e_j - D C^-1 for w_j; only the columns K differ from the identity.
  linear::RowMatrix packed = linear::RowMatrix::Zero(n_, k);
  std::vector<Index> row_of_w(static_cast<std::size_t>(n_), -1);
  for (Index i = 0; i < n_; ++i)
    if (variable(i) < n_) row_of_w[static_cast<std::size_t>(variable(i))] = i;
  for (Index c = 0; c < k; ++c) {
    const Index position = s.positions[static_cast<std::size_t>(c)], v = variable(position);
    packed.row(position) = C.row(c);
    if (v == 2 * n_) {
      for (Index i = 0; i < n_; ++i)
        if (variable(i) < n_) packed.row(i) += d_[variable(i)] * C.row(c);
      continue;
    }
    for (ColumnMatrix::InnerIterator it(A_, v - n_); it; ++it)
      if (const Index i = row_of_w[static_cast<std::size_t>(it.row())]; i >= 0)
        packed.row(i) += it.value() * C.row(c);
  }
  inverse_.setZero(n_, n_);
  for (Index i = 0; i < n_; ++i) {
    if (variable(i) < n_) inverse_(i, variable(i)) = 1;
    for (Index c = 0; c < k; ++c) inverse_(i, s.rows[static_cast<std::size_t>(c)]) = packed(i, c);
  }
  x_ = solve_core(s, lu, q_);
  x_ += solve_core(s, lu, q_ - product(x_));
  fresh_ = true;
  pivots_ = 0;
  return true;
}

bool LemkeBasis::polish() {
  const Split s = split();
  const linear::DenseLu lu(core(s));
  ++factorizations_;
  if (lu.reciprocal_condition() <= 0) return false;
  x_ = solve_core(s, lu, q_);
  for (int step = 0; step < 2; ++step) x_ += solve_core(s, lu, q_ - product(x_));
  return x_.allFinite();
}

bool LemkeBasis::feasible() const { return n_ == 0 || x_.minCoeff() >= -tie_; }

VectorXd LemkeBasis::z() const {
  VectorXd result = VectorXd::Zero(n_);
  for (Index i = 0; i < n_; ++i)
    if (const Index v = variable(i); v >= n_ && v < 2 * n_)
      result[v - n_] = std::max(0.0, x_[i]) * column_scale_[v - n_];
  return result;
}

double LemkeBasis::violation() const {
  for (Index i = 0; i < n_; ++i)
    if (variable(i) == 2 * n_) return std::max(0.0, x_[i]) * d_.lpNorm<Eigen::Infinity>();
  return 0;
}

VectorXd LemkeBasis::column(Index v) const {
  if (v == 2 * n_) return -d_;
  VectorXd a = VectorXd::Zero(n_);
  if (v < n_)
    a[v] = 1;
  else
    for (ColumnMatrix::InnerIterator it(A_, v - n_); it; ++it) a[it.row()] = -it.value();
  return a;
}

VectorXd LemkeBasis::product(const VectorXd& x) const {
  VectorXd result = VectorXd::Zero(n_);
  for (Index i = 0; i < n_; ++i) {
    if (x[i] == 0) continue;
    const Index v = variable(i);
    if (v < n_)
      result[v] += x[i];
    else if (v < 2 * n_)
      for (ColumnMatrix::InnerIterator it(A_, v - n_); it; ++it)
        result[it.row()] -= it.value() * x[i];
    else
      result -= x[i] * d_;
  }
  return result;
}

VectorXd LemkeBasis::apply_inverse(const VectorXd& a) const {
  std::vector<std::pair<Index, double>> entries;
  for (Index j = 0; j < n_; ++j)
    if (a[j] != 0) entries.emplace_back(j, a[j]);
  if (4 * static_cast<Index>(entries.size()) > n_) return inverse_ * a;
  VectorXd result(n_);
  for (Index i = 0; i < n_; ++i) {
    double sum = 0;
    for (const auto& [j, value] : entries) sum += inverse_(i, j) * value;
    result[i] = sum;
  }
  return result;
}

}  // namespace perpend
