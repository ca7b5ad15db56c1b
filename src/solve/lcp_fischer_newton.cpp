// lcp/fischer-newton: Newton's method on the Fischer-Burmeister equations of an LCP (Lu et al.
// 2013, Table 2 and Fig. 12; Fischer 1995; De Luca, Facchinei, Kanzow 1996).
//
//   0 <= x perp w = A x + q >= 0   <=>   phi(x_i, w_i) = x_i + w_i - sqrt(x_i^2 + w_i^2) = 0
// (Lu et al. 2013, eq. 16), or the penalized form lambda phi + (1 - lambda) max(x, 0) max(w, 0)
// (eq. 17; Chen, Chen, Kanzow 2000). The globalized method is in lcp_newton.hpp; all variables are
// velocities there (scaled_lcp.hpp), so that x and w of a pair may be compared.
#include "solve/kit/lcp_newton.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

void run(const LinearProblem& p, Progress& progress) {
  LcpNewton::Map map = [](double x, double w) { return fischer(x, w); };
  if (progress.choice("function") == "penalized") {
    const double lambda = progress.number("lambda");
    map = [lambda](double x, double w) { return penalized_fischer(x, w, lambda); };
  }
  LcpNewton::run(p, std::move(map), progress);
}

}  // namespace

SolverInfo lcp_fischer_newton() {
  return solver(
      "lcp/fischer-newton", "semismooth Newton on the Fischer-Burmeister equations",
      "Fischer 1995; Lu et al. 2013, eqs. 16-17", run,
      {{"function",
        "the equations: Fischer-Burmeister's, or penalized (Lu et al. 2013, eqs. 16, 17)",
        "fb",
        {"fb", "penalized"}},
       {"lambda", "weight of Fischer-Burmeister in the penalized function", "0.95", {}, 0.01, 1}});
}

}  // namespace perpend
