// ncp/prox-newton: proximal point iteration with a semismooth Newton method inside.
//
//   x <- argmin over K of the problem with |lambda - x|^2/(2 rho m) added (proximal point:
//        Rockafellar 1976), its optimality conditions solved by Newton's method on the piecewise
//        smooth projection onto the cone (semismooth Newton: Qi, Sun 1993); Coulomb's law is the
//        associated law shifted by mu |u_T| (de Saxce, Feng 1998).
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

std::unique_ptr<Solver> make_ncp_prox_newton() { return std::make_unique<NcpProxNewton>(); }

}  // namespace perpend
