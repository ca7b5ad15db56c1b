// Rows of Bullet's joints, exact at the bodies' present poses.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "perpend/frame.hpp"

class btTypedConstraint;

namespace perpend::sim {

struct JointRow {
  Eigen::Matrix<double, 12, 1> jacobian;  // of body A (six), of body B (six)
  double violation = 0;                   // Phi; of a limit the distance to it
  double later = 0;                       // of it: what this step leaves open
  double rate = 0;                        // a motor's target speed is -rate
  double lower, upper;                    // bounds of the impulse, N s
  int key = 0;                            // the same row from step to step
  bool position = true;                   // false: a motor, which has no position to keep
  double compliance = 0;                  // of springs, dampers, rotors and soft joints
  // The largest impulse either way, N s; the joint breaks at it. Positions are corrected all the
  // same.
  double most = std::numeric_limits<double>::infinity();

  bool bilateral() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return lower == -kInfinity && upper == kInfinity;
  }
  // It pushes one way: a limit, also one that Bullet makes the row of.
  bool limit() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return (lower == 0 && upper == kInfinity) || (lower == -kInfinity && upper == 0);
  }
  bool unbounded() const { return bilateral() && most == std::numeric_limits<double>::infinity(); }
};

// `h`: bounds of motors are force times step; limits take part when they may be reached in a step
// at the present speed. For hinges, point-to-point, slider, generic 6-DOF (both classes) and fixed
// joints the rows are derivatives of the violation; other joints give the rows that Bullet makes.
// A row that the user has made soft (a clamp of its impulse, a CFM) keeps no position: it closes
// the share `erp` of its violation, if the joint has no own, up to the clamp.
void joint_rows(btTypedConstraint&, double h, std::vector<JointRow>&, double erp = 0.2);
// The same rows with Jacobians of zero, as if the bodies were at rest: their violations alone.
void joint_violations(btTypedConstraint&, double h, std::vector<JointRow>&);

// The coordinates of the joint's free axes, counted as in scenes (perpend/scene.hpp): the
// violation of a row is the coordinate, an angle within half a turn. Empty: the axis is held, or
// two axes of angles have fallen together. `vector`: of a generic joint the parts of the rotation
// vector in place of Bullet's angles.
using Coordinates = std::array<std::optional<JointRow>, 6>;
Coordinates joint_coordinates(btTypedConstraint&, bool vector = false);

// How far the anchor points are apart along the directions the joint holds, and how far a limit of
// translation is exceeded. m; 0 for joints of other types and soft ones
double separation(btTypedConstraint&);

}  // namespace perpend::sim
