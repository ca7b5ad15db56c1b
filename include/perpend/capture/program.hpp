// The program perpend-capture-ENGINE, whatever the engine: a scene, every step recorded.
// `perpend capture` starts it (docs/capture.md tells what the two say to each other).
#pragma once

#include "perpend/capture.hpp"

namespace perpend::capture {

// main(): the exit code. On stdout one JSON document per line.
int program(const Engine&, int argc, char** argv);

}  // namespace perpend::capture
