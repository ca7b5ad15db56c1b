// Small shared pieces of the files room.
#include "perpend/io.hpp"

#include <limits>

namespace perpend::io {

Timing::Timing()
    : collision(std::numeric_limits<double>::quiet_NaN()),
      formulation(collision),
      solver(collision),
      total(collision) {}

}  // namespace perpend::io
