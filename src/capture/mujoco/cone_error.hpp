// How far MuJoCo's answer is from its own problem.
#pragma once

#include "perpend/io.hpp"

namespace perpend::capture::from_mujoco {

// Errors as measure_answer fills them, but own_error by MuJoCo's own problem (cone_error).
void measure_mujoco(io::Record&);
// The largest residual of the natural map of MuJoCo's own problem at the recorded impulses, m/s: a
// cone of forces (elliptic where `answered` says so, else a pyramid) complementary to velocities,
// with compliance, from the recorded numbers alone. Not Coulomb's law: what slides lifts.
double cone_error(const io::Record&);

}  // namespace perpend::capture::from_mujoco
