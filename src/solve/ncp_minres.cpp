// ncp/minres: Krylov steps on the face of the friction cones, found by spectral projected gradients
// (after Heyn, Anitescu, Tasora, Negrut 2013).
//
// With de Saxce's term s = mu |y_T| of every contact held, Coulomb's law is the condition of
//   minimize f(x) = 1/2 x'Ax + x'(b + s n)  over the cones and the bounds of the joints,
// a convex problem. An iteration
//   1. takes s from the present velocities,
//   2. makes kGradientSteps projected gradient steps of Barzilai and Borwein's length, each with
//   the
//      exact minimum on its segment: they find which contacts are open, inside or on the mantle,
//   3. solves on that face P, by MINRES,  (P'AP + C) p = -P'g:  three directions inside the cone,
//   two
//      on the mantle (along its ray, and around), none for open contacts and rows at a bound. C is
//      the curvature of the mantle, -g_T.t/|x_T| around it; without it the step leaves the cone,
//   4. goes along P p, projected back onto the cones, halved until f falls.
// The matrix on the face is symmetric and often singular (four contacts under a box): that is why
// MINRES and not conjugate gradients (the paper's argument too).
//
// Where we deviate: Heyn et al. solve the cone problem of Anitescu and Tasora (s = 0), which lifts
// what slides; with s it is Coulomb's. They project inside the Krylov iteration; we keep Krylov
// steps to faces, where they are exact, and let gradient steps change faces. All is done in the
// scaled problem D A D. A recorded A that is not symmetric is used as it is in g; MINRES then only
// approximates, and steps that do not lower f are not taken.
#include <cmath>

#include "linear/minres.hpp"
#include "perpend/measure.hpp"
#include "solve/kit/patience.hpp"
#include "solve/kit/scaled_cone.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr int kGradientSteps = 4, kHalvings = 4;
constexpr int kKrylovLimit = 100;  // products of one MINRES solve
constexpr double kKrylovAccuracy = 1e-3;
constexpr double kOnMantle = 1e-10;  // relative distance from it
constexpr int kPatience = 1000;      // iterations

class ConeMinimizer {
 public:
  ConeMinimizer(const System& s, Progress& progress)
      : s_(s), progress_(progress), cone_(s), d_(cone_.d()), m_(s.contacts()) {
    b_ = d_.cwiseProduct(s.b);
    x_ = projected(cone_.scaled(progress.start()));
    q_ = product(x_);
  }

  VectorXd impulses() const { return cone_.impulses(x_); }

  // g at the present velocities; returns the residual of Coulomb's law, m/s.
  double renew() {
    g_ = q_ + b_;
    cone_.sliding(g_, lift_);
    cone_.lift(lift_, g_);
    const VectorXd gap = x_ - projected(x_ - g_);
    double worst = 0;
    for (Index i = 0; i < m_; ++i)
      worst = std::max(worst, gap.segment<3>(3 * i).norm() / d_[3 * i]);
    for (Index k = 3 * m_; k < gap.size(); ++k) worst = std::max(worst, std::abs(gap[k]) / d_[k]);
    return worst;
  }

  void gradient_steps() {
    for (int k = 0; k < kGradientSteps; ++k) {
      const VectorXd along = projected(x_ - length_ * g_) - x_;
      const double slope = g_.dot(along);
      if (!(slope < 0)) return;
      const VectorXd Ad = product(along);
      const double curvature = along.dot(Ad);
      move(curvature > 0 ? std::min(1.0, -slope / curvature) : 1, along, Ad);
      if (curvature > 0) length_ = std::clamp(along.squaredNorm() / curvature, 1e-3, 1e6);
    }
  }

