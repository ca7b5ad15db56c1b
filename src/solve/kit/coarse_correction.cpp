#include "solve/kit/coarse_correction.hpp"

#include <algorithm>
#include <cmath>

#include "measure/box_sweep.hpp"

namespace perpend {
namespace {

constexpr double kInside = 1e-6;  // a friction row this part off its bound is within it
constexpr double kShift = 1e-10;  // of the diagonal: stresses that no free row sees
constexpr Index kMostAggregates = 150;

}  // namespace

CoarseCorrection::CoarseCorrection(const System& s) : system_(s), a_(std::get_if<BodySpace>(&s.A)) {
  if (!a_ || a_->contacts.empty()) return;
  const auto size = static_cast<std::size_t>(a_->bodies);
  std::vector<bool> moves(size, false);
  std::vector<std::vector<Index>> neighbours(size);
  for (const BodySpace::Contact& c : a_->contacts) {
    moves[static_cast<std::size_t>(c.first)] =
        moves[static_cast<std::size_t>(c.first)] || !c.w1.isZero(0);
    moves[static_cast<std::size_t>(c.second)] =
        moves[static_cast<std::size_t>(c.second)] || !c.w2.isZero(0);
  }
  for (const BodySpace::Contact& c : a_->contacts) {
    if (!moves[static_cast<std::size_t>(c.first)] || !moves[static_cast<std::size_t>(c.second)])
      continue;
    neighbours[static_cast<std::size_t>(c.first)].push_back(c.second);
    neighbours[static_cast<std::size_t>(c.second)].push_back(c.first);
  }
  // In the order of bodies: one that is in no aggregate yet begins one with those of its neighbours
  // that are in none.
  std::vector<Index> of_body(size, -1);
  for (std::size_t b = 0; b < size; ++b) {
    if (!moves[b] || of_body[b] >= 0) continue;
    of_body[b] = aggregates_;
    for (const Index n : neighbours[b])
      if (of_body[static_cast<std::size_t>(n)] < 0)
        of_body[static_cast<std::size_t>(n)] = aggregates_;
    ++aggregates_;
  }
  if (aggregates_ > kMostAggregates) {
    aggregates_ = 0;
    return;
  }
  for (const BodySpace::Contact& c : a_->contacts) {
    const bool second = moves[static_cast<std::size_t>(c.second)];
    aggregate_.push_back(of_body[static_cast<std::size_t>(second ? c.second : c.first)]);
    Matrix3d axes;  // rows n, t, o
    axes = second ? Matrix3d(c.j2.leftCols<3>()) : Matrix3d(-c.j1.leftCols<3>());
    const Vector3d n = axes.row(0).transpose();
    Eigen::Matrix<double, 3, 6> sigma_n;  // columns xx, yy, zz, yz, xz, xy
    sigma_n << n[0], 0, 0, 0, n[2], n[1], 0, n[1], 0, n[2], 0, n[0], 0, 0, n[2], n[1], n[0], 0;
    traction_.push_back(axes * sigma_n);
  }
  is_free_.assign(3 * a_->contacts.size(), 0);
}

bool CoarseCorrection::classify(const VectorXd& lambda) {
  bool changed = !factor_;
  for (Index i = 0; i < system_.contacts(); ++i) {
    const Eigen::Vector2d limits = friction_limits(system_, i, lambda[3 * i]);
    for (Index k = 0; k < 3; ++k) {
      const bool inside =
          k == 0 ? lambda[3 * i] > 0 : std::abs(lambda[3 * i + k]) < (1 - kInside) * limits[k - 1];
      char& known = is_free_[static_cast<std::size_t>(3 * i + k)];
      changed = changed || known != static_cast<char>(inside);
      known = static_cast<char>(inside);
    }
  }
  return changed;
}

CoarseCorrection::Traction CoarseCorrection::free(Index contact) const {
  Traction t = traction_[static_cast<std::size_t>(contact)];
  for (Index k = 0; k < 3; ++k)
    if (!is_free_[static_cast<std::size_t>(3 * contact + k)]) t.row(k).setZero();
  return t;
}

void CoarseCorrection::factorize() {
  // J^T P and M^-1 J^T P, body by body.
  const Index columns = 6 * aggregates_;
  Eigen::MatrixXd pull = Eigen::MatrixXd::Zero(6 * a_->bodies, columns), answer = pull;
  for (std::size_t i = 0; i < a_->contacts.size(); ++i) {
    const BodySpace::Contact& c = a_->contacts[i];
    const Traction t = free(static_cast<Index>(i));
    const Index at = 6 * aggregate_[i];
    pull.block<6, 6>(6 * c.first, at).noalias() += c.j1.transpose() * t;
    pull.block<6, 6>(6 * c.second, at).noalias() += c.j2.transpose() * t;
    answer.block<6, 6>(6 * c.first, at).noalias() += c.w1.transpose() * t;
    answer.block<6, 6>(6 * c.second, at).noalias() += c.w2.transpose() * t;
  }
  Eigen::MatrixXd coarse = pull.transpose() * answer;
  if (a_->cfm.size())
    for (std::size_t i = 0; i < a_->contacts.size(); ++i) {
      const Traction t = free(static_cast<Index>(i));
      coarse.block<6, 6>(6 * aggregate_[i], 6 * aggregate_[i]).noalias() +=
          t.transpose() * a_->cfm.segment<3>(3 * static_cast<Index>(i)).asDiagonal() * t;
    }
  const double shift = kShift * coarse.diagonal().maxCoeff();
  coarse.diagonal().array() += shift > 0 ? shift : 1;
  factor_ = std::make_unique<linear::DenseLu>(coarse);
}

void CoarseCorrection::apply(BodySpaceState& state) {
  if (classify(state.lambda())) factorize();
  VectorXd rest = VectorXd::Zero(6 * aggregates_);
  for (Index i = 0; i < system_.contacts(); ++i)
    rest.segment<6>(6 * aggregate_[static_cast<std::size_t>(i)]).noalias() -=
        free(i).transpose() * state.u(i);
  const VectorXd d = factor_->solve(rest);
  if (!d.allFinite()) return;
  for (Index i = 0; i < system_.contacts(); ++i)
    state.push(i, Vector3d(free(i) * d.segment<6>(6 * aggregate_[static_cast<std::size_t>(i)])));
}

}  // namespace perpend
