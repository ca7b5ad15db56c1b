#include "solve/kit/frictionless_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPenalty = 1e7;  // as in bilateral_rows.cpp
constexpr int kRefinements = 8;
constexpr double kLeastGain = 4;  // of a refinement
// Up to so many contacts all take part in the matrix: to analyse its graph anew costs more than
// fill.
constexpr Index kAllTakePart = 1000;
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
  chosen_.assign(static_cast<std::size_t>(s.contacts()), 0);
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
  if (!held || row >= 3 * static_cast<Index>(chosen_.size())) return;
  char& chosen = chosen_[static_cast<std::size_t>(row / 3)];
  more_ |= !chosen;
  chosen = 1;
}

// The rows of a vector that the part has.
void FrictionlessRows::gather(const VectorXd& all, VectorXd& of_part) const {
  const auto count = static_cast<Index>(contacts_.size());
  const Index joints = all.size() - 3 * static_cast<Index>(chosen_.size());
  of_part.setZero(3 * count + joints);
  for (Index k = 0; k < count; ++k)
    of_part[3 * k] = all[3 * contacts_[static_cast<std::size_t>(k)]];
  of_part.tail(joints) = all.tail(joints);
}

void FrictionlessRows::gather(const System& s, bool in_part) {
  contacts_.clear();
  for (Index i = 0; i < s.contacts(); ++i)
    if (chosen_[static_cast<std::size_t>(i)]) contacts_.push_back(i);
  more_ = false;
  if (!in_part) return;
  const BodySpace& from = std::get<BodySpace>(s.A);
  BodySpace to;
  to.bodies = from.bodies;
  to.joints = from.joints;
  to.others = from.others;
  for (const Index i : contacts_) to.contacts.push_back(from.contacts[static_cast<std::size_t>(i)]);
  part_.A = std::move(to);
  part_.b.setZero(3 * static_cast<Index>(contacts_.size()) + s.joint_rows());
  bodies_.prepare(part_);
}

template <class Space>
bool FrictionlessRows::run(const System& system, Space& space, Progress& progress) {
  classify(system);
  compliance_ = body_compliance(system);
  kappa_ = compliance_ + (kPenalty * effective_masses(system)).cwiseInverse();
  slope_.setZero(system.rows());
  x_ = progress.start();
  for (Index row = 0; row < x_.size(); ++row) {
    const Kind kind = kind_[static_cast<std::size_t>(row)];
    if (kind == Kind::never) x_[row] = 0;
    if (kind == Kind::pushes) x_[row] = std::max(x_[row], 0.0);
    if (kind == Kind::pulls) x_[row] = std::min(x_[row], 0.0);
  }
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
    hold(row, kind == Kind::both_ways || x_[row] != 0 || wrong(row, progress.tolerance()));
  }
  Space* matrix = nullptr;
  if constexpr (std::is_same_v<Space, BodyNewtonSpace>) {
    if (system.contacts() > kAllTakePart) {
      part_.dynamics = system.dynamics;
      matrix = &bodies_;
    }
  }
  const bool in_part = matrix;
  if (!in_part) {
    chosen_.assign(chosen_.size(), 1);
    matrix = &space;
  }
  more_ = true;
  Index least = x_.size() + 1;
  for (int waited = 0; waited < kPatience; ++waited) {
    progress.count(Work::factorization);
    if (more_) gather(system, in_part);
    gather(slope_, slope_part_);
    slopes_.contact.assign(contacts_.size(), Matrix3d::Zero());
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      slopes_.contact[k](0, 0) = slope_part_[3 * static_cast<Index>(k)];
    slopes_.joint.assign(slope_part_.data() + 3 * contacts_.size(),
                         slope_part_.data() + slope_part_.size());
    if (!matrix->factorize(slopes_)) return false;
    const auto step = [&] {
      gather(y_, y_part_);
      change_ = y_part_.cwiseProduct(slope_part_);
      matrix->respond(change_, w_);
      matrix->step(w_, d_);
      matrix->differential(d_, change_);
      change_ = (y_part_ + change_).cwiseProduct(slope_part_);
      for (std::size_t k = 0; k < contacts_.size(); ++k)
        x_[3 * contacts_[k]] -= change_[3 * static_cast<Index>(k)];
      x_.tail(system.joint_rows()) -= change_.tail(system.joint_rows());
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
