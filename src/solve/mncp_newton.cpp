// mncp/newton: nonsmooth Newton on the sparse mixed system, velocities and impulses unknown
// together (Lu et al. 2013, Table 2).
//
//   M w - J^T x = 0                                                (Lu et al. 2013, eq. 14, scaled)
//   Phi(x, y + e (x - c)) = 0,   y = J w + b                              (contact_function.hpp)
// Phi is Alart and Curnier's function (1991), lambda - p(lambda - r y), or the second-order cone's
// Fischer-Burmeister function with de Saxce's term; joint rows have the natural map or
// Fischer-Burmeister's. A Newton step solves, by sparse LU,
//   | M       -J^T            | |dw|     |J^T x - M w|
//   | Phi_y J  Phi_x + e Phi_y| |dx|  =  |   -Phi    |
// Rank deficiency (four contacts under a box, redundant joints) makes the matrix with e = 0
// singular. Hence the proximal term: e = 1/rho, c the centre, moved to x when the equations are
// solved to a tenth of the residual of the original ones (proximal point: Rockafellar 1976). Steps
// are shortened until |Phi|^2 is below the largest of the last kMemory (Grippo, Lampariello,
// Lucidi 1986), so that a full step may go up for a while; where none helps, a kink is near, and
// the derivatives at both ends of the failed step are averaged.
//
// What experiments on the small suite decided: r = 1 in scaled units stalls where contacts rest and
// the right-hand side is inconsistent by rounding, because opening one then changes lambda by 1e-2
// against velocities of 1e-10; r grows with rho. The centre goes back, after a failure, to the last
// one that was good, not to the best: impulses may have moved far at the same residual, and that
// motion is the progress. Where one function stalls the other takes over (function=auto): their
// kinks are at different places.
#include <deque>

#include "linear/sparse_cholesky.hpp"
#include "linear/sparse_lu.hpp"
#include "solve/kit/contact_function.hpp"
#include "solve/kit/mixed_cone.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kFirstPenalty = 10, kLowestPenalty = 1e-2, kHighestPenalty = 1e10;
constexpr double kSlope = 3e-3;  // r = max(1, kSlope rho)
constexpr double kInnerAccuracy = 0.1;
constexpr int kInnerLimit = 25, kEasyInner = 6;
constexpr double kGoodGain = 10;
constexpr double kTooMuchWorse = 20;  // growth of the residual that sends it back
// A proximal step may change impulses by about this many times their size.
constexpr double kReach = 3;
constexpr std::size_t kMemory = 4;
constexpr double kArmijo = 0.01;
constexpr int kHalvings = 6, kBlends = 3;
// Newton steps without halving the best residual that end a turn.
constexpr long kPatience = 400, kShortPatience = 120;

enum class Function { alart_curnier, fischer_burmeister };

class MixedNewton {
 public:
  MixedNewton(const MixedCone& problem, Progress& progress)
      : p_(problem),
        progress_(progress),
        Jt_(problem.J.transpose()),
        mass_(problem.M),
        slopes_(static_cast<std::size_t>(problem.contacts)),
        joint_slopes_(static_cast<std::size_t>(problem.lower.size())) {
    const VectorXd zero = VectorXd::Zero(p_.rows());
    x_ = p_.scaled(progress.start());
    respond();
    best_ = p_.residual(x_, y_);
    if (const double cold = p_.residual(zero, p_.b); cold < best_) {
      x_ = zero;
      best_ = cold;
    }
    best_x_ = x_;
  }

  // From the best point met so far; true when Progress ended it.
  bool run(Function function, long patience);

 private:
  enum class Inner { solved, failed, finished, stalled };
  struct Slopes {
    Matrix3d by_x, by_y;
  };
  struct JointSlopes {
    double by_x, by_y;
  };

  // w = M^-1 J^T x and y.
  void respond() {
    w_ = mass_.solve(VectorXd(Jt_ * x_));
    y_ = p_.J * w_ + p_.b + p_.c.cwiseProduct(x_);
  }
  VectorXd proximal(const VectorXd& x, const VectorXd& y) const { return y + e_ * (x - centre_); }
  // |Phi|^2 at x and its proximal y; `weight` of the derivatives there against those kept, 0: none.
  double evaluate(const VectorXd& x, const VectorXd& y, double weight);
  bool direction();
  bool step(double reference);
  bool shorten(double reference);
  Inner solve_inner(double outer, long patience);
  void go_back();

