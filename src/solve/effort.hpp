// What the work of solvers costs, counted: the one table of it.
//
// The unit is one sweep over all contacts and joint rows of the problem. Other work costs as many
// sweeps as its operations, each weighed by how fast such operations run beside those of a sweep.
#pragma once

#include "perpend/solve.hpp"

namespace perpend {

WorkCosts work_costs(const System&);
// What a contact costs in a sweep over this system, of what it costs in one over a small system:
// less than 1 where four contacts are visited at once.
double sweep_price(const System&);
// Of a problem that has no system: so many unknowns, all of them coupled.
WorkCosts work_costs(Index unknowns);

}  // namespace perpend
