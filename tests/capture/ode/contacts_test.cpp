// Contact rows of ODE: what a surface asks for, friction in all its kinds, what is left out. As for
// joints, the boxed problem of a step solved by our method must give dWorldStep's velocities.
#include <gtest/gtest.h>

#include <cmath>

#include "capture/ode/answerers.hpp"
#include "capture/ode/runs.hpp"

namespace perpend::capture::from_ode {
namespace contacts_test {

constexpr double kStep = 0.01, kErp = 0.2;

// A box of 1 m and 2 kg over a floor of any surface; contacts are made by hand.
class BoxOnFloor {
 public:
  explicit BoxOnFloor(double depth)
      : recorder_(
            world_, space_, [this](OdeStep& step) { made_ = step; }, false) {
    dWorldSetGravity(world_, 0, 0, -9.81);
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 1, 1, 1);
    dBodySetMass(box, &mass);
    dBodySetPosition(box, 0.3, 0, 0.5 - depth);
    dGeomSetBody(dCreateBox(space_, 1, 1, 1), box);
  }
  ~BoxOnFloor() {
    dJointGroupDestroy(group_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  // `floor_first`: ODE is given the floor as its first body, and swaps the two.
  const OdeStep& step(const dSurfaceParameters& surface, bool floor_first = false, int most = 8,
                      bool told = true) {
    std::array<dContact, 8> contacts{};
    const dGeomID geom = dBodyGetFirstGeom(box);
    const int found = floor_first
                          ? dCollide(floor_, geom, most, &contacts[0].geom, sizeof(dContact))
                          : dCollide(geom, floor_, most, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < found; ++i) {
      dContact& contact = contacts[static_cast<std::size_t>(i)];
      contact.surface = surface;
      contact.fdir1[0] = 0.6;
      contact.fdir1[1] = 0.8;
      const dJointID joint = dJointCreateContact(world_, group_, &contact);
      if (told) recorder_.contact(joint, contact);
      dJointAttach(joint, floor_first ? nullptr : box, floor_first ? box : nullptr);
    }
    again();
    dJointGroupEmpty(group_);
    return made_;
  }
  // One more step with the joints that are there; `step` leaves none.
  const OdeStep& again() {
    recorder_.step(kStep);
    return made_;
  }
  dJointID touch(const dSurfaceParameters& surface) {
    dContact contact{};
    dCollide(dBodyGetFirstGeom(box), floor_, 1, &contact.geom, sizeof(dContact));
    contact.surface = surface;
    const dJointID joint =
        recorder_.contact(dJointCreateContact(world_, group_, &contact), contact);
    dJointAttach(joint, box, nullptr);
    return joint;
  }
  dWorldID world() { return world_; }
  OdeRecorder& recorder() { return recorder_; }

 private:
  OdeLibrary library_;
  dWorldID world_ = dWorldCreate();
  dSpaceID space_ = dSimpleSpaceCreate(nullptr);
  dGeomID floor_ = dCreatePlane(space_, 0, 0, 1, 0);
  dJointGroupID group_ = dJointGroupCreate(0);
  OdeStep made_;
  OdeRecorder recorder_;

 public:
  dBodyID box = dBodyCreate(world_);
};

dSurfaceParameters rough(int mode = 0, double mu = 0.5) {
  dSurfaceParameters surface{};
  surface.mode = dContactApprox1 | mode;
  surface.mu = mu;
  return surface;
}

void expect_exact(const OdeStep& step, Index contacts) {
  ASSERT_EQ(invalid(step.record.frame), "");
  ASSERT_EQ(step.record.frame.contacts.count(), contacts);
  EXPECT_FALSE(step.gave_up);
  EXPECT_EQ(step.opaque, 0);
  EXPECT_LT(momentum_gap(step.record), 1e-13);
  EXPECT_LT(reproduction_gap(step.record, boxed), 1e-9);
}

TEST(OdeContacts, ForcesOfABoxAtRestAddUpToItsWeight) {
  const OdeStep last = recorded(scene_of("stack:1"), OdeMethod::step, 60).back();
  const Frame& frame = last.record.frame;
  ASSERT_EQ(frame.contacts.count(), 4);
  Vector3d force = Vector3d::Zero();
  for (Index i = 0; i < 4;
       ++i) {  // the box (id 1) is ODE's first body, the floor (id 0) its second
    const auto id = [&](Index side) {
      return frame.bodies.ids[static_cast<std::size_t>(frame.contacts.pairs(i, side))];
    };
    ASSERT_NE(id(0), id(1));
    const double sign = id(1) == 1 ? 1 : -1;
    force +=
        sign * last.record.answer.z(i, 0) / frame.step * frame.contacts.normals.row(i).transpose();
  }
  EXPECT_NEAR(force.z(), 9.81, 1e-3);
  EXPECT_NEAR(force.head<2>().norm(), 0, 1e-9);
}

TEST(OdeContacts, NormalPointsAwayFromTheFirstBodyInBothOrders) {
  for (const bool floor_first : {false, true}) {
    BoxOnFloor scene(0.02);
    const OdeStep& step = scene.step(rough(), floor_first);
    expect_exact(step, 4);
    const Frame& frame = step.record.frame;
    const bool box_first = !frame.bodies.fixed(frame.contacts.pairs(0, 0));
    EXPECT_NEAR(frame.contacts.normals(0, 2), box_first ? -1 : 1, 1e-15);
    EXPECT_NEAR(frame.contacts.gap[0], -0.02, 1e-15);
  }
}

TEST(OdeContacts, PenetrationIsReducedByErpAndTheBiasSaysSo) {
  BoxOnFloor scene(0.02);
  const OdeStep& step = scene.step(rough());
  for (Index i = 0; i < 4; ++i)
    EXPECT_NEAR(step.record.frame.contacts.bias(i, 0), -kErp * 0.02 / kStep, 1e-12);
  const Index box = step.record.frame.bodies.fixed(0) ? 1 : 0;
  EXPECT_NEAR(step.record.answer.velocities_plus(box, 2), kErp * 0.02 / kStep, 1e-8);
}

TEST(OdeContacts, MaximalPushAndSurfaceLayerAreInTheBias) {
  BoxOnFloor capped(0.02);
  dWorldSetContactMaxCorrectingVel(capped.world(), 0.1);
  const OdeStep& slow = capped.step(rough());
  expect_exact(slow, 4);
  EXPECT_NEAR(slow.record.frame.contacts.bias(0, 0), -0.1, 1e-15);

  BoxOnFloor layered(0.02);
  dWorldSetContactSurfaceLayer(layered.world(), 0.015);
  const OdeStep& thin = layered.step(rough());
  expect_exact(thin, 4);
  EXPECT_NEAR(thin.record.frame.contacts.bias(0, 0), -kErp * 0.005 / kStep, 1e-12);
}

TEST(OdeContacts, SoftSurfaceHasItsOwnErpCompliancesAndSpeeds) {
  BoxOnFloor scene(0.02);
  dSurfaceParameters surface =
      rough(dContactSoftERP | dContactSoftCFM | dContactSlip1 | dContactSlip2 | dContactMotion1 |
            dContactMotion2 | dContactMotionN | dContactFDir1);
  surface.soft_erp = 0.6;
  surface.soft_cfm = 1e-3;
  surface.slip1 = 2e-3;
  surface.slip2 = 3e-3;
  surface.motion1 = 0.4;
  surface.motion2 = -0.3;
  surface.motionN = 0.1;
  const OdeStep& step = scene.step(surface);
  expect_exact(step, 4);
  const Contacts& k = step.record.frame.contacts;
  EXPECT_LT((k.bias.row(0) - Eigen::RowVector3d(-0.6 * 0.02 / kStep - 0.1, -0.4, 0.3)).norm(),
            1e-12);
  EXPECT_LT((k.cfm.row(0) - Eigen::RowVector3d(1e-3, 2e-3, 3e-3) / kStep).norm(), 1e-12);
  EXPECT_NEAR(std::abs(k.tangents(0, 0)), 0.6, 1e-15);
}

// A ball that hits the floor at u leaves it at -e u.
TEST(OdeContacts, RestitutionIsInTheBias) {
  const Scene scene = bouncing_ball();
  const OdeStep step = recorded(scene, OdeMethod::step, 1).front();
  expect_exact(step, 1);
  const Frame& frame = step.record.frame;
  EXPECT_NEAR(frame.contacts.restitution[0], 0.5, 1e-15);
  EXPECT_NEAR(frame.contacts.bias(0, 0), -1, 1e-12);
  const Index ball = frame.bodies.fixed(0) ? 1 : 0;
  // Less what the compliance of 1e-10/h gives way under an impulse of 3 N s.
  EXPECT_NEAR(step.record.answer.velocities_plus(ball, 2), 1 - 3 * 1e-10 / scene.step, 1e-9);
  EXPECT_NEAR(assemble(frame).c[0], -1, 1e-12);  // by our law it is the same: c = e u-
}

// Without dContactApprox1 ODE's mu is a force.
TEST(OdeContacts, FrictionThatIsAForceIsABound) {
  BoxOnFloor scene(0.001);
  dBodySetLinearVel(scene.box, 3, 1, 0);
  dSurfaceParameters surface = rough();
  surface.mode = dContactApprox0;
  surface.mu = 0.7;
  const OdeStep& step = scene.step(surface);
  expect_exact(step, 4);
  EXPECT_NEAR(step.record.frame.contacts.friction_bounds(0, 0), 0.7 * kStep, 1e-16);
  EXPECT_NEAR(step.record.answer.z.row(0).tail<2>().cwiseAbs().maxCoeff(), 0.7 * kStep, 1e-12);
}

TEST(OdeContacts, InfiniteFrictionHoldsWhateverComes) {
  for (const int mode : {dContactApprox0, dContactApprox1}) {
    if (mode == dContactApprox1) continue;  // infinity times nothing: ODE itself comes to NaN
    BoxOnFloor scene(0.001);
    dBodySetLinearVel(scene.box, 1, 0, 0);
    dSurfaceParameters surface = rough();
    surface.mode = mode;
    surface.mu = dInfinity;
    const OdeStep& step = scene.step(surface);
    expect_exact(step, 4);
    EXPECT_GE(step.record.frame.contacts.friction_bounds.minCoeff(), 1e20);
  }
}

TEST(OdeContacts, TwoCoefficientsBoundTheirOwnDirections) {
  BoxOnFloor scene(0.001);
  dBodySetLinearVel(scene.box, 3, 2, 0);
  dSurfaceParameters surface = rough(dContactMu2 | dContactFDir1, 0.2);
  surface.mu2 = 0.6;
  const OdeStep& step = scene.step(surface);
  expect_exact(step, 4);
  const Rows<2>& bounds = step.record.frame.contacts.friction_bounds;
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(bounds(i, 1), 3 * bounds(i, 0), 1e-4 * bounds(i, 1));

  surface.mu2 = 0;  // ODE leaves out a row without friction
  BoxOnFloor other(0.001);
  dBodySetLinearVel(other.box, 3, 2, 0);
  const OdeStep& one = other.step(surface);
  expect_exact(one, 4);
  EXPECT_EQ(one.record.frame.contacts.friction_bounds(0, 1), 0);
  EXPECT_EQ(one.record.answer.z(0, 2), 0);
}

TEST(OdeContacts, RollingAndSpinningFrictionAreJointRows) {
  for (const int approximation : {dContactApprox1, dContactApprox0}) {
    BoxOnFloor scene(0.001);
    dBodySetLinearVel(scene.box, 1, 0.5, 0);
    dBodySetAngularVel(scene.box, 0.1, 0.3, 4);
    dSurfaceParameters surface = rough(dContactRolling | dContactAxisDep);
    surface.mode = (surface.mode & ~dContactApprox1) | approximation;
    surface.mu2 = 0.4;
    surface.rho = 0.02;
    surface.rho2 = 0.03;
    surface.rhoN = 0.05;
    const OdeStep& step = scene.step(surface, false, 1);
    expect_exact(step, 1);
    ASSERT_EQ(step.record.frame.joints.row_count(), 3);
    EXPECT_EQ(step.record.frame.contacts.rolling_mu[0], 0.02);
    EXPECT_EQ(step.record.frame.contacts.torsional_mu[0], 0.05);
    EXPECT_GT(step.record.answer.z_joints.cwiseAbs().maxCoeff(), 1e-5);
  }
}

// ODE freezes the bounds before it knows the friction: a box that is thrown at the floor aslant
// rolls over its edge, and its answer leaves the cone of its own normal impulses.
TEST(OdeContacts, FrozenBoundsAreThoseOfTheSolveWithoutFriction) {
  double outside = 0;
  for (const OdeStep& step : recorded(scene_of("logs"), OdeMethod::step, 60)) {
    const Contacts& k = step.record.frame.contacts;
    for (Index i = 0; i < k.count(); ++i) {
      const Vector3d z = step.record.answer.z.row(i);
      for (Index d = 0; d < 2; ++d) {
        EXPECT_LE(std::abs(z[d + 1]), k.friction_bounds(i, d) * (1 + 1e-9) + 1e-12);
        outside = std::max(outside, (std::abs(z[d + 1]) - k.mu[i] * z[0]) / step.record.frame.step);
      }
    }
  }
  std::cout << "friction exceeds mu times the normal force by up to " << outside << " N\n";
  EXPECT_GT(outside, 1);
}

// Then it is read from the text of the world.
TEST(OdeContacts, ThatWasNotToldIsFoundInTheExportedWorld) {
  for (const bool floor_first : {false, true}) {
    BoxOnFloor scene(0.02);
    dBodySetLinearVel(scene.box, 3, 2, -1.0 / 3);
    dSurfaceParameters surface =
        rough(dContactSoftERP | dContactSoftCFM | dContactSlip1 | dContactSlip2 | dContactMotion1 |
                  dContactMotion2 | dContactFDir1 | dContactMu2 | dContactBounce,
              1.0 / 3);
    surface.mu2 = 0.6;
    surface.bounce = 0.7;
    surface.bounce_vel = 0.1;
    surface.soft_erp = 0.6;
    surface.soft_cfm = 1e-3 / 3;
    surface.slip1 = 2e-3;
    surface.slip2 = 3e-3;
    surface.motion1 = 0.4;
    surface.motion2 = -0.3;
    expect_exact(scene.step(surface, floor_first, 8, false), 4);
  }
}

// What is told of a joint holds as long as the joint is there. Rolling friction shows it: it is not
// in the text from which contacts are read that nobody told.
TEST(OdeContacts, ThatStayAreToldOnce) {
  BoxOnFloor scene(0.001);
  dSurfaceParameters surface = rough(dContactRolling);
  surface.rho = surface.rho2 = surface.rhoN = 0.01;
  const dJointID joint = scene.touch(surface);
  for (int k = 0; k < 5; ++k) {
    if (k == 2) dJointDisable(joint);
    if (k == 3) dJointEnable(joint);
    const OdeStep& step = scene.again();
    EXPECT_EQ(step.record.frame.contacts.count(), k == 2 ? 0 : 1) << k;
    EXPECT_EQ(step.record.frame.joints.row_count(), k == 2 ? 0 : 3) << k;
    EXPECT_LT(momentum_gap(step.record), 1e-13) << k;
  }
}

// Two bodies in the same state cannot be told apart in the text: their contacts are forces.
TEST(OdeContacts, ThatCannotBeFoundIsAnExternalForce) {
  BoxOnFloor scene(0.001);
  const dBodyID twin = dBodyCreate(scene.world());
  const dReal* at = dBodyGetPosition(scene.box);
  dBodySetPosition(twin, at[0], at[1], at[2]);
  scene.recorder().watch(twin);
  const OdeStep& step = scene.step(rough(), false, 8, false);
  EXPECT_EQ(step.opaque, 4);
  EXPECT_EQ(step.record.frame.contacts.count(), 0);
  EXPECT_LT(momentum_gap(step.record), 1e-13);
}

TEST(OdeRecorder, GyroscopicTorqueIsAForce) {
  for (const OdeStep& step : recorded(spinning_box(), OdeMethod::quick_step, 20))
    expect_gyroscopic_torque(step.record, 1e-13);
}

// ODE damps last, when the step is solved and positions have moved.
TEST(OdeRecorder, DampingIsNoPartOfTheSolvedVelocities) {
  const auto damped = [](OdeScene& inside) {
    dWorldSetDamping(inside.world(), 0.05, 0.1);
    for (std::size_t i = 0; i < 27; ++i)
      if (inside.body(i)) dBodySetDampingDefaults(inside.body(i));
  };
  for (const OdeStep& step : recorded(scene_of("ragdolls"), OdeMethod::quick_step, 80, damped))
    EXPECT_LT(momentum_gap(step.record), 1e-12);
}

TEST(OdeRecorder, SleepingBodiesAreLeftOut) {
  const auto sleepy = [](OdeScene& inside) {
    for (std::size_t i = 0; i < 2; ++i)
      if (inside.body(i)) dBodySetAutoDisableFlag(inside.body(i), 1);
  };
  const std::vector<OdeStep> steps = recorded(scene_of("stack:1"), OdeMethod::step, 60, sleepy);
  EXPECT_EQ(steps.front().record.frame.bodies.count(), 2);
  EXPECT_EQ(steps.back().record.frame.bodies.count(), 0);
  for (const OdeStep& step : steps) EXPECT_LT(momentum_gap(step.record), 1e-13);
}

TEST(OdeRecorder, KinematicBodyKeepsItsVelocity) {
  double fastest = 0;
  for (const OdeStep& step : recorded(scene_of("hose"), OdeMethod::quick_step, 60)) {
    const Bodies& b = step.record.frame.bodies;
    for (Index i = 0; i < b.count(); ++i)
      if (b.fixed(i)) {
        fastest = std::max(fastest, b.velocities.row(i).norm());
        EXPECT_EQ(b.velocities.row(i), step.record.answer.velocities_plus.row(i));
      }
  }
  EXPECT_NEAR(fastest, 0.25, 1e-9);  // the hand rises from 0.5 s on
}

// A solve that ODE broke off is told, whatever the program does with ODE's messages.
TEST(OdeRecorder, BrokenOffSolvesAreTold) {
  static int heard = 0;
  heard = 0;
  OdeScene inside(scene_of("stack:10"), 1.0 / 60);
  int told = 0;
  OdeRecorder recorder(
      inside.world(), inside.space(),
      [&](OdeStep& step) {
        told += step.gave_up;
        EXPECT_EQ(step.record.answer.answered, step.gave_up ? kGaveUp : kWorldStep);
      },
      false);
  inside.record(&recorder);
  const auto mine = [](int, const char*, va_list) { ++heard; };
  dSetMessageHandler(mine);
  for (int k = 0; k < 60; ++k) inside.step(OdeMethod::step);
  EXPECT_EQ(dGetMessageHandler(), static_cast<dMessageFunction*>(mine));
  dSetMessageHandler(nullptr);
  EXPECT_GT(told, 0);
  EXPECT_GE(heard, told);
}

TEST(OdeRecorder, OwnErrorTellsHowFarItsSweepsCame) {
  const auto own_error = [](int sweeps) {
    Task task = task_of(scene_of("mass-ratio:100"), OdeMethod::quick_step);
    task.iterations = sweeps;
    io::Record record = records_of(ode_engine(), task, 3).back();
    measure_answer(record);
    EXPECT_EQ(record.answer.iterations, sweeps);
    return record.answer.errors[Measure::own_error];
  };
  EXPECT_GT(own_error(20), 10 * own_error(2000));
}

}  // namespace contacts_test
}  // namespace perpend::capture::from_ode
