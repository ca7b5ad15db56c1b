// lcp/interior-point: a primal-dual interior point method for an LCP (Lu et al. 2013, eqs. 20-22
// and Fig. 13; predictor and corrector after Mehrotra 1992, neighbourhood after Wright 1997,
// chapter 5).
//
//   A x - y + q = 0,    x_i y_i - gamma = 0,    x > 0, y > 0           (Lu et al. 2013, eqs. 20-22)
// are solved by Newton's method while gamma goes to 0. A step eliminates dy:
//   (A + Y/X + delta I) dx = -r + c/x,    dy = (c - y dx)/x,    r = A x + q - y,
// with c = -x y for the predictor, and c = sigma gamma - x y - dx_p dy_p for the corrector, where
// gamma = x.y/n and sigma = (gamma_p/gamma)^3 tells how well the predictor went. Both use one
// factorization. The step ends before a variable reaches 0, and before the smallest product x_i y_i
// falls below a thousandth of the mean.
//
// Deviations, for singular A and small errors:
// - delta is a proximal term relative to the largest |A_ij|: it vanishes with dx and moves no
//   solution. It grows when a factorization fails.
// - dy comes from the second equation where x_i >= y_i and from the first elsewhere: each is the
//   one that does not cancel.
// - Where a pair is degenerate (x_i = y_i = 0) the products vanish faster than the variables. Once
//   gamma is small, the face x_i = 0 (x_i < y_i), y_i = 0 (else) is solved too, as Ye (1992) ends
//   the method, and offered as an answer; the iteration itself goes on undisturbed. `path` says
//   when it was asked for.
//
// Friction makes A copositive, not monotone: the path need not lead to a solution. When neither
// gamma nor the error gains any more, the method says `stalled`.
#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/sparse_lu.hpp"
#include "linear/sparse_rows.hpp"
#include "solve/kit/scaled_lcp.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kProximal = 1e-10, kProximalRaise = 100, kProximalLargest = 1e-4;
// The smallest x_i y_i, relative to their mean.
constexpr double kCentral = 1e-3;
constexpr double kToTheWall = 0.9, kNearTheWall = 0.999;
// So many steps may pass without halving the smallest gamma or the smallest residual.
constexpr int kPatience = 40;
// The face is solved when gamma is below this part of what it was at the start.
constexpr double kEndgame = 1e-8;
// A warm start is lifted this far off the walls, relative to its residual.
constexpr double kLift = 3;

class InteriorPoint {
 public:
  InteriorPoint(const ScaledLcp& lcp, Progress& progress)
      : lcp_(lcp), progress_(progress), n_(lcp.size()), size_(lcp.largest > 0 ? lcp.largest : 1) {}

  void run(const VectorXd& start, bool warm) {
    begin(start, warm);
    const double first = gamma();
    double smallest_gamma = first, smallest_residual = std::numeric_limits<double>::infinity();
    for (int since = 0;;) {
      if (!step()) {
        progress_.finish(Status::failed, "the equations of a step are singular");
        return;
      }
      if (gamma() < kEndgame * first) {
        progress_.path("interior-point with its face solved");
        solve_face();
      }
      const double residual = ScaledLcp::residual(x_, lcp_.w(x_));
      const bool gained = gamma() < smallest_gamma / 2 || residual < smallest_residual / 2;
      smallest_gamma = std::min(smallest_gamma, gamma());
      smallest_residual = std::min(smallest_residual, residual);
      since = gained ? 0 : since + 1;
      if (!progress_.next(lcp_.unscaled(x_), residual)) return;
      if (since > kPatience) {
        progress_.finish(Status::stalled, "neither gamma nor the error has halved in " +
                                              std::to_string(kPatience) + " steps");
        return;
      }
    }
  }

 private:
  double gamma() const { return x_.dot(y_) / static_cast<double>(n_); }

  void begin(const VectorXd& start, bool warm) {
    double wall = lcp_.q.lpNorm<Eigen::Infinity>();
    x_ = y_ = VectorXd::Constant(n_, wall);
    if (!warm) return;
    const VectorXd w = lcp_.w(start);
    wall = std::min(wall, kLift * ScaledLcp::residual(start, w));
    x_ = start.cwiseMax(wall);
    y_ = w.cwiseMax(wall);
  }

  // A + diagonal + the proximal term, factorized.
  bool factorize(const SparseMatrix& A, const VectorXd& diagonal) {
    for (;; delta_ *= kProximalRaise) {
      const VectorXd added = diagonal.array() + delta_ * size_;
      progress_.count(Work::factorization);
      if (lu_.factorize(linear::plus_diagonal(A, added))) return true;
      if (delta_ >= kProximalLargest) return false;
    }
  }

