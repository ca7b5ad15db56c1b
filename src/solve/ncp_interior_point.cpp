// ncp/interior-point: a primal-dual interior point method over second-order cones.
//
// In the variables of a contact with mu > 0, all of them m/s (rho the effective mass),
//   a = (sqrt(mu) x_n, x_T/sqrt(mu))/rho,   c = ((u_n + mu |u_T|)/sqrt(mu), sqrt(mu) u_T)
// Coulomb's law is L ∋ a ⊥ c ∈ L with the second-order cone L (de Saxce, Feng 1998), that is
// a o c = 0. Inside the cones a o c = tau e is followed to tau = 0:
//   R = A x + b - u(c) = 0,  u(c) = (sqrt(mu) (c_0 - |c_T|), c_T/sqrt(mu))
//   a o c = sigma tau e, linearized in Nesterov and Todd's scaling W (second_order_cone.hpp)
// u(c) carries de Saxce's term: its derivative N = du/dc is part of the Newton matrix (`saxce` =
// monolithic) or lags by an iteration (`saxce` = lagged, without the derivative of |c_T|; then the
// matrix is symmetric and is factorized by Cholesky). Eliminating dc = q - W^-2 da leaves
//   (A + B) dx = -R + N q,   B = N W^-2 da/dx, block diagonal
// which is solved as (1 + G A) dx = G (-R + N q), G = B^-1 (implicit_rows.hpp): in body space by
// 6x6 blocks, with explicit A by a sparse LU. Mehrotra's predictor-corrector (1992) chooses sigma.
// mu = 0 leaves x_n >= 0 alone. A finite bound of a joint row is a half-line with a barrier, a
// bilateral row has none and gets a proximal term, equal bounds fix their row.
//
// What made it work (see also Acary, Jourdain and others on such methods): one unit for all
// contacts, so that a light body counts as much as a heavy one; det computed as a product; sigma of
// at least 0.4 after a short step; a warm start lifted into the cones by max(3 rms(residual),
// 1e-3 rms(x)). Near the surface of a cone doubles end at residuals of about 1e-6 where contacts
// slide: there, and where steps become short (jamming, seen on piles with mu = 1), semismooth
// Newton steps (semismooth_newton.hpp) and NNCG sweeps finish what the interior point has found;
// `path` says so.
#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <string>

#include "solve/kit/implicit_rows.hpp"
#include "solve/kit/nncg_loop.hpp"
#include "solve/kit/second_order_cone.hpp"
#include "solve/kit/semismooth_newton.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kToBoundary = 0.99;             // part of the way to the surface
constexpr double kShort = 0.3, kCentring = 0.4;  // after a step below kShort, sigma >= kCentring
constexpr double kJammed = 1e-2;                 // steps below it, kJams in a row, end the method
constexpr int kJams = 3;
constexpr long kPatience = 8;                                // steps without halving the residual
constexpr double kContactDelta = 1e-12, kJointDelta = 1e-8;  // proximal terms
constexpr double kPolishEps = 1e-6;  // regularization of Newton's first step
constexpr long kPolishPatience = 15;

struct Cone {
  Index row;         // of x
  double rho, root;  // root: sqrt(mu)
  Vector3d a, c, da, dc, q;
  NesterovTodd scaling;
  Vector3d t;  // (0, direction of sliding), zero when de Saxce's term lags

  Vector3d to_cone(const Vector3d& x) const {  // a of x
    return Vector3d(root * x[0], x[1] / root, x[2] / root) / rho;
  }
  Vector3d impulse(const Vector3d& at) const {  // x of a
    return rho * Vector3d(at[0] / root, root * at[1], root * at[2]);
  }
  Vector3d velocity() const { return {root * inside(c), c[1] / root, c[2] / root}; }
  Vector3d forward(const Vector3d& v) const {  // N v
    return {root * (v[0] - t.dot(v)), v[1] / root, v[2] / root};
  }
  Vector3d backward(const Vector3d& du) const {  // N^-1 du
    const Vector3d v(0, root * du[1], root * du[2]);
    return {du[0] / root + t.dot(v), v[1], v[2]};
  }
};

// x >= at (sign 1) or x <= at (sign -1): p = sign (x - at)/rho and its velocity z, p z = tau.
struct Bound {
  Index row;
  double rho, sign, at, p, z;
  double dp = 0, dz = 0, q = 0;
};

template <class Space>
class InteriorPoint {
 public:
  // False when the system has no such space.
  bool prepare(const System& s) {
    system_ = &s;
    return rows_.prepare(s) && newton_.prepare(s);
  }

  void run(const Problem& problem, Progress& progress) {
    lagged_ = progress.choice("saxce") == "lagged";
    progress.path("interior-point");
    begin(progress.start());
    best_ = progress.start();
    best_error_ = problem.own_error(best_);
    iterate(problem, progress);
    if (!progress.finished()) polish(problem, progress);
  }

