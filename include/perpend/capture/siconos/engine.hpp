// Siconos as perpend-capture-siconos and the tests run it. Apart from perpend/capture/siconos.hpp,
// because Siconos' headers do not compile as C++20.
#pragma once

#include "perpend/capture.hpp"

namespace perpend::capture {

// Solvers of its FrictionContact problem: "nsgs" as Siconos sets it up; "nsgs-exact" the same to
// 1e-13; "prox", "nsn-ac".
Engine siconos_engine();
// Root attributes of a recording of Siconos.
io::Header siconos_header();
// As measure_answer; own_error, by the cone problem that Siconos gave to its solver, is in the
// record already.
void measure_siconos(io::Record&);

}  // namespace perpend::capture
