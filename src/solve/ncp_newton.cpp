// ncp/newton: semismooth Newton over the impulses, F(x, A x + b) = 0.
//
// F states Coulomb's law contact by contact and is one of three functions (contact_function.hpp):
//   alart-curnier       (Alart, Curnier 1991)
//   natural-map         projection onto the cone with de Saxce's velocity (de Saxce, Feng 1998)
//   fischer-burmeister  in the Jordan algebra of the cone (Fukushima, Luo, Tseng 2001)
// A step solves (D_x/r + D_u (A + eps/r)) d = -F and is shortened until |F| falls below the largest
// of the last six (Grippo, Lampariello, Lucidi 1986); eps falls while full steps succeed and grows
// where they do not (semismooth_newton.hpp). The plain method (eps = 0) breaks down on the first
// box with four contacts, because A is singular there.
//
// Newton alone ends at kinks where contacts have the wrong class. Then a few block Gauss-Seidel
// sweeps with the exact local law (cone_sweep.hpp) sort the contacts anew and Newton goes on; the
// sweeps double each time, `path` counts them. With `function` = auto, natural-map and
// alart-curnier take turns, because they seldom end at the same kink.
#include <string>

#include "solve/kit/cone_sweep.hpp"
#include "solve/kit/semismooth_newton.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kEps = 1e-4;  // at the start of a turn
constexpr long kPatience = 80, kSweeps = 20;
// Rounds that do not halve the residual before the method gives up.
constexpr int kIdleRounds = 4;
// Sweeps may leave a worse point than they found; beyond this factor it is not taken.
constexpr double kWorse = 10;

class NcpNewton {
 public:
  void run(const ConeProblem& problem, Progress& progress) {
    const System& system = problem.system();
    either_.with(system, [&](auto& newton) { take_turns(problem, system, newton, progress); });
  }

 private:
  template <class Newton>
  static void take_turns(const Problem& problem, const System& system, Newton& newton,
                         Progress& progress) {
    const std::string_view choice = progress.choice("function");
    ConeFunction function = choice == "alart-curnier"        ? ConeFunction::alart_curnier
                            : choice == "fischer-burmeister" ? ConeFunction::fischer_burmeister
                                                             : ConeFunction::natural_map;
    VectorXd best = progress.start();
    double residual = problem.own_error(best);
    long sweeps = kSweeps, swept = 0;
    progress.path("newton");
    for (int idle = 0; idle < kIdleRounds; ++idle) {
      const double before = residual;
      if (newton.run(best, function, kEps, {0, kPatience}, progress) == SemismoothEnd::finished)
        return;
      if (const double now = problem.own_error(newton.best()); now < residual) {
        residual = now;
        best = newton.best();
      }
      with_state(system, [&](auto& state) {
        ConeSweep sweep(system);
        state.set(best);
        for (long k = 0; k < sweeps; ++k) {
          const double estimate = sweep(state, Local::coulomb);
          progress.count(Work::sweep);
          ++swept;
          if (!progress.next(state.lambda(), estimate)) break;
        }
        if (const double now = problem.own_error(state.lambda()); now < kWorse * residual) {
          residual = std::min(residual, now);
          best = state.lambda();
        }
      });
      progress.path("newton, " + std::to_string(swept) + " sweeps between");
      if (progress.finished()) return;
      if (residual < 0.5 * before) idle = -1;
      sweeps *= 2;
      if (choice == "auto")
        function = function == ConeFunction::natural_map ? ConeFunction::alart_curnier
                                                         : ConeFunction::natural_map;
    }
    progress.finish(Status::stalled, "neither Newton steps nor sweeps lower the residual");
  }

  EitherSpace<SemismoothNewton> either_;
};

}  // namespace

SolverInfo ncp_newton() {
  return solver<ConeProblem, NcpNewton>(
      "ncp/newton",
      "semismooth Newton over the impulses, regularized, with sweeps where it ends at a kink",
      "Alart, Curnier 1991; Fukushima, Luo, Tseng 2001",
      {{"function",
        "equation that states Coulomb's law; auto: natural-map and alart-curnier in turns",
        "auto",
        {"auto", "alart-curnier", "natural-map", "fischer-burmeister"}}});
}

}  // namespace perpend
