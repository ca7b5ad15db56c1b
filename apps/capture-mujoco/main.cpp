// perpend-capture-mujoco: a scene or an MJCF file in MuJoCo, every step recorded.
#include "perpend/capture/mujoco.hpp"

int main(int argc, char** argv) {
  perpend::capture::from_mujoco::take_over_process();
  return perpend::capture::program(perpend::capture::mujoco_engine(), argc, argv);
}
