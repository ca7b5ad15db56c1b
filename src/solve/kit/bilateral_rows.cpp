#include "solve/kit/bilateral_rows.hpp"

#include <limits>

#include "measure/rounding.hpp"
#include "perpend/base.hpp"

namespace perpend {
namespace {

// Refinements belong to the iteration that they refine: Progress is asked where they have met the
// tolerance or gain no more.
//
// Rounding leaves about rho times 1e-16 of y in each step: in the middle between that and 1/rho.
constexpr double kPenalty = 1e7;
// A step that shrinks y by less than this is one of rounding, or the rows contradict each other.
constexpr double kLeastGain = 4;

}  // namespace

bool all_bilateral(const System& s) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return s.contacts() == 0 && s.joint_rows() > 0 && (s.lower.array() == -kInfinity).all() &&
         (s.upper.array() == kInfinity).all();
}

template <class Space>
bool BilateralRows::factorize(const System& system, Space& space) {
  return factorize(system, effective_masses(system), VectorXd::Ones(system.rows()), space);
}

template <class Space>
bool BilateralRows::factorize(const System& system, const VectorXd& masses, const VectorXd& held,
                              Space& space) {
  compliance_ = body_compliance(system);
  stiffness_ = held.cwiseQuotient(compliance_ + (kPenalty * masses).cwiseInverse());
  const Index m = system.contacts();
  slopes_.contact.resize(static_cast<std::size_t>(m));
  slopes_.joint.resize(static_cast<std::size_t>(system.joint_rows()));
  for (Index i = 0; i < m; ++i)
    slopes_.contact[static_cast<std::size_t>(i)] = stiffness_.segment<3>(3 * i).asDiagonal();
  for (Index j = 0; j < system.joint_rows(); ++j)
    slopes_.joint[static_cast<std::size_t>(j)] = stiffness_[3 * m + j];
  return space.factorize(slopes_);
}

template <class Space>
void BilateralRows::step(Space& space, const VectorXd& y, VectorXd& change) {
  change = y.cwiseProduct(stiffness_);
  space.step_against(change, d_);
  space.differential(d_, change);
  change = -(y + change).cwiseProduct(stiffness_);
}

template <class Space>
bool BilateralRows::run(const System& system, Space& space, Progress& progress) {
  progress.count(Work::factorization);
  if (!factorize(system, space)) return false;
  Sums sums = Sums::plain;
  const auto evaluate = [&] {
    if (sums == Sums::plain) {
      space.respond(x_, w_);
      space.velocity(w_, y_);
      y_ += compliance_.cwiseProduct(x_);
    } else {
      y_ = rounded_velocity(system, x_, sums).y;
    }
    return y_.template lpNorm<Eigen::Infinity>();
  };
  x_ = progress.start();
  for (double before = evaluate(), now = 0;; before = now) {
    step(space, y_, change_);
    x_ += change_;
    now = evaluate();
    const bool gains = now * kLeastGain < before;
    if (gains && now > progress.tolerance()) continue;
    if (!progress.next(x_, now)) return true;
    if (gains) continue;
    if (sums == Sums::compensated) break;
    sums = Sums::compensated;  // plain ones may hide what is left
    now = evaluate();
  }
  const double rounding = velocity_rounding(system, x_, Sums::plain).maxCoeff();
  const double left = y_.lpNorm<Eigen::Infinity>();
  if (!(left <= rounding)) return false;
  progress.finish(Status::stalled, "the error that is left, " + short_number(left) +
                                       " m/s, is within rounding, " + short_number(rounding));
  return true;
}

template bool BilateralRows::factorize(const System&, BodyNewtonSpace&);
template bool BilateralRows::factorize(const System&, const VectorXd&, const VectorXd&,
                                       BodyNewtonSpace&);
template void BilateralRows::step(BodyNewtonSpace&, const VectorXd&, VectorXd&);
template bool BilateralRows::run(const System&, BodyNewtonSpace&, Progress&);
template bool BilateralRows::run(const System&, ImpulseNewtonSpace&, Progress&);

}  // namespace perpend
