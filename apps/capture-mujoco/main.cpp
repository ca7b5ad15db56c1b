// perpend-capture-mujoco: a scene or an MJCF file in MuJoCo, every step recorded.
#include "perpend/capture/mujoco/scene.hpp"
#include "perpend/capture/program.hpp"

int main(int argc, char** argv) {
  perpend::capture::take_over_process();
  return perpend::capture::program(perpend::capture::mujoco_engine(), argc, argv);
}