  const MixedCone& p_;
  Progress& progress_;
  SparseMatrix Jt_;
  linear::SparseCholesky mass_;
  linear::SparseLu lu_;
  Function function_ = Function::alart_curnier;
  std::vector<Slopes> slopes_;
  std::vector<JointSlopes> joint_slopes_;
  VectorXd x_, w_, y_, dx_, dw_, dy_, x_0_, w_0_, y_0_;
  VectorXd phi_, centre_, best_x_, good_x_;
  double e_ = 0, r_ = 1, residual_ = 0, best_ = 0, good_ = 0, mark_ = 0;
  long since_mark_ = 0;
  int inner_ = 0;
};

double MixedNewton::evaluate(const VectorXd& x, const VectorXd& y, double weight) {
  const bool fischer = function_ == Function::fischer_burmeister;
  phi_.resize(p_.rows());
  for (Index i = 0; i < p_.contacts; ++i) {
    const Vector3d a = x.segment<3>(3 * i), u = y.segment<3>(3 * i);
    const ContactFunction f = fischer ? scaled_fischer_burmeister(a, u, p_.mu[i], r_)
                                      : scaled_alart_curnier(a, u, p_.mu[i], r_);
    phi_.segment<3>(3 * i) = f.value;
    if (weight == 0) continue;
    Slopes& s = slopes_[static_cast<std::size_t>(i)];
    s.by_x = weight == 1 ? f.by_x : (weight * f.by_x + (1 - weight) * s.by_x).eval();
    s.by_y = weight == 1 ? f.by_u : (weight * f.by_u + (1 - weight) * s.by_y).eval();
  }
  for (Index j = 0; j < p_.lower.size(); ++j) {
    const Index at = 3 * p_.contacts + j;
    const auto law = fischer ? fischer_burmeister_row : natural_row;
    const RowFunction f = law(x[at], y[at], p_.lower[j], p_.upper[j], 1, r_);
    phi_[at] = f.value;
    if (weight == 0) continue;
    JointSlopes& s = joint_slopes_[static_cast<std::size_t>(j)];
    s.by_x = weight == 1 ? f.by_x : weight * f.by_x + (1 - weight) * s.by_x;
    s.by_y = weight == 1 ? f.by_y : weight * f.by_y + (1 - weight) * s.by_y;
  }
  return phi_.squaredNorm();
}

// dw, dx, dy for phi_ at the derivatives kept.
bool MixedNewton::direction() {
  const Index n = p_.velocities(), m = p_.rows();
  std::vector<Eigen::Triplet<double>> entries;
  const auto put = [&](Index row, Index column, double value) {
    if (value != 0) entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  };
  for (Index k = 0; k < n; ++k)
    for (SparseMatrix::InnerIterator it(p_.M, k); it; ++it) put(k, it.col(), it.value());
  for (Index k = 0; k < m; ++k)
    for (SparseMatrix::InnerIterator it(p_.J, k); it; ++it) put(it.col(), n + k, -it.value());
  for (Index i = 0; i < p_.contacts; ++i) {
    const Slopes& s = slopes_[static_cast<std::size_t>(i)];
    for (Index a = 0; a < 3; ++a)
      for (Index b = 0; b < 3; ++b) {
        const Index row = n + 3 * i + a, of = 3 * i + b;
        if (s.by_y(a, b) != 0)
          for (SparseMatrix::InnerIterator it(p_.J, of); it; ++it)
            put(row, it.col(), s.by_y(a, b) * it.value());
        put(row, n + of, s.by_x(a, b) + s.by_y(a, b) * (p_.c[of] + e_));
      }
  }
  for (Index j = 0; j < p_.lower.size(); ++j) {
    const JointSlopes& s = joint_slopes_[static_cast<std::size_t>(j)];
    const Index at = 3 * p_.contacts + j;
    if (s.by_y != 0)
      for (SparseMatrix::InnerIterator it(p_.J, at); it; ++it)
        put(n + at, it.col(), s.by_y * it.value());
    put(n + at, n + at, s.by_x + s.by_y * (p_.c[at] + e_));
  }
  SparseMatrix matrix(n + m, n + m);
  matrix.setFromTriplets(entries.begin(), entries.end());
  progress_.count(Work::factorization);
  if (!lu_.factorize(matrix)) return false;
  VectorXd d(n + m);
  d << VectorXd(Jt_ * x_) - p_.M * w_, -phi_;
  lu_.solve(d);
  if (!d.allFinite()) return false;
  dw_ = d.head(n);
  dx_ = d.tail(m);
  dy_ = p_.J * dw_ + p_.c.cwiseProduct(dx_);
  return true;
}

// Halves the step until |Phi|^2 falls below the reference; the last trial stays.
bool MixedNewton::shorten(double reference) {
  double a = 1;
  for (int k = 0; k < kHalvings; ++k, a *= 0.5) {
    x_ = x_0_ + a * dx_;
    w_ = w_0_ + a * dw_;
    y_ = y_0_ + a * dy_;
    if (evaluate(x_, proximal(x_, y_), 0) <= (1 - kArmijo * a) * reference) return true;
  }
  return false;
}