 private:
  // Cones and bounds at a start, lifted inside.
  void begin(const VectorXd& start) {
    const System& s = *system_;
    const Index m = s.contacts();
    cones_.clear();
    bounds_.clear();
    free_.clear();
    compliance_ = compliance(s, rows_);
    x_ = start;
    const VectorXd y = relative_velocity(s, x_);
    double residuals = 0, impulses = 0;
    for (Index i = 0; i < m; ++i) {
      const double rho = effective_mass(s, i), mu = s.mu[i];
      const Vector3d x = x_.segment<3>(3 * i), u = y.segment<3>(3 * i);
      residuals += evaluate(ConeFunction::natural_map, x, u, mu, rho).squaredNorm();
      impulses += (x / rho).squaredNorm();
      if (mu == 0) {
        x_.segment<2>(3 * i + 1).setZero();
        bounds_.push_back({3 * i, rho, 1, 0, x[0] / rho, u[0]});
        continue;
      }
      Cone cone{};
      cone.row = 3 * i;
      cone.rho = rho;
      cone.root = std::sqrt(mu);
      cone.a = cone.to_cone(x);
      cone.c = {u[0] / cone.root + cone.root * tangent_length(u), cone.root * u[1],
                cone.root * u[2]};
      cones_.push_back(cone);
    }
    for (Index j = 0; j < s.joint_rows(); ++j) {
      const Index row = 3 * m + j;
      const double rho = effective_joint_mass(s, j), low = s.lower[j], high = s.upper[j];
      const double r = (x_[row] - std::clamp(x_[row] - rho * y[row], low, high)) / rho;
      residuals += r * r;
      impulses += x_[row] / rho * (x_[row] / rho);
      if (low == high) {
        x_[row] = low;
        continue;
      }
      free_.push_back(row);
      if (std::isfinite(low)) bounds_.push_back({row, rho, 1, low, (x_[row] - low) / rho, y[row]});
      if (std::isfinite(high))
        bounds_.push_back({row, rho, -1, high, (high - x_[row]) / rho, -y[row]});
    }
    const double count = static_cast<double>(m + s.joint_rows());
    const double lift =
        std::max(3 * std::sqrt(residuals / count), 1e-3 * std::sqrt(impulses / count));
    for (Cone& cone : cones_) {
      cone.a[0] = std::max(cone.a[0], tangent_length(cone.a) + lift);
      cone.c[0] = std::max(cone.c[0], tangent_length(cone.c) + lift);
    }
    for (Bound& b : bounds_) {
      b.p = std::max(b.p, lift);
      b.z = std::max(b.z, lift);
    }
    put_impulses();
  }

  // x of cones and of bounds. Between two bounds p and x may disagree until the first full step.
  void put_impulses() {
    for (const Cone& cone : cones_) x_.segment<3>(cone.row) = cone.impulse(cone.a);
    for (const Bound& b : bounds_) x_[b.row] = b.at + b.sign * b.rho * b.p;
  }

  void iterate(const Problem& problem, Progress& progress) {
    double alpha = 1, mark = std::numeric_limits<double>::infinity();
    long since_mark = 0;
    int jams = 0;
    while (jams < kJams && since_mark < kPatience) {
      measure_residual();
      progress.count(Work::factorization);
      if (!linearize()) return;
      const double count = std::max(1.0, static_cast<double>(cones_.size() + bounds_.size()));
      const double tau = gap(0) / count;

      for (Cone& cone : cones_) cone.q = -cone.c;
      for (Bound& b : bounds_) b.q = -b.z;
      solve();
      const double predicted = gap(longest(1)) / count;
      double sigma = tau > 0 ? std::pow(std::clamp(predicted / tau, 0.0, 1.0), 3) : 0;
      if (alpha < kShort) sigma = std::max(sigma, kCentring);

      for (Cone& cone : cones_) {
        const Vector3d& l = cone.scaling.l();
        Vector3d r =
            -jordan(l, l) - jordan(cone.scaling.invert(cone.da), cone.scaling.apply(cone.dc));
        r[0] += sigma * tau;
        cone.q = cone.scaling.invert(jordan_divide(l, r));
      }
      for (Bound& b : bounds_) b.q = (sigma * tau - b.dp * b.dz) / b.p - b.z;
      solve();
      if (!d_.allFinite()) return;
      alpha = longest(kToBoundary);
      advance(alpha);

      const double error = problem.own_error(x_);
      if (!std::isfinite(error)) return;
      if (!progress.next(x_, error)) return;
      if (error < best_error_) {
        best_error_ = error;
        best_ = x_;
      }
      jams = alpha < kJammed ? jams + 1 : 0;
      ++since_mark;
      if (error < 0.5 * mark) {
        mark = error;
        since_mark = 0;
      }
    }
  }

  // R of every row that has one.
  void measure_residual() {
    const System& s = *system_;
    const VectorXd y = relative_velocity(s, x_);
    R_.setZero(s.rows());
    for (const Cone& cone : cones_)
      R_.segment<3>(cone.row) = y.segment<3>(cone.row) - cone.velocity();
    for (const Index row : free_) R_[row] = y[row];
    for (const Bound& b : bounds_)
      if (b.row < 3 * s.contacts()) R_[b.row] = y[b.row];
    for (const Bound& b : bounds_) R_[b.row] -= b.sign * b.z;
  }

