// A cube of 2 kg that falls, held by one joint row along z.
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

}  // namespace perpend::boxes
