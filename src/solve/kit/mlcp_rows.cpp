#include "solve/kit/mlcp_rows.hpp"

#include <algorithm>
#include <cmath>

#include "solve/kit/power_iteration.hpp"

namespace perpend {
namespace {

constexpr double kCompliance = 1e-9;  // e, in units of the row's effective mass

// The largest x <= q, entry by entry at least 0, that is nearest to q with sum x <= budget: q
// lowered by theta. Returns theta.
double lower_to_budget(std::vector<double> q, double budget) {
  std::sort(q.begin(), q.end(), std::greater<>());
  double sum = 0, positive = 0;
  for (const double x : q) positive += std::max(0.0, x);
  if (positive <= budget) return 0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    sum += q[k];
    const double theta = (sum - budget) / static_cast<double>(k + 1);
    if (k + 1 == q.size() || q[k + 1] <= theta) return std::max(0.0, theta);
  }
  return 0;
}

}  // namespace

MlcpRows::MlcpRows(const LinearProblem& p, Eliminate eliminate)
    : p_(p),
      kind_(static_cast<std::size_t>(p.size()), Kind::plain),
      member_(static_cast<std::size_t>(p.size()), 0),
      budget_(static_cast<std::size_t>(p.size()), -1) {
  std::vector<Index> place(kind_.size(), -1);
  for (Index i = 0; i < p.size(); ++i) {
    const bool free = std::isinf(p.lower[i]) && std::isinf(p.upper[i]);
    if (!free || (eliminate == Eliminate::momentum && !(p.A.coeff(i, i) > 0))) continue;
    kind_[static_cast<std::size_t>(i)] = Kind::eliminated;
    place[static_cast<std::size_t>(i)] = static_cast<Index>(eliminated_.size());
    eliminated_.push_back(i);
  }
  find_budgets();
  for (Index i = 0; i < p.size(); ++i)
    if (is_iterated(i)) iterated_.push_back(i);

  const Index n = static_cast<Index>(eliminated_.size());
  std::vector<Eigen::Triplet<double>> own, others;
  e_ = VectorXd::Zero(n);
  for (Index k = 0; k < n; ++k) {
    const Index row = eliminated_[static_cast<std::size_t>(k)];
    for (SparseMatrix::InnerIterator it(p.A, row); it; ++it) {
      const Index at = place[static_cast<std::size_t>(it.col())];
      if (at >= 0)
        own.emplace_back(static_cast<int>(k), static_cast<int>(at), it.value());
      else
        others.emplace_back(static_cast<int>(k), static_cast<int>(it.col()), it.value());
    }
    if (p.A.coeff(row, row) == 0) e_[k] = kCompliance / p.rows.scale[row];
    if (e_[k] > 0) own.emplace_back(static_cast<int>(k), static_cast<int>(k), e_[k]);
  }
  to_eliminated_.resize(n, p.size());
  to_eliminated_.setFromTriplets(others.begin(), others.end());
  SparseMatrix matrix(n, n);
  matrix.setFromTriplets(own.begin(), own.end());
  if (n > 0) ok_ = lu_.factorize(matrix);
}

bool MlcpRows::is_budget(Index row, Budget& budget) const {
  if (p_.lower[row] != 0 || !std::isinf(p_.upper[row])) return false;
  for (SparseMatrix::InnerIterator it(p_.A, row); it; ++it) {
    if (it.value() == 0) continue;
    const auto column = static_cast<std::size_t>(it.col());
    if (it.col() == row || kind_[column] != Kind::plain) return false;
    if (it.value() == -1 && p_.A.coeff(it.col(), row) == 1 && p_.lower[it.col()] == 0 &&
        std::isinf(p_.upper[it.col()]) && !member_[column])
      budget.members.push_back(it.col());
    else if (p_.A.coeff(it.col(), row) != 0)
      return false;
    else
      budget.sources.emplace_back(it.col(), it.value());
  }
  return !budget.members.empty();
}

