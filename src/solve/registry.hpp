// Makers of the registered solvers, one line per solver file.
#pragma once

#include "perpend/solve.hpp"

namespace perpend {

std::unique_ptr<Solver> make_normal_simple();
std::unique_ptr<Solver> make_box_pgs();
std::unique_ptr<Solver> make_box_nncg();
std::unique_ptr<Solver> make_lcp_lemke();
std::unique_ptr<Solver> make_ncp_pgs();
std::unique_ptr<Solver> make_ncp_nncg();
std::unique_ptr<Solver> make_ncp_prox_newton();
std::unique_ptr<Solver> make_ncp_auto();

}  // namespace perpend
