// What the work of solvers costs, counted: the one table of it.
//
// The unit is one sweep over all contacts and joint rows of the problem. Other work costs as many
// sweeps as its operations, each weighed by how fast such operations run beside those of a sweep.
#pragma once

#include "perpend/solve.hpp"
#include "perpend/solve/price.hpp"

namespace perpend {

WorkCosts work_costs(const System&);
// Of a problem that has no system: so many unknowns, all of them coupled.
WorkCosts work_costs(Index unknowns);

}  // namespace perpend
