/* A program that uses MuJoCo and knows nothing of Perpend: the model of a file, stepped. Prints the
 * state at the end, bit for bit.
 *
 *   plain_mujoco MODEL.xml STEPS [split]     split: mj_step1 and mj_step2
 */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  char why[500] = "";
  int i, k, steps = argc > 2 ? atoi(argv[2]) : 100;
  mjModel* model = mj_loadXML(argv[1], 0, why, sizeof why);
  mjData *data, *other;
  if (!model) {
    fprintf(stderr, "%s\n", why);
    return 3;
  }
  data = mj_makeData(model);
  other = mj_makeData(model); /* a second world in the same process */
  if (model->nkey > 0) mj_resetDataKeyframe(model, data, 0);
  for (k = 0; k < steps; ++k) {
    if (argc > 3) {
      mj_step1(model, data);
      mj_step2(model, data);
    } else {
      mj_step(model, data);
    }
    mj_step(model, other);
  }
  for (i = 0; i < model->nq; ++i) printf("%a\n", data->qpos[i]);
  for (i = 0; i < model->nv; ++i) printf("%a\n", data->qvel[i]);
  mj_deleteData(other);
  mj_deleteData(data);
  mj_deleteModel(model);
  return 0;
}
