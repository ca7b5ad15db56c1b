// Bullet's NNCG: its iterations on the recorded problem give its velocities, those of an explosion
// too.
#include <gtest/gtest.h>

#include "capture/bullet/methods.hpp"
#include "capture/bullet/runs.hpp"

namespace perpend::capture::from_bullet {
namespace conjugate_test {

using Nncg = btNNCGConstraintSolver;

struct Found {
  double momentum = 0, velocities = 0, speed = 0;
  int frames = 0;  // until a number of the world is not finite
};

template <class Prepare>
Found recorded(const Scene& scene, int steps, Prepare&& prepare) {
  Found out;
  bool finite = true;
  BulletRecorder recorder(
      [&](BulletStep& step) {
        const Rows6& plus = step.record.answer.velocities_plus;
        finite = invalid(step.record.frame).empty() && plus.allFinite();
        if (!finite) return;
        ++out.frames;
        out.speed = std::max(out.speed, plus.cwiseAbs().maxCoeff());
        // Beyond, a body's velocity may be what is left of iterates 1e15 times as large.
        if (out.speed < 1e40) out.momentum = worse(out.momentum, momentum_gap(step.record));
        out.velocities =
            worse(out.velocities,
                  reproduction_gap(step.record, [&](const System& system, const io::Record&) {
                    return as_conjugate(system, step);
                  }));
      },
      false);
  Recording<Nncg> solver(recorder);
  Nncg plain;
  StockWorld stock(solver), unrecorded(plain);
  prepare(stock.world);
  prepare(unrecorded.world);
  bullet::SceneInWorld inside(scene, scene.step, stock.world);
  bullet::SceneInWorld beside(scene, scene.step, unrecorded.world);
  for (int k = 0; k < steps && finite; ++k) {
    inside.step();
    beside.step();
  }
  EXPECT_EQ(inside.hash(), beside.hash());
  std::cout << scene.name << ": " << out.frames << " of " << steps << " frames, up to " << out.speed
            << " m/s, momentum closes to " << out.momentum << ", velocities reproduced to "
            << out.velocities << "\n";
  return out;
}

Found recorded(const Scene& scene, int steps) {
  return recorded(scene, steps, [](btDiscreteDynamicsWorld&) {});
}

class RecordedConjugate : public testing::TestWithParam<SceneRun> {};

TEST_P(RecordedConjugate, ItsIterationsGiveItsVelocities) {
  const Found found = recorded(scene_of(GetParam().scene), GetParam().steps);
  EXPECT_GT(found.frames, 5);
  EXPECT_LT(found.momentum, 1e-12);
  EXPECT_LT(found.velocities, 1e-10);
}
INSTANTIATE_TEST_SUITE_P(Bullet, RecordedConjugate, testing::ValuesIn(bullet_runs()), test_name);

TEST(BulletConjugate, EveryGroupHasAStepLengthOfItsOwn) {
  const auto alone_in_two_directions = [](btDiscreteDynamicsWorld& world) {
    world.getSolverInfo().m_minimumSolverBatchSize = 1;
    world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  };
  const Found found = recorded(scene_of("spheres"), 90, alone_in_two_directions);
  EXPECT_EQ(found.frames, 90);
  EXPECT_LT(found.momentum, 1e-12);
  EXPECT_LT(found.velocities, 1e-10);
}

// Physics does not know the unit of mass; an explosion that goes away with it is the solver's.
TEST(BulletConjugate, ExplosionsDependOnTheUnitOfMass) {
  for (const char* name : {"snake", "hose", "ragdolls"}) {
    const auto in_units = [&](double per_kilogram) {
      Scene scene = scene_of(name);
      for (Body& body : scene.bodies) body.mass *= per_kilogram;
      for (Joint& joint : scene.joints)
        for (Joint::Motor& motor : joint.motors) motor.max_force *= per_kilogram;
      return recorded(scene, 120);
    };
    EXPECT_GT(in_units(1).speed, 1e6) << name;
    const Found calm = in_units(1e5);
    EXPECT_LT(calm.speed, 100) << name;
    EXPECT_EQ(calm.frames, 120) << name;
    EXPECT_LT(calm.momentum, 1e-12) << name;
    EXPECT_LT(calm.velocities, 1e-10) << name;
  }
}

// On problems of sequential impulses, from the same start: it is not the missing projection.
TEST(BulletConjugate, WithResidualsInNewtonSecondsNothingExplodes) {
  for (const char* name : {"snake", "hose", "ragdolls"}) {
    double swept = 0, impulses = 0, velocities = 0;  // largest speeds, m/s
    BulletRecorder recorder(
        [&](BulletStep& step) {
          const System system = assemble(step.record.frame, Model::engine);
          const auto speed = [&](const Impulses& lambda) {
            return velocity_plus(step.record.frame, system, lambda).cwiseAbs().maxCoeff();
          };
          swept = worse(swept, speed(as_sequential(system, step)));
          impulses = worse(impulses, speed(as_conjugate(system, step, Residual::impulses)));
          velocities = worse(velocities, speed(as_conjugate(system, step)));
        },
        false);
    Recording<btSequentialImpulseConstraintSolver> solver(recorder);
    run(solver, scene_of(name), 120);
    std::cout << name << ": up to " << swept << " m/s by sweeps, " << impulses
              << " by conjugate gradients in N s, " << velocities << " in m/s\n";
    EXPECT_LT(impulses, 2 * swept) << name;
    EXPECT_GT(velocities, 10 * swept) << name;
  }
}

}  // namespace conjugate_test
}  // namespace perpend::capture::from_bullet