void MlcpRows::find_budgets() {
  for (Index i = 0; i < p_.size(); ++i) {
    Budget budget{i, {}, {}};
    if (kind_[static_cast<std::size_t>(i)] != Kind::plain || !is_budget(i, budget)) continue;
    kind_[static_cast<std::size_t>(i)] = Kind::budget;
    for (const Index m : budget.members) member_[static_cast<std::size_t>(m)] = 1;
    budget_[static_cast<std::size_t>(i)] = static_cast<Index>(budgets_.size());
    budgets_.push_back(std::move(budget));
  }
}

void MlcpRows::complete(VectorXd& z, double bias) const {
  VectorXd rhs = -(to_eliminated_ * z);
  for (std::size_t k = 0; k < eliminated_.size(); ++k) {
    const Index at = static_cast<Index>(k), row = eliminated_[k];
    rhs[at] += bias * (e_[at] * z[row] - p_.b[row]);
  }
  if (rhs.size() > 0) lu_.solve(rhs);
  for (std::size_t k = 0; k < eliminated_.size(); ++k)
    z[eliminated_[k]] = rhs[static_cast<Index>(k)];
}

bool MlcpRows::finished(Progress& progress) const {
  progress.count(Work::factorization);
  if (!ok_) {
    progress.finish(Status::failed, "the rows to eliminate are singular");
  } else if (iterated_.empty()) {
    VectorXd z = progress.start();
    complete(z);
    progress.offer(z);
    progress.finish(progress.met() ? Status::converged : Status::stalled,
                    "no row has a bound: elimination alone gives the answer");
  }
  return progress.finished();
}

double MlcpRows::error(const VectorXd& z, const VectorXd& w) const {
  double worst = 0;
  for (Index i = 0; i < p_.size(); ++i) {
    const double to = std::clamp(z[i] - p_.rows.scale[i] * w[i], p_.lower[i], p_.upper[i]);
    worst = std::max(worst, p_.rows.weight[i] * std::abs(z[i] - to));
  }
  return worst;
}

void MlcpRows::step(const VectorXd& w, const VectorXd& r, VectorXd& z) const {
  for (const Index i : iterated_)
    if (!member_[static_cast<std::size_t>(i)])
      z[i] = std::clamp(z[i] - r[i] * w[i], p_.lower[i], p_.upper[i]);
  std::vector<double> q;
  for (const Budget& budget : budgets_) {
    double smallest = r[budget.members.front()], limit = p_.b[budget.row];
    for (const Index m : budget.members) smallest = std::min(smallest, r[m]);
    for (const auto& [source, a] : budget.sources) limit += a * z[source];
    double& s = z[budget.row];
    q.clear();
    for (const Index m : budget.members) q.push_back(z[m] - smallest * (w[m] - s));
    const double theta = lower_to_budget(q, std::max(0.0, limit));
    for (std::size_t k = 0; k < q.size(); ++k) z[budget.members[k]] = std::max(0.0, q[k] - theta);
    s = smallest > 0 ? theta / smallest : 0;
  }
}

double MlcpRows::largest_eigenvalue(const VectorXd& scale, Progress& progress) const {
  VectorXd start = VectorXd::Zero(p_.size());
  for (const Index i : iterated_) start[i] = uneven(i);
  const auto product = [&](const VectorXd& v) {
    VectorXd z = VectorXd::Zero(p_.size());
    for (const Index i : iterated_) z[i] = std::sqrt(scale[i]) * v[i];
    complete(z, 0);
    const VectorXd y = p_.A * z;
    VectorXd next = VectorXd::Zero(p_.size());
    for (const Index i : iterated_) next[i] = std::sqrt(scale[i]) * y[i];
    return next;
  };
  return perpend::largest_eigenvalue(start, product, progress);
}

void MlcpRows::iterate(const VectorXd& r, Work work, const char* diverges,
                       Progress& progress) const {
  constexpr double kDiverged = 1e8;  // times the first error
  VectorXd z = progress.start();
  for (double first = -1;;) {
    complete(z);
    const VectorXd w_z = w(z);
    progress.count(work);
    const double now = error(z, w_z);
    if (first < 0) first = now;
    if (!progress.next(z, now)) return;
    if (now > kDiverged * first) return progress.finish(Status::failed, diverges);
    step(w_z, r, z);
  }
}

}  // namespace perpend