  // Scalings, G and its factor. A contact's B is inverted in closed form and the compliance E that
  // comes to it afterwards: G = B^-1 (1 + E B^-1)^-1.
  bool linearize() {
    const System& s = *system_;
    const Index m = s.contacts();
    clear(s, G_);
    G_.symmetric = lagged_;
    for (Cone& cone : cones_) {
      cone.scaling = NesterovTodd(cone.a, cone.c);
      const double length = tangent_length(cone.c);
      cone.t.setZero();
      if (length > 0 && !lagged_) cone.t.tail<2>() = cone.c.tail<2>() / length;
      const Matrix3d squared = cone.scaling.squared();
      Matrix3d inverse;
      for (int k = 0; k < 3; ++k)
        inverse.col(k) = cone.impulse(squared * cone.backward(Vector3d::Unit(k)));
      const Vector3d E =
          compliance_.segment<3>(cone.row) + Vector3d::Constant(kContactDelta / cone.rho);
      const Matrix3d mixed = Matrix3d::Identity() + E.asDiagonal() * inverse;
      G_.contact[static_cast<std::size_t>(cone.row / 3)] = inverse * mixed.inverse();
    }
    VectorXd B = compliance_;
    for (const Bound& b : bounds_) B[b.row] += b.z / (b.p * b.rho);
    for (const Bound& b : bounds_)
      if (b.row < 3 * m)
        G_.contact[static_cast<std::size_t>(b.row / 3)](0, 0) =
            1 / (B[b.row] + kContactDelta / b.rho);
    for (const Index row : free_)
      G_.joint[static_cast<std::size_t>(row - 3 * m)] =
          1 / (B[row] + kJointDelta / effective_joint_mass(s, row - 3 * m));
    return rows_.factorize(G_);
  }

  // Directions of all variables for the present q.
  void solve() {
    r_ = -R_;
    for (const Cone& cone : cones_) r_.segment<3>(cone.row) += cone.forward(cone.q);
    for (const Bound& b : bounds_) r_[b.row] += b.sign * b.q;
    multiply(G_, r_, f_);
    rows_.solve(f_, d_, du_);
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
  double longest(double part) const {
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
  double gap(double alpha) const {
    double sum = 0;
    for (const Cone& cone : cones_) sum += (cone.a + alpha * cone.da).dot(cone.c + alpha * cone.dc);
    for (const Bound& b : bounds_) sum += (b.p + alpha * b.dp) * (b.z + alpha * b.dz);
    return sum;
  }

  void advance(double alpha) {
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

  // From the best point: Newton and sweeps in turns, as long as the option allows sweeps.
  void polish(const Problem& problem, Progress& progress) {
    const System& s = *system_;
    std::string path = "interior-point";
    const auto consider = [&](const VectorXd& x) {
      if (const double error = problem.own_error(x); error < best_error_) {
        best_error_ = error;
        best_ = x;
      }
    };
    ConeFunction function = ConeFunction::natural_map;
    long left = static_cast<long>(progress.number("polish"));
    for (long sweeps = 200; left > 0; sweeps *= 2) {
      progress.path(path += " > newton");
      const SemismoothEnd end =
          newton_.run(best_, function, kPolishEps, {0, kPolishPatience}, progress);
      if (end == SemismoothEnd::finished) return;
      consider(newton_.best());
      function = function == ConeFunction::natural_map ? ConeFunction::alart_curnier
                                                       : ConeFunction::natural_map;
      sweeps = std::min(sweeps, left);
      left -= sweeps;
      progress.path(path += " > nncg");
      const NncgOutcome swept = with_state(s, [&](auto& state) {
        return nncg(s, state, best_, Local::coulomb, true, sweeps, progress);
      });
      if (progress.finished()) return;
      consider(swept.best);
    }
    progress.finish(Status::stalled,
                    "steps became short or gained nothing, polishing did not reach the tolerance");
  }

  const System* system_ = nullptr;
  ImplicitRows<Space> rows_;
  SemismoothNewton<Space> newton_;
  RowSlopes G_;
  bool lagged_ = false;
  std::vector<Cone> cones_;
  std::vector<Bound> bounds_;
  std::vector<Index> free_;  // joint rows that may move
  VectorXd compliance_, x_, R_, r_, f_, d_, du_, best_;
  double best_error_ = 0;
};

}  // namespace

SolverInfo ncp_interior_point() {
  return solver<ConeProblem, EitherSpace<InteriorPoint>>(
      "ncp/interior-point",
      "interior point over second-order cones, Nesterov-Todd scaling, polished by Newton and NNCG",
      "Nesterov, Todd 1997; Mehrotra 1992; de Saxce, Feng 1998",
      {{"saxce",
        "the term mu |u_T|: in the Newton matrix, or lagged by an iteration",
        "monolithic",
        {"monolithic", "lagged"}},
       {"polish",
        "most NNCG sweeps after the interior point; 0: no polishing at all",
        "3000",
        {},
        0,
        1e7}});
}

}  // namespace perpend
