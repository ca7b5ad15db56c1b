// perpend-capture-dart: a scene or a robot in DART, every step recorded. A program of its own, so
// that no other engine can come into one process with DART.
#include "perpend/capture.hpp"

int main(int argc, char** argv) {
  return perpend::capture::program(perpend::capture::dart_engine(), argc, argv);
}
