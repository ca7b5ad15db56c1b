// ncp/prox-newton: proximal point iteration with a semismooth Newton method inside.
//
//   x <- the solution of the problem with a term |lambda - x|^2/(2 rho m) added (proximal point:
//        Rockafellar 1976), whose conditions of Alart and Curnier (1991), or in the first step of a
//        cold start those of de Saxce and Feng (1998), are solved by Newton's method on piecewise
//        smooth equations (Qi, Sun 1993).
// The equations and the two spaces are in prox_newton.hpp and prox_cone.hpp. The symbolic
// factorization is kept from solve to solve.
#include "solve/kit/prox_newton.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

class NcpProxNewton {
 public:
  void run(const ConeProblem& problem, Progress& progress) {
    const System& system = problem.system();
    either_.with(system, [&](auto& newton) {
      const NewtonEnd end = newton.run(system, progress.start(), {}, progress);
      progress.path("prox-newton");
      if (end == NewtonEnd::stalled) progress.finish(Status::stalled, "the residual does not fall");
      if (end == NewtonEnd::breakdown)
        progress.finish(Status::failed, "no Newton step at any penalty");
    });
  }

 private:
  EitherSpace<ProxNewton> either_;
};

}  // namespace

SolverInfo ncp_prox_newton() {
  return solver<ConeProblem, NcpProxNewton>(
      "ncp/prox-newton", "proximal point iteration with a semismooth Newton method in body space",
      "Rockafellar 1976; Alart, Curnier 1991; Qi, Sun 1993");
}

}  // namespace perpend
