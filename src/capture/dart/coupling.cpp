#include "capture/dart/coupling.hpp"

#include <array>
#include <dart/dynamics/Skeleton.hpp>

namespace perpend::capture::from_dart {

Coupling::Coupling(dart::dynamics::Joint& follower, dart::dynamics::Joint& leader, double ratio,
                   double offset)
    : follower_(follower), leader_(leader), ratio_(ratio), offset_(offset) {
  mDim = 1;
}

// All of the error is to be gone after the step.
void Coupling::getInformation(dart::constraint::ConstraintInfo* info) {
  const double error = follower_.getPosition(0) - ratio_ * leader_.getPosition(0) - offset_;
  const double speed = follower_.getVelocity(0) - ratio_ * leader_.getVelocity(0);
  info->b[0] = -error * info->invTimeStep - speed;
  info->lo[0] = -dart::math::constantsd::inf();
  info->hi[0] = dart::math::constantsd::inf();
  info->w[0] = 0;
  info->x[0] = 0;
  info->findex[0] = -1;
}

void Coupling::applyUnitImpulse(std::size_t) {
  const dart::dynamics::SkeletonPtr one = follower_.getSkeleton(), other = leader_.getSkeleton();
  dart::dynamics::BodyNode &on = *follower_.getChildBodyNode(), &from = *leader_.getChildBodyNode();
  const Eigen::Vector6d none = Eigen::Vector6d::Zero();
  one->clearConstraintImpulses();
  if (other != one) other->clearConstraintImpulses();
  follower_.setConstraintImpulse(0, 1);
  leader_.setConstraintImpulse(0, -ratio_);
  if (one == other) {
    one->updateBiasImpulse(&on, none, &from, none);
    one->updateVelocityChange();
  } else {
    one->updateBiasImpulse(&on);
    one->updateVelocityChange();
    other->updateBiasImpulse(&from);
    other->updateVelocityChange();
  }
  follower_.setConstraintImpulse(0, 0);
  leader_.setConstraintImpulse(0, 0);
}

void Coupling::getVelocityChange(double* change, bool with_cfm) {
  constexpr double kCfm = 1e-9;  // as DART's own constraints have it
  const auto of = [](const dart::dynamics::Joint& joint) {
    return joint.getSkeleton()->isImpulseApplied() ? joint.getVelocityChange(0) : 0.0;
  };
  change[0] = of(follower_) - ratio_ * of(leader_);
  if (with_cfm) change[0] *= 1 + kCfm;
}

void Coupling::excite() {
  follower_.getSkeleton()->setImpulseApplied(true);
  leader_.getSkeleton()->setImpulseApplied(true);
}

void Coupling::unexcite() {
  follower_.getSkeleton()->setImpulseApplied(false);
  leader_.getSkeleton()->setImpulseApplied(false);
}

void Coupling::applyImpulse(double* impulse) {
  follower_.setConstraintImpulse(0, follower_.getConstraintImpulse(0) + impulse[0]);
  leader_.setConstraintImpulse(0, leader_.getConstraintImpulse(0) - ratio_ * impulse[0]);
}

dart::dynamics::SkeletonPtr Coupling::getRootSkeleton() const {
  return ConstraintBase::getRootSkeleton(follower_.getSkeleton());
}

void Coupling::uniteSkeletons() {
  const dart::dynamics::SkeletonPtr one = compressPath(follower_.getSkeleton()),
                                    other = compressPath(leader_.getSkeleton());
  if (one == other) return;
  const dart::dynamics::SkeletonPtr &large = one->mUnionSize < other->mUnionSize ? other : one,
                                    &small = &large == &one ? other : one;
  small->mUnionRootSkeleton = large;
  large->mUnionSize += small->mUnionSize;
}

}  // namespace perpend::capture::from_dart
