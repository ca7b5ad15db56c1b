// ncp/fixed-point: the proximal fixed point of Lu et al. 2013 (eq. 15), solved in the manner of
// Gauss-Seidel.
//
//   lambda_n <- max(0, lambda_n - r_n y_n)
//   lambda_f <- prox of lambda_f - r_f y_f onto the disk of radius mu lambda_n
//   joint rows: lambda <- clamp(lambda - r y, lower, upper)
// with y = A lambda + b from the newest impulses (order=gauss-seidel, as Lu et al. do it) or from
// those of the iteration before (order=jacobi). r decides about convergence (Foerg, Geier, Neumann,
// Ulbrich 2006). In units of the local inverse masses A_nn, the larger eigenvalue of A_ff, A_jj:
//   local      r = factor / A, row by row
//   global     one r for all contacts: factor / the largest A among them; joint rows, whose units
//              are others, as local
//   spectral   r = factor / (A lambda_max), lambda_max the largest eigenvalue of A after its rows
//              and columns were divided by the roots of the above, by power iteration: the bound
//              under which Jacobi's order converges without friction (factor < 2)
// start=qp begins with the frictionless problem, a quadratic program (Lu et al. 2013, Fig. 14), by
// at most kNormalSweeps projected Gauss-Seidel sweeps over normal and joint rows: not solved to the
// end where that takes more, because it is a start only. They count as sweeps, not as iterations. A
// warm start is taken as it is.
//
// Where we deviate: Lu et al. do not tell their r; the friction disk has the radius of the newest
// normal impulse in both orders; rows on which no impulse has an effect (A = 0) are left alone.
#include <Eigen/Eigenvalues>

#include "measure/natural_map.hpp"
#include "perpend/measure.hpp"
#include "solve/kit/power_iteration.hpp"
#include "solve/kit/projections.hpp"
#include "solve/registry.hpp"
#include "system/gauss_seidel.hpp"

namespace perpend {
namespace {

constexpr long kNormalSweeps = 200;
// An error this many times the first one means divergence.
constexpr double kDiverged = 1e8;

struct Factors {
  VectorXd normal, tangent, joint;
};

Factors inverse_masses(const System& s) {
  Factors a{VectorXd(s.contacts()), VectorXd(s.contacts()), VectorXd(s.joint_rows())};
  for (Index i = 0; i < s.contacts(); ++i) {
    const Matrix3d block = contact_block(s, i);
    a.normal[i] = block(0, 0);
    const Eigen::Matrix2d f = block.bottomRightCorner<2, 2>();
    const Eigen::Matrix2d symmetric = 0.5 * (f + f.transpose());
    a.tangent[i] = Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(symmetric, Eigen::EigenvaluesOnly)
                       .eigenvalues()[1];
  }
  for (Index j = 0; j < s.joint_rows(); ++j) a.joint[j] = joint_diagonal(s, j);
  return a;
}

VectorXd by_rows(const Factors& f) {
  VectorXd rows(3 * f.normal.size() + f.joint.size());
  for (Index i = 0; i < f.normal.size(); ++i)
    rows.segment<3>(3 * i) << f.normal[i], f.tangent[i], f.tangent[i];
  rows.tail(f.joint.size()) = f.joint;
  return rows;
}

// 1/a; a row that nothing moves gets 0.
double inverse(double a, double scale = 1) { return a > 0 ? scale / a : 0; }

double largest_eigenvalue(const System& s, const Factors& a, Progress& progress) {
  const VectorXd d = by_rows(a).unaryExpr([](double x) { return std::sqrt(inverse(x)); });
  VectorXd start(s.rows());
  for (Index i = 0; i < start.size(); ++i) start[i] = uneven(i);
  const auto product = [&](const VectorXd& v) -> VectorXd {
    return d.cwiseProduct(apply(s, VectorXd(d.cwiseProduct(v))));
  };
  return largest_eigenvalue(start, product, progress);
}

Factors r_factors(const System& s, Progress& progress) {
  Factors r = inverse_masses(s);
  const std::string_view strategy = progress.choice("strategy");
  double factor = progress.number("factor");
  if (strategy == "spectral") factor /= largest_eigenvalue(s, r, progress);
  if (strategy == "global" && s.contacts() > 0) {
    const double largest = std::max(r.normal.maxCoeff(), r.tangent.maxCoeff());
    r.normal.setConstant(largest);
    r.tangent.setConstant(largest);
  }
  for (VectorXd* part : {&r.normal, &r.tangent, &r.joint})
    for (double& x : *part) x = inverse(x, factor);
  return r;
}

class NcpFixedPoint {
 public:
  void run(const ConeProblem& problem, Progress& progress) {
    const System& system = problem.system();
    const Factors r = r_factors(system, progress);
    mass_.resize(system.contacts());
    for (Index i = 0; i < mass_.size(); ++i) mass_[i] = effective_mass(system, i);
    with_state(system, [&](auto& state) {
      state.set(progress.start());
      if (progress.choice("start") == "qp" && progress.start().isZero(0))
        solve_frictionless(system, state, progress);
      iterate(system, r, state, progress);
    });
  }

