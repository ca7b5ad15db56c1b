// mlcp/path: PATH's method (path_method.hpp) on the mixed problem: velocities and joint impulses
// are free variables, so that the basis is sparse. Our own implementation of what is published
// about PATH: Ralph, Math. Oper. Res. 19 (1994); Dirkse, Ferris, Optim. Methods Softw. 5 (1995);
// Ferris, Munson, Comput. Optim. Appl. 12 (1999).
#include "solve/kit/path_method.hpp"
#include "solve/registry.hpp"

namespace perpend {

SolverInfo mlcp_path() {
  return solver<LinearProblem>(
      "mlcp/path",
      "Newton on the normal map with path search by complementary pivoting (open PATH)",
      "Ralph 1994; Dirkse, Ferris 1995; Ferris, Munson 1999", follow_path, path_options());
}

}  // namespace perpend