  void face_step() {
    find_face();
    if (basis_.cols() == 0) return;
    const VectorXd rhs = -(basis_.transpose() * g_);
    VectorXd p = VectorXd::Zero(basis_.cols());
    linear::minres(
        [&](const VectorXd& v, VectorXd& result) {
          result = basis_.transpose() * product(basis_ * v) + curvature_.cwiseProduct(v);
        },
        rhs, p, kKrylovAccuracy, kKrylovLimit);
    if (!p.allFinite()) return;
    double a = 1;
    for (int k = 0; k < kHalvings; ++k, a *= 0.5) {
      const VectorXd along = projected(x_ + a * (basis_ * p)) - x_;
      const VectorXd Ad = product(along);
      if (g_.dot(along) + 0.5 * along.dot(Ad) < 0) return move(1, along, Ad);
    }
  }

 private:
  VectorXd product(const VectorXd& x) const {
    progress_.count(Work::product);
    return d_.cwiseProduct(apply(s_, VectorXd(d_.cwiseProduct(x))));
  }
  VectorXd projected(VectorXd x) const {
    cone_.project(x);
    return x;
  }
  // s is held.
  void move(double a, const VectorXd& along, const VectorXd& Ad) {
    x_ += a * along;
    q_ += a * Ad;
    g_ += a * Ad;
  }

  void find_face() {
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<double> curvature;
    const auto add = [&](Index row, double value) {
      entries.emplace_back(static_cast<int>(row), static_cast<int>(curvature.size()), value);
    };
    for (Index i = 0; i < m_; ++i) {
      const double n = x_[3 * i], mu = s_.mu[i];
      if (!(n > 0)) continue;
      const Eigen::Vector2d f = x_.segment<2>(3 * i + 1);
      const double tangent = f.norm();
      if (mu > 0 && tangent < mu * n * (1 - kOnMantle)) {
        for (Index k = 0; k < 3; ++k) {
          add(3 * i + k, 1);
          curvature.push_back(0);
        }
        continue;
      }
      const Eigen::Vector2d t = tangent > 0 ? Eigen::Vector2d(f / tangent) : Eigen::Vector2d(1, 0);
      const double size = std::sqrt(1 + mu * mu);
      add(3 * i, 1 / size);
      add(3 * i + 1, mu * t[0] / size);
      add(3 * i + 2, mu * t[1] / size);
      curvature.push_back(0);
      if (mu == 0) continue;
      add(3 * i + 1, -t[1]);
      add(3 * i + 2, t[0]);
      curvature.push_back(std::max(0.0, -g_.segment<2>(3 * i + 1).dot(t)) / tangent);
    }
    for (Index j = 0; j < s_.joint_rows(); ++j) {
      const Index at = 3 * m_ + j;
      if (x_[at] <= s_.lower[j] / d_[at] || x_[at] >= s_.upper[j] / d_[at]) continue;
      add(at, 1);
      curvature.push_back(0);
    }
    basis_.resize(s_.rows(), static_cast<Index>(curvature.size()));
    basis_.setFromTriplets(entries.begin(), entries.end());
    curvature_ = Eigen::Map<const VectorXd>(curvature.data(), basis_.cols());
  }

  const System& s_;
  Progress& progress_;
  const ScaledCone cone_;
  const VectorXd& d_;
  VectorXd b_, x_, q_, g_, lift_;  // q = A x
  Index m_;
  double length_ = 1;   // of the next gradient step
  SparseMatrix basis_;  // P
  VectorXd curvature_;
};

void run(const ConeProblem& problem, Progress& progress) {
  ConeMinimizer cone(problem.system(), progress);
  double error = cone.renew();
  Patience patience(error, kPatience);
  for (; progress.next(cone.impulses(), error); error = cone.renew()) {
    if (patience.lost(error)) return progress.finish(Status::stalled, patience.why());
    cone.gradient_steps();
    cone.face_step();
  }
}

}  // namespace

SolverInfo ncp_minres() {
  return solver("ncp/minres",
                "MINRES on the faces of the friction cones, spectral projected gradients between",
                "Heyn, Anitescu, Tasora, Negrut 2013", run);
}

}  // namespace perpend
