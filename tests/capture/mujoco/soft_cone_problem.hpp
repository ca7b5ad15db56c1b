// MuJoCo's problem by a method of ours, from the recorded numbers alone:
//
//   min over v  1/2 (v - v_free)^T M (v - v_free) + sum_i s_i(G_i v + c_i),   H v + c_h = 0,
//   s(u) = max over lambda in K of  -(lambda^T u + 1/2 lambda^T R lambda),
//
// K the cone |lambda_t| <= mu lambda_n of a contact, the edges f >= 0 of its pyramid, or the bounds
// of a row; H are the rows without compliance, which hold the tree together. Newton on the convex
// function with an exact line search; the linear systems are our sparse factorizations. MuJoCo
// does the same in joint coordinates, where H does not exist.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/sparse_cholesky.hpp"
#include "linear/sparse_lu.hpp"
#include "perpend/capture.hpp"

namespace perpend::capture::from_mujoco {

class SoftConeProblem {
 public:
  SoftConeProblem(const System& system, const Frame& frame, bool pyramidal)
      : system_(system), pyramidal_(pyramidal), J_(jacobian(system)) {
    const Dynamics& d = *system.dynamics;
    free_ = d.free_velocity;
    c_ = system.b - J_ * free_;
    std::vector<Eigen::Triplet<double>> soft, hard;
    const auto row = [&](std::vector<Eigen::Triplet<double>>& into, Index at, Index source,
                         double factor) {
      for (SparseMatrix::InnerIterator entry(J_, source); entry; ++entry)
        into.emplace_back(static_cast<int>(at), static_cast<int>(entry.col()),
                          factor * entry.value());
    };
    const auto begin = [&](Index source, Vector3d R, int size, double mu, double lower,
                           double upper) {
      laws_.push_back({static_cast<Index>(offsets_.size()), source, size, mu, lower, upper, R});
    };
    for (Index i = 0; i < system.contacts(); ++i) {
      const Vector3d R = frame.contacts.cfm.row(system.frame_contact[static_cast<std::size_t>(i)]);
      const double mu = system.mu[i];
      if (mu > 0 && pyramidal) {
        for (int edge = 0; edge < 4; ++edge) {
          const Index along = 3 * i + 1 + edge / 2;
          const double factor = edge % 2 == 0 ? mu : -mu;
          begin(3 * i, Vector3d::Constant(2 * mu * mu * R[1]), 1, factor, 0, kInfinity);
          const auto at = static_cast<Index>(offsets_.size());
          row(soft, at, 3 * i, 1);
          row(soft, at, along, factor);
          offsets_.push_back(c_[3 * i] + factor * c_[along]);
        }
        continue;
      }
      begin(3 * i, R, mu > 0 ? 3 : 1, mu, 0, kInfinity);
      for (Index k = 0; k < (mu > 0 ? 3 : 1); ++k) {
        row(soft, static_cast<Index>(offsets_.size()), 3 * i + k, 1);
        offsets_.push_back(c_[3 * i + k]);
      }
    }
    given_ = VectorXd::Zero(system.rows());
    for (Index j = 0; j < system.joint_rows(); ++j) {
      const Index source = 3 * system.contacts() + j;
      const double cfm = frame.joints.cfm[j];
      if (system.lower[j] == system.upper[j]) {
        given_[source] = system.lower[j];
      } else if (cfm > 0) {
        begin(source, Vector3d::Constant(cfm), 1, 0, system.lower[j], system.upper[j]);
        row(soft, static_cast<Index>(offsets_.size()), source, 1);
        offsets_.push_back(c_[source]);
      } else {
        row(hard, static_cast<Index>(held_.size()), source, 1);
        held_.push_back(source);
      }
    }
    const auto columns = static_cast<Index>(free_.size());
    G_.resize(static_cast<Index>(offsets_.size()), columns);
    G_.setFromTriplets(soft.begin(), soft.end());
    H_.resize(static_cast<Index>(held_.size()), columns);
    H_.setFromTriplets(hard.begin(), hard.end());
    free_ += linear::SparseCholesky(d.mass).solve(VectorXd(J_.transpose() * given_));
    offset_ = Eigen::Map<const VectorXd>(offsets_.data(), static_cast<Index>(offsets_.size()));
    held_offset_ = c_(held_);
  }