 private:
  template <class State>
  void iterate(const System& s, const Factors& r, State& state, Progress& progress) {
    const bool jacobi = progress.choice("order") == "jacobi";
    double first = -1;
    for (;;) {
      const double error = jacobi ? all_at_once(s, r, state) : one_by_one(s, r, state);
      progress.count(Work::sweep);
      if (first < 0) first = error;
      if (!progress.next(state.lambda(), error)) return;
      if (error > kDiverged * first)
        return progress.finish(Status::failed, "it diverges: r is too large for this problem");
    }
  }

  // Natural map of a contact before its update, m/s: an estimate of own_error.
  double residual(const System& s, Index i, const Vector3d& x, const Vector3d& y) const {
    return coulomb_error(x, y, s.mu[i], mass_[i]);
  }

  template <class State>
  double one_by_one(const System& s, const Factors& r, State& state) const {
    double worst = joints_one_by_one(s, r.joint, state);
    for (Index i = 0; i < s.contacts(); ++i) {
      const Vector3d x = state.lambda().template segment<3>(3 * i);
      worst = std::max(worst, residual(s, i, x, state.u(i)));
      const double n = std::max(0.0, x[0] - r.normal[i] * state.u(i, 0));
      if (n != x[0]) state.push(i, 0, n - x[0]);
      const Eigen::Vector2d y(state.u(i, 1), state.u(i, 2));
      const Eigen::Vector2d f = to_disk(x.tail<2>() - r.tangent[i] * y, s.mu[i] * n);
      state.push(i, Vector3d(0, f[0] - x[1], f[1] - x[2]));
    }
    return worst;
  }

  template <class State>
  static double joints_one_by_one(const System& s, const VectorXd& r, State& state) {
    double worst = 0;
    for (Index j = 0; j < s.joint_rows(); ++j) {
      if (!(r[j] > 0)) continue;
      const double x = state.lambda()[3 * s.contacts() + j];
      const double y = std::clamp(x - r[j] * state.u_joint(j), s.lower[j], s.upper[j]);
      worst = std::max(worst, std::abs(y - x) / r[j]);
      if (y != x) state.push_joint(j, y - x);
    }
    return worst;
  }

  template <class State>
  double all_at_once(const System& s, const Factors& r, State& state) {
    double worst = 0;
    VectorXd& next = next_;
    next = state.lambda();
    for (Index i = 0; i < s.contacts(); ++i) {
      const Vector3d x = next.segment<3>(3 * i), y = state.u(i);
      worst = std::max(worst, residual(s, i, x, y));
      const double n = std::max(0.0, x[0] - r.normal[i] * y[0]);
      next.segment<3>(3 * i) << n, to_disk(x.tail<2>() - r.tangent[i] * y.tail<2>(), s.mu[i] * n);
    }
    for (Index j = 0; j < s.joint_rows(); ++j) {
      const Index at = 3 * s.contacts() + j;
      const double x = next[at];
      next[at] = std::clamp(x - r.joint[j] * state.u_joint(j), s.lower[j], s.upper[j]);
      if (r.joint[j] > 0) worst = std::max(worst, std::abs(next[at] - x) / r.joint[j]);
    }
    state.set(next);
    return worst;
  }

  template <class State>
  void solve_frictionless(const System& s, State& state, Progress& progress) const {
    Factors r = inverse_masses(s);
    for (VectorXd* part : {&r.normal, &r.joint})
      for (double& x : *part) x = inverse(x);
    for (long k = 0; k < kNormalSweeps; ++k) {
      double worst = joints_one_by_one(s, r.joint, state);
      for (Index i = 0; i < s.contacts(); ++i) {
        if (!(r.normal[i] > 0)) continue;
        const double x = state.lambda()[3 * i];
        const double n = std::max(0.0, x - r.normal[i] * state.u(i, 0));
        worst = std::max(worst, std::abs(n - x) / r.normal[i]);
        if (n != x) state.push(i, 0, n - x);
      }
      progress.count(Work::sweep);
      if (worst <= progress.tolerance()) break;
    }
    // It may be the answer already: where nothing would slide.
    progress.offer(state.lambda());
  }

  VectorXd mass_, next_;
};

}  // namespace

SolverInfo ncp_fixed_point() {
  return solver<ConeProblem, NcpFixedPoint>(
      "ncp/fixed-point", "proximal fixed-point iteration onto the friction disk",
      "Lu et al. 2013, eq. 15, Fig. 14; Foerg, Geier, Neumann, Ulbrich 2006",
      {{"strategy",
        "how r is chosen: row by row, one for all contacts, or row by row below the spectral bound",
        "local",
        {"local", "global", "spectral"}},
       {"factor", "multiplies r", "1", {}, 1e-3, 1e3},
       {"order",
        "velocities from the newest impulses, or from those of the iteration before",
        "gauss-seidel",
        {"gauss-seidel", "jacobi"}},
       {"start", "cold start from zero, or from the frictionless problem", "qp", {"zero", "qp"}}});
}

}  // namespace perpend
