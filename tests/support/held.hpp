// A cube of 2 kg that falls, held by one joint row along z, or by two that contradict each other.
#pragma once

#include "support/boxes.hpp"

namespace perpend::boxes {

inline Frame held(double lower, double upper, double rate = 0, double violation = 0) {
  World w(0.01);
  const Index world = w.fixed(), cube = w.cube(2, 1, {0, 0, 0});
  Frame f = w.frame();
  const Frame joint = make_frame(0, 0, {1});
  f.joints = joint.joints;
  f.joints.pairs.row(0) << world, cube;
  f.joints.jacobian.row(0).setZero();
  f.joints.jacobian(0, 2) = -1;
  f.joints.jacobian(0, 8) = 1;
  f.joints.bounds.row(0) << lower, upper;
  f.joints.violation[0] = violation;
  f.joints.rate = VectorXd::Constant(1, rate);
  return f;
}

// The same row twice, one at rest, one moving at that speed: no impulse serves both.
inline Frame contradicting(double speed) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Frame f = held(-kInfinity, kInfinity);
  Joints joints = make_frame(0, 0, {1, 1}).joints;
  joints.rate.setZero(2);
  for (Index k : {0, 1}) {
    joints.pairs.row(k) = f.joints.pairs.row(0);
    joints.jacobian.row(k) = f.joints.jacobian.row(0);
    joints.bounds.row(k) = f.joints.bounds.row(0);
    joints.violation[k] = 0;
  }
  joints.rate[1] = -speed;
  f.joints = joints;
  return f;
}

}  // namespace perpend::boxes
