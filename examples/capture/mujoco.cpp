// A program for MuJoCo that records itself: three lines. Then the last step is read back, and the
// forces of the floor on the box are added up: its weight.
//
//   recorded_mujoco FILE.h5
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <perpend/capture/mujoco.hpp>

#include "weight.hpp"

namespace {

constexpr double kGravity = 9.81, kMass = 3;  // m/s^2, kg
constexpr char kModel[] = R"(<mujoco>
  <option timestep="0.01" gravity="0 0 -9.81"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 1"><freejoint/><geom type="box" size="0.5 0.5 0.5" mass="3"/></body>
  </worldbody>
</mujoco>)";

mjModel* load() {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "box.xml", sizeof kModel - 1);
  std::memcpy(files->filedata[0], kModel, sizeof kModel - 1);
  char why[1000] = "";
  mjModel* model = mj_loadXML("box.xml", files.get(), why, sizeof why);
  if (!model) std::fprintf(stderr, "%s\n", why);
  mj_deleteVFS(files.get());
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "run.h5";
  mjModel* model = load();
  if (!model) return 1;
  mjData* data = mj_makeData(model);
  perpend::capture::MujocoFile file(path, model);
  for (int step = 0; step < 600; ++step) file.step(model, data);
  file.close();
  mj_deleteData(data);
  mj_deleteModel(model);

  print_weight(path, kMass * kGravity);
}
