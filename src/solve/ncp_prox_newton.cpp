// ncp/prox-newton: proximal point iteration with a semismooth Newton method inside.
//
//   x <- the solution of the problem with a term |lambda - x|^2/(2 rho m) added (proximal point:
//        Rockafellar 1976), whose conditions of Alart and Curnier (1991), or in the first step of a
//        cold start those of de Saxce and Feng (1998), are solved by Newton's method on piecewise
//        smooth equations (Qi, Sun 1993).
// The equations and the two spaces are in prox_newton.hpp and prox_cone.hpp. The symbolic
// factorization is kept from solve to solve.
#include "solve/prox_newton.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

class NcpProxNewton final : public Solver {
 public:
  void run(const Problem& problem, Progress& progress) override {
    const System& system = dynamic_cast<const ConeProblem&>(problem).system();
    if (bodies_.space().prepare(system)) {
      conclude(bodies_.run(system, progress.start(), {}, progress), progress);
      return;
    }
    impulses_.space().prepare(system);
    conclude(impulses_.run(system, progress.start(), {}, progress), progress);
  }

 private:
  static void conclude(NewtonEnd end, Progress& progress) {
    progress.path("prox-newton");
    if (end == NewtonEnd::stalled) progress.finish(Status::stalled, "the residual does not fall");
    if (end == NewtonEnd::breakdown)
      progress.finish(Status::failed, "no Newton step at any penalty");
  }

  ProxNewton<BodyNewtonSpace> bodies_;
  ProxNewton<ImpulseNewtonSpace> impulses_;
};

}  // namespace

SolverInfo ncp_prox_newton() {
  return {
      "ncp/prox-newton",
      "proximal point iteration with a semismooth Newton method in body space",
      "Rockafellar 1976; Alart, Curnier 1991; Qi, Sun 1993",
      true,
      {},
      make<NcpProxNewton>,
  };
}

}  // namespace perpend