  Impulses solve() {
    const SparseMatrix& M = system_.dynamics->mass;
    VectorXd v = free_, multipliers = VectorXd::Zero(H_.rows());
    step(SparseMatrix(G_.rows(), G_.rows()), VectorXd::Zero(v.size()), v, multipliers, false);
    for (int k = 0; k < 100; ++k) {
      SparseMatrix D;
      const VectorXd lambda = forces(G_ * v + offset_, &D);
      const VectorXd before = v;
      step(D, M * (v - free_) - G_.transpose() * lambda, v, multipliers, true);
      if ((v - before).cwiseAbs().maxCoeff() < 1e-14 * std::max(1.0, v.cwiseAbs().maxCoeff()))
        break;
    }
    return impulses(forces(G_ * v + offset_, nullptr), multipliers);
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Law {
    Index row, source;
    int size;
    double mu;  // of an edge: with its sign
    double lower, upper;
    Vector3d R;
  };

  // lambda of all rows at u, and -d lambda/du as a block diagonal matrix.
  VectorXd forces(const VectorXd& u, SparseMatrix* slopes) const {
    VectorXd out(u.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (const Law& law : laws_) {
      if (law.size == 1) {
        const double free = -u[law.row] / law.R[0];
        out[law.row] = std::clamp(free, law.lower, law.upper);
        if (slopes && free > law.lower && free < law.upper)
          entries.emplace_back(static_cast<int>(law.row), static_cast<int>(law.row), 1 / law.R[0]);
        continue;
      }
      // In x = R^1/2 lambda the cone is |x_t| <= m x_n, m = mu (R_t/R_n)^1/2, and x a projection.
      const Vector3d root = law.R.cwiseSqrt();
      const double m = law.mu * root[1] / root[0];
      const Vector3d x = -u.segment<3>(law.row).cwiseQuotient(root);
      Matrix3d slope = Matrix3d::Zero();
      Vector3d projected = Vector3d::Zero();
      const double t = x.tail<2>().norm();
      if (t <= m * x[0]) {
        projected = x;
        slope.setIdentity();
      } else if (m * t > -x[0]) {
        Vector3d edge;
        edge << 1, m * x.tail<2>() / t;
        const double along = (x[0] + m * t) / (1 + m * m);
        projected = along * edge;
        slope = edge * edge.transpose() / (1 + m * m);
        const Eigen::Vector2d across(-x[2] / t, x[1] / t);
        slope.bottomRightCorner<2, 2>() += m * along / t * across * across.transpose();
      }
      out.segment<3>(law.row) = projected.cwiseQuotient(root);
      for (int a = 0; slopes && a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          if (slope(a, b) != 0)
            entries.emplace_back(static_cast<int>(law.row + a), static_cast<int>(law.row + b),
                                 slope(a, b) / (root[a] * root[b]));
    }
    if (slopes) {
      slopes->resize(u.size(), u.size());
      slopes->setFromTriplets(entries.begin(), entries.end());
    }
    return out;
  }

  // Newton's direction with M + G^T D G, as far along it as the function falls.
  void step(const SparseMatrix& D, const VectorXd& gradient, VectorXd& v, VectorXd& multipliers,
            bool search) const {
    const SparseMatrix& M = system_.dynamics->mass;
    const SparseMatrix hessian = M + SparseMatrix(G_.transpose() * D * G_);
    VectorXd direction;
    if (H_.rows() == 0) {
      direction = linear::SparseCholesky(hessian).solve(VectorXd(-gradient));
    } else {
      const Index n = v.size(), r = H_.rows();
      std::vector<Eigen::Triplet<double>> entries;
      const auto put = [&](const SparseMatrix& A, Index rows, Index columns, bool turned) {
        for (Index i = 0; i < A.rows(); ++i)
          for (SparseMatrix::InnerIterator e(A, i); e; ++e)
            entries.emplace_back(static_cast<int>(rows + (turned ? e.col() : i)),
                                 static_cast<int>(columns + (turned ? i : e.col())), e.value());
      };
      put(hessian, 0, 0, false);
      put(H_, n, 0, false);
      put(H_, 0, n, true);
      SparseMatrix K(n + r, n + r);
      K.setFromTriplets(entries.begin(), entries.end());
      VectorXd x(n + r);
      x << -gradient, -(H_ * v + held_offset_);
      linear::SparseLu lu;
      lu.factorize(K);
      lu.solve(x);
      direction = x.head(n);
      multipliers = -x.tail(r);
    }
    double far = 1;
    if (search) {
      // Along the direction H v stays: its multipliers take away what is large and does no work.
      const VectorXd held = H_.transpose() * multipliers;
      const auto slope = [&](double t) {
        const VectorXd at = v + t * direction;
        return direction.dot(M * (at - free_) - held -
                             G_.transpose() * forces(G_ * at + offset_, nullptr));
      };
      if (slope(1) > 0.5 * std::abs(slope(0))) {  // the minimum lies well before it
        double low = 0, high = 1;
        for (int k = 0; k < 50; ++k) (slope((low + high) / 2) > 0 ? high : low) = (low + high) / 2;
        far = high;
      }
    }
    v += far * direction;
  }

  Impulses impulses(const VectorXd& lambda, const VectorXd& multipliers) const {
    Impulses out = given_;
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      const Law& law = laws_[k];
      const bool edge = pyramidal_ && law.source < 3 * system_.contacts() && law.mu != 0;
      out[law.source] += lambda[law.row];
      if (edge) {  // edges come in fours: t, -t, o, -o
        out[law.source + 1 + (law.row - laws_[first_edge(k)].row) / 2] += law.mu * lambda[law.row];
      } else {
        for (int i = 1; i < law.size; ++i) out[law.source + i] += lambda[law.row + i];
      }
    }
    for (std::size_t k = 0; k < held_.size(); ++k)
      out[held_[k]] = multipliers[static_cast<Index>(k)];
    return out;
  }
  std::size_t first_edge(std::size_t k) const {
    while (k > 0 && laws_[k - 1].source == laws_[k].source) --k;
    return k;
  }

  const System& system_;
  const bool pyramidal_;
  SparseMatrix J_, G_, H_;
  VectorXd free_, c_, offset_, held_offset_, given_;
  std::vector<double> offsets_;
  std::vector<Law> laws_;
  std::vector<Index> held_;
};

}  // namespace perpend::capture::from_mujoco