  // One step of Newton's method with the right-hand side c of the second equation.
  void newton(const VectorXd& r, const VectorXd& c, VectorXd& dx, VectorXd& dy) const {
    const VectorXd right = c.cwiseQuotient(x_) - r;
    const VectorXd ratio = y_.cwiseQuotient(x_);
    dx = right;
    lu_.solve(dx);
    VectorXd rest = right - lcp_.A * dx - ratio.cwiseProduct(dx);
    lu_.solve(rest);
    dx += rest;
    dy = lcp_.A * dx + r;
    for (Index i = 0; i < n_; ++i)
      if (x_[i] >= y_[i]) dy[i] = c[i] / x_[i] - ratio[i] * dx[i];
  }

  // How far x and y may go before one of them is 0.
  double to_the_wall(const VectorXd& dx, const VectorXd& dy) const {
    double t = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < n_; ++i) {
      if (dx[i] < 0) t = std::min(t, -x_[i] / dx[i]);
      if (dy[i] < 0) t = std::min(t, -y_[i] / dy[i]);
    }
    return t;
  }

  bool step() {
    const VectorXd r = lcp_.A * x_ + lcp_.q - y_;
    const VectorXd products = x_.cwiseProduct(y_);
    const double now = gamma();
    if (!factorize(lcp_.A, y_.cwiseQuotient(x_))) return false;

    VectorXd dx, dy;
    newton(r, -products, dx, dy);
    if (!dx.allFinite() || !dy.allFinite()) return false;
    double t = std::min(1.0, to_the_wall(dx, dy));
    const double predicted = (x_ + t * dx).dot(y_ + t * dy) / static_cast<double>(n_);
    double sigma = std::pow(predicted / now, 3);
    if (t < kShortPredictor) sigma = std::max(sigma, kSigmaAfterShort);
    sigma = std::clamp(sigma, kSigmaSmallest, 1.0);

    const VectorXd c = VectorXd::Constant(n_, sigma * now) - products - dx.cwiseProduct(dy);
    newton(r, c, dx, dy);
    if (!dx.allFinite() || !dy.allFinite()) return false;
    const double wall = std::clamp(1 - now, kToTheWall, kNearTheWall);
    t = std::min(1.0, wall * to_the_wall(dx, dy));
    for (int k = 0; k < kCentralTries && !central(t, dx, dy); ++k) t *= kCentralShorter;
    x_ += t * dx;
    y_ += t * dy;
    // Rounding must not put a variable onto the wall.
    x_ = x_.cwiseMax(kTiny);
    y_ = y_.cwiseMax(kTiny);
    return true;
  }

  bool central(double t, const VectorXd& dx, const VectorXd& dy) const {
    const VectorXd products = (x_ + t * dx).cwiseProduct(y_ + t * dy);
    return products.minCoeff() >= kCentral * products.mean();
  }

  // x on the face that the present iterate points to: y_i = 0 where x_i >= y_i, x_i = 0 elsewhere.
  void solve_face() {
    std::vector<Index> place(static_cast<std::size_t>(n_), -1), face;
    for (Index i = 0; i < n_; ++i)
      if (x_[i] >= y_[i]) {
        place[static_cast<std::size_t>(i)] = static_cast<Index>(face.size());
        face.push_back(i);
      }
    const Index k = static_cast<Index>(face.size());
    std::vector<Eigen::Triplet<double>> entries;
    VectorXd z = VectorXd::Zero(n_);
    for (const Index i : face) {
      z[i] = x_[i];
      for (SparseMatrix::InnerIterator it(lcp_.A, i); it; ++it)
        if (const Index c = place[static_cast<std::size_t>(it.col())]; c >= 0)
          entries.emplace_back(place[static_cast<std::size_t>(i)], c, it.value());
    }
    SparseMatrix F(k, k);
    F.setFromTriplets(entries.begin(), entries.end());
    if (k > 0) {
      if (!factorize(F, VectorXd::Zero(k))) return;
      // Steps of the proximal point method: each takes the rest that the term before left.
      for (int pass = 0; pass < kFacePasses; ++pass) {
        VectorXd rest = -lcp_.w(z)(face);
        lu_.solve(rest);
        z(face) += rest;
      }
    }
    if (z.allFinite()) progress_.offer(lcp_.unscaled(z));
  }

  static constexpr double kShortPredictor = 0.1, kSigmaAfterShort = 0.5, kSigmaSmallest = 1e-8;
  static constexpr double kCentralShorter = 0.8, kTiny = 1e-150;
  static constexpr int kCentralTries = 30, kFacePasses = 3;

  const ScaledLcp& lcp_;
  Progress& progress_;
  Index n_;
  double size_, delta_ = kProximal;
  VectorXd x_, y_;
  linear::SparseLu lu_;
};

void run(const LinearProblem& p, Progress& progress) {
  const bool warm = !progress.start().isZero(0);
  if (const auto lcp = scaled_lcp(p, sparse_factor_bytes(p), progress))
    InteriorPoint(*lcp, progress).run(lcp->scaled(progress.start()), warm);
}

}  // namespace

SolverInfo lcp_interior_point() {
  return solver("lcp/interior-point", "primal-dual interior point, predictor and corrector",
                "Mehrotra 1992; Lu et al. 2013, eqs. 20-22", run);
}

}  // namespace perpend
