// normal/baraff: Baraff's pivoting method for normal forces (Baraff 1994, section 4), on
// 0 <= f perp a = A f + b >= 0.
//
// Contacts are clamped (C: a_i = 0, f_i >= 0), open (NC: f_i = 0, a_i >= 0) or not yet looked at.
// While some a_d < 0, it is driven to zero: f_d grows, the clamped contacts answer so that they
// stay at rest,
//   Delta f_d = 1,  Delta f_C = -A_CC^-1 A_Cd,  Delta a = A Delta f,
// as far as no clamped force and no open acceleration becomes negative. The contact that ends the
// step changes its set, until that contact is d itself, which is then clamped.
//
// A is positive semidefinite, so in exact arithmetic A_CC is never singular: where Delta a_d = 0
// all of Delta a is zero, and a clamped contact gives way. If none does, Delta f >= 0 with
// A Delta f = 0 and b.Delta f < 0 proves that no forces can hold the contacts apart: infeasible.
//
// Deviations: rows are scaled to A_ii = 1, so that one threshold says what is singular; the most
// negative a_d is taken first; the impulses of C are computed anew from b after each drive, which
// removes what rounding has gathered; a warm start is not used. As Preda and Florian 2005, section
// 4, advise, Gauss-Seidel (normal/simple) goes on from the forces at hand where a pivot is
// singular, or where zero steps follow each other without end; `path` tells.
#include <cmath>
#include <limits>
#include <tuple>

#include "linear/bordered_inverse.hpp"
#include "solve/kit/normal_sweep.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

// Below these a number of the scaled problem counts as zero: a Schur complement beside A_ii = 1, a
// change beside Delta f_d = 1, an acceleration beside the terms it is the sum of.
constexpr double kSingular = 1e-11, kNoChange = 1e-12, kRounding = 1e-13;
// A is semidefinite, so |Delta a_i| is at most the root of the product of two Schur complements:
// that of i, and that of d, which is at most 1.
constexpr double kDependentChange = 1e-6;
constexpr Index kUpdates = 50;  // of the inverse, after which it is computed anew

class Pivoting {
 public:
  Pivoting(const NormalProblem& problem, Progress& progress)
      : progress_(progress), n_(problem.size()), scale_(unit_diagonal(problem.A, 0)) {
    A_ = scale_.asDiagonal() * problem.A * scale_.asDiagonal();
    columns_ = A_.transpose();
    b_ = scale_.cwiseProduct(problem.b);
    for (Index i = 0; i < n_; ++i)
      if (scale_[i] == 0) b_[i] = problem.b[i];  // a body that cannot move, or no body at all
    f_ = VectorXd::Zero(n_);
    a_ = b_;
    set_.assign(static_cast<std::size_t>(n_), Set::none);
  }

  enum class End { solved, finished, infeasible, singular };
  End run() {
    for (;;) {
      for (Index i = 0; i < n_; ++i)
        if (set_of(i) == Set::none && a_[i] >= 0) set_of(i) = Set::open;
      const Index d = most_negative();
      if (d < 0) return End::solved;
      if (const End end = drive(d); end != End::solved) return end;
      if (!refresh()) return End::singular;
      if (!progress_.next(impulses())) return End::finished;
    }
  }
  VectorXd impulses() const { return scale_.cwiseProduct(f_); }

 private:
  enum class Set : std::int8_t { none, clamped, open };
  Set& set_of(Index i) { return set_[static_cast<std::size_t>(i)]; }

  // -1: none is negative beyond the rounding of its own sum.
  Index most_negative() const {
    Index worst = -1;
    double lowest = 0;
    for (Index i = 0; i < n_; ++i) {
      if (set_[static_cast<std::size_t>(i)] == Set::clamped || !(a_[i] < lowest)) continue;
      double terms = std::abs(b_[i]);
      for (SparseMatrix::InnerIterator it(A_, i); it; ++it)
        terms += std::abs(it.value()) * f_[it.col()];
      if (a_[i] >= -kRounding * terms) continue;
      lowest = a_[i];
      worst = i;
    }
    return worst;
  }

  VectorXd row_of(Index i) const { return gather(A_, i); }
  VectorXd column_of(Index i) const { return gather(columns_, i); }
  VectorXd gather(const SparseMatrix& matrix, Index i) const {
    VectorXd all = VectorXd::Zero(n_);
    for (SparseMatrix::InnerIterator it(matrix, i); it; ++it) all[it.col()] = it.value();
    VectorXd part(static_cast<Index>(clamped_.size()));
    for (Index k = 0; k < part.size(); ++k) part[k] = all[clamped_[static_cast<std::size_t>(k)]];
    return part;
  }
  bool independent(Index i) const { return inverse_.schur(row_of(i), column_of(i), 1) > kSingular; }
  void clamp(Index i) {
    inverse_.append(row_of(i), column_of(i), 1);
    clamped_.push_back(i);
    set_of(i) = Set::clamped;
    ++updates_;
  }
  void release(Index i) {
    const auto at = std::find(clamped_.begin(), clamped_.end(), i);
    inverse_.remove(at - clamped_.begin());
    clamped_.erase(at);
    set_of(i) = Set::open;
    ++updates_;
  }

