// Projection onto the Coulomb cone K = {x : |x_f| <= mu x_n}.
//
// Three regions: K itself; its polar cone {x : mu |x_f| <= -x_n}, which projects to 0; between
// them the nearest point on the mantle, along (1, mu x_f/|x_f|). For mu = 0 the cone is the
// half-line x_n >= 0, x_f = 0, and its polar the half-space x_n <= 0.
#include <cmath>

#include "measure/tangential.hpp"
#include "perpend/measure.hpp"

namespace perpend {

Vector3d project_cone(const Vector3d& x, double mu) {
  const double tangent = tangential(x[1], x[2]);
  // The polar cone first: for mu = 0 a negative x_n alone satisfies 0 <= mu x_n.
  if (mu * tangent <= -x[0]) return Vector3d::Zero();
  if (tangent <= mu * x[0]) return x;
  const double n = (x[0] + mu * tangent) / (1 + mu * mu);
  const double scale = mu * n / tangent;  // tangent > 0: else x were in K or in its polar
  return {n, scale * x[1], scale * x[2]};
}

}  // namespace perpend
