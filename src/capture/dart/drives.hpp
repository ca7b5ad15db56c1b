// Drives of a scene's joints in DART: springs, dampers, dry friction, forces, and what a control
// asks of them over time.
//
// DART's springs and dampers are implicit, as a drive's are, and have no largest force. Where a
// drive has one, DART is asked for the step without contacts first: a spring that would pull harder
// there pulls with that force instead.
#pragma once

#include <vector>

#include "perpend/scene.hpp"

namespace dart::dynamics {
class Joint;
}

namespace perpend::capture::from_dart {

class Drives {
 public:
  // Of the coordinate of a joint that has one.
  void add(dart::dynamics::Joint&, const Joint::Drive&, std::vector<Control>);
  // Before the step of this size that ends at this time.
  void set(double time, double h);

 private:
  struct One {
    dart::dynamics::Joint* joint;
    Joint::Drive drive;
    std::vector<Control> controls;
    Joint::Drive now;
    bool pulls = false;  // with its largest force
  };
  static void give(One&, double force);
  bool limit(double h);

  std::vector<One> list_;
};

}  // namespace perpend::capture::from_dart
