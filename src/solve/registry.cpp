// The one table of solvers. Command line, reports, tests and documentation read it.
#include "solve/registry.hpp"

namespace perpend {

std::span<const SolverInfo> solvers() {
  static const OptionInfo kBounds{"bounds",
                                  "friction bounds of a sweep: from the newest normal impulse, or "
                                  "from the one before the sweep (eq. 18)",
                                  "newest",
                                  {"newest", "lagged"}};
  static const std::vector<SolverInfo> table = {
      {"normal/simple",
       "Gauss-Seidel on the normal impulses, frictionless",
       "Preda, Florian 2005, Algorithm 1 with f_i = -q/A_ii",
       false,
       {{"level",
         "what is complementary to the normal forces",
         "velocity",
         {"velocity", "acceleration"}}},
       make_normal_simple},
      {"box/pgs",
       "projected Gauss-Seidel, friction as two bounds",
       "Silcowitz-Hansen, Niebe, Erleben 2010, eq. 17",
       true,
       {kBounds},
       make_box_pgs},
      {"box/nncg",
       "nonsmooth nonlinear conjugate gradients over PGS",
       "Silcowitz-Hansen, Niebe, Erleben 2010, section 4",
       true,
       {kBounds},
       make_box_nncg},
      {"lcp/lemke",
       "Lemke's complementary pivoting, lexicographic",
       "Cottle, Pang, Stone 1992; Lu et al. 2013, eq. 19",
       true,
       {},
       make_lcp_lemke},
      {"ncp/pgs",
       "block Gauss-Seidel with an exact local Coulomb solve",
       "Lu et al. 2013, Table 2",
       true,
       {},
       make_ncp_pgs},
      {"ncp/nncg",
       "nonlinear conjugate gradients over block-cone sweeps, two local solvers",
       "Silcowitz-Hansen, Niebe, Erleben 2010, section 4, over block sweeps",
       true,
       {{"local",
         "local solver: exact Coulomb, associated cone with lagged de Saxce term, or both "
         "in turn when one stagnates",
         "auto",
         {"auto", "coulomb", "associated"}}},
       make_ncp_nncg},
      {"ncp/prox-newton",
       "proximal point iteration with a semismooth Newton method in body space",
       "Rockafellar 1976; Alart, Curnier 1991; Qi, Sun 1993",
       true,
       {},
       make_ncp_prox_newton},
      {"ncp/auto",
       "prox-newton where it converges, nncg and prox-newton in turns where it does not",
       "docs/solvers.md",
       true,
       {},
       make_ncp_auto},
  };
  return table;
}

const SolverInfo* solver_named(std::string_view name) {
  for (const SolverInfo& s : solvers())
    if (s.name == name) return &s;
  return nullptr;
}

}  // namespace perpend
