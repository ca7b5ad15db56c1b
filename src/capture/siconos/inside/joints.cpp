#include "capture/siconos/inside/joints.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <siconos/kernel/BlockVector.hpp>
#include <siconos/kernel/EqualityConditionNSL.hpp>
#include <siconos/kernel/NewtonImpactNSL.hpp>
#include <siconos/kernel/RelayNSL.hpp>
#include <siconos/kernel/SimpleMatrix.hpp>
#include <siconos/kernel/Simulation.hpp>
#include <siconos/mechanics/FixedJointR.hpp>
#include <siconos/mechanics/JointStopR.hpp>
#include <siconos/mechanics/KneeJointR.hpp>
#include <siconos/mechanics/PivotJointR.hpp>
#include <siconos/mechanics/PrismaticJointR.hpp>

namespace perpend::capture::from_siconos {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond turn_of(const SiconosVector& q) {
  return {q.getValue(3), q.getValue(4), q.getValue(5), q.getValue(6)};
}

SP::SiconosVector vector(const Vector3d& v) {
  auto out = std::make_shared<SiconosVector>(3);
  for (unsigned i = 0; i < 3; ++i) out->setValue(i, v[i]);
  return out;
}

class EulerJointR : public KneeJointR {
 public:
  EulerJointR(const Vector3d& point, const Quaterniond& frame, const SP::NewtonEulerDS& first,
              const SP::NewtonEulerDS& second)
      : KneeJointR(vector(point), true, first ? first : second,
                   first ? second : SP::NewtonEulerDS()),
        one_stands_(!first || !second),
        first_stands_(!first),
        in_first_(first ? turn_of(*first->q()).conjugate() * frame : frame),
        in_second_(second ? turn_of(*second->q()).conjugate() * frame : frame) {}

  unsigned int numberOfDoF() override { return 3; }
  DoF_Type typeOfDoF(unsigned int) override { return DOF_TYPE_ANGULAR; }

  void computehDoF(double, const BlockVector& q, SiconosVector& y, unsigned int axis) override {
    y.setValue(0, angles(turned(q))[axis]);
  }

  // The angle's gradient by the angular velocities, in the bodies' own axes, as one by quaternions:
  // g omega = 2 g vec(conj(q) dq/dt).
  void computeJachqDoF(double, Interaction&, SP::BlockVector q, SimpleMatrix& out,
                       unsigned int axis) override {
    const Orientations at = turned(*q);
    const Vector3d abc = angles(at);
    const Matrix3d rz = Eigen::AngleAxisd(abc[2], Vector3d::UnitZ()).toRotationMatrix();
    const Matrix3d ry = Eigen::AngleAxisd(abc[1], Vector3d::UnitY()).toRotationMatrix();
    Matrix3d spins;  // of the second relative to the first, in the joint's axes at the first
    spins << (rz * ry).col(0), rz.col(1), Vector3d::UnitZ();
    const Vector3d in_world =
        at.first * (in_first_ * Vector3d(spins.inverse().row(axis).transpose()));
    out.zero();
    unsigned block = 0;
    const auto add = [&](const Quaterniond& turn, double sign) {
      const Vector3d g = sign * (turn.conjugate() * in_world);
      out.setValue(0, 7 * block + 3, -2 * g.dot(turn.vec()));
      const Vector3d by_vector = 2 * (turn.w() * g - g.cross(turn.vec()));
      for (unsigned k = 0; k < 3; ++k) out.setValue(0, 7 * block + 4 + k, by_vector[k]);
      ++block;
    };
    if (!first_stands_) add(at.first, -1);
    if (first_stands_ || !one_stands_) add(at.second, 1);
  }

 private:
  struct Orientations {
    Quaterniond first, second;
  };
  Orientations turned(const BlockVector& q) const {
    const auto block = [&](unsigned i) { return turn_of(*q.getAllVect()[i]); };
    const Quaterniond still = Quaterniond::Identity();
    if (!one_stands_) return {block(0), block(1)};
    return first_stands_ ? Orientations{still, block(0)} : Orientations{block(0), still};
  }
  Vector3d angles(const Orientations& at) const {
    const Matrix3d r =
        ((at.first * in_first_).conjugate() * (at.second * in_second_)).toRotationMatrix();
    return {std::atan2(r(2, 1), r(2, 2)), -std::asin(std::clamp(r(2, 0), -1.0, 1.0)),
            std::atan2(r(1, 0), r(0, 0))};
  }

