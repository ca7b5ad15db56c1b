// The one table of solvers. Command line, reports, tests and documentation read it.
//
// Ours come first, in this order; solvers of others (peers, plugins) follow in the order in which
// they were added. Rows never move: whoever holds a SolverInfo may keep it.
#include "solve/registry.hpp"

#include <deque>
#include <string>

namespace perpend {
namespace {

std::deque<SolverInfo>& table() {
  static std::deque<SolverInfo> rows = {
      normal_simple(),       //
      normal_baraff(),       //
      normal_pcg(),          //
      box_pgs(),             //
      box_nncg(),            //
      box_nncg_pr(),         //
      box_nncg_armijo(),     //
      box_jacobi(),          //
      box_newton(),          //
      box_path(),            //
      lcp_lemke(),           //
      lcp_fischer_newton(),  //
      lcp_minmap_newton(),   //
      lcp_interior_point(),  //
      lcp_pgs(),             //
      lcp_dantzig(),         //
      lcp_path(),            //
      mlcp_fixed_point(),    //
      mlcp_minres(),         //
      mlcp_jacobi(),         //
      mlcp_path(),           //
      ncp_pgs(),             //
      ncp_nncg(),            //
      ncp_prox_newton(),     //
      ncp_auto(),            //
      ncp_apgd(),            //
      ncp_admm(),            //
      ncp_staggered(),       //
      ncp_newton(),          //
      ncp_fixed_point(),     //
      ncp_interior_point(),  //
      ncp_pgs_sm(),          //
      ncp_minres(),          //
      mncp_newton(),         //
      mncp_fixed_point(),    //
  };
  return rows;
}

}  // namespace

OptionInfo option_bounds() {
  return {"bounds",
          "friction bounds of a sweep: from the newest normal impulse, or from the one before the "
          "sweep (eq. 18)",
          "newest",
          {"newest", "lagged"}};
}

OptionInfo option_level() {
  return {"level",
          "what is complementary to the normal forces",
          "velocity",
          {"velocity", "acceleration"}};
}

const std::deque<SolverInfo>& solvers() { return table(); }

const SolverInfo* solver_named(std::string_view name) {
  for (const SolverInfo& s : table())
    if (s.name == name) return &s;
  return nullptr;
}

std::string add_solver(SolverInfo info) {
  const std::string_view formulation = info.formulation();
  bool known = false;
  for (const std::string_view f : formulations()) known = known || f == formulation;
  if (!known || info.name.size() <= formulation.size() + 1)
    return "'" + info.name + "' is not formulation/method with a known formulation";
  if (!info.make) return info.name + " cannot be made";
  if (solver_named(info.name)) return "there is a solver called " + info.name + " already";
  table().push_back(std::move(info));
  return {};
}

}  // namespace perpend
