// normal/pcg: projected conjugate gradients on the quadratic program of the frictionless problem,
//
//   minimize q(f) = 1/2 f.A f + b.f over f >= 0,
// whose conditions are 0 <= f perp A f + b >= 0 (Silcowitz et al. 2010, the talk, names the method
// and stops at joints and friction). The variant is MPRGP, modified proportioning with reduced
// gradient projections (Dostal, Schoeberl 2005). With g = A f + b the free gradient is phi_i = g_i
// where f_i > 0, the chopped one beta_i = min(g_i, 0) where f_i = 0, both zero elsewhere, and
// phi~_i = min(f_i/alpha, phi_i). As long as
//   |beta|^2 <= phi~.phi                                            (the iterate is proportional)
// the face is right so far: a conjugate gradient step along p, or, where that would leave f >= 0,
// the longest feasible part of it and then a projected step of fixed length alpha along -phi
// (expansion: several contacts may open at once). Otherwise a step along -beta lets contacts close
// (proportioning). Directions are conjugate from one expansion or proportioning to the next.
//
// Deviations: rows are scaled to A_ii = 1; alpha = 1.95/(largest sum of |A_ij| in a row), which is
// below the 2/|A| the theory asks for. For an A that is not symmetric (recordings) there is no q:
// the skew part is kept at the f of the last restart, b + (A - S) f, S = (A + A^T)/2, and renewed
// whenever the projected gradient has fallen by 10. A direction without curvature that leads
// upwards in every f proves that the contacts cannot be held: infeasible.
#include <cmath>
#include <limits>

#include "solve/kit/normal_sweep.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kFlat = 1e-13;    // curvature beside |p|^2 that counts as none
constexpr double kRenewal = 0.1;   // of the projected gradient, for the skew part
constexpr long kRecomputed = 100;  // steps after which g is computed anew
constexpr double kSkew = 1e-14;    // asymmetry of the scaled A that counts as rounding

class Mprgp {
 public:
  Mprgp(const NormalProblem& problem, Progress& progress)
      : progress_(progress), n_(problem.size()), scale_(unit_diagonal(problem.A, 1)) {
    A_ = scale_.asDiagonal() * problem.A * scale_.asDiagonal();
    const SparseMatrix transposed = A_.transpose();
    S_ = 0.5 * (A_ + transposed);
    const SparseMatrix skew = A_ - S_;
    for (Index i = 0; i < skew.nonZeros(); ++i)
      skew_ = skew_ || std::abs(skew.valuePtr()[i]) > kSkew;
    b_ = scale_.cwiseProduct(problem.b);
    double norm = 0;
    for (Index i = 0; i < n_; ++i) {
      double sum = 0;
      for (SparseMatrix::InnerIterator it(S_, i); it; ++it) sum += std::abs(it.value());
      norm = std::max(norm, sum);
    }
    alpha_ = norm > 0 ? 1.95 / norm : 1;
    f_ = progress.start().cwiseQuotient(scale_).cwiseMax(0);
    renew();
  }

  void run() {
    VectorXd p = phi_;
    for (long k = 1;; ++k) {
      const bool proportional = beta_.squaredNorm() <= reduced().dot(phi_);
      const VectorXd& d = proportional ? p : beta_;
      const double size = d.squaredNorm();
      if (size == 0) {  // every condition holds to the last bit of g
        progress_.finish(Status::stalled, "the projected gradient is zero in this precision");
        return;
      }
      const VectorXd product = S_ * d;
      progress_.count(Work::product);
      const double curvature = d.dot(product);
      const bool flat = curvature <= kFlat * size;
      const double cg = flat ? kInfinity : g_.dot(d) / curvature;
      const double feasible = longest(d);
      if (flat && feasible == kInfinity) {
        progress_.finish(Status::infeasible,
                         "forces f >= 0 with A f = 0 and b.f < 0: the contacts cannot all be held");
        return;
      }
      if (cg <= feasible) {
        f_ = (f_ - cg * d).cwiseMax(0);
        g_ -= cg * product;
        split();
        if (proportional)
          p = phi_ - phi_.dot(product) / curvature * p;
        else
          p = phi_;
      } else {
        f_ = (f_ - feasible * d).cwiseMax(0);
        g_ -= feasible * product;
        split();
        f_ = (f_ - alpha_ * phi_).cwiseMax(0);
        gradient();
        p = phi_;
      }
      if (!progress_.next(scale_.cwiseProduct(f_))) return;
      const double projected = (phi_ + beta_).norm();
      if (skew_ && projected < kRenewal * last_projected_) {
        renew();
        p = phi_;
      } else if (k % kRecomputed == 0) {
        gradient();
      }
    }
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // The largest step along -d that keeps f >= 0.
  double longest(const VectorXd& d) const {
    double step = kInfinity;
    for (Index i = 0; i < n_; ++i)
      if (d[i] > 0) step = std::min(step, f_[i] / d[i]);
    return step;
  }
  VectorXd reduced() const { return phi_.cwiseMin(f_ / alpha_); }
  void split() {
    phi_ = (f_.array() > 0).select(g_, 0);
    beta_ = (f_.array() > 0).select(0, g_.cwiseMin(0));
  }
  void gradient() {
    g_ = S_ * f_ + shifted_b_;
    progress_.count(Work::product);
    split();
  }
  void renew() {
    shifted_b_ = b_;
    if (skew_) shifted_b_ += A_ * f_ - S_ * f_;
    gradient();
    last_projected_ = (phi_ + beta_).norm();
  }

  Progress& progress_;
  Index n_;
  VectorXd scale_;  // A_ii^-1/2
  SparseMatrix A_, S_;
  bool skew_ = false;
  double alpha_ = 1, last_projected_ = 0;
  VectorXd b_, shifted_b_, f_, g_, phi_, beta_;
};

void run(const NormalProblem& problem, Progress& progress) { Mprgp(problem, progress).run(); }

}  // namespace

SolverInfo normal_pcg() {
  return solver("normal/pcg",
                "projected conjugate gradients (MPRGP) on the quadratic program, frictionless",
                "Dostal, Schoeberl 2005; named in Silcowitz, Niebe, Erleben 2010 (talk)", run,
                {option_level()});
}

}  // namespace perpend