bool MixedNewton::step(double reference) {
  x_0_ = x_;
  w_0_ = w_;
  y_0_ = y_;
  for (int k = 0; direction(); ++k) {
    if (shorten(reference)) return true;
    if (k == kBlends) break;
    // The far end of the step that failed is what the derivative missed.
    const VectorXd far = x_0_ + dx_;
    evaluate(far, proximal(far, y_0_ + dy_), 0.5);
    x_ = x_0_;
    w_ = w_0_;
    y_ = y_0_;
    evaluate(x_, proximal(x_, y_), 0);
  }
  x_ = x_0_;
  w_ = w_0_;
  y_ = y_0_;
  return false;
}

MixedNewton::Inner MixedNewton::solve_inner(double outer, long patience) {
  std::deque<double> merits;
  for (inner_ = 0; inner_ < kInnerLimit; ++inner_) {
    merits.push_back(evaluate(x_, proximal(x_, y_), 1));
    if (merits.size() > kMemory) merits.pop_front();
    if (inner_ > 0 && p_.residual(x_, proximal(x_, y_)) <= kInnerAccuracy * outer)
      return Inner::solved;
    const bool moved = step(*std::max_element(merits.begin(), merits.end()));
    residual_ = p_.residual(x_, y_);
    if (residual_ < best_) {
      best_ = residual_;
      best_x_ = x_;
    }
    ++since_mark_;
    if (best_ < 0.5 * mark_) {
      mark_ = best_;
      since_mark_ = 0;
    }
    if (!progress_.next(p_.unknowns(w_, x_), residual_)) return Inner::finished;
    if (since_mark_ >= patience) return Inner::stalled;
    if (!moved) return Inner::failed;
  }
  return Inner::failed;
}

void MixedNewton::go_back() {
  x_ = good_x_;
  respond();
  residual_ = good_;
}

bool MixedNewton::run(Function function, long patience) {
  function_ = function;
  x_ = good_x_ = best_x_;
  respond();
  residual_ = good_ = mark_ = best_;
  since_mark_ = 0;
  double rho = kFirstPenalty, ceiling = kHighestPenalty, outer = residual_;
  while (rho >= kLowestPenalty) {
    e_ = 1 / rho;
    r_ = std::max(1.0, kSlope * rho);
    centre_ = x_;
    const Inner end = solve_inner(outer, patience);
    if (end == Inner::finished) return true;
    if (end == Inner::stalled) return false;
    const bool solved = end == Inner::solved;
    if (solved && residual_ <= 2 * best_) {
      good_x_ = x_;
      good_ = residual_;
    }
    const bool too_much_worse = residual_ > kTooMuchWorse * best_;
    if (too_much_worse) go_back();
    if (!solved) ceiling = rho / 3;
    if (!solved || too_much_worse) {
      rho /= 10;
    } else if (residual_ * kGoodGain > outer && inner_ <= kEasyInner) {
      const double reach =
          std::max(100.0, kReach * x_.lpNorm<Eigen::Infinity>() / (residual_ * p_.d.maxCoeff()));
      rho = std::max(std::min(rho, 3 * reach), std::min({10 * rho, ceiling, reach}));
      ceiling = std::min(3 * ceiling, kHighestPenalty);
    }
    outer = residual_;
  }
  return false;
}

void run(const MixedConeProblem& problem, Progress& progress) {
  const MixedCone scaled(problem);
  MixedNewton newton(scaled, progress);
  const std::string_view function = progress.choice("function");
  if (function == "auto") {
    progress.path("alart-curnier");
    if (newton.run(Function::alart_curnier, kShortPatience)) return;
    progress.restarted();
    progress.path("alart-curnier > fischer-burmeister");
    if (newton.run(Function::fischer_burmeister, kPatience)) return;
    progress.restarted();
    progress.path("alart-curnier > fischer-burmeister > alart-curnier");
    if (newton.run(Function::alart_curnier, kPatience)) return;
  } else {
    progress.path(function);
    if (newton.run(
            function == "alart-curnier" ? Function::alart_curnier : Function::fischer_burmeister,
            kPatience))
      return;
  }
  progress.finish(Status::stalled, "the residual does not fall");
}

}  // namespace

SolverInfo mncp_newton() {
  return solver(
      "mncp/newton", "nonsmooth Newton on the sparse system of velocities and impulses",
      "Lu et al. 2013, Table 2; Alart, Curnier 1991; Fukushima, Luo, Tseng 2002", run,
      {{"function",
        "the equation that is solved; auto: alart-curnier, and fischer-burmeister where it stalls",
        "auto",
        {"auto", "alart-curnier", "fischer-burmeister"}}});
}

}  // namespace perpend
