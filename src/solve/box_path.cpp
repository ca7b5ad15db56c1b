// box/path: PATH's method (path_method.hpp) on the box model, written as a mixed linear
// complementarity problem. The bounds +-mu lambda_n of a friction row (Silcowitz-Hansen et al.
// 2010, eq. 7) follow another unknown; with the two signs of its impulse apart, alpha, beta >= 0,
// and its speed s they are linear:
//   lambda_t = alpha - beta
//   0 <= alpha  perp   y_t + s >= 0
//   0 <= beta   perp  -y_t + s >= 0
//   0 <= s      perp  mu lambda_n - alpha - beta >= 0
// which is eqs. 10 and 11 of Lu et al. 2013 for a cone of two directions, once for t and once for
// o. A bound that the engine fixed is the bound of lambda_t itself. Normal rows have lambda_n >= 0,
// joint rows their bounds; where there is a mass matrix velocities are free variables, M v - J^T
// lambda = M v_free, and the matrix is sparse.
//
// Pivoting ends at a vertex, so that loads shared by more contacts than necessary, along which
// sweeps and Newton steps creep, cost nothing.
#include <cmath>
#include <limits>

#include "formulate/scales.hpp"
#include "measure/box_sweep.hpp"
#include "solve/kit/path_method.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// lambda = R z, w = L y + K z.
class BoxMlcp final : public LinearProblem {
 public:
  explicit BoxMlcp(const System& s) : system_(&s) {
    if (s.dynamics) velocities_ = s.dynamics->mass.rows();
    for (Index i = 0; i < s.contacts(); ++i) {
      const double rho = effective_mass(s, i);
      const Index normal = add_impulse(3 * i, 1, 1, 0, kInfinity, rho);
      for (Index k = 1; k <= 2; ++k) add_friction(3 * i + k, k - 1, i, normal, rho);
    }
    for (Index j = 0; j < s.joint_rows(); ++j)
      add_impulse(3 * s.contacts() + j, 1, 1, s.lower[j], s.upper[j], effective_joint_mass(s, j));
    assemble_matrix();
  }

  std::string_view formulation() const override { return "mlcp"; }
  Impulses impulses(const VectorXd& z) const override { return R_ * z.tail(R_.cols()); }
  VectorXd unknowns(const Impulses& lambda) const override {
    VectorXd z = VectorXd::Zero(size());
    const VectorXd y = relative_velocity(*system_, lambda);
    if (velocities_ > 0) z.head(velocities_) = velocity_plus(*system_, lambda);
    for (Index r = 0; r < R_.cols(); ++r) {
      const Entry& e = entries_[static_cast<std::size_t>(r)];
      z[velocities_ + r] =
          e.sign == 0 ? std::abs(y[e.row]) : std::clamp(e.sign * lambda[e.row], e.lower, e.upper);
    }
    return z;
  }

 private:
  struct Entry {
    Index row;    // of the system
    double sign;  // of the impulse; 0: a speed
    double lower, upper, scale, weight;
  };

  Index add(const Entry& e) {
    entries_.push_back(e);
    return static_cast<Index>(entries_.size()) - 1;
  }
  Index add_impulse(Index row, double sign, double of_y, double low, double high, double rho) {
    const Index at = add({row, sign, low, high, rho, 1 / rho});
    to_lambda_.emplace_back(row, at, sign);
    to_w_.emplace_back(at, row, of_y);
    return at;
  }
  void add_friction(Index row, Index axis, Index contact, Index normal, double rho) {
    const System& s = *system_;
    const double fixed = s.friction_bounds.rows() ? s.friction_bounds(contact, axis) : kInfinity;
    if (std::isfinite(fixed)) {
      add_impulse(row, 1, 1, -fixed, fixed, rho);
      return;
    }
    const Index alpha = add_impulse(row, 1, 1, 0, kInfinity, rho);
    const Index beta = add_impulse(row, -1, -1, 0, kInfinity, rho);
    const Index speed = add({row, 0, 0, kInfinity, 1 / rho, 1});
    own_.emplace_back(speed, normal, s.mu[contact]);
    for (const Index one : {alpha, beta}) {
      own_.emplace_back(one, speed, 1);
      own_.emplace_back(speed, one, -1);
    }
  }