  // The step along (df, da) that ends where a contact would break its condition, and that contact;
  // -1: none does.
  std::pair<double, Index> longest(Index d, const VectorXd& df, const VectorXd& da) const {
    std::pair<double, Index> end(std::numeric_limits<double>::infinity(), -1);
    double fastest = 0;  // of ties the clearest: the one that changes most
    const auto ends_at = [&](Index i, double value, double change) {
      const double step = std::max(0.0, value) / -change;
      if (step > end.first || (step == end.first && -change <= fastest)) return;
      end = {step, i};
      fastest = -change;
    };
    if (da[d] > kSingular) ends_at(d, -a_[d], -da[d]);
    for (Index i = 0; i < n_; ++i) {
      const Set set = set_[static_cast<std::size_t>(i)];
      if (i == d) continue;
      if (set == Set::clamped && df[i] < -kNoChange) ends_at(i, f_[i], df[i]);
      if (set == Set::open && da[i] < -kNoChange) ends_at(i, a_[i], da[i]);
    }
    return end;
  }

  End drive(Index d) {
    if (scale_[d] == 0) return End::infeasible;  // no force moves it
    for (long empty = 0;;) {
      VectorXd df = VectorXd::Zero(n_);
      df[d] = 1;
      const VectorXd answer = inverse_.solve(column_of(d));
      for (std::size_t k = 0; k < clamped_.size(); ++k)
        df[clamped_[k]] = -answer[static_cast<Index>(k)];
      VectorXd da = A_ * df;
      for (const Index i : clamped_) da[i] = 0;

      double step;
      Index last;
      for (;;) {
        std::tie(step, last) = longest(d, df, da);
        if (last < 0 || last == d || set_of(last) == Set::clamped || independent(last)) break;
        // A contact that adds nothing to the clamped ones does not move when they are at rest.
        if (da[last] < -kDependentChange) return End::singular;
        da[last] = 0;
      }
      if (last < 0) return unlimited(df);
      f_ += step * df;
      a_ += step * da;
      progress_.count(Work::pivot);
      if (last == d) {
        clamp(d);
        return End::solved;
      }
      if (set_of(last) == Set::clamped) {
        f_[last] = 0;
        release(last);
      } else {
        a_[last] = 0;
        clamp(last);
      }
      empty = step > 0 ? 0 : empty + 1;
      if (empty > 2 * n_) return End::singular;
      if (!progress_.next(impulses())) return End::finished;
    }
  }

  // Nothing ends the step: a proof that no forces will do, or a pivot that only looks singular.
  End unlimited(const VectorXd& df) const {
    const VectorXd da = A_ * df;
    const double size = df.lpNorm<Eigen::Infinity>();
    const bool proof = df.minCoeff() >= -kNoChange * size &&
                       da.lpNorm<Eigen::Infinity>() <= 1e-9 * size &&
                       b_.dot(df) < -1e-9 * b_.lpNorm<Eigen::Infinity>() * size;
    return proof ? End::infeasible : End::singular;
  }

  // f_C = -A_CC^-1 b_C with one step of refinement, and a = A f + b.
  bool refresh() {
    const Index k = static_cast<Index>(clamped_.size());
    if (updates_ > kUpdates && !rebuild()) return false;
    VectorXd rest(k);
    f_.setZero();
    for (int pass = 0; pass < 2; ++pass) {
      const VectorXd a = A_ * f_ + b_;
      for (Index i = 0; i < k; ++i) rest[i] = -a[clamped_[static_cast<std::size_t>(i)]];
      const VectorXd change = inverse_.solve(rest);
      for (Index i = 0; i < k; ++i) f_[clamped_[static_cast<std::size_t>(i)]] += change[i];
    }
    f_ = f_.cwiseMax(0);
    a_ = A_ * f_ + b_;
    return f_.allFinite();
  }
  bool rebuild() {
    const Index k = static_cast<Index>(clamped_.size());
    Eigen::MatrixXd block(k, k);
    for (Index i = 0; i < k; ++i)
      block.row(i) = row_of(clamped_[static_cast<std::size_t>(i)]).transpose();
    updates_ = 0;
    return inverse_.rebuild(block, 0);
  }

  Progress& progress_;
  Index n_;
  VectorXd scale_;  // A_ii^-1/2
  SparseMatrix A_, columns_;
  VectorXd b_, f_, a_;
  std::vector<Set> set_;
  std::vector<Index> clamped_;
  linear::BorderedInverse inverse_;  // of A_CC, rows as in clamped_
  Index updates_ = 0;
};

void run(const NormalProblem& normal, Progress& progress) {
  const double n = static_cast<double>(normal.size());
  if (progress.too_large(3 * sizeof(double) * n * n)) return;
  Pivoting pivoting(normal, progress);
  switch (pivoting.run()) {
    case Pivoting::End::finished:
      return;
    case Pivoting::End::solved:
      progress.finish(Status::stalled, "no contact approaches beyond rounding");
      return;
    case Pivoting::End::infeasible:
      progress.finish(Status::infeasible,
                      "forces f >= 0 with A f = 0 and b.f < 0: the contacts cannot all be held");
      return;
    case Pivoting::End::singular:
      break;
  }
  progress.path("normal/simple after a singular pivot");
  normal_sweeps(normal, pivoting.impulses().cwiseMax(0), progress);
}

}  // namespace

SolverInfo normal_baraff() {
  return solver("normal/baraff", "Baraff's pivoting method, frictionless",
                "Baraff 1994, section 4; Preda, Florian 2005, section 4", run, {option_level()});
}

}  // namespace perpend
