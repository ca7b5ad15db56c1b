#include "solve/kit/frictionless_rows.hpp"

#include <limits>

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPenalty = 1e7;  // as in bilateral_rows.cpp
constexpr int kRefinements = 8;
constexpr double kLeastGain = 4;  // of a refinement
// Rounds that may pass without a new least number of wrong rows.
constexpr int kPatience = 5;

}  // namespace

bool all_frictionless(const System& s) {
  if (s.contacts() == 0 || !(s.mu.array() == 0).all()) return false;
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const bool low = s.lower[j] == -kInfinity, high = s.upper[j] == kInfinity;
    const bool pushes = s.lower[j] == 0 && high, pulls = low && s.upper[j] == 0;
    if (!(low && high) && !pushes && !pulls) return false;
  }
  return true;
}

void FrictionlessRows::classify(const System& s) {
  kind_.assign(static_cast<std::size_t>(s.rows()), Kind::never);
  for (Index i = 0; i < s.contacts(); ++i) kind_[static_cast<std::size_t>(3 * i)] = Kind::pushes;
  for (Index j = 0; j < s.joint_rows(); ++j)
    kind_[static_cast<std::size_t>(3 * s.contacts() + j)] = s.lower[j] == 0   ? Kind::pushes
                                                            : s.upper[j] == 0 ? Kind::pulls
                                                                              : Kind::both_ways;
  slopes_.symmetric = true;
  slopes_.contact.assign(static_cast<std::size_t>(s.contacts()), Matrix3d::Zero());
  slopes_.joint.assign(static_cast<std::size_t>(s.joint_rows()), 0);
}

// A held row that pulls, or a free one that is violated.
bool FrictionlessRows::wrong(Index row, double tolerance) const {
  const Kind kind = kind_[static_cast<std::size_t>(row)];
  if (kind == Kind::both_ways || kind == Kind::never) return false;
  const double sign = kind == Kind::pushes ? 1 : -1;
  return slope_[row] > 0 ? sign * x_[row] < 0 : sign * y_[row] < -tolerance;
}

void FrictionlessRows::hold(Index row, bool held) {
  slope_[row] = held ? 1 / kappa_[row] : 0;
  if (!held) x_[row] = 0;
  const Index contacts = static_cast<Index>(slopes_.contact.size());
  if (row < 3 * contacts)
    slopes_.contact[static_cast<std::size_t>(row / 3)](0, 0) = slope_[row];
  else
    slopes_.joint[static_cast<std::size_t>(row - 3 * contacts)] = slope_[row];
}

template <class Space>
bool FrictionlessRows::run(const System& system, Space& space, Progress& progress) {
  classify(system);
  compliance_ = body_compliance(system);
  kappa_ = compliance_ + (kPenalty * effective_masses(system)).cwiseInverse();
  slope_.setZero(system.rows());
  x_.setZero(system.rows());
  const VectorXd start = progress.start();
  const auto evaluate = [&] {
    space.respond(x_, w_);
    space.velocity(w_, y_);
    y_ += compliance_.cwiseProduct(x_);
  };
  const auto of_held = [&] {
    double worst = 0;
    for (Index row = 0; row < y_.size(); ++row)
      if (slope_[row] > 0) worst = std::max(worst, std::abs(y_[row]));
    return worst;
  };
  evaluate();
  for (Index row = 0; row < x_.size(); ++row) {
    const Kind kind = kind_[static_cast<std::size_t>(row)];
    if (kind == Kind::never) continue;
    hold(row, kind == Kind::both_ways || start[row] != 0 || wrong(row, progress.tolerance()));
  }
  Index least = x_.size() + 1;
  for (int waited = 0; waited < kPatience; ++waited) {
    progress.count(Work::factorization);
    if (!space.factorize(slopes_)) return false;
    const auto step = [&] {
      change_ = y_.cwiseProduct(slope_);
      space.respond(change_, w_);
      space.step(w_, d_);
      space.differential(d_, change_);
      x_ -= (y_ + change_).cwiseProduct(slope_);
      evaluate();
    };
    step();
    Index count = 0;
    for (Index row = 0; row < x_.size(); ++row) count += wrong(row, progress.tolerance());
    if (count == 0) {
      double left = of_held();
      for (int k = 0; k < kRefinements && left > progress.tolerance() / 4; ++k) {
        const double before = left;
        step();
        left = of_held();
        if (!(left * kLeastGain < before)) break;
      }
      for (Index row = 0; row < x_.size(); ++row) count += wrong(row, progress.tolerance());
      if (!progress.next(x_, left)) return true;
      if (count == 0) return false;  // no more can be done by these rows
    } else if (!progress.next(x_, kInfinity)) {
      return true;
    }
    if (count < least) {
      least = count;
      waited = -1;
    }
    // Who is wrong is told by all before any is changed.
    std::vector<Index> rows;
    for (Index row = 0; row < x_.size(); ++row)
      if (wrong(row, progress.tolerance())) rows.push_back(row);
    for (const Index row : rows) hold(row, !(slope_[row] > 0));
    evaluate();
  }
  return false;
}

template bool FrictionlessRows::run(const System&, BodyNewtonSpace&, Progress&);
template bool FrictionlessRows::run(const System&, ImpulseNewtonSpace&, Progress&);

}  // namespace perpend
