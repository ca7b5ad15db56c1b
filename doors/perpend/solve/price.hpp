// What a contact costs in a sweep, where work on systems of different sizes is compared.
#pragma once

#include "perpend/system.hpp"

namespace perpend {

// Of what it costs in a sweep over a small system: less than 1 where four contacts are visited at
// once.
double sweep_price(const System&);

}  // namespace perpend
