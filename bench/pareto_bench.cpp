// Measures another engine's recording as `perpend simulate` measures its own run, for
// bench/pareto_table.py. Usage: perpend_pareto_bench SCENE FILE.h5. Prints one JSON object.
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "perpend/base.hpp"
#include "perpend/bullet.hpp"
#include "perpend/io.hpp"
#include "perpend/scene.hpp"
#include "sim/contacts.hpp"
#include "sim/state_of_world.hpp"

namespace {

using namespace perpend;

std::string number(double x) { return std::isfinite(x) ? formatted("%.9g", x) : "null"; }

// The poses at the start of each recorded step. An id is the place of a body in the scene. Bodies
// that the engine did not record stay where they are.
int measure(const std::string& name, const std::string& path) {
  std::string why;
  const std::optional<Scene> scene = scene_named(name, 1, why);
  if (!scene) throw std::runtime_error(why);
  const io::FrameReader file(path);
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  bullet::SceneInWorld inside(*scene, scene->step, world);
  Trajectory trajectory(*scene, inside.state());
  sim::ContactFinder ruler;
  double deep = 0, deep_last = 0, apart = 0;
  std::vector<double> ms;
  for (Index k = 0; k < file.frames(); ++k) {
    const io::Record record = file.read(k);
    const Bodies& rows = record.frame.bodies;
    State state = inside.state();
    state.time = record.frame.time;
    for (Index row = 0; row < rows.count(); ++row) {
      const auto id = rows.ids[static_cast<std::size_t>(row)];
      if (id < 0 || id >= static_cast<std::int64_t>(scene->bodies.size())) continue;
      state.positions.row(id) = rows.positions.row(row);
      state.quaternions.row(id) = rows.quaternions.row(row);
      state.velocities.row(id) = rows.velocities.row(row);
      const auto x = rows.positions.row(row);
      const auto q = rows.quaternions.row(row);
      inside.body(static_cast<std::size_t>(id))
          .setCenterOfMassTransform(
              btTransform(btQuaternion(q[1], q[2], q[3], q[0]), btVector3(x[0], x[1], x[2])));
    }
    if (k > 0) trajectory.add(state);
    const double now = sim::penetration(world, ruler);
    deep = std::max(deep, now);
    if (static_cast<double>(file.frames() - k) * scene->step <= 1)
      deep_last = std::max(deep_last, now);
    apart = std::max(apart, sim::joint_violation(world));
    ms.push_back(1e3 * record.timing.total);
  }
  std::cout << "{\"max_penetration\": " << number(deep)
            << ", \"max_penetration_last_second\": " << number(deep_last)
            << ", \"max_joint_violation\": " << number(apart)
            << ", \"drift\": " << number(trajectory.drift())
            << ", \"fell\": " << (trajectory.fell() ? "true" : "false")
            << ", \"step_ms\": {\"median\": " << number(quantile(ms, 0.5))
            << ", \"p99\": " << number(quantile(ms, 0.99))
            << ", \"worst\": " << number(quantile(ms, 1)) << "}}\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 3) return measure(argv[1], argv[2]);
  std::cerr << "usage: perpend_pareto_bench SCENE FILE.h5\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "perpend_pareto_bench: " << error.what() << '\n';
  return 1;
}
