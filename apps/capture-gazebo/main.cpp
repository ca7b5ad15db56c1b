// perpend-capture-gazebo: a world of Gazebo in its physics, every step recorded. A program of its
// own: the plugin of Gazebo's physics brings DART, ODE and the single-precision Bullet.
#include "perpend/capture.hpp"

int main(int argc, char** argv) {
  return perpend::capture::program(perpend::capture::gazebo_engine(), argc, argv);
}
