// See lcp_newton.hpp.
#include "solve/kit/lcp_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perpend {
namespace {

// The proximal term, relative to the largest |A_ij|: kProximal |F|/|q|, within these bounds.
constexpr double kProximal = 1e-3, kSmallest = 1e-10, kLargest = 1, kRaise = 100;
// Armijo's rule, and how many merits are remembered.
constexpr double kDecrease = 1e-4, kShortest = 1e-6;
constexpr std::size_t kMemory = 8;
// So many steps may pass without halving the smallest merit.
constexpr int kPatience = 100;

}  // namespace

void LcpNewton::run(const LinearProblem& p, Map map, Progress& progress) {
  if (const auto lcp = scaled_lcp(p, sparse_factor_bytes(p), progress))
    LcpNewton(*lcp, std::move(map)).run(lcp->scaled(progress.start()), progress);
}

LcpNewton::LcpNewton(const ScaledLcp& lcp, Map map)
    : lcp_(lcp), map_(std::move(map)), unit_(lcp.size() > 0 ? lcp.q.lpNorm<Eigen::Infinity>() : 0) {
  if (!(unit_ > 0)) unit_ = 1;
}

LcpNewton::Point LcpNewton::at(VectorXd x, VectorXd w) const {
  const Index n = lcp_.size();
  Point p{std::move(x), std::move(w), VectorXd(n), VectorXd(n), VectorXd(n), 0};
  for (Index i = 0; i < n; ++i) {
    const Fischer f = map_(p.x[i], p.w[i]);
    p.F[i] = f.value;
    p.da[i] = f.da;
    p.db[i] = f.db;
  }
  p.merit = p.F.squaredNorm() / 2;
  return p;
}

bool LcpNewton::direction(const Point& p, double delta, VectorXd& d, Progress& progress) {
  const Index n = lcp_.size();
  const double proximal = delta * (lcp_.largest > 0 ? lcp_.largest : 1);
  std::vector<Index> place(static_cast<std::size_t>(n), -1), active;
  d.setZero(n);
  for (Index i = 0; i < n; ++i) {
    if (p.db[i] == 0) {
      d[i] = -p.F[i] / p.da[i];
    } else {
      place[static_cast<std::size_t>(i)] = static_cast<Index>(active.size());
      active.push_back(i);
    }
  }
  const Index k = static_cast<Index>(active.size());
  if (k == 0) return d.allFinite();
  SparseMatrix J(k, k);
  std::vector<Eigen::Triplet<double>> entries;
  VectorXd right(k);
  for (Index r = 0; r < k; ++r) {
    const Index i = active[static_cast<std::size_t>(r)];
    right[r] = -p.F[i];
    double diagonal = p.da[i] + p.db[i] * proximal;
    for (SparseMatrix::InnerIterator it(lcp_.A, i); it; ++it) {
      const Index c = place[static_cast<std::size_t>(it.col())];
      if (c < 0)
        right[r] -= p.db[i] * it.value() * d[it.col()];
      else if (c == r)
        diagonal += p.db[i] * it.value();
      else
        entries.emplace_back(r, c, p.db[i] * it.value());
    }
    entries.emplace_back(r, r, diagonal);
  }
  J.setFromTriplets(entries.begin(), entries.end());
  progress.count(Work::factorization);
  if (!lu_.factorize(J)) return false;
  VectorXd u = right;
  lu_.solve(u);
  VectorXd rest = right - J * u;
  lu_.solve(rest);
  u += rest;
  for (Index r = 0; r < k; ++r) d[active[static_cast<std::size_t>(r)]] = u[r];
  return d.allFinite();
}

double LcpNewton::search(Point& p, const VectorXd& d, double slope) const {
  const VectorXd Ad = lcp_.A * d;
  const double reference = *std::max_element(recent_.begin(), recent_.end());
  for (double t = 1; t >= kShortest; t /= 2) {
    Point next = at(p.x + t * d, p.w + t * Ad);
    if (next.merit <= reference + kDecrease * t * slope) {
      next.w = lcp_.w(next.x);
      p = at(std::move(next.x), std::move(next.w));
      return t;
    }
  }
  return 0;
}

bool LcpNewton::step(Point& p, Progress& progress) {
  const VectorXd gradient = p.da.cwiseProduct(p.F) + lcp_.A.transpose() * p.db.cwiseProduct(p.F);
  VectorXd d;
  const double wanted = kProximal * p.F.lpNorm<Eigen::Infinity>() / unit_;
  for (double delta = std::max(wanted, kSmallest);; delta *= kRaise) {
    delta = std::min(delta, kLargest);
    if (direction(p, delta, d, progress)) {
      const double slope = gradient.dot(d);
      if (slope < 0 && search(p, d, slope) > 0) return true;
    }
    if (delta >= kLargest) break;
  }
  // Cauchy's step: the linearized merit is least at t = |g|^2/|J g|^2.
  const VectorXd Jg = p.da.cwiseProduct(gradient) + p.db.cwiseProduct(lcp_.A * gradient);
  const double curvature = Jg.squaredNorm();
  if (!(curvature > 0)) return false;
  const double length = gradient.squaredNorm() / curvature;
  progress.restarted();
  return search(p, -length * gradient, -length * gradient.squaredNorm()) > 0;
}

void LcpNewton::run(VectorXd x, Progress& progress) {
  VectorXd w = lcp_.w(x);
  Point p = at(std::move(x), std::move(w));
  double smallest = p.merit;
  int since = 0;
  recent_ = {p.merit};
  do {
    if (!step(p, progress)) {
      progress.finish(Status::stalled,
                      "no step decreases the merit function: a stationary point, or rounding");
      return;
    }
    recent_.push_back(p.merit);
    if (recent_.size() > kMemory) recent_.pop_front();
    if (p.merit < smallest / 2) {
      smallest = p.merit;
      since = 0;
    } else if (++since > kPatience) {
      progress.next(lcp_.unscaled(p.x));
      progress.finish(Status::stalled,
                      "the merit has not halved in " + std::to_string(kPatience) + " steps");
      return;
    }
  } while (progress.next(lcp_.unscaled(p.x), ScaledLcp::residual(p.x, p.w)));
}

}  // namespace perpend
