// A program for ODE that records itself: three lines. Then the last step is read back, and the
// forces of the floor on the box are added up: its weight.
//
//   recorded_ode FILE.h5
#include <cstdio>
#include <perpend/capture/ode.hpp>

namespace {

constexpr double kGravity = 9.81, kMass = 3, kStep = 1.0 / 60;  // m/s^2, kg, s

struct Simulation {
  dWorldID world;
  dJointGroupID group;
  perpend::capture::OdeFile& file;
};

void touch(void* data, dGeomID a, dGeomID b) {
  auto& [world, group, file] = *static_cast<Simulation*>(data);
  dContact contacts[8];
  const int count = dCollide(a, b, 8, &contacts[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    dContact& contact = contacts[i];
    contact.surface = {};
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = 0.5;
    const dJointID joint = dJointCreateContact(world, group, &contact);
    file.contact(joint, contact);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
  }
}

// Force on the one body that moves, N: impulses act on the second body of a pair along n, t, o, on
// the first against them.
perpend::Vector3d contact_force(const perpend::io::Record& record) {
  const perpend::Contacts& contacts = record.frame.contacts;
  perpend::Vector3d force = perpend::Vector3d::Zero();
  for (perpend::Index i = 0; i < contacts.count(); ++i) {
    perpend::Matrix3d axes;
    axes << contacts.normals.row(i), contacts.tangents.row(i).head<3>(),
        contacts.tangents.row(i).tail<3>();
    const perpend::Vector3d impulse = axes.transpose() * record.answer.z.row(i).transpose();
    const bool second = !record.frame.bodies.fixed(contacts.pairs(i, 1));
    force += (second ? 1 : -1) * impulse / record.frame.step;
  }
  return force;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "run.h5";
  dInitODE2(0);
  const dWorldID world = dWorldCreate();
  const dSpaceID space = dSimpleSpaceCreate(nullptr);
  const dJointGroupID group = dJointGroupCreate(0);
  dWorldSetGravity(world, 0, 0, -kGravity);
  dCreatePlane(space, 0, 0, 1, 0);
  const dBodyID box = dBodyCreate(world);
  dMass mass;
  dMassSetBoxTotal(&mass, kMass, 1, 1, 1);
  dBodySetMass(box, &mass);
  dBodySetPosition(box, 0, 0, 1);
  dGeomSetBody(dCreateBox(space, 1, 1, 1), box);

  perpend::capture::OdeFile file(path, world, space);
  Simulation simulation{world, group, file};
  for (int step = 0; step < 600; ++step) {
    dSpaceCollide(space, &simulation, touch);
    file.quick_step(kStep);
    dJointGroupEmpty(group);
  }
  file.close();
  dJointGroupDestroy(group);
  dSpaceDestroy(space);
  dWorldDestroy(world);
  dCloseODE();

  const perpend::io::FrameReader reader(path);
  const perpend::io::Record last = reader.read(reader.frames() - 1);
  const perpend::Vector3d force = contact_force(last);
  std::printf("%lld steps, contact force %.4f %.4f %.4f N, weight %.4f N\n",
              static_cast<long long>(reader.frames()), force.x(), force.y(), force.z(),
              kMass * kGravity);
}
