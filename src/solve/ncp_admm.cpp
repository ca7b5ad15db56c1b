// ncp/admm: the alternating direction method of multipliers on the cone problem.
//
// Coulomb's law with s = mu |u_T| held is a convex problem over cones and bounds (scaled_cone.hpp):
//   minimize 1/2 x' A x + x' (b + s n) + I_K(z)  subject to  x = z
// The method (Glowinski, Marrocco 1975; Boyd et al. 2011) with penalty rho and over-relaxation
// alpha (Eckstein, Bertsekas 1992), written for the one vector v = z + y/rho that it maps to
// itself:
//   z = P_K(v),  y = rho (v - z)                        -y is A z + b + s n in the end
//   (A + rho) x = rho z - y - b - s n                   one factor as long as rho stays
//   F(v) = v + alpha (x - z)
// s = mu |y_T| is taken anew every `period` iterations (de Saxce, Feng 1998): with every iteration
// the map may cycle (Painleve's rod and the hose of the small suite do).
//
// rho is balanced (He, Yang, Wang 2000, with relative residuals): the change of y and the change of
// z of one plain step are compared, and where one is more than four times the other, rho is
// multiplied by the square root of their ratio; the number of iterations between two changes grows
// by a half, so that changes end. The primal residual is that of the relaxed point, (y+ - y)/rho,
// not x - z: a slow drift of impulses with velocities at rest then counts as what it is, a rho that
// is too large.
//
// Where we deviate from the textbook: Anderson acceleration of v (anderson.hpp) over the last
// `memory` iterations, for the many problems on which the method itself is linear and slow. Steps
// across a change of s are not remembered, a change of rho forgets all.
#include "solve/kit/admm.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

class NcpAdmm {
 public:
  void run(const ConeProblem& problem, Progress& progress) {
    AdmmOptions how;
    how.relaxation = progress.number("relaxation");
    how.penalty = progress.number("penalty");
    how.period = static_cast<long>(progress.number("period"));
    how.memory = static_cast<Index>(progress.number("memory"));
    if (!admm_.run(problem.system(), progress.start(), how, progress))
      progress.finish(Status::failed,
                      "A + rho I cannot be factorized at rho = " + std::to_string(admm_.penalty()));
  }

 private:
  Admm admm_;
};

}  // namespace

SolverInfo ncp_admm() {
  return solver<ConeProblem, NcpAdmm>(
      "ncp/admm",
      "alternating direction method of multipliers, one factorization, Anderson acceleration",
      "Boyd, Parikh, Chu, Peleato, Eckstein 2011, with the term of de Saxce, Feng 1998",
      {{"relaxation", "over-relaxation alpha", "1.7", {}, 1, 1.99},
       {"penalty", "first value of the penalty rho, without a unit", "1", {}, 1e-9, 1e6},
       {"period", "iterations between updates of de Saxce's term", "3", {}, 1, 1000},
       {"memory", "iterations that Anderson acceleration remembers; 0: none", "10", {}, 0, 100}});
}

}  // namespace perpend
