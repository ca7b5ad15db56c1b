// mlcp/minres: MINRES on the active rows, found by projected steps (Lu et al. 2013, Table 2, MLCP
// row; the Krylov idea after Heyn et al. 2013).
//
// An iteration makes kProjectedSteps steps of mlcp/fixed-point's kind (velocities eliminated body
// by body, joints iterated), which tell what is active: rows strictly between their bounds, pf > 0,
// and s > 0 where the friction of a contact is used up. The others are at their bounds, and the
// equations w = 0 of the active ones are solved by MINRES with the matrix
//   | A^_II   e |      A^ = A_CC - A_CV A_VV^-1 A_VC,  rows pn, pf, joints
//   | e'      0 |      rows s, with their sign changed
// The step is taken when the residual of the whole problem falls, at full length or shortened.
// After one that was not taken the next is tried later, twice as many iterations as the last time:
// while projected steps still change what is active, a Krylov solve costs thirty of them for
// nothing.
//
// The problem is not symmetric: s rows have mu in the column of pn and nothing answers it. That
// coupling is left out of the matrix, not out of the residual: the budget mu pn is held during a
// Krylov solve and renewed by the next projected steps, as Tresca friction that follows Coulomb's.
// Unmatched entries elsewhere (groups of alternatives, raw problems) are left out likewise: rows
// that have them are not active and move by projected steps alone.
#include <algorithm>
#include <cmath>

#include "linear/minres.hpp"
#include "solve/kit/mlcp_rows.hpp"
#include "solve/kit/patience.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr int kProjectedSteps = 5, kHalvings = 3;
constexpr int kKrylovLimit = 150;  // products of one MINRES solve
constexpr double kKrylovAccuracy = 1e-3;
constexpr int kLongestPause = 63;  // iterations without a Krylov step
constexpr int kPatience = 1000;    // iterations

class ActiveRows {
 public:
  explicit ActiveRows(const MlcpRows& rows) : rows_(rows), p_(rows.problem()) {
    const SparseMatrix transposed = p_.A.transpose();
    matched_.assign(static_cast<std::size_t>(p_.size()), 1);
    // A row pairs with eliminated ones skew-symmetrically (-J^T and J), with iterated ones
    // symmetrically; s is known from its budget.
    for (const Index i : rows.iterated())
      for (SparseMatrix::InnerIterator it(p_.A, i); it; ++it) {
        if (it.value() == 0 || is_budget(it.col())) continue;
        const double expected = rows.is_iterated(it.col()) ? it.value() : -it.value();
        const double back = transposed.coeff(i, it.col());
        if (std::abs(back - expected) > 1e-12 * std::abs(expected))
          matched_[static_cast<std::size_t>(i)] = 0;
      }
  }

  // Those of z, which comes from a projected step: what is not active is at its bound.
  void find(const VectorXd& z) {
    rows_list_.clear();
    const auto add = [&](Index i) { rows_list_.push_back(i); };
    for (const Index i : rows_.iterated())
      if (matched_[static_cast<std::size_t>(i)] && z[i] > p_.lower[i] && z[i] < p_.upper[i]) add(i);
    for (const MlcpRows::Budget& b : rows_.budgets()) {
      bool some = false;
      for (const Index m : b.members) some = some || z[m] > 0;
      if (z[b.row] > 0 && some) add(b.row);
    }
  }
  Index count() const { return static_cast<Index>(rows_list_.size()); }

  // -w of the active rows, in the scaled and sign-changed form.
  VectorXd defect(const VectorXd& w) const {
    VectorXd out(count());
    for (Index k = 0; k < count(); ++k) out[k] = -factor(row(k)) * w[row(k)];
    return out;
  }
  void product(const VectorXd& x, VectorXd& out) const {
    VectorXd z = VectorXd::Zero(p_.size());
    for (Index k = 0; k < count(); ++k) z[row(k)] = std::sqrt(p_.rows.scale[row(k)]) * x[k];
    rows_.complete(z, 0);
    const VectorXd w = p_.A * z;
    out.resize(count());
    for (Index k = 0; k < count(); ++k) out[k] = factor(row(k)) * w[row(k)];
    // Budget rows see their members alone: mu pn is held.
    for (Index k = 0; k < count(); ++k) {
      if (!is_budget(row(k))) continue;
      double held = 0;
      for (const auto& [source, a] : sources(row(k))) held += a * z[source];
      out[k] -= factor(row(k)) * held;
    }
  }
  void add(double a, const VectorXd& x, VectorXd& z) const {
    for (Index k = 0; k < count(); ++k) z[row(k)] += a * std::sqrt(p_.rows.scale[row(k)]) * x[k];
  }

 private:
  Index row(Index k) const { return rows_list_[static_cast<std::size_t>(k)]; }
  bool is_budget(Index row) const { return rows_.budget_of(row) != nullptr; }
  const std::vector<std::pair<Index, double>>& sources(Index row) const {
    return rows_.budget_of(row)->sources;
  }
  double factor(Index row) const {
    return (is_budget(row) ? -1 : 1) * std::sqrt(p_.rows.scale[row]);
  }

  const MlcpRows& rows_;
  const LinearProblem& p_;
  std::vector<char> matched_;
  std::vector<Index> rows_list_;
};

// False: not taken.
bool krylov_step(const MlcpRows& rows, ActiveRows& active, VectorXd& z, VectorXd& w, double& error,
                 Progress& progress) {
  active.find(z);
  if (active.count() == 0) return false;
  VectorXd x = VectorXd::Zero(active.count());
  const linear::MinresOutcome out =
      linear::minres([&](const VectorXd& v, VectorXd& result) { active.product(v, result); },
                     active.defect(w), x, kKrylovAccuracy, kKrylovLimit);
  progress.count(Work::product, out.products);
  if (!x.allFinite()) return false;
  double a = 1;
  for (int k = 0; k < kHalvings; ++k, a *= 0.5) {
    VectorXd trial = z;
    active.add(a, x, trial);
    rows.complete(trial);
    const VectorXd trial_w = rows.w(trial);
    progress.count(Work::product);
    const double trial_error = rows.error(trial, trial_w);
    if (trial_error < error) {
      z = trial;
      w = trial_w;
      error = trial_error;
      return true;
    }
  }
  return false;
}

void run(const LinearProblem& p, Progress& progress) {
  const MlcpRows rows(p, MlcpRows::Eliminate::momentum);
  if (rows.finished(progress)) return;
  const VectorXd r = p.rows.scale / rows.largest_eigenvalue(p.rows.scale, progress);
  ActiveRows active(rows);
  VectorXd z = progress.start();
  rows.complete(z);
  VectorXd w = rows.w(z);
  double error = rows.error(z, w);
  Patience patience(error, kPatience);
  int pause = 0, left = 0;
  while (progress.next(z, error)) {
    if (patience.lost(error)) return progress.finish(Status::stalled, patience.why());
    for (int k = 0; k < kProjectedSteps; ++k) {
      rows.step(w, r, z);
      rows.complete(z);
      w = rows.w(z);
    }
    progress.count(Work::product, kProjectedSteps);
    error = rows.error(z, w);
    if (left > 0) {
      --left;
    } else {
      const bool taken = krylov_step(rows, active, z, w, error, progress);
      pause = taken ? 0 : std::min(2 * pause + 1, kLongestPause);
      left = pause;
    }
  }
}

}  // namespace

SolverInfo mlcp_minres() {
  return solver("mlcp/minres", "MINRES on the active rows, projected steps between",
                "Lu et al. 2013, Table 2; Heyn, Anitescu, Tasora, Negrut 2013", run);
}

}  // namespace perpend
