// What impulses do, once for all who ask: of the same product with A come the scale of least
// energy, the measures and the velocities.
#pragma once

#include "perpend/measure.hpp"

namespace perpend {

struct Response {
  VectorXd y;       // (3m + r) A lambda + b, m/s
  VectorXd change;  // (nv) M^-1 J^T lambda, in the columns of dynamics
};
// Precondition: the system has dynamics.
Response response(const System&, const Impulses&);
// Of t times the impulses.
void scale(Response&, const System&, double t);

// As without the response.
double least_energy_scale(const System&, const Impulses&, const Response&);
Errors measure(const System&, const Impulses&, const Response&, std::span<const Measure>);

}  // namespace perpend
