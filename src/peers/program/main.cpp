// perpend-peers: solvers of other projects in a program of their own. They crash, hang, print and
// bring libraries that perpend itself must not load.
#include "peers/program/hosts.hpp"

namespace perpend::peers {
namespace {

std::unique_ptr<Host> host(const Task& task) {
  std::unique_ptr<Host> found;
#ifdef PERPEND_HAS_BULLET
  if (!found) found = bullet_host(task);
#endif
#ifdef PERPEND_HAS_ODE
  if (!found) found = ode_host(task);
#endif
#ifdef PERPEND_HAS_SICONOS
  if (!found) found = siconos_cone_host(task);
  if (!found) found = siconos_linear_host(task);
#endif
  return found;
}

}  // namespace
}  // namespace perpend::peers

int main(int argc, char** argv) { return perpend::peers::serve(argc, argv, perpend::peers::host); }
