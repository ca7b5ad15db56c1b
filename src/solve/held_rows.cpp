// Rows that hold, as equations.
//
// At the impulses of the step before every contact is open, sticks or slides by its natural map
// (natural_map.hpp), every joint row is free or at a bound. Where nothing slides and nobody
// changes, the answer is that of A lambda + b = 0 in the rows that hold, found by the proximal
// steps of bilateral_rows.hpp with one factor. Whether nobody changed is asked of the answer, by
// the same error as everywhere.
//
// A start that meets the tolerance is taken only if it will do so for some steps to come. What it
// leaves of a velocity is there in the next step, and again as a gap: with impulses l beside those
// of rest y is l, 3 l, 6 l ... A start just below the tolerance is followed by two solves, of which
// the second one's impulses stop what the first one set going, and are again such a start. An exact
// solve in its place ends that: from then on starts are as good as numbers are.
#include "perpend/solve/held_rows.hpp"

#include <cmath>
#include <limits>

#include "linear/interrupt.hpp"
#include "measure/natural_map.hpp"
#include "measure/rounding.hpp"
#include "measure/tangential.hpp"
#include "measure/terms.hpp"
#include "solve/effort.hpp"
#include "solve/kit/bilateral_rows.hpp"

namespace perpend {
namespace {

constexpr double kNear = 1e-3;  // of the largest free velocity
constexpr double kAhead = 6;    // steps
constexpr int kSteps = 6;       // proximal ones
constexpr double kLeastGain = 4;
constexpr double kLastBits = 4 * std::numeric_limits<double>::epsilon();  // of an impulse
// Of the tolerance: where steps end, in general and where the same rows are to hold again.
constexpr double kEnough = 0.1, kExact = 0.01;

}  // namespace

struct HeldRows::Parts {
  BodyNewtonSpace space;
  BilateralRows rows;
  VectorXd held;       // of each row: 1, or 0 where its impulse is given
  VectorXd masses;     // of each row, effective
  VectorXd residuals;  // of contacts and joint rows, m/s
  VectorXd x, y, w, before, change;
  bool slides = false, all = false;  // all: and factorized

  double sort(const System&);
  double rounding(const System&, const VectorXd& delta) const;
  bool stays(const System&, double tolerance);
  double last_bits() const;
  bool solve(const System&, double enough);
  void evaluate(const System&);
  std::optional<Result> judged(const System&, const Options&, const char* path) const;
};

// Who holds at x with velocities y; the impulses of the others are put where they belong. The
// largest residual, m/s.
double HeldRows::Parts::sort(const System& s) {
  slides = false;
  residuals.resize(s.contacts() + s.joint_rows());
  held.setOnes(s.rows());
  for (Index i = 0; i < s.contacts(); ++i) {
    ConeRegion region;
    const Vector3d residual =
        coulomb_residual(x.segment<3>(3 * i), y.segment<3>(3 * i), s.mu[i], masses[3 * i], &region);
    residuals[i] = length(residual);
    slides |= region == ConeRegion::slide;
    if (region == ConeRegion::open) held.segment<3>(3 * i).setZero();
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * s.contacts() + j;
    const double rho = masses[row];
    const double least = (x[row] - s.upper[j]) / rho, most = (x[row] - s.lower[j]) / rho;
    const bool bound = y[row] < least || y[row] > most;
    residuals[s.contacts() + j] = std::abs(y[row] < least ? least : y[row] > most ? most : y[row]);
    if (bound) held[row] = 0;
  }
  return residuals.maxCoeff();
}

// What rounding may add to the largest residual where velocities are off by delta.
double HeldRows::Parts::rounding(const System& s, const VectorXd& delta) const {
  double most = 0;
  for (Index i = 0; i < s.contacts(); ++i)
    most = std::max(most, contact_rounding(residuals[i], y.segment<3>(3 * i),
                                           delta.segment<3>(3 * i), s.mu[i]));
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * s.contacts() + j;
    const double rho = masses[row];
    most = std::max(most, rounded_row(y[row], delta[row], (x[row] - s.upper[j]) / rho,
                                      (x[row] - s.lower[j]) / rho)
                              .rounding);
  }
  return most;
}

// What the last bits of the impulses make of velocities, m/s.
double HeldRows::Parts::last_bits() const {
  return kLastBits * x.cwiseAbs().cwiseQuotient(masses).maxCoeff();
}

// With the same impulses in the next steps.
bool HeldRows::Parts::stays(const System& s, double tolerance) {
  if (s.c.size() != s.rows()) return true;
  space.differential(s.dynamics->velocity, before);
  if (s.carried.size()) before += s.carried;
  for (Index row = 0; row < s.rows(); ++row) {
    if (held[row] == 0) continue;
    const double speed = y[row] - s.c[row], gain = std::abs(speed - before[row]);
    const double later =
        std::abs(y[row]) + kAhead * (gain + std::abs(speed)) + kAhead * kAhead / 2 * gain;
    if (!(later <= tolerance)) return false;
  }
  return true;
}

