// What the recorders of all engines share: the answer of an engine measured, and the proof that a
// recording is right.
#pragma once

#include "perpend/io.hpp"

namespace perpend::capture {

// How far the recorded numbers are from M (v+ - v) = h f + J^T lambda: of each moving body's linear
// and angular rows the residual over the largest sum of its terms' magnitudes, the worst body. NaN
// when velocities_plus or impulses are not recorded.
double momentum_gap(const io::Record&);

// Fills errors and slide_or_stick of the answer: every measure by the rigid law, own_error by the
// problem the engine said it solved (box, Model::engine). A frame that cannot be assembled (an
// engine that has come to NaN) keeps none.
void measure_answer(io::Record&);

}  // namespace perpend::capture
