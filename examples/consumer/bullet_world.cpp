// A Bullet program on Perpend's world: a box that falls 1 m onto a plane and comes to rest.
#include <cstdio>
#include <perpend/sim/world.hpp>

int main() {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver unused;
  perpend::DynamicsWorld world(&dispatcher, &broadphase, &unused, &configuration);
  world.setGravity(btVector3(0, 0, -9.81));

  btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
  btRigidBody floor(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));
  world.addRigidBody(&floor);
  btBoxShape box(btVector3(0.5, 0.5, 0.5));
  btVector3 inertia;
  box.calculateLocalInertia(1, inertia);
  btRigidBody cube(btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &box, inertia));
  cube.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 0, 1.5)));
  world.addRigidBody(&cube);

  for (int step = 0; step < 120; ++step) world.stepSimulation(1.0 / 60, 0);
  std::printf("height %.9f m, %s\n", cube.getWorldTransform().getOrigin().z(),
              std::string(perpend::name(world.report().status)).c_str());
  world.removeRigidBody(&cube);
  world.removeRigidBody(&floor);
}
