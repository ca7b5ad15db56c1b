// lcp/minmap-newton: Newton's method on the minimum map of an LCP (Lu et al. 2013, Table 2; Pang
// 1990).
//
//   0 <= x perp w = A x + q >= 0   <=>   H_i(x) = min(x_i, w_i) = 0
// Rows with w_i < x_i are active: their Newton equation is a row of A d = -w; the others say
// d_i = -x_i. With no damping this is the active-set (or Bard-type) iteration x_active =
// -A_active^-1 q_active, x_rest = 0, which may cycle; the line search of lcp_newton.hpp forbids
// that, at the price of stationary points. All variables are velocities (scaled_lcp.hpp), so that
// "smaller" does not depend on units. A tie x_i = w_i is not active.
#include "solve/kit/lcp_newton.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

void run(const LinearProblem& p, Progress& progress) {
  const LcpNewton::Map map = [](double x, double w) {
    return w < x ? Fischer{w, 0, 1} : Fischer{x, 1, 0};
  };
  LcpNewton::run(p, map, progress);
}

}  // namespace

SolverInfo lcp_minmap_newton() {
  return solver("lcp/minmap-newton", "semismooth Newton on the minimum map, an active-set method",
                "Pang 1990; Lu et al. 2013, Table 2", run);
}

}  // namespace perpend
