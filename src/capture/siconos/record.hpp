// A step of Siconos as a Record: bodies, contacts and the answer; and in `system` the matrix M (A),
// the vector q (b) and mu as Siconos gave them to its solver, with its own rows J and velocities v.
#pragma once

#include "capture/siconos/step.hpp"
#include "perpend/capture.hpp"

namespace perpend::capture {

// Throws io::InputError when the step could not be read.
std::unique_ptr<Gathered> gathered(SiconosStep);

}  // namespace perpend::capture
