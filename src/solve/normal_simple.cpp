// normal/simple: Gauss-Seidel on the frictionless problem 0 <= f perp A f + b >= 0
// (Preda and Florian 2005, Algorithm 1).
//
//   q = b_i + sum over j != i of A_ij f_j;   f_i = 0 where q >= 0, else f_i = -q/A_ii.
// The printed f_i = f_i - q/A_ii is a misprint: their own text computes f_i from
// q + A_ii f_i = 0. On one contact the printed line never settles.
//
// Deviations: a start other than zero is allowed, and a row without compliance (A_ii = 0, which no
// moving body has) keeps its impulse. Whether z are impulses or h times forces is a matter of the
// formulation (option `level`).
#include "solve/kit/normal_sweep.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

void run(const NormalProblem& problem, Progress& progress) {
  normal_sweeps(problem, progress.start(), progress);
}

}  // namespace

SolverInfo normal_simple() {
  return solver("normal/simple", "Gauss-Seidel on the normal impulses, frictionless",
                "Preda, Florian 2005, Algorithm 1 with f_i = -q/A_ii", run, {option_level()});
}

}  // namespace perpend