  using Entries = std::vector<Eigen::Triplet<double, Index>>;
  static SparseMatrix matrix(Index rows, Index columns, const Entries& entries) {
    SparseMatrix out(rows, columns);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
  }
  void put(const SparseMatrix& block, Index row, Index column, double sign, Entries& into) const {
    for (Index i = 0; i < block.outerSize(); ++i)
      for (SparseMatrix::InnerIterator it(block, i); it; ++it)
        into.emplace_back(row + i, column + it.col(), sign * it.value());
  }

  void assemble_matrix() {
    const System& s = *system_;
    const Index n = static_cast<Index>(entries_.size()), all = velocities_ + n;
    R_ = matrix(s.rows(), n, to_lambda_);
    const SparseMatrix L = matrix(n, s.rows(), to_w_);
    SparseMatrix own = matrix(n, n, own_);
    Entries whole;
    b.resize(all);
    if (velocities_ > 0) {
      const Dynamics& d = *s.dynamics;
      const SparseMatrix J = jacobian(s);
      put(d.mass, 0, 0, 1, whole);
      put(SparseMatrix(J.transpose()) * R_, 0, velocities_, -1, whole);
      put(L * J, velocities_, 0, 1, whole);
      own += SparseMatrix(L * SparseMatrix(compliance(s).asDiagonal() * R_));
      b << -(d.mass * d.free_velocity), L * constant_velocity(s);
    } else {
      own += SparseMatrix(L * SparseMatrix(to_sparse(s) * R_));
      b = L * s.b;
    }
    put(own, velocities_, velocities_, 1, whole);
    A = matrix(all, all, whole);

    lower = VectorXd::Constant(all, -kInfinity);
    upper = VectorXd::Constant(all, kInfinity);
    rows.scale = rows.weight = VectorXd::Ones(all);
    if (velocities_ > 0)
      rows.scale.head(velocities_) = VectorXd(s.dynamics->mass.diagonal()).cwiseInverse();
    for (Index r = 0; r < n; ++r) {
      const Entry& e = entries_[static_cast<std::size_t>(r)];
      lower[velocities_ + r] = e.lower;
      upper[velocities_ + r] = e.upper;
      rows.scale[velocities_ + r] = e.scale;
      rows.weight[velocities_ + r] = e.weight;
    }
  }

  const System* system_;
  Index velocities_ = 0;
  std::vector<Entry> entries_;
  Entries to_lambda_, to_w_, own_;
  SparseMatrix R_;
};

// On the way to the answer s may be positive where friction is beyond its bound.
VectorXd within_bounds(const System& s, VectorXd lambda) {
  for (Index i = 0; i < s.contacts(); ++i) {
    const Eigen::Vector2d limits = friction_limits(s, i, lambda[3 * i]);
    auto friction = lambda.segment<2>(3 * i + 1);
    friction = friction.cwiseMax(-limits).cwiseMin(limits).eval();
  }
  return lambda;
}

void run(const BoxProblem& problem, Progress& progress) {
  const System& system = problem.system();
  const BoxMlcp mlcp(system);
  const auto answer = [&](const VectorXd& z) { return within_bounds(system, mlcp.impulses(z)); };
  follow_path(mlcp, mlcp.unknowns(progress.start()), answer, progress);
}

}  // namespace

SolverInfo box_path() {
  return solver("box/path", "PATH's method on the box model as a mixed linear problem",
                "Ralph 1994; Dirkse, Ferris 1995; Ferris, Munson 1999", run, path_options());
}

}  // namespace perpend
