// A program for ODE that records itself: three lines. Then the last step is read back, and the
// forces of the floor on the box are added up: its weight.
//
//   recorded_ode FILE.h5
#include <perpend/capture/ode.hpp>

#include "weight.hpp"

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

  print_weight(path, kMass * kGravity);
}
