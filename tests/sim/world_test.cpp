// What a Bullet user relies on: forces, gravity, locked directions, kinematic bodies, sub-steps,
// bounces, tops, and the same bits on every run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/bullet_world.hpp"

namespace perpend {
namespace world_test {

using worlds::at;
using worlds::kGravity;
using worlds::kStep;
using worlds::Ours;

// What a step of tolerance 1e-10 m/s may leave in a velocity; a small factor for the condition of
// the systems here.
constexpr double kVelocity = 1e-9;

double speed(const btRigidBody& body) {
  return body.getLinearVelocity().length() + body.getAngularVelocity().length();
}

TEST(World, ForcesAndImpulsesActAsInBullet) {
  Ours bullet;
  bullet.world.setGravity(btVector3(0, 0, 0));
  btRigidBody& box =
      bullet.body(2, bullet.shape<btBoxShape>(btVector3(0.1, 0.2, 0.3)), at(0, 0, 0));
  const btVector3 inertia = box.getLocalInertia();

  box.applyCentralForce(btVector3(6, 0, 0));
  bullet.step();
  EXPECT_NEAR(box.getLinearVelocity().x(), 3 * kStep, 1e-15);
  // Positions move with the velocity at the end of the step.
  EXPECT_NEAR(box.getWorldTransform().getOrigin().x(), 3 * kStep * kStep, 1e-15);
  bullet.step();  // forces last for one step
  EXPECT_NEAR(box.getLinearVelocity().x(), 3 * kStep, 1e-15);

  box.applyTorque(btVector3(0, 0, 0.5));
  bullet.step();
  EXPECT_NEAR(box.getAngularVelocity().z(), kStep * 0.5 / inertia.z(), 1e-14);
  box.setAngularVelocity(btVector3(0, 0, 0));
  box.setWorldTransform(at(0, 0, 0));
  box.updateInertiaTensor();
  box.setLinearVelocity(btVector3(0, 0, 0));

  // An impulse acts at once; off the centre it turns the body too.
  box.applyImpulse(btVector3(0, 4, 0), btVector3(0.1, 0, 0));
  EXPECT_NEAR(box.getLinearVelocity().y(), 2, 1e-15);
  bullet.step();
  EXPECT_NEAR(box.getLinearVelocity().y(), 2, 1e-15);
  EXPECT_NEAR(box.getAngularVelocity().z(), 0.1 * 4 / inertia.z(), 1e-12);
}

TEST(World, GravityOfOneBodyCanBeChanged) {
  Ours bullet;
  btRigidBody& floats = bullet.cube(1, 0, 0, 5);
  btRigidBody& falls = bullet.cube(1, 5, 0, 5);
  floats.setGravity(btVector3(0, 0, 1));
  bullet.step(10);
  EXPECT_NEAR(floats.getLinearVelocity().z(), 10 * kStep, 1e-14);
  EXPECT_NEAR(falls.getLinearVelocity().z(), -10 * kStep * kGravity, 1e-14);
}

TEST(World, DampingIsBullets) {
  Ours ours;
  worlds::Stock stock;
  const auto build = [](auto& bullet) -> btRigidBody& {
    bullet.world.setGravity(btVector3(0, 0, 0));
    btRigidBody& box = bullet.cube(1, 0, 0, 0);
    box.setDamping(0.3, 0.6);
    box.setLinearVelocity(btVector3(1, 2, 3));
    box.setAngularVelocity(btVector3(0, 0, 2));
    bullet.step(60);
    return box;
  };
  const btRigidBody &a = build(ours), &b = build(stock);
  EXPECT_LT((a.getLinearVelocity() - b.getLinearVelocity()).length(), 1e-14);
  EXPECT_LT((a.getAngularVelocity() - b.getAngularVelocity()).length(), 1e-14);
}

TEST(World, RaysHitBodiesWhereTheyAreNow) {
  Ours bullet;
  bullet.plane();
  btRigidBody& box = bullet.cube(1, 0, 0, 3);
  bullet.step(120);
  const btVector3 from(0.2, 0.1, 10), to(0.2, 0.1, -10);
  btCollisionWorld::ClosestRayResultCallback hit(from, to);
  bullet.world.rayTest(from, to, hit);
  ASSERT_TRUE(hit.hasHit());
  EXPECT_EQ(hit.m_collisionObject, &box);
  EXPECT_NEAR(hit.m_hitPointWorld.z(), 1, 1e-6);  // the ray caster's own accuracy
  // Moved by hand: seen from the next step on.
  box.setWorldTransform(at(7, 0, 0.5));
  box.setInterpolationWorldTransform(at(7, 0, 0.5));
  bullet.step();
  btCollisionWorld::ClosestRayResultCallback there(from + btVector3(7, 0, 0),
                                                   to + btVector3(7, 0, 0));
  bullet.world.rayTest(there.m_rayFromWorld, there.m_rayToWorld, there);
  EXPECT_EQ(there.m_collisionObject, &box);
}

// A 2-D user: a ball on a slope that falls off to the side (along y) and ahead (along x) may only
// move in the x-z plane and turn about y.
TEST(World, LockedDirectionsStayLocked) {
  Ours bullet;
  bullet.body(0, bullet.shape<btStaticPlaneShape>(btVector3(0.2, 0.3, 1).normalized(), 0),
              at(0, 0, 0));
  btRigidBody& ball = bullet.body(1, bullet.shape<btSphereShape>(0.5), at(0, 0, 1));
  ball.setLinearFactor(btVector3(1, 0, 1));
  ball.setAngularFactor(btVector3(0, 1, 0));
  ball.setActivationState(DISABLE_DEACTIVATION);
  bullet.step(120);
  EXPECT_GT(ball.getWorldTransform().getOrigin().x(), 0.5);
  EXPECT_LT(std::abs(ball.getWorldTransform().getOrigin().y()), 2 * kVelocity);  // 2 s
  EXPECT_LT(std::abs(ball.getAngularVelocity().x()), kVelocity);
  EXPECT_LT(std::abs(ball.getAngularVelocity().z()), kVelocity);
  EXPECT_GT(std::abs(ball.getAngularVelocity().y()), 0.1);
}

struct Mover : btMotionState {
  btTransform pose = btTransform::getIdentity();
  void getWorldTransform(btTransform& out) const override { out = pose; }
  void setWorldTransform(const btTransform&) override {}
};

TEST(World, KinematicBodiesPushExactly) {
  for (bool by_motion_state : {true, false}) {
    SCOPED_TRACE(by_motion_state);
    Ours bullet;
    bullet.plane();
    btRigidBody& box = bullet.cube(1, 0, 0, 0.5);
    box.setActivationState(DISABLE_DEACTIVATION);
    Mover mover;
    mover.pose = at(-1.5, 0, 0.5);
    btRigidBody& pusher = bullet.cube(0, -1.5, 0, 0.5);
    pusher.setCollisionFlags(pusher.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    pusher.setActivationState(DISABLE_DEACTIVATION);
    if (by_motion_state) pusher.setMotionState(&mover);
    double deepest = 0;
    for (int i = 1; i <= 120; ++i) {
      mover.pose.setOrigin(btVector3(-1.5 + i * kStep, 0, 0.5));  // 1 m/s
      if (!by_motion_state) pusher.setWorldTransform(mover.pose);
      bullet.step();
      deepest = std::max(deepest, bullet.world.penetration());
      ASSERT_LT((pusher.getWorldTransform().getOrigin() - mover.pose.getOrigin()).length(), 1e-15);
    }
    EXPECT_NEAR(box.getLinearVelocity().x(), 1, kVelocity);
    EXPECT_NEAR(box.getWorldTransform().getOrigin().x(), -1.5 + 2 + 1, 1e-8);
    EXPECT_LT(deepest, 1e-8);
  }
}

TEST(World, KinematicBodiesPushExactlyWithSubSteps) {
  Ours bullet;
  bullet.plane();
  btRigidBody& box = bullet.cube(1, 0, 0, 0.5);
  Mover mover;
  mover.pose = at(-1, 0, 0.5);
  btRigidBody& pusher = bullet.cube(0, -1, 0, 0.5);
  pusher.setCollisionFlags(pusher.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  pusher.setActivationState(DISABLE_DEACTIVATION);
  pusher.setMotionState(&mover);
  for (int i = 1; i <= 15; ++i) {
    mover.pose.setOrigin(btVector3(-1 + i * 4 * kStep, 0, 0.5));
    bullet.world.stepSimulation(4 * kStep, 8, kStep);
    ASSERT_LT(bullet.world.penetration(), 1e-8);
  }
  EXPECT_NEAR(box.getLinearVelocity().x(), 1, kVelocity);
  EXPECT_NEAR(box.getWorldTransform().getOrigin().x(), 1, 1e-8);
}

// A turntable carries a box along: friction of the turning body's surface.
TEST(World, KinematicTurntableCarriesABox) {
  Ours bullet;
  Mover mover;
  mover.pose = at(0, 0, 0);
  btRigidBody& table = bullet.body(0, bullet.shape<btBoxShape>(btVector3(2, 2, 0.1)), at(0, 0, 0));
  table.setCollisionFlags(table.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  table.setActivationState(DISABLE_DEACTIVATION);
  table.setMotionState(&mover);
  btRigidBody& box =
      bullet.body(1, bullet.shape<btBoxShape>(btVector3(0.1, 0.1, 0.1)), at(1, 0, 0.2));
  box.setActivationState(DISABLE_DEACTIVATION);
  const double spin = 1;  // rad/s: needs mu g > w^2 r, 4.9 > 1
  for (int i = 1; i <= 180; ++i) {
    mover.pose.setRotation(btQuaternion(btVector3(0, 0, 1), i * kStep * spin));
    bullet.step();
  }
  EXPECT_NEAR(box.getAngularVelocity().z(), spin, 1e-3);
  // A point that is moved along the tangent goes out by (w h)^2 r / 2 per step, 25 mm in 3 s.
  EXPECT_NEAR(box.getWorldTransform().getOrigin().length(), std::hypot(1, 0.2), 0.03);
}

struct Ticks {
  int before = 0, after = 0;
};
TEST(World, TickCallbacksComeOncePerSubStep) {
  Ours bullet;
  Ticks ticks;
  bullet.world.setInternalTickCallback(
      [](btDynamicsWorld* world, btScalar h) {
        EXPECT_DOUBLE_EQ(h, kStep);
        ++static_cast<Ticks*>(world->getWorldUserInfo())->before;
      },
      &ticks, true);
  bullet.world.setInternalTickCallback(
      [](btDynamicsWorld* world, btScalar) {
        auto& counted = *static_cast<Ticks*>(world->getWorldUserInfo());
        EXPECT_EQ(counted.before, ++counted.after);
      },
      &ticks, false);
  bullet.world.stepSimulation(1.0 / 30, 4, kStep);
  EXPECT_EQ(ticks.before, 2);
  EXPECT_EQ(ticks.after, 2);
}

TEST(World, ActionsAreUpdatedOncePerSubStep) {
  struct Action : btActionInterface {
    int updates = 0;
    void updateAction(btCollisionWorld*, btScalar h) override {
      EXPECT_DOUBLE_EQ(h, kStep);
      ++updates;
    }
    void debugDraw(btIDebugDraw*) override {}
  } action;
  Ours bullet;
  bullet.world.addAction(&action);
  bullet.world.stepSimulation(1.0 / 30, 4, kStep);
  EXPECT_EQ(action.updates, 2);
  bullet.world.removeAction(&action);
}

// Poses and velocities of bodies that tumble onto each other, bit for bit.
std::vector<double> tumble(int calls, double dt, int sub_steps) {
  Ours bullet;
  bullet.plane();
  std::vector<btRigidBody*> boxes;
  for (int i = 0; i < 5; ++i) {
    boxes.push_back(&bullet.cube(1 + i, 0.2 * i, 0.1 * i, 0.6 + 1.2 * i));
    boxes.back()->setAngularVelocity(btVector3(0.3 * i, 0.5, -0.2 * i));
    boxes.back()->setActivationState(DISABLE_DEACTIVATION);
  }
  for (int i = 0; i < calls; ++i) bullet.world.stepSimulation(dt, sub_steps, kStep);
  std::vector<double> state;
  for (const btRigidBody* box : boxes)
    for (int r = 0; r < 3; ++r) {
      state.push_back(box->getWorldTransform().getOrigin()[r]);
      for (int c = 0; c < 3; ++c) state.push_back(box->getWorldTransform().getBasis()[r][c]);
      state.push_back(box->getLinearVelocity()[r]);
      state.push_back(box->getAngularVelocity()[r]);
    }
  return state;
}

TEST(World, TwoRunsGiveTheSameBits) { EXPECT_EQ(tumble(90, kStep, 1), tumble(90, kStep, 1)); }

TEST(World, SubStepsAreSteps) { EXPECT_EQ(tumble(90, kStep, 1), tumble(45, 2 * kStep, 4)); }

// Dropped from H, a ball with restitution e rises to e^2 H. The bounce happens at the beginning of
// the step in which the ball would touch, up to v h above the floor and up to g h slower; both
// change the height by no more than v h, v = sqrt(2 g H), and so does a free flight of n steps
// (its parabola is off by g h t/2 < v h/2). Together below 2 v h: first order in h.
TEST(World, BouncesToESquaredOfTheHeight) {
  for (double e : {0.0, 0.5, 0.8, 1.0})
    for (int per_second : {60, 240, 960}) {
      SCOPED_TRACE(::testing::Message() << "e " << e << ", h 1/" << per_second);
      Ours bullet;
      const double h = 1.0 / per_second, height = 1, radius = 0.25;
      bullet.plane().setRestitution(1);
      btRigidBody& ball =
          bullet.body(1, bullet.shape<btSphereShape>(radius), at(0, 0, height + radius));
      ball.setRestitution(e);
      double top = 0, lowest = height;
      bool bounced = false;
      for (int i = 0; i < 2 * per_second; ++i) {
        const double before = ball.getLinearVelocity().z();
        bullet.step(1, h);
        const double z = ball.getWorldTransform().getOrigin().z() - radius;
        lowest = std::min(lowest, z);
        if (bounced && ball.getLinearVelocity().z() <= 0) break;
        if (before < 0 && ball.getLinearVelocity().z() > before) bounced = true;
        if (bounced) top = std::max(top, z);
      }
      EXPECT_TRUE(bounced);
      EXPECT_NEAR(top, e * e * height, 2 * std::sqrt(2 * kGravity * height) * h);
      EXPECT_GT(lowest, -1e-10);
    }
}

// A smooth ball that turns by more than a radian a step is still a ball: the blow is central, it
// keeps its spin and gives its speed away.
TEST(World, SpinOfASmoothBallDoesNotShowInABlow) {
  Ours bullet;
  bullet.world.setGravity(btVector3(0, 0, 0));
  btCollisionShape& shape = bullet.shape<btSphereShape>(0.5);
  btRigidBody& shot = bullet.body(1, shape, at(-2, 0, 0), 0);
  btRigidBody& target = bullet.body(1, shape, at(0, 0, 0), 0);
  shot.setRestitution(1);
  target.setRestitution(1);
  shot.setLinearVelocity(btVector3(3, 0, 0));
  shot.setAngularVelocity(btVector3(0, 0, 100));
  bullet.step(60);
  EXPECT_LT((target.getLinearVelocity() - btVector3(3, 0, 0)).length(), kVelocity);
  EXPECT_LT(shot.getLinearVelocity().length(), kVelocity);
  EXPECT_LT((shot.getAngularVelocity() - btVector3(0, 0, 100)).length(), kVelocity);
  EXPECT_LT(target.getAngularVelocity().length(), kVelocity);
}

// A heavy ball runs 1 m in a step into a row of six light ones, 0.1 m apart. Each is sent into the
// next within the step, and at its end none overlaps the next.
TEST(World, ABlowIsPassedOnThroughARowWithinAStep) {
  Ours bullet;
  bullet.world.setGravity(btVector3(0, 0, 0));
  btCollisionShape& shape = bullet.shape<btSphereShape>(0.5);
  std::vector<btRigidBody*> row;
  for (int i = 0; i < 7; ++i)
    row.push_back(&bullet.body(i ? 1 : 1000, shape, at(1.1 * i, 0, 0), 0));
  row[0]->setLinearVelocity(btVector3(60, 0, 0));
  bullet.step(1);
  double momentum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    momentum += row[i]->getLinearVelocity().x() / row[i]->getInvMass();
    if (i == 0) continue;
    const btVector3 apart =
        row[i]->getCenterOfMassPosition() - row[i - 1]->getCenterOfMassPosition();
    EXPECT_NEAR(apart.length(), 1, 1e-9) << i;
  }
  EXPECT_NEAR(momentum, 60000, 1e-6);
}

// A free body with three different moments, spun close to its middle axis (where it flips). The
// gyroscopic term at the end of the step takes energy and never gives any. The angular momentum is
// kept to first order in h.
TEST(World, AFreeTopNeverGainsEnergy) {
  double error[2];
  for (int refined : {0, 1}) {
    Ours bullet;
    bullet.world.setGravity(btVector3(0, 0, 0));
    btRigidBody& top =
        bullet.body(1, bullet.shape<btBoxShape>(btVector3(0.1, 0.3, 0.6)), at(0, 0, 0));
    top.setActivationState(DISABLE_DEACTIVATION);
    top.setAngularVelocity(btVector3(0.02, 2, 0.01));
    const auto energy = [&] {
      const btVector3 w = top.getAngularVelocity() * top.getWorldTransform().getBasis();
      return (w * w).dot(top.getLocalInertia()) / 2;
    };
    const auto momentum = [&] {
      const btVector3 w = top.getAngularVelocity() * top.getWorldTransform().getBasis();
      return top.getWorldTransform().getBasis() * (w * top.getLocalInertia());
    };
    const btVector3 start = momentum();
    double last = energy();
    const double first = last;
    const int steps = refined ? 9600 : 2400;
    for (int i = 0; i < steps; ++i) {
      bullet.step(1, refined ? kStep / 16 : kStep / 4);
      ASSERT_LE(energy(), last * (1 + 1e-14));
      last = energy();
    }
    EXPECT_GT(last, 0.9 * first);
    error[refined] = std::acos(std::min(1.0, momentum().normalized().dot(start.normalized())));
  }
  EXPECT_LT(error[0], 0.05);
  EXPECT_LT(error[1], error[0] / 2.5);  // 4 to first order
}

TEST(World, BothSteppersLetABoxComeToRest) {
  for (Stepper stepper : {Stepper::st, Stepper::ap}) {
    Ours bullet;
    bullet.world.options().stepper = stepper;
    bullet.plane();
    btRigidBody& box = bullet.cube(1, 0, 0, 0.8);
    bullet.step(60);
    EXPECT_LT(speed(box), kVelocity);
    EXPECT_NEAR(box.getWorldTransform().getOrigin().z(), 0.5, 1e-6);
    EXPECT_LT(bullet.world.penetration(), 1e-8);
  }
}

// Three boxes on each other at rest need no friction, so that every formulation has the same
// answer: nothing moves. After 20 steps a solver's tolerance of 1e-10 m/s has become no more than
// gap / h of what 20 steps have left. Solvers of pivots have no tolerance and reach rounding.
TEST(World, EveryRegisteredSolverHoldsAStack) {
  for (const SolverInfo& info : solvers()) {
    SCOPED_TRACE(info.name);
    Ours bullet;
    bullet.world.options().solver = info.name;
    bullet.world.options().solve.max_iterations = 100000;
    bullet.plane();
    std::vector<btRigidBody*> boxes;
    for (int i = 0; i < 3; ++i) boxes.push_back(&bullet.cube(1, 0, 0, 0.5 + i));
    for (int i = 0; i < 20; ++i) {
      bullet.step();
      EXPECT_EQ(bullet.world.report().unconverged, 0) << bullet.world.report().message;
    }
    for (const btRigidBody* box : boxes) EXPECT_LT(speed(*box), 1e-8);
    EXPECT_NEAR(boxes[2]->getWorldTransform().getOrigin().z(), 2.5, 1e-8);
    EXPECT_EQ(bullet.world.report().paths.size(), 1u);
  }
}

TEST(World, AnUnknownSolverIsReportedAndNothingPushes) {
  Ours bullet;
  bullet.world.options().solver = "ncp/nothing";
  bullet.plane();
  bullet.cube(1, 0, 0, 0.5);
  bullet.step();
  EXPECT_EQ(bullet.world.report().status, Status::invalid_input);
  EXPECT_NE(bullet.world.report().message.find("ncp/nothing"), std::string::npos);
}

// frame() and on_step() give the problem that is solved, and asking changes nothing.
TEST(World, ShowsTheProblemItSolves) {
  const auto run = [](bool ask) {
    Ours bullet;
    bullet.plane();
    btRigidBody& box = bullet.cube(1, 0, 0, 0.7);
    Index steps = 0;
    Frame asked;
    bullet.world.on_step([&](const StepProblem& problem, const StepReport& report) {
      ++steps;
      EXPECT_EQ(problem.frame.contacts.count(), report.contacts);
      if (!ask) return;
      EXPECT_EQ(asked.contacts.count(), problem.frame.contacts.count());
      EXPECT_TRUE(
          (asked.bodies.velocities.array() == problem.frame.bodies.velocities.array()).all());
      EXPECT_TRUE((asked.bodies.forces.array() == problem.frame.bodies.forces.array()).all());
      EXPECT_TRUE((asked.contacts.gap.array() == problem.frame.contacts.gap.array()).all());
    });
    for (int i = 0; i < 30; ++i) {
      if (ask) asked = bullet.world.frame(kStep);
      bullet.step();
    }
    EXPECT_EQ(steps, 30);
    return box.getWorldTransform().getOrigin();
  };
  EXPECT_TRUE(run(true) == run(false));
}

TEST(World, AskingForTheProblemKeepsForcesAndKinematicBodies) {
  Ours bullet;
  bullet.world.setGravity(btVector3(0, 0, 0));
  btRigidBody& box = bullet.cube(2, 0, 0, 0);
  box.setGravity(btVector3(0, 0, 3));
  btRigidBody& mover = bullet.cube(0, 5, 0, 0);
  mover.setCollisionFlags(mover.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  mover.setActivationState(DISABLE_DEACTIVATION);
  bullet.step();
  box.setLinearVelocity(btVector3(0, 0, 0));
  box.applyCentralForce(btVector3(4, 0, 0));
  mover.setWorldTransform(at(5, 0.1, 0));
  const Frame frame = bullet.world.frame(kStep);
  EXPECT_DOUBLE_EQ(frame.bodies.forces(0, 0), 4);
  EXPECT_DOUBLE_EQ(frame.bodies.forces(0, 2), 6);
  bullet.step();
  EXPECT_NEAR(box.getLinearVelocity().x(), 2 * kStep, 1e-15);
  EXPECT_NEAR(box.getLinearVelocity().z(), 3 * kStep, 1e-15);
  EXPECT_NEAR(mover.getWorldTransform().getOrigin().y(), 0.1, 1e-15);
  EXPECT_NEAR(mover.getLinearVelocity().y(), 0.1 / kStep, 1e-12);
}

TEST(World, ABodyAtABillionMetresPerSecondIsNotMoved) {
  Ours bullet;
  bullet.plane();
  btRigidBody& box = bullet.cube(1, 0, 0, 5);
  btRigidBody& other = bullet.cube(1, 3, 0, 5);
  int told = 0;
  bullet.world.on_step([&](const StepProblem&, const StepReport&) { ++told; });
  bullet.step();
  EXPECT_EQ(bullet.world.report().status, Status::converged);
  box.setLinearVelocity(btVector3(2e9, 0, 0));
  const btVector3 before = other.getWorldTransform().getOrigin();
  for (int k = 0; k < 2; ++k) {
    bullet.step();
    EXPECT_EQ(bullet.world.report().status, Status::failed);
    EXPECT_EQ(bullet.world.report().message,
              "body " + std::to_string(bullet.world.id(&box)) + " would move at 2e+09 m/s");
  }
  EXPECT_EQ(box.getWorldTransform().getOrigin().x(), 0);
  EXPECT_EQ((other.getWorldTransform().getOrigin() - before).length(), 0);
  EXPECT_EQ(told, 1);
  box.setLinearVelocity(btVector3(std::nan(""), 0, 0));
  bullet.step();
  EXPECT_EQ(bullet.world.report().status, Status::failed);
  box.setLinearVelocity(btVector3(0, 0, 0));  // it goes on from where it was
  bullet.step();
  EXPECT_EQ(bullet.world.report().status, Status::converged);
  EXPECT_EQ(told, 2);
}

// A cube swings about a point one metre from its middle: a step leaves the joint open by
// (3 h)^2/2 m.
void swing(Ours& bullet) {
  btRigidBody& box = bullet.cube(1, 1, 0, 5);
  box.setLinearVelocity(btVector3(0, 0, -3));
  box.setAngularVelocity(btVector3(0, 3, 0));
  bullet.joint<btPoint2PointConstraint>(false, box, btVector3(-1, 0, 0));
}

TEST(World, SaysOnceWhatOverlapsAtTheStartAndWhatIsNotModelled) {
  Ours bullet;
  bullet.cube(0, 0, 0, 0);
  bullet.cube(1, 0, 0, 0.9).setRollingFriction(0.1);
  bullet.step();
  const std::vector<std::string> notes = bullet.world.report().notes;
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].rfind("overlap at the start: body ", 0), 0u) << notes[0];
  EXPECT_NE(notes[0].find(" by 0.1 m"), std::string::npos) << notes[0];
  EXPECT_NE(notes[1].find("rolling friction, which is not modelled"), std::string::npos);
  bullet.step();
  EXPECT_TRUE(bullet.world.report().notes.empty());
}

TEST(World, AStepAndItsCorrectionShareOneTimeLimit) {
  Ours free, limited;
  swing(free);
  swing(limited);
  free.step();
  ASSERT_GT(free.world.report().corrected, 0);
  double now = 0;
  limited.world.options().solve.clock = [&now] { return now += 1; };  // by each look at it
  limited.world.options().solve.time_limit = 4;
  limited.step();
  const StepReport& report = limited.world.report();
  EXPECT_EQ(report.status, Status::time_limit);
  EXPECT_EQ(report.message, "limit of 4 s for a step");
  EXPECT_EQ(report.corrected, 0);
}

TEST(World, CtrlCIsHeardBetweenSolveAndCorrection) {
  Ours bullet;
  swing(bullet);
  long iterations = 0;
  bullet.world.options().solve.observer = [&](const Iteration&) { return ++iterations > 0; };
  bullet.world.options().solve.cancelled = [&] { return iterations > 0; };
  bullet.step();
  EXPECT_EQ(iterations, 1);
  EXPECT_EQ(bullet.world.report().status, Status::stopped);
  EXPECT_EQ(bullet.world.report().corrected, 0);
}

}  // namespace world_test
}  // namespace perpend
