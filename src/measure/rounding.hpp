// How far y = A lambda + b may be off because numbers have 53 bits, m/s.
//
// Impulses that grow without bound (two joints that contradict each other, each pushing against the
// other) hide every error below the rounding of their own sum: the measures of such an iterate say
// nothing. The bound is eps times the largest row of |A| |lambda| + |b|, with |A| taken through the
// bodies (|J| |M^-1 J^T|) where A is in body space, because that is how y is computed.
#pragma once

#include "perpend/system.hpp"

namespace perpend {

double rounding_of_velocity(const System&, const Impulses&);

}  // namespace perpend