void HeldRows::Parts::evaluate(const System& s) {
  space.respond(x, w);
  space.velocity(w, y);
  if (const VectorXd& cfm = std::get<BodySpace>(s.A).cfm; cfm.size()) y += cfm.cwiseProduct(x);
}

// From x and y on. False: there is no factor, or steps gain nothing.
bool HeldRows::Parts::solve(const System& s, double enough) {
  bool moved = false;
  const auto put = [&](Index row, double impulse) {
    moved |= x[row] != impulse;
    x[row] = impulse;
  };
  for (Index row = 0; row < s.rows(); ++row) {
    const Index j = row - 3 * s.contacts();
    if (held[row] == 0) put(row, j < 0 ? 0 : y[row] > 0 ? s.lower[j] : s.upper[j]);
  }
  if (!x.allFinite() || !rows.factorize(s, masses, held, space)) return false;
  if (moved) evaluate(s);
  const auto left = [&] { return y.cwiseProduct(held).lpNorm<Eigen::Infinity>(); };
  enough = std::max(enough, last_bits());  // no step can mend those
  double before_step = left();
  for (int k = 0; k < kSteps && before_step > enough; ++k) {
    rows.step(space, y, change);
    x += change;
    evaluate(s);
    const double now = left();
    const bool gains = now * kLeastGain < before_step;
    before_step = now;
    if (!gains) break;
  }
  return x.allFinite();
}

std::optional<Result> HeldRows::Parts::judged(const System& s, const Options& options,
                                              const char* path) const {
  Bounded found{residuals.maxCoeff(), 0};
  if (!(found.error <= options.tolerance)) return {};
  const RowMagnitudes sizes = row_magnitudes(s, x);
  found.rounding = sizes.least() <= options.tolerance
                       ? rounding(s, velocity_rounding(s, sizes, Sums::plain))
                       : std::numeric_limits<double>::infinity();
  if (!(found.error + found.rounding <= options.tolerance))
    found = bounded_velocity_error(s, x, sizes, masses);
  if (!(found.error + found.rounding <= options.tolerance)) return {};
  Result r;
  r.status = Status::converged;
  r.message = "the velocity error meets the tolerance";
  r.path = path;
  r.impulses = x;
  r.errors[Measure::own_error] = r.errors[Measure::velocity_error] = found.error;
  r.errors[Measure::rms_violation] =
      residuals.norm() / std::sqrt(static_cast<double>(residuals.size()));
  if (measure_terms::knows_penetration(s))
    r.errors[Measure::max_penetration] = measure_terms::max_penetration(s, x, y);
  r.errors[Measure::energy_change] = measure_terms::energy_of_change(s, w);
  return r;
}

HeldRows::HeldRows() = default;
HeldRows::~HeldRows() = default;
HeldRows::HeldRows(HeldRows&&) noexcept = default;
HeldRows& HeldRows::operator=(HeldRows&&) noexcept = default;

std::optional<Result> HeldRows::answer(const System& s, const Impulses& start,
                                       const Options& options) {
  if (!parts_) parts_ = std::make_unique<Parts>();
  Parts& p = *parts_;
  p.all = false;
  if (!s.groups.empty() || s.rows() == 0 || !p.space.prepare(s)) return {};
  const double operations = linear::Interrupt::operations();
  p.masses = effective_masses(s);
  p.x = start.size() ? start : VectorXd::Zero(s.rows()).eval();
  p.evaluate(s);
  if (!p.y.allFinite()) return {};
  const bool all = all_bilateral(s);
  if (all) p.held.setOnes(s.rows());
  const double error = all ? 0 : p.sort(s);
  if (!all && !(error < kNear * s.b.lpNorm<Eigen::Infinity>())) return {};
  if (!all && error <= options.tolerance && (p.slides || p.stays(s, options.tolerance)))
    return p.judged(s, options, "start");
  if (p.slides || !p.solve(s, (all ? kEnough : kExact) * options.tolerance)) return {};
  p.sort(s);
  std::optional<Result> r = p.judged(s, options, all ? "linear" : "held");
  if (!r) return r;
  p.all = all;
  r->iterations = 1;
  r->work[static_cast<std::size_t>(Work::factorization)] = 1;
  const WorkCosts costs = work_costs(s);
  r->sweeps = costs.sweeps[static_cast<std::size_t>(Work::factorization)] +
              costs.operation * (linear::Interrupt::operations() - operations);
  return r;
}

bool HeldRows::hold_all(const System& s) {
  if (!parts_) parts_ = std::make_unique<Parts>();
  Parts& p = *parts_;
  return p.all = all_bilateral(s) && p.space.prepare(s) && p.rows.factorize(s, p.space);
}

const VectorXd& HeldRows::change() const { return parts_->w; }

bool HeldRows::all() const { return parts_ && parts_->all; }

void HeldRows::step(const VectorXd& y, VectorXd& change) {
  parts_->rows.step(parts_->space, y, change);
}

void HeldRows::respond(const Impulses& impulses) { parts_->space.respond(impulses, parts_->w); }

const VectorXd& HeldRows::velocities(const System& s, const Impulses& impulses) {
  parts_->x = impulses;
  parts_->evaluate(s);
  return parts_->y;
}

}  // namespace perpend
