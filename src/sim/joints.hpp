// Rows of Bullet's joints, exact at the bodies' present poses.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
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
  double compliance = 0;                  // of springs, dampers and rotors

  bool bilateral() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return lower == -kInfinity && upper == kInfinity;
  }
};

// `h`: bounds of motors are force times step; limits take part when they may be reached in a step
// at the present speed. For hinges, point-to-point, slider, generic 6-DOF (both classes) and fixed
// joints the rows are derivatives of the violation; other joints give the rows that Bullet makes.
void joint_rows(btTypedConstraint&, double h, std::vector<JointRow>&);
// The same rows with Jacobians of zero, as if the bodies were at rest: their violations alone.
void joint_violations(btTypedConstraint&, double h, std::vector<JointRow>&);

// The coordinates of the joint's free axes, counted as in scenes (perpend/scene.hpp): the
// violation of a row is the coordinate, an angle within half a turn. Empty: the axis is held, or
// two axes of angles have fallen together. `vector`: of a generic joint the parts of the rotation
// vector in place of Bullet's angles.
using Coordinates = std::array<std::optional<JointRow>, 6>;
Coordinates joint_coordinates(btTypedConstraint&, bool vector = false);

// How far the anchor points are apart along the directions the joint holds, and how far a limit of
// translation is exceeded. m; 0 for joints of other types
double separation(btTypedConstraint&);

// The impulses of these rows to where Bullet's users read them: joint feedback, applied impulse,
// breaking threshold. One number for a joint is the impulse on body B, or its torque's where there
// is none.
void write_joint_impulses(btTypedConstraint&, std::span<const JointRow>, const VectorXd& impulses,
                          double h);

}  // namespace perpend::sim
