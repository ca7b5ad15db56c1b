#include "solve/kit/interior_point.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "measure/natural_map.hpp"
#include "solve/kit/contact_function.hpp"

namespace perpend {
namespace {

constexpr double kToBoundary = 0.99;             // part of the way to the surface
constexpr double kShort = 0.3, kCentring = 0.3;  // after a step below kShort, sigma >= kCentring
constexpr double kJammed = 1e-2;                 // steps below it, kJams in a row, end the method
constexpr int kJams = 3;
constexpr long kPatience = 30;   // steps without halving max(tau, |R|^2)
constexpr double kMargin = 0.1;  // of the width between two bounds, at the start
constexpr double kContactDelta = 1e-12, kJointDelta = 1e-8;  // proximal terms

}  // namespace

template <class Space>
Vector3d InteriorPoint<Space>::Cone::to_cone(const Vector3d& x) const {
  return inverse_rho * Vector3d(root * x[0], inverse_root * x[1], inverse_root * x[2]);
}
template <class Space>
Vector3d InteriorPoint<Space>::Cone::impulse(const Vector3d& at) const {
  return rho * Vector3d(inverse_root * at[0], root * at[1], root * at[2]);
}
template <class Space>
Vector3d InteriorPoint<Space>::Cone::velocity() const {
  return {root * inside(c), inverse_root * c[1], inverse_root * c[2]};
}
template <class Space>
Vector3d InteriorPoint<Space>::Cone::forward(const Vector3d& v) const {
  return {root * (v[0] - t.dot(v)), inverse_root * v[1], inverse_root * v[2]};
}
template <class Space>
Vector3d InteriorPoint<Space>::Cone::backward(const Vector3d& du) const {
  const Vector3d v(0, root * du[1], root * du[2]);
  return {inverse_root * du[0] + t.dot(v), v[1], v[2]};
}

// Cones and bounds at a start, lifted inside.
template <class Space>
void InteriorPoint<Space>::begin(const VectorXd& start, double lift_factor) {
  const System& s = *system_;
  const Index m = s.contacts();
  cones_.clear();
  bounds_.clear();
  free_.clear();
  two_sided_ = false;
  x_ = start;
  y_ = relative_velocity(s, x_);
  mass_.resize(m + s.joint_rows());
  double residuals = 0, largest = 0, impulses = 0;
  const auto count_residual = [&](double squared) {
    residuals += squared;
    largest = std::max(largest, squared);
  };
  for (Index i = 0; i < m; ++i) {
    const double rho = mass_[i] = effective_mass(s, i), mu = s.mu[i];
    const Vector3d x = x_.segment<3>(3 * i), u = y_.segment<3>(3 * i);
    count_residual(evaluate(ConeFunction::natural_map, x, u, mu, rho).squaredNorm());
    impulses += (x / rho).squaredNorm();
    if (mu == 0) {
      x_.segment<2>(3 * i + 1).setZero();
      bounds_.push_back({3 * i, rho, 1, 0, x[0] / rho, u[0]});
      continue;
    }
    Cone cone;
    cone.row = 3 * i;
    cone.rho = rho;
    cone.inverse_rho = 1 / rho;
    cone.root = std::sqrt(mu);
    cone.inverse_root = 1 / cone.root;
    cone.a = cone.to_cone(x);
    cone.c = {u[0] / cone.root + cone.root * tangent_length(u), cone.root * u[1], cone.root * u[2]};
    cones_.push_back(cone);
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * m + j;
    const double rho = mass_[m + j] = effective_joint_mass(s, j);
    const double low = s.lower[j], high = s.upper[j];
    const double r = (x_[row] - std::clamp(x_[row] - rho * y_[row], low, high)) / rho;
    count_residual(r * r);
    impulses += x_[row] / rho * (x_[row] / rho);
    if (low == high) {
      x_[row] = low;
      continue;
    }
    free_.push_back(row);
    if (std::isfinite(low) && std::isfinite(high)) {
      two_sided_ = true;
      const double margin = kMargin * (high - low);
      x_[row] = std::clamp(x_[row], low + margin, high - margin);
    }
    if (std::isfinite(low)) bounds_.push_back({row, rho, 1, low, (x_[row] - low) / rho, y_[row]});
    if (std::isfinite(high))
      bounds_.push_back({row, rho, -1, high, (high - x_[row]) / rho, -y_[row]});
  }
  const double count = static_cast<double>(m + s.joint_rows());
  const double lift = lift_factor * std::max({3 * std::sqrt(residuals / count), std::sqrt(largest),
                                              1e-3 * std::sqrt(impulses / count)});
  for (Cone& cone : cones_) {
    cone.a[0] = std::max(cone.a[0], tangent_length(cone.a) + lift);
    cone.c[0] = std::max(cone.c[0], tangent_length(cone.c) + lift);
  }
  for (Bound& b : bounds_) {
    const bool between = b.row >= 3 * m && std::isfinite(s.lower[b.row - 3 * m]) &&
                         std::isfinite(s.upper[b.row - 3 * m]);
    if (!between) b.p = std::max(b.p, lift);
    b.z = std::max(b.z, lift);
  }
  put_impulses();
}

// x of cones and of bounds, and the velocities they make.
template <class Space>
void InteriorPoint<Space>::put_impulses() {
  for (const Cone& cone : cones_) x_.segment<3>(cone.row) = cone.impulse(cone.a);
  for (const Bound& b : bounds_) x_[b.row] = b.at + b.sign * b.rho * b.p;
  y_ = relative_velocity(*system_, x_);
}

// As velocity_error measures it.
template <class Space>
double InteriorPoint<Space>::error() const {
  const System& s = *system_;
  const Index m = s.contacts();
  double worst = 0;
  for (Index i = 0; i < m; ++i) {
    const double one = coulomb_error(x_.segment<3>(3 * i), y_.segment<3>(3 * i), s.mu[i], mass_[i]);
    if (!(one <= worst)) worst = one;  // also when it is not a number
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * m + j;
    const double one =
        std::abs(bounded_residual(x_[row], y_[row], mass_[m + j], s.lower[j], s.upper[j]));
    if (!(one <= worst)) worst = one;
  }
  return worst;
}

template <class Space>
InteriorEnd InteriorPoint<Space>::run(const Problem& problem, const System& system, Space& space,
                                      const VectorXd& start, const InteriorLimits& limits,
                                      Progress& progress) {
  system_ = &system;
  space_ = &space;
  lagged_ = limits.lagged;
  compliance_ = compliance(system, space);
  best_ = start;
  best_error_ = problem.own_error(start);
  begin(start, limits.lift);

  double alpha = 1, mark = std::numeric_limits<double>::infinity();
  long since_mark = 0;
  int jams = 0;
  for (long step = 0; limits.steps == 0 || step < limits.steps; ++step) {
    if (jams == kJams || since_mark >= kPatience) return InteriorEnd::jammed;
    measure_residual();
    const double count = std::max(1.0, static_cast<double>(cones_.size() + bounds_.size()));
    const double tau = gap(0) / count;
    const double level = std::max(tau, R_.squaredNorm());
    if (level < 0.5 * mark) {
      mark = level;
      since_mark = 0;
    }
    ++since_mark;
    progress.count(Work::factorization);
    if (!linearize()) return InteriorEnd::breakdown;

    for (Cone& cone : cones_) cone.q = -cone.c;
    for (Bound& b : bounds_) b.q = -b.z;
    solve();
    const double predicted = gap(longest(1)) / count;
    double sigma = tau > 0 ? std::pow(std::clamp(predicted / tau, 0.0, 1.0), 3) : 0;
    if (limits.careful || two_sided_ || alpha < kShort) sigma = std::max(sigma, kCentring);

    for (Cone& cone : cones_) {
      const Vector3d& l = cone.scaling.l();
      Vector3d r = -jordan(l, l);
      if (!limits.careful) r -= jordan(cone.scaling.invert(cone.da), cone.scaling.apply(cone.dc));
      r[0] += sigma * tau;
      cone.q = cone.scaling.invert(jordan_divide(l, r));
    }
    for (Bound& b : bounds_) b.q = (sigma * tau - (limits.careful ? 0 : b.dp * b.dz)) / b.p - b.z;
    solve();
    if (!d_.allFinite()) return InteriorEnd::breakdown;
    alpha = longest(kToBoundary);
    advance(alpha);

    const double now = error();
    if (!std::isfinite(now)) return InteriorEnd::breakdown;
    if (now < best_error_) {
      best_error_ = now;
      best_ = x_;
    }
    if (!progress.next(x_, now)) return InteriorEnd::finished;
    if (now <= limits.enough) return InteriorEnd::enough;
    jams = alpha < kJammed ? jams + 1 : 0;
  }
  return InteriorEnd::limit;
}

// R of every row that has one.
template <class Space>
void InteriorPoint<Space>::measure_residual() {
  const System& s = *system_;
  R_.setZero(s.rows());
  for (const Cone& cone : cones_)
    R_.segment<3>(cone.row) = y_.segment<3>(cone.row) - cone.velocity();
  for (const Index row : free_) R_[row] = y_[row];
  for (const Bound& b : bounds_)
    if (b.row < 3 * s.contacts()) R_[b.row] = y_[b.row];
  for (const Bound& b : bounds_) R_[b.row] -= b.sign * b.z;
}

// Scalings, G and its factor. A contact's B is inverted in closed form and the compliance E that
// comes to it afterwards: G = B^-1 (1 + E B^-1)^-1.
template <class Space>
bool InteriorPoint<Space>::linearize() {
  const System& s = *system_;
  const Index m = s.contacts();
  clear(s, G_);
  G_.symmetric = lagged_;
  for (Cone& cone : cones_) {
    cone.scaling = NesterovTodd(cone.a, cone.c);
    const double length = tangent_length(cone.c);
    cone.t.setZero();
    if (length > 0 && !lagged_) cone.t.template tail<2>() = cone.c.template tail<2>() / length;
    // B^-1 = (dx/da) W^2 N^-1, the columns of N^-1 as they are.
    const Matrix3d squared = cone.scaling.squared();
    Matrix3d inverse;
    inverse.col(0) = cone.impulse(cone.inverse_root * squared.col(0));
    for (int k = 1; k < 3; ++k)
      inverse.col(k) = cone.impulse(cone.root * (squared.col(k) + cone.t[k] * squared.col(0)));
    const Vector3d E =
        compliance_.segment<3>(cone.row) + Vector3d::Constant(kContactDelta * cone.inverse_rho);
    const Matrix3d mixed = Matrix3d::Identity() + E.asDiagonal() * inverse;
    G_.contact[static_cast<std::size_t>(cone.row / 3)] = inverse * mixed.inverse();
  }
  if (bounds_.empty() && free_.empty()) return space_->factorize(G_);
  B_ = compliance_;
  for (const Bound& b : bounds_) B_[b.row] += b.z / (b.p * b.rho);
  for (const Bound& b : bounds_)
    if (b.row < 3 * m)
      G_.contact[static_cast<std::size_t>(b.row / 3)](0, 0) =
          1 / (B_[b.row] + kContactDelta / b.rho);
  for (const Index row : free_)
    G_.joint[static_cast<std::size_t>(row - 3 * m)] =
        1 / (B_[row] + kJointDelta / mass_[row - 2 * m]);
  return space_->factorize(G_);
}

// Directions of all variables for the present q.
template <class Space>
void InteriorPoint<Space>::solve() {
  r_ = -R_;
  for (const Cone& cone : cones_) r_.segment<3>(cone.row) += cone.forward(cone.q);
  for (const Bound& b : bounds_) r_[b.row] += b.sign * b.q;
  multiply(G_, r_, f_);
  space_->respond(f_, e_);
  e_ = -e_;
  space_->step(e_, w_);
  space_->differential(w_, du_);
  multiply(G_, du_, d_);
  d_ = f_ - d_;
  for (Cone& cone : cones_) {
    const Vector3d dx = d_.segment<3>(cone.row);
    cone.da = cone.to_cone(dx);
    cone.dc = cone.backward(R_.segment<3>(cone.row) + du_.segment<3>(cone.row) +
                            compliance_.segment<3>(cone.row).cwiseProduct(dx));
  }
  for (Bound& b : bounds_) {
    b.dp = b.sign * d_[b.row] / b.rho;
    b.dz = b.q - b.z / b.p * b.dp;
  }
}

// The longest step, at most 1, that keeps `part` of the way to the nearest surface.
template <class Space>
double InteriorPoint<Space>::longest(double part) const {
  double a = 1 / part;
  for (const Cone& cone : cones_)
    a = std::min({a, to_boundary(cone.a, cone.da), to_boundary(cone.c, cone.dc)});
  for (const Bound& b : bounds_) {
    if (b.dp < 0) a = std::min(a, -b.p / b.dp);
    if (b.dz < 0) a = std::min(a, -b.z / b.dz);
  }
  return part * a;
}

// Sum of a.c and p z after a step.
template <class Space>
double InteriorPoint<Space>::gap(double alpha) const {
  double sum = 0;
  for (const Cone& cone : cones_) sum += (cone.a + alpha * cone.da).dot(cone.c + alpha * cone.dc);
  for (const Bound& b : bounds_) sum += (b.p + alpha * b.dp) * (b.z + alpha * b.dz);
  return sum;
}

template <class Space>
void InteriorPoint<Space>::advance(double alpha) {
  for (Cone& cone : cones_) {
    cone.a += alpha * cone.da;
    cone.c += alpha * cone.dc;
  }
  for (Bound& b : bounds_) {
    b.p += alpha * b.dp;
    b.z += alpha * b.dz;
  }
  for (const Index row : free_) x_[row] += alpha * d_[row];
  put_impulses();
}

template class InteriorPoint<BodyNewtonSpace>;
template class InteriorPoint<ImpulseNewtonSpace>;

}  // namespace perpend
