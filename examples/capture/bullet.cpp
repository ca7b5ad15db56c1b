// A program for stock Bullet that records itself: three lines. Then the last step is read back, and
// the forces of the floor on the box are added up: its weight.
//
//   recorded_bullet FILE.h5
#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <perpend/capture/bullet.hpp>

namespace {

constexpr double kGravity = 9.81, kMass = 3;  // m/s^2, kg

// Force on body `id`, N: impulses act on the second body of a pair along n, t, o, on the first
// against them.
perpend::Vector3d contact_force(const perpend::io::Record& record, std::int64_t id) {
  const perpend::Contacts& contacts = record.frame.contacts;
  perpend::Vector3d force = perpend::Vector3d::Zero();
  for (perpend::Index i = 0; i < contacts.count(); ++i) {
    perpend::Matrix3d axes;
    axes << contacts.normals.row(i), contacts.tangents.row(i).head<3>(),
        contacts.tangents.row(i).tail<3>();
    const perpend::Vector3d impulse = axes.transpose() * record.answer.z.row(i).transpose();
    for (const int side : {0, 1}) {
      const auto body = static_cast<std::size_t>(contacts.pairs(i, side));
      if (record.frame.bodies.ids[body] == id)
        force += (side == 1 ? 1 : -1) * impulse / record.frame.step;
    }
  }
  return force;
}

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

  const perpend::io::FrameReader reader(path);
  const perpend::io::Record last = reader.read(reader.frames() - 1);
  const perpend::Vector3d force = contact_force(last, 1);  // the second body of the world
  std::printf("%lld steps, contact force %.4f %.4f %.4f N, weight %.4f N\n",
              static_cast<long long>(reader.frames()), force.x(), force.y(), force.z(),
              kMass * kGravity);
}
