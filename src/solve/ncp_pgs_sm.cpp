// ncp/pgs-sm: projected Gauss-Seidel with subspace minimization.
//
// Sweeps tell what every contact does; then the linear system of those that touch is solved at once
// (Silcowitz-Hansen, Niebe, Erleben: "Projected Gauss-Seidel subspace minimization method for
// interactive rigid body dynamics", 2010). After the sweeps a contact
//   is open   x = 0                                       (no unknown)
//   sticks    |x_T| < mu x_n:  u = 0                      (three unknowns)
//   slides    x = x_n (1, mu t), t = x_T/|x_T|:  u_n = 0  (one unknown, t held)
// and a joint row is at a bound or free (y = 0). The reduced equations get a proximal term
// delta (x' - x)/r, r the effective mass: they are singular wherever contacts share a load, and of
// their solutions the one nearest to what the sweeps found is wanted. In body space they are solved
// through the graph of bodies (implicit_rows.hpp), with explicit A by a sparse LU. The solution is
// projected onto cones and bounds and taken if it lowers the residual; then contacts are classified
// anew, the direction of sliding by the velocity, and the next subspace follows, until one gains
// nothing and sweeps go on.
//
// Where we deviate: the paper holds friction in a box with lagged bounds; here it is the cone,
// swept contact by contact (cone_sweep.hpp), and the bound mu x_n moves with the unknown x_n. The
// paper's reduced problem is minimized under bounds, ours is solved and cut.
#include <algorithm>
#include <string>

#include "solve/kit/cone_sweep.hpp"
#include "solve/kit/implicit_rows.hpp"
#include "solve/kit/projections.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kDelta = 1e-8;
// Subspaces in a row, and the part of the residual that one must leave at most to be taken.
constexpr int kSubspaces = 8;
constexpr double kGain = 0.9;
constexpr long kMostSweeps = 1000;
// Nearer than this to the surface of the cone a contact slides.
constexpr double kSlides = 1 - 1e-9;

template <class Space>
class PgsSm {
 public:
  // False when the system has no such space.
  bool prepare(const System& s) {
    system_ = &s;
    return rows_.prepare(s);
  }

  void run(const Problem& problem, Progress& progress) {
    const System& s = *system_;
    const long least = static_cast<long>(progress.number("sweeps"));
    long sweeps = least, taken = 0, tried = 0;
    with_state(s, [&](auto& state) {
      ConeSweep sweep(s);
      state.set(progress.start());
      while (true) {
        for (long k = 0; k < sweeps; ++k) {
          const double estimate = sweep(state, Local::coulomb);
          progress.count(Work::sweep);
          if (!progress.next(state.lambda(), estimate)) return;
        }
        x_ = state.lambda();
        y_ = relative_velocity(s, x_);
        const double before = problem.own_error(x_);
        double residual = before;
        for (int k = 0; k < kSubspaces; ++k) {
          progress.count(Work::factorization);
          ++tried;
          if (!solve_subspace(k > 0)) break;
          const double there = problem.own_error(x_);
          if (there < kGain * residual) {
            residual = there;
            best_ = x_;
            ++taken;
          }
          progress.path("pgs, " + std::to_string(taken) + " of " + std::to_string(tried) +
                        " subspace steps");
          if (!progress.next(x_, there)) return;
        }
        if (residual < before) state.set(best_);
        sweeps = residual < before ? least : std::min(2 * sweeps, kMostSweeps);
      }
    });
  }

 private:
  // x <- the projected solution over the contacts' present classes, y with it. False when there is
  // none in this precision.
  bool solve_subspace(bool direction_by_velocity) {
    const System& s = *system_;
    classify(direction_by_velocity);
    if (!rows_.factorize(G_)) return false;
    // The second solve removes what the proximal term and rounding left of the first.
    for (int k = 0; k < 2; ++k) {
      multiply(G_, y_, f_);
      f_ = -f_;
      rows_.solve(f_, d_, dy_);
      if (!d_.allFinite()) return false;
      x_ += d_;
      y_ = relative_velocity(s, x_);
    }
    to_cones_and_bounds(s.mu, s.lower, s.upper, x_);
    y_ = relative_velocity(s, x_);
    return true;
  }

  // G of every row by what it does at (x, y); sliding contacts are laid onto their ray.
  void classify(bool direction_by_velocity) {
    const System& s = *system_;
    const VectorXd cfm = compliance(s, rows_.space());
    clear(s, G_);
    G_.symmetric = true;
    for (Index i = 0; i < s.contacts(); ++i) {
      Vector3d x = x_.segment<3>(3 * i);
      const Vector3d u = y_.segment<3>(3 * i), c = cfm.segment<3>(3 * i);
      const double r = effective_mass(s, i), mu = s.mu[i];
      if (x[0] - r * u[0] <= 0) {
        x_.segment<3>(3 * i).setZero();
        continue;
      }
      Matrix3d& g = G_.contact[static_cast<std::size_t>(i)];
      const Vector3d shift = c + Vector3d::Constant(kDelta / r);
      const Eigen::Vector2d z = x.tail<2>() - r * u.tail<2>();
      const double bound = mu * (x[0] - r * u[0]);
      const bool slides =
          direction_by_velocity ? z.norm() > bound : x.tail<2>().norm() >= kSlides * mu * x[0];
      if (!slides) {
        g = shift.cwiseInverse().asDiagonal();
        continue;
      }
      const Eigen::Vector2d along = direction_by_velocity ? z : Eigen::Vector2d(x.tail<2>());
      const double length = along.norm();
      const Eigen::Vector2d t =
          length > 0 ? Eigen::Vector2d(along / length) : Eigen::Vector2d::Zero();
      const Vector3d ray(1, mu * t[0], mu * t[1]);
      g.col(0) = ray / shift[0];
      if (mu > 0) G_.symmetric = false;
      x_.segment<3>(3 * i) = std::max(x[0], 0.0) * ray;
    }
    for (Index j = 0; j < s.joint_rows(); ++j) {
      const Index row = 3 * s.contacts() + j;
      const double r = effective_joint_mass(s, j), z = x_[row] - r * y_[row];
      if (z > s.lower[j] && z < s.upper[j])
        G_.joint[static_cast<std::size_t>(j)] = 1 / (cfm[row] + kDelta / r);
      else
        x_[row] = std::clamp(z, s.lower[j], s.upper[j]);
    }
    y_ = relative_velocity(s, x_);
  }

  const System* system_ = nullptr;
  ImplicitRows<Space> rows_;
  RowSlopes G_;
  VectorXd x_, y_, f_, d_, dy_, best_;
};

}  // namespace

SolverInfo ncp_pgs_sm() {
  return solver<ConeProblem, EitherSpace<PgsSm>>(
      "ncp/pgs-sm",
      "block sweeps that guess what contacts do, then the linear system of those that touch",
      "Silcowitz-Hansen, Niebe, Erleben 2010 (subspace minimization)",
      {{"sweeps", "sweeps between subspace steps", "10", {}, 1, 10000}});
}

}  // namespace perpend
