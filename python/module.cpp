// The compiled part of `import perpend`; python/perpend/__init__.py says what is public.
#include "bindings.hpp"

PYBIND11_MODULE(_perpend, m) {
  using namespace perpend::python;
  m.doc() = "The compiled part of perpend.";
  m.attr("__version__") = PERPEND_VERSION;
  bind_io(m);
  bind_frame(m);
  bind_system(m);
  bind_formulate(m);
  bind_solve(m);
  bind_sim(m);
  bind_bench(m);
  bind_peers(m);
  tell_arguments_in_one_line(m);
}
