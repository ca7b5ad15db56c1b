#include "capture/ode/frozen.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace perpend::capture::from_ode {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Place : std::int8_t { inside, at_lower, at_upper };

struct Row {
  Index number;  // of the system
  double lower, upper;
  Place place = Place::inside;
};

// Rows that may carry something, with their bounds.
std::vector<Row> rows_of(const System& system) {
  std::vector<Row> rows;
  const Index m = system.contacts();
  for (Index i = 0; i < m; ++i) {
    rows.push_back({3 * i, 0, kInfinity});
    for (Index k = 0; k < 2; ++k)
      if (const double bound = system.friction_bounds(i, k); bound > 0)
        rows.push_back({3 * i + 1 + k, -bound, bound});
  }
  for (Index j = 0; j < system.joint_rows(); ++j)
    rows.push_back({3 * m + j, system.lower[j], system.upper[j]});
  return rows;
}

class PivotMethod {
 public:
  explicit PivotMethod(const System& system) : system_(system), rows_(rows_of(system)) {
    const SparseMatrix all = to_sparse(system);
    std::vector<Index> place(static_cast<std::size_t>(system.rows()), -1);
    for (std::size_t k = 0; k < rows_.size(); ++k)
      place[static_cast<std::size_t>(rows_[k].number)] = static_cast<Index>(k);
    const auto n = static_cast<Index>(rows_.size());
    a_ = Eigen::MatrixXd::Zero(n, n);
    b_.resize(n);
    for (Index k = 0; k < n; ++k) {
      const Index row = rows_[static_cast<std::size_t>(k)].number;
      b_[k] = system.b[row];
      for (SparseMatrix::InnerIterator entry(all, row); entry; ++entry)
        if (const Index column = place[static_cast<std::size_t>(entry.col())]; column >= 0)
          a_(k, column) = entry.value();
    }
  }

  Impulses run(const Impulses& guess) {
    for (Row& row : rows_)
      row.place = guess[row.number] <= row.lower   ? Place::at_lower
                  : guess[row.number] >= row.upper ? Place::at_upper
                                                   : Place::inside;
    return run();
  }
  Impulses run_from_inside() {
    for (Row& row : rows_) row.place = Place::inside;
    return run();
  }

 private:
  Impulses run() {
    constexpr int kPatience = 10;  // blocks that make nothing better, before one row at a time
    // Each try is a factorization. Blocks take some ten, Murty's rule many: a budget of operations.
    const double n = static_cast<double>(rows_.size());
    const double limit = std::clamp(5e9 / (1 + n * n * n / 3), 20.0, 100 + 20 * n);
    std::size_t fewest = rows_.size() + 1;
    int patience = kPatience;
    for (int k = 0; k < limit; ++k) {
      if (!solve()) return {};
      const std::vector<std::size_t> wrong = misplaced();
      if (wrong.empty()) return all_impulses();
      if (wrong.size() < fewest) {
        fewest = wrong.size();
        patience = kPatience;
      } else {
        --patience;
      }
      if (patience >= 0)
        for (const std::size_t row : wrong) move(row);
      else
        move(wrong.back());
    }
    return {};
  }

  double bound(const Row& row) const {
    return row.place == Place::at_lower ? row.lower : row.upper;
  }

  // x and y for the places that the rows have now.
  bool solve() {
    const auto n = static_cast<Index>(rows_.size());
    x_ = VectorXd::Zero(n);
    std::vector<Index> inside;
    for (Index k = 0; k < n; ++k) {
      const Row& row = rows_[static_cast<std::size_t>(k)];
      if (row.place == Place::inside)
        inside.push_back(k);
      else
        x_[k] = bound(row);
    }
    const VectorXd right = -(b_ + a_ * x_)(inside);
    const Eigen::LLT<Eigen::MatrixXd> factor(a_(inside, inside));
    if (factor.info() != Eigen::Success) return false;
    VectorXd found = factor.solve(right);
    found +=
        factor.solve(right - a_(inside, inside) * found);  // redundant rows are ill-conditioned
    x_(inside) = found;
    y_ = a_ * x_ + b_;
    return x_.allFinite();
  }

  // By more than rounding, or redundant rows would change places for ever.
  std::vector<std::size_t> misplaced() const {
    const double impulse = 1e-10 * x_.cwiseAbs().maxCoeff();
    const double speed = 1e-15 * b_.cwiseAbs().maxCoeff();
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Row& row = rows_[k];
      const auto i = static_cast<Index>(k);
      const bool wrong = row.place == Place::inside
                             ? x_[i] < row.lower - impulse || x_[i] > row.upper + impulse
                         : row.place == Place::at_lower ? y_[i] < -speed
                                                        : y_[i] > speed;
      if (wrong) out.push_back(k);
    }
    return out;
  }
  void move(std::size_t k) {
    Row& row = rows_[k];
    const double x = x_[static_cast<Index>(k)];
    row.place = row.place != Place::inside ? Place::inside
                : x < row.lower            ? Place::at_lower
                                           : Place::at_upper;
  }
  Impulses all_impulses() const {
    Impulses out = Impulses::Zero(system_.rows());
    for (std::size_t k = 0; k < rows_.size(); ++k) out[rows_[k].number] = x_[static_cast<Index>(k)];
    return out;
  }

  const System& system_;
  std::vector<Row> rows_;
  Eigen::MatrixXd a_;
  VectorXd b_, x_, y_;
};

}  // namespace

Impulses solve_exactly(const System& system, const Impulses& guess) {
  PivotMethod pivoting(system);
  const Impulses out = pivoting.run(guess);
  return out.size() > 0 ? out : pivoting.run_from_inside();
}

}  // namespace perpend::capture::from_ode
