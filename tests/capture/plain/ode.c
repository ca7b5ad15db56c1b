/* A program that uses ODE and knows nothing of Perpend: boxes fall on each other, a hinged pair
 * among them. Prints the state at the end, bit for bit.
 *
 *   plain_ode STEPS [worldstep|die]
 */
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dWorldID world;
static dJointGroupID contacts;

static void near_callback(void* data, dGeomID a, dGeomID b) {
  dContact contact[8];
  int i, count;
  (void)data;
  if (dGeomGetBody(a) && dGeomGetBody(b) && dAreConnected(dGeomGetBody(a), dGeomGetBody(b))) return;
  count = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
  for (i = 0; i < count; ++i) {
    memset(&contact[i].surface, 0, sizeof contact[i].surface);
    contact[i].surface.mode = dContactApprox1 | dContactBounce;
    contact[i].surface.mu = 0.7;
    contact[i].surface.bounce = 0.3;
    contact[i].surface.bounce_vel = 0.5;
    dJointAttach(dJointCreateContact(world, contacts, &contact[i]), dGeomGetBody(a),
                 dGeomGetBody(b));
  }
}

int main(int argc, char** argv) {
  int k, steps = argc > 1 ? atoi(argv[1]) : 100;
  const char* how = argc > 2 ? argv[2] : "";
  dBodyID body[5], extra;
  dSpaceID space;
  dJointID hinge;
  dMass mass;
  dInitODE2(0);
  world = dWorldCreate();
  space = dHashSpaceCreate(0);
  contacts = dJointGroupCreate(0);
  dWorldSetGravity(world, 0, 0, -9.81);
  dCreatePlane(space, 0, 0, 1, 0);
  for (k = 0; k < 5; ++k) {
    dGeomID geom = dCreateBox(space, 1, 0.8, 0.6);
    body[k] = dBodyCreate(world);
    dMassSetBoxTotal(&mass, 2 + k, 1, 0.8, 0.6);
    dBodySetMass(body[k], &mass);
    dBodySetPosition(body[k], 0.1 * k, 0.05 * k, 0.5 + 0.9 * k);
    dGeomSetBody(geom, body[k]);
  }
  hinge = dJointCreateHinge(world, 0);
  dJointAttach(hinge, body[3], body[4]);
  dJointSetHingeAnchor(hinge, 0.4, 0.2, 3.7);
  dJointSetHingeAxis(hinge, 1, 0, 0);
  extra = dBodyCreate(world); /* in no space; removed on the way */
  dBodySetPosition(extra, 10, 0, 10);
  dRandSetSeed(1);
  for (k = 0; k < steps; ++k) {
    if (k == steps / 2) dBodyDestroy(extra);
    if (k == steps / 2 && !strcmp(how, "die")) abort();
    dSpaceCollide(space, 0, near_callback);
    if (!strcmp(how, "worldstep"))
      dWorldStep(world, 0.01);
    else
      dWorldQuickStep(world, 0.01);
    dJointGroupEmpty(contacts);
  }
  for (k = 0; k < 5; ++k) {
    const dReal *x = dBodyGetPosition(body[k]), *v = dBodyGetLinearVel(body[k]);
    printf("%a %a %a %a %a %a\n", x[0], x[1], x[2], v[0], v[1], v[2]);
  }
  dJointGroupDestroy(contacts);
  dSpaceDestroy(space);
  dWorldDestroy(world);
  dCloseODE();
  return 0;
}
