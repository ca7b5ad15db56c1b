// perpend-capture-siconos: a scene in Siconos, every step recorded. A program of its own: Siconos'
// mechanics brings Bullet in single precision.
#include "perpend/capture.hpp"

int main(int argc, char** argv) {
  return perpend::capture::program(perpend::capture::siconos_engine(), argc, argv);
}
