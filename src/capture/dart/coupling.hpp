// Two joints of one coordinate each that move together, q = ratio q' + offset: what is needed for
// that pushes both. DART's own mimic joint pushes the one that follows and not the one it follows.
#pragma once

#include <dart/constraint/ConstraintBase.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Joint.hpp>

namespace perpend::capture::from_dart {

class Coupling : public dart::constraint::ConstraintBase {
 public:
  Coupling(dart::dynamics::Joint& follower, dart::dynamics::Joint& leader, double ratio,
           double offset);

 private:
  void update() override {}
  bool isActive() const override { return true; }
  void getInformation(dart::constraint::ConstraintInfo*) override;
  void applyUnitImpulse(std::size_t) override;
  void getVelocityChange(double* change, bool with_cfm) override;
  void excite() override;
  void unexcite() override;
  void applyImpulse(double* impulse) override;
  dart::dynamics::SkeletonPtr getRootSkeleton() const override;
  void uniteSkeletons() override;

  dart::dynamics::Joint &follower_, &leader_;
  const double ratio_, offset_;
};

}  // namespace perpend::capture::from_dart
