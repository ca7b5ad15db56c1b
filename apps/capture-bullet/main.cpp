// perpend-capture-bullet: a scene in stock Bullet, every step recorded. A program of its own, so
// that no other engine can come into one process with Bullet.
#include "perpend/capture.hpp"

int main(int argc, char** argv) {
  return perpend::capture::program(perpend::capture::bullet_engine(), argc, argv);
}
