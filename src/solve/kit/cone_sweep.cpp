#include "solve/kit/cone_sweep.hpp"

#include <Eigen/Eigenvalues>

namespace perpend {

LocalContact::LocalContact(const Matrix3d& block, double mu)
    : a_(0.5 * (block + block.transpose())), mu_(mu), rho_(0) {
  const double trace = a_.trace();
  if (!(trace > 0)) return;
  rho_ = 3 / trace;
  // A contact whose normal or tangents move nothing (a rank-deficient block) gets a tiny diagonal.
  const double tiny = 1e-12 * trace;
  a_nn_ = std::max(a_(0, 0), tiny);
  w_ = a_.block<2, 1>(1, 0);
  const Eigen::Matrix2d S = a_.block<2, 2>(1, 1) - w_ * w_.transpose() / a_nn_;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(S);
  s_ = eigen.eigenvalues().cwiseMax(tiny);
  q_ = eigen.eigenvectors();
}

Vector3d LocalContact::coulomb(const Vector3d& b) {
  if (b[0] >= 0) return Vector3d::Zero();  // x = 0, u = b separates
  const Eigen::Vector2d c = q_.transpose() * (b.tail<2>() - w_ * (b[0] / a_nn_));
  const Eigen::Vector2d w = q_.transpose() * w_;
  const auto tangential = [&](double a) -> Eigen::Vector2d {
    return -(c.array() / (s_.array() + a)).matrix();
  };
  const auto normal = [&](const Eigen::Vector2d& t) { return -(b[0] + w.dot(t)) / a_nn_; };
  const auto result = [&](double n, const Eigen::Vector2d& t) {
    Vector3d x;
    x << n, q_ * t;
    return x;
  };

  if (mu_ == 0) return {-b[0] / a_nn_, 0, 0};
  Eigen::Vector2d t = tangential(0);
  double n = normal(t);
  if (t.norm() <= mu_ * n) return result(n, t);

  // phi(a) = 1 - mu x_N/|x_T| is positive at 0 and tends to -infinity.
  double low = 0, high = std::numeric_limits<double>::infinity();
  double a = slide_ > 0 ? slide_ : s_.mean();
  for (int k = 0; k < 60; ++k) {
    t = tangential(a);
    n = normal(t);
    const double length = t.norm();
    const double phi = 1 - mu_ * n / length;
    if (phi > 0)
      low = a;
    else
      high = a;
    const Eigen::Vector2d dt = -(t.array() / (s_.array() + a)).matrix();
    const double dn = -w.dot(dt) / a_nn_;
    const double slope = -mu_ * (dn - n * t.dot(dt) / (length * length)) / length;
    double next = a - phi / slope;
    if (!(next > low && next < high)) next = std::isfinite(high) ? 0.5 * (low + high) : 4 * a;
    if (std::abs(next - a) <= 1e-15 * a || std::abs(phi) <= 1e-15) break;
    a = next;
  }
  slide_ = a;
  // On the cone to the last bit: the direction from x_T(a), the length from x_N.
  n = std::max(n, 0.0);
  return result(n, t * (mu_ * n / std::max(t.norm(), 1e-300)));
}

Vector3d LocalContact::associated(const Vector3d& start, const Vector3d& b, double lift) {
  if (step_ == 0)
    step_ = 1 / Eigen::SelfAdjointEigenSolver<Matrix3d>(a_, Eigen::EigenvaluesOnly)
                    .eigenvalues()
                    .maxCoeff();
  Vector3d x = start;
  for (int k = 0; k < 12; ++k) {
    Vector3d u = a_ * x + b;
    u[0] += lift;
    const Vector3d y = project_cone(x - step_ * u, mu_);
    const double moved = (y - x).squaredNorm();
    x = y;
    if (moved <= 1e-20 * x.squaredNorm()) break;
  }
  return x;
}

ConeSweep::ConeSweep(const System& s) : s_(s), joint_diagonal_(s.joint_rows()) {
  contacts_.reserve(static_cast<std::size_t>(s.contacts()));
  for (Index i = 0; i < s.contacts(); ++i) contacts_.emplace_back(contact_block(s, i), s.mu[i]);
  for (Index j = 0; j < s.joint_rows(); ++j) joint_diagonal_[j] = joint_diagonal(s, j);
}

double ConeSweep::scaled_norm2(const VectorXd& g) const {
  double sum = 0;
  for (Index i = 0; i < s_.contacts(); ++i) {
    const double rho = contacts_[static_cast<std::size_t>(i)].rho();
    if (rho > 0) sum += g.segment<3>(3 * i).squaredNorm() / rho;
  }
  for (Index j = 0; j < s_.joint_rows(); ++j)
    sum += g[3 * s_.contacts() + j] * g[3 * s_.contacts() + j] * joint_diagonal_[j];
  return sum;
}

}  // namespace perpend
