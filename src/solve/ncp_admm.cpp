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
#include <algorithm>
#include <cmath>

#include "solve/kit/anderson.hpp"
#include "solve/kit/scaled_cone.hpp"
#include "solve/kit/shifted_system.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kLowest = 1e-9, kHighest = 1e6;  // rho
constexpr double kUnbalanced = 2, kMostAtOnce = 10;
constexpr long kFirstWait = 20;

class NcpAdmm {
 public:
  void run(const ConeProblem& problem, Progress& progress) {
    const System& system = problem.system();
    const ScaledCone cone(system);
    matrix_.prepare(system);
    const double alpha = progress.number("relaxation");
    const long period = static_cast<long>(progress.number("period"));
    const VectorXd inverse_mass = cone.d().cwiseAbs2().cwiseInverse();
    const VectorXd b = system.b.cwiseProduct(cone.d());
    const double b_size = b.norm();
    double rho = progress.number("penalty");
    Anderson anderson(b.size(), static_cast<Index>(progress.number("memory")));

    VectorXd z = cone.scaled(progress.start()), y, s, q, x, f;
    cone.project(z);
    y = -cone.velocity(z);
    cone.sliding(y, s);
    cone.lift(-s, y);
    VectorXd v = z + y / rho;
    bool factorized = false;
    for (long k = 1, since = 0, wait = kFirstWait;; ++k) {
      if (!factorized) {
        progress.count(Work::factorization);
        if (!matrix_.factorize(rho * inverse_mass)) {
          progress.finish(Status::failed, "A + rho has no factor at rho = " + std::to_string(rho));
          return;
        }
        factorized = true;
        anderson.clear();
      }
      z = v;
      cone.project(z);
      y = rho * (v - z);
      if (k % period == 0) {
        cone.sliding(y, s);
        anderson.skip();
      }
      // (D A D + rho) x = q is (A + rho D^-2) D x = D^-1 q.
      q = rho * z - y - b;
      cone.lift(-s, q);
      matrix_.solve(q.cwiseQuotient(cone.d()), x);
      x = x.cwiseQuotient(cone.d());
      f = alpha * (x - z);
      if (!progress.next(cone.impulses(z), cone.speed(f))) return;

      if (++since >= wait) {
        since = 0;
        wait += wait / 2;
        const VectorXd plain = v + f;
        VectorXd z_next = plain;
        cone.project(z_next);
        const double primal = (z + f - z_next).norm() / std::max(x.norm(), z.norm());
        const double dual = rho * (z_next - z).norm() / std::max(y.norm(), b_size);
        const double ratio = std::clamp(std::sqrt(primal / dual), 1 / kMostAtOnce, kMostAtOnce);
        if (ratio > kUnbalanced || ratio < 1 / kUnbalanced) {
          const VectorXd y_next = rho * (plain - z_next);
          rho = std::clamp(rho * ratio, kLowest, kHighest);
          v = z_next + y_next / rho;
          factorized = false;
          continue;
        }
      }
      if (anderson.advance(v, f)) progress.restarted();
    }
  }

 private:
  ShiftedSystem matrix_;
};

}  // namespace

SolverInfo ncp_admm() {
  return solver<ConeProblem, NcpAdmm>(
      "ncp/admm",
      "alternating direction method of multipliers, one factorization, Anderson acceleration",
      "Boyd, Parikh, Chu, Peleato, Eckstein 2011, with the term of de Saxce, Feng 1998",
      {{"relaxation", "over-relaxation alpha", "1.7", {}, 1, 1.99},
       {"penalty", "rho to begin with, without a unit", "1", {}, 1e-9, 1e6},
       {"period", "iterations after which the de Saxce term is taken anew", "3", {}, 1, 1000},
       {"memory", "iterations that Anderson acceleration remembers; 0: none", "10", {}, 0, 100}});
}

}  // namespace perpend
