// What solver files share with the table of solvers: each file ends with one of these functions,
// which tells its name, its options and how to make one.
#pragma once

#include "perpend/solve.hpp"

namespace perpend {

template <class T>
std::unique_ptr<Solver> make() {
  return std::make_unique<T>();
}

// Options that several solvers have; solve() knows them too.
OptionInfo option_bounds();
OptionInfo option_level();

SolverInfo normal_simple();
SolverInfo normal_baraff();
SolverInfo normal_pcg();
SolverInfo box_pgs();
SolverInfo box_nncg();
SolverInfo box_nncg_pr();
SolverInfo box_nncg_armijo();
SolverInfo box_jacobi();
SolverInfo box_newton();
SolverInfo box_path();
SolverInfo lcp_lemke();
SolverInfo lcp_fischer_newton();
SolverInfo lcp_minmap_newton();
SolverInfo lcp_interior_point();
SolverInfo lcp_pgs();
SolverInfo lcp_dantzig();
SolverInfo lcp_path();
SolverInfo mlcp_fixed_point();
SolverInfo mlcp_minres();
SolverInfo mlcp_jacobi();
SolverInfo mlcp_path();
SolverInfo ncp_pgs();
SolverInfo ncp_nncg();
SolverInfo ncp_prox_newton();
SolverInfo ncp_auto();
SolverInfo ncp_apgd();
SolverInfo ncp_admm();
SolverInfo ncp_staggered();
SolverInfo ncp_newton();
SolverInfo ncp_fixed_point();
SolverInfo ncp_interior_point();
SolverInfo ncp_pgs_sm();
SolverInfo ncp_minres();
SolverInfo mncp_newton();
SolverInfo mncp_fixed_point();

}  // namespace perpend
