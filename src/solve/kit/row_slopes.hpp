// A matrix G that is block diagonal by rows of a system: 3x3 of a contact, one number of a joint
// row. It is -dp/du of a projection in Newton methods, the inverse of a shift in proximal ones.
#pragma once

#include "perpend/system.hpp"

namespace perpend {

struct RowSlopes {
  std::vector<Matrix3d> contact;
  std::vector<double> joint;
  bool symmetric = true;  // all blocks

  // No part of the contact resists. G is never zero in a row that resists.
  static bool open(const Matrix3d& g) { return g(0, 0) == 0 && g(1, 1) == 0 && g(2, 2) == 0; }
};

}  // namespace perpend