  bool one_stands_, first_stands_;
  Quaterniond in_first_, in_second_;  // the joint's axes in those of the bodies
};

}  // namespace

void JointProblem::computeqBlock(InteractionsGraph::VDescriptor& vertex, unsigned int pos) {
  GenericMechanical::computeqBlock(vertex, pos);
  const SP::Interaction inter = simulation()->indexSet(indexSetLevel())->bundle(vertex);
  if (const auto* motor = dynamic_cast<const MotorR*>(inter->relation().get()))
    _q->setValue(pos, _q->getValue(pos) + motor->speed());  // its row is the joint's, negated
}

MotorR::MotorR(SP::NewtonEulerJointR joint, unsigned int axis, double speed)
    : JointFrictionR(joint, axis), speed_(speed) {}

void MotorR::computeh(double, const BlockVector&, SiconosVector& y) { y.setValue(0, -1e9); }

Motion::Motion(std::function<std::array<double, 6>(double)> velocity, const NewtonEulerDS& body)
    : BoundaryCondition(
          std::make_shared<std::vector<unsigned int>>(std::vector<unsigned int>{0, 1, 2, 3, 4, 5}),
          std::make_shared<SiconosVector>(6)),
      velocity_(std::move(velocity)),
      body_(body) {}

void Motion::computePrescribedVelocity(double time) {
  const std::array<double, 6> v = velocity_(time);
  const Vector3d own = turn_of(*body_.q()).conjugate() * Vector3d(v[3], v[4], v[5]);
  for (unsigned i = 0; i < 3; ++i) {
    _prescribedVelocity->setValue(i, v[i]);
    _prescribedVelocity->setValue(3 + i, own[i]);
  }
}

std::vector<SP::Interaction> make_joint(const SiconosScene::Joint& joint, double h,
                                        const SP::NewtonEulerDS& first,
                                        const SP::NewtonEulerDS& second) {
  using Type = SiconosScene::Joint::Type;
  const Vector3d point(joint.pose[0], joint.pose[1], joint.pose[2]);
  const Quaterniond frame(joint.pose[3], joint.pose[4], joint.pose[5], joint.pose[6]);
  // Siconos counts an angle or a way of its second body relative to its first, which is never the
  // world.
  const SP::NewtonEulerDS& one = first ? first : second;
  const SP::NewtonEulerDS other = first ? second : SP::NewtonEulerDS();
  const Vector3d axis = (first ? 1.0 : -1.0) * (frame * Vector3d::UnitZ());
  SP::NewtonEulerJointR made;
  switch (joint.type) {
    case Type::hinge:
      made = std::make_shared<PivotJointR>(vector(point), vector(axis), true, one, other);
      break;
    case Type::slider:
      made = std::make_shared<PrismaticJointR>(vector(axis), true, one, other);
      break;
    case Type::point:
      made = std::make_shared<KneeJointR>(vector(point), true, one, other);
      break;
    case Type::fixed:
      made = std::make_shared<FixedJointR>(one, other);
      break;
    case Type::rotations:
      made = std::make_shared<EulerJointR>(point, frame, first, second);
      break;
  }
  made->setAllowSelfCollide(joint.collide);
  std::vector<SP::Interaction> out;
  const auto add = [&](const SP::NonSmoothLaw& law, const SP::NewtonEulerR& relation) {
    out.push_back(std::make_shared<Interaction>(law, relation));
  };
  add(std::make_shared<EqualityConditionNSL>(made->numberOfConstraints()), made);
  for (unsigned k = 0; k < joint.axes.size(); ++k) {
    const SiconosScene::Joint::Axis& limits = joint.axes[k];
    const bool locked = limits.lower == limits.upper;
    if (locked)
      add(std::make_shared<EqualityConditionNSL>(1),
          std::make_shared<JointStopR>(made, limits.lower, false, k));
    for (const bool up : {false, true})
      if (const double at = up ? limits.upper : limits.lower; std::isfinite(at) && !locked)
        add(std::make_shared<NewtonImpactNSL>(0.0), std::make_shared<JointStopR>(made, at, up, k));
    if (!limits.driven || locked) continue;
    const auto motor = std::make_shared<MotorR>(made, k, limits.speed);
    const double most = limits.max_force * h;
    if (std::isfinite(most))
      add(std::make_shared<RelayNSL>(1, -most, most), motor);
    else
      add(std::make_shared<EqualityConditionNSL>(1), motor);
  }
  return out;
}

}  // namespace perpend::capture::from_siconos
