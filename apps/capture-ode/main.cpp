// perpend-capture-ode: a scene in ODE, every step recorded. A program of its own, so that no other
// engine can come into one process with ODE.
#include "perpend/capture.hpp"

int main(int argc, char** argv) {
  return perpend::capture::program(perpend::capture::ode_engine(), argc, argv);
}
