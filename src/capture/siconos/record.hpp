// A step of Siconos as a Record: bodies, contacts and the answer; and in `system` the matrix M (A),
// the vector q (b) and mu as Siconos gave them to its solver, with its own rows J and velocities v.
#pragma once

#include "capture/siconos/step.hpp"
#include "perpend/capture.hpp"

namespace perpend::capture::from_siconos {

// Throws io::InputError when the step could not be read.
std::unique_ptr<StepRecord> step_record(SiconosStep);
// Root attributes of a recording of Siconos.
io::Header siconos_header(const std::string& scene);
// As measure_answer; own_error, by the cone problem that Siconos gave to its solver, is in the
// record already.
void measure_siconos(io::Record&);

}  // namespace perpend::capture::from_siconos
