#include "solve/kit/block_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/natural_map.hpp"

namespace perpend {
namespace {

// A contact whose normal or tangents move nothing (a rank-deficient block) gets a tiny diagonal.
constexpr double kTiny = 1e-12;
// Newton's step from an equation met to this part meets it to its square.
constexpr double kNearRoot = 1e-8;
constexpr int kMostSteps = 60;

}  // namespace

LocalBlock::LocalBlock(const double* v, double mu)
    : mu_(mu),
      nn_(v[0]),
      nt_(0.5 * (v[1] + v[3])),
      no_(0.5 * (v[2] + v[6])),
      tt_(v[4]),
      to_(0.5 * (v[5] + v[7])),
      oo_(v[8]) {
  const double trace = nn_ + tt_ + oo_;
  if (!(trace > 0)) return;
  rho_ = 3 / trace;
  const double tiny = kTiny * trace;
  r_n_ = 1 / std::max(nn_, tiny);
  s_tt_ = tt_ - nt_ * nt_ * r_n_;
  s_to_ = to_ - nt_ * no_ * r_n_;
  s_oo_ = oo_ - no_ * no_ * r_n_;
  r_t_ = 1 / std::max(s_tt_, tiny);
  l_ = s_to_ * r_t_;
  r_o_ = 1 / std::max(s_oo_ - l_ * s_to_, tiny);
}

void LocalBlock::solve(const double* u, double* x) {
  const double b_n = u[0] - (nn_ * x[0] + nt_ * x[1] + no_ * x[2]);
  if (b_n >= 0) {  // x = 0, u = b separates
    x[0] = x[1] = x[2] = 0;
    return;
  }
  if (mu_ == 0) {
    x[0] = -b_n * r_n_;
    x[1] = x[2] = 0;
    return;
  }
  const double c_t = u[1] - (nt_ * x[0] + tt_ * x[1] + to_ * x[2]) - nt_ * (b_n * r_n_);
  const double c_o = u[2] - (no_ * x[0] + to_ * x[1] + oo_ * x[2]) - no_ * (b_n * r_n_);
  const double o = (l_ * c_t - c_o) * r_o_, t = -c_t * r_t_ - l_ * o;
  const double n = -(b_n + nt_ * t + no_ * o) * r_n_;
  if (n >= 0 && t * t + o * o <= mu_ * mu_ * n * n) {
    x[0] = n;
    x[1] = t;
    x[2] = o;
    return;
  }
  slide(b_n, c_t, c_o, x);
}

void LocalBlock::prepare_sliding() {
  const double mean = 0.5 * (s_tt_ + s_oo_), half = 0.5 * (s_tt_ - s_oo_);
  const double length = std::sqrt(half * half + s_to_ * s_to_);
  const double tiny = kTiny * (nn_ + tt_ + oo_);
  e_0_ = std::max(mean + length, tiny);
  e_1_ = std::max(mean - length, tiny);
  if (length > 0) {
    c_ = std::sqrt(0.5 * (1 + half / length));
    s_ = std::copysign(std::sqrt(std::max(0.0, 0.5 * (1 - half / length))), s_to_);
  }
  w_0_ = c_ * nt_ + s_ * no_;
  w_1_ = c_ * no_ - s_ * nt_;
  sliding_ = true;
}

// phi(a) = 1 - mu x_N/|x_T|, x_T(a) = -(S + a)^-1 c, is positive at 0 and tends to -infinity.
void LocalBlock::slide(double b_n, double c_t, double c_o, double* x) {
  if (!sliding_) prepare_sliding();
  const double c_0 = c_ * c_t + s_ * c_o, c_1 = c_ * c_o - s_ * c_t;
  double low = 0, high = std::numeric_limits<double>::infinity();
  double a = a_ > 0 ? a_ : 0.5 * (e_0_ + e_1_);
  double t_0 = 0, t_1 = 0, n = 0, length = 0;
  bool last = false;
  for (int k = 0;; ++k) {
    const double i_0 = 1 / (e_0_ + a), i_1 = 1 / (e_1_ + a);
    t_0 = -c_0 * i_0;
    t_1 = -c_1 * i_1;
    n = -(b_n + w_0_ * t_0 + w_1_ * t_1) * r_n_;
    length = std::sqrt(t_0 * t_0 + t_1 * t_1);
    if (last || k == kMostSteps) break;
    const double phi = 1 - mu_ * n / length;
    if (phi > 0)
      low = a;
    else
      high = a;
    const double d_0 = -t_0 * i_0, d_1 = -t_1 * i_1;
    const double dn = -(w_0_ * d_0 + w_1_ * d_1) * r_n_;
    const double slope = -mu_ * (dn - n * (t_0 * d_0 + t_1 * d_1) / (length * length)) / length;
    double next = a - phi / slope;
    last = std::abs(phi) <= kNearRoot;
    if (!(next > low && next < high)) {
      if (last) break;
      next = std::isfinite(high) ? 0.5 * (low + high) : 4 * a;
    }
    last = last || next == a;
    a = next;
  }
  a_ = a;
  // On the cone to the last bit: the direction from x_T(a), the length from x_N.
  n = std::max(n, 0.0);
  const double scale = mu_ * n / std::max(length, 1e-300);
  x[0] = n;
  x[1] = scale * (c_ * t_0 - s_ * t_1);
  x[2] = scale * (s_ * t_0 + c_ * t_1);
}

BlockSweep::BlockSweep(const System& s)
    : s_(s), a_(std::get<Blocks>(s.A)), g_(s.rows()), p_(VectorXd::Zero(s.rows())) {
  contacts_.reserve(static_cast<std::size_t>(s.contacts()));
  for (Index i = 0; i < s.contacts(); ++i) {
    const auto entry = static_cast<std::size_t>(a_.diagonal[static_cast<std::size_t>(i)]);
    contacts_.emplace_back(a_.values.data() + a_.offset[entry], s.mu[i]);
  }
}

void BlockSweep::set(const VectorXd& lambda) {
  lambda_ = lambda;
  p_.setZero();
}

void BlockSweep::velocity(Index i, double* u) const {
  const double* b = s_.b.data() + 3 * i;
  double y_0 = b[0], y_1 = b[1], y_2 = b[2];
  const auto row = static_cast<std::size_t>(i);
  const auto end = static_cast<std::size_t>(a_.row_start[row + 1]);
  for (auto e = static_cast<std::size_t>(a_.row_start[row]); e < end; ++e) {
    const double* x = lambda_.data() + 3 * a_.column[e];
    const double* v = a_.values.data() + a_.offset[e];
    y_0 += v[0] * x[0] + v[1] * x[1] + v[2] * x[2];
    y_1 += v[3] * x[0] + v[4] * x[1] + v[5] * x[2];
    y_2 += v[6] * x[0] + v[7] * x[1] + v[8] * x[2];
  }
  u[0] = y_0;
  u[1] = y_1;
  u[2] = y_2;
}

BlockSweep::Change BlockSweep::sweep(std::span<const Index> contacts) {
  Change change;
  double worst2 = 0;
  for (const Index i : contacts) {
    LocalBlock& contact = contacts_[static_cast<std::size_t>(i)];
    const double rho = contact.rho();
    double* x = lambda_.data() + 3 * i;
    double* g = g_.data() + 3 * i;
    if (!(rho > 0)) {
      g[0] = g[1] = g[2] = 0;
      continue;
    }
    double u[3];
    velocity(i, u);
    const double before[3] = {x[0], x[1], x[2]};
    contact.solve(u, x);
    for (int k = 0; k < 3; ++k) g[k] = x[k] - before[k];
    const double size2 = (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / rho;
    change.norm2 += size2;
    worst2 = std::max(worst2, size2 / rho);
  }
  change.worst = std::sqrt(worst2);
  return change;
}

void BlockSweep::extrapolate(std::span<const Index> contacts, double beta) {
  for (const Index i : contacts)
    for (Index row = 3 * i; row < 3 * i + 3; ++row) {
      const double step = beta * p_[row];
      lambda_[row] += step;
      p_[row] = step + g_[row];
    }
}

void BlockSweep::restart(std::span<const Index> contacts) {
  for (const Index i : contacts) p_.segment<3>(3 * i).setZero();
}

double BlockSweep::error(std::span<const Index> contacts) const {
  double worst = 0;
  for (const Index i : contacts) {
    const double rho = contacts_[static_cast<std::size_t>(i)].rho();
    Vector3d u;
    velocity(i, u.data());
    worst =
        std::max(worst, coulomb_error(lambda_.segment<3>(3 * i), u, s_.mu[i], rho > 0 ? rho : 1));
  }
  return worst;
}

}  // namespace perpend
