// lcp/path: PATH's method (path_method.hpp) on the LCP of Lu et al. 2013, eq. 19. They give PATH
// both forms of the problem; this one has fewer variables than mlcp/path's and a matrix with more
// entries. Its normal map has no free variables: at a cold start every basis but that of the slacks
// comes from pivoting, as in Lemke's method, with the path search and the proximal term behind it.
#include "solve/kit/path_method.hpp"
#include "solve/registry.hpp"

namespace perpend {

SolverInfo lcp_path() {
  return solver<LinearProblem>(
      "lcp/path", "PATH's method on the LCP of the facets",
      "Ralph 1994; Dirkse, Ferris 1995; Ferris, Munson 1999; Lu et al. 2013, eq. 19", follow_path,
      path_options());
}

}  // namespace perpend
