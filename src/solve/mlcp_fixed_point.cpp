// mlcp/fixed-point: the proximal fixed point of Lu et al. 2013 (eq. 15) on the rows of the facets
// (Lu et al. 2013, Table 2, MLCP row).
//
//   v, lambda_b   from the others, by one sparse factorization for the whole solve
//   pn, joints    z <- clamp(z - r w, lower, upper)
//   pf, s         pf - r (w - s) onto {pf >= 0, sum pf <= mu pn}, s the multiplier (mlcp_rows.hpp)
// r = factor * scale/lambda_max, lambda_max the largest eigenvalue of what is left after the
// elimination, rows scaled by their effective masses: without friction factors below 2 converge.
//
// Where we deviate: Lu et al. do not tell how their fixed point treats s. Iterated like the other
// rows it does not converge (its pairing with pf is skew-symmetric); as a multiplier it does. Rows
// of other kinds (groups of alternatives, raw problems) are clamped one by one.
#include "solve/kit/mlcp_rows.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

void run(const LinearProblem& p, Progress& progress) {
  const MlcpRows rows(p, MlcpRows::Eliminate::free);
  if (rows.finished(progress)) return;
  const VectorXd r =
      progress.number("factor") / rows.largest_eigenvalue(p.rows.scale, progress) * p.rows.scale;
  rows.iterate(r, Work::product, "it diverges: r is too large for this problem", progress);
}

}  // namespace

SolverInfo mlcp_fixed_point() {
  return solver("mlcp/fixed-point",
                "proximal fixed-point iteration on facets, velocities and joints eliminated",
                "Lu et al. 2013, Table 2, eq. 15", run,
                {{"factor", "multiple of the r that the spectrum gives", "1", {}, 1e-3, 1e3}});
}

}  // namespace perpend
