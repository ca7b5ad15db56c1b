// A program for stock Bullet that records itself: three lines. Then the last step is read back, and
// the forces of the floor on the box are added up: its weight.
//
//   recorded_bullet FILE.h5
#include <btBulletDynamicsCommon.h>

#include <perpend/capture/bullet.hpp>

#include "weight.hpp"

namespace {

constexpr double kGravity = 9.81, kMass = 3;  // m/s^2, kg

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "run.h5";
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  perpend::capture::BulletFile file(path);
  perpend::capture::Recording<btSequentialImpulseConstraintSolver> solver(file);
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, -kGravity));

  btStaticPlaneShape ground(btVector3(0, 0, 1), 0);
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  btVector3 inertia;
  cube.calculateLocalInertia(kMass, inertia);
  btRigidBody floor(0, nullptr, &ground);
  btRigidBody box(kMass, nullptr, &cube, inertia);
  box.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 0, 1)));
  box.setActivationState(DISABLE_DEACTIVATION);
  world.addRigidBody(&floor);
  world.addRigidBody(&box);
  for (int step = 0; step < 600; ++step) world.stepSimulation(1.0 / 60, 0);
  file.close();
  world.removeRigidBody(&box);
  world.removeRigidBody(&floor);

  print_weight(path, kMass * kGravity);
}
