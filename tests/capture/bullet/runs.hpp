// Scenes in stock Bullet, with and without a recorder.
#pragma once

#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

#include <string>
#include <vector>

#include "capture/proof.hpp"
#include "perpend/bullet.hpp"
#include "perpend/capture/bullet.hpp"

namespace perpend::capture::from_bullet {

inline std::vector<SceneRun> bullet_runs() {
  std::vector<SceneRun> out = scene_runs();
  out.push_back({"plate", 60});
  return out;
}

// A stock world around any solver of Bullet's.
struct StockWorld {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btDiscreteDynamicsWorld world;
  explicit StockWorld(btConstraintSolver& solver)
      : world(&dispatcher, &broadphase, &solver, &configuration) {}
};

// After so many steps; `prepare` may change the world's settings first.
template <class Prepare>
std::uint64_t run(btConstraintSolver& solver, const Scene& scene, int steps, Prepare&& prepare) {
  StockWorld stock(solver);
  prepare(stock.world);
  bullet::SceneInWorld inside(scene, scene.step, stock.world);
  for (int k = 0; k < steps; ++k) inside.step();
  return inside.hash();
}
inline std::uint64_t run(btConstraintSolver& solver, const Scene& scene, int steps) {
  return run(solver, scene, steps, [](btDiscreteDynamicsWorld&) {});
}

}  // namespace perpend::capture::from_bullet
