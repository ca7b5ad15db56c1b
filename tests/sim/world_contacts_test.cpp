// Contacts as a Bullet user sees them: impulses in manifolds, callbacks, sensors, filters, sleep,
// removal in the middle of a run, debug drawing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/bullet_world.hpp"

namespace perpend {
namespace world_contacts_test {

using worlds::at;
using worlds::kGravity;
using worlds::kStep;
using worlds::Ours;
using worlds::Stock;

// A box at rest gets the momentum h m g in every step. The tolerance of 1e-10 m/s, times the mass.
constexpr double kImpulse = 1e-9;  // N s

TEST(Manifolds, OfARestingBoxCarryItsWeight) {
  Ours bullet;
  btRigidBody& floor = bullet.plane();
  btRigidBody &lower = bullet.cube(2, 0, 0, 0.5), &upper = bullet.cube(3, 0.1, 0.2, 1.5);
  bullet.step(10);
  const btVector3 on_upper = bullet.impulse(upper, lower), on_lower = bullet.impulse(lower, floor);
  EXPECT_LT((on_upper / kStep - btVector3(0, 0, 3 * kGravity)).length(), kImpulse / kStep);
  EXPECT_LT((on_lower / kStep - btVector3(0, 0, 5 * kGravity)).length(), kImpulse / kStep);
  double sum = 0;
  for (const btManifoldPoint& point : bullet.points(lower, floor)) {
    EXPECT_GE(point.getAppliedImpulse(), 0);
    EXPECT_NEAR(point.getDistance(), 0, 1e-9);
    EXPECT_NEAR(point.getPositionWorldOnB().z(), 0, 1e-9);
    sum += point.getAppliedImpulse();
  }
  EXPECT_NEAR(sum / kStep, 5 * kGravity, kImpulse / kStep);
}

// Two squares turned by 45 degrees meet in an octagon: eight contacts, and room for four.
TEST(Manifolds, AddUpTheContactsThatHaveNoRoom) {
  Ours bullet;
  bullet.plane();
  btRigidBody& lower = bullet.cube(1, 0, 0, 0.5);
  btRigidBody& upper = bullet.body(1, bullet.shape<btBoxShape>(btVector3(0.5, 0.5, 0.5)),
                                   at(0, 0, 1.5, btQuaternion(btVector3(0, 0, 1), SIMD_PI / 4)));
  bullet.step(10);
  EXPECT_EQ(bullet.world.report().contacts, 12);
  const std::vector<btManifoldPoint> points = bullet.points(upper, lower);
  EXPECT_EQ(points.size(), 4u);
  double sum = 0;
  for (const btManifoldPoint& point : points) sum += point.getAppliedImpulse();
  EXPECT_NEAR(sum / kStep, kGravity, kImpulse / kStep);
}

// A box on a slope: the normal impulses carry m g cos, the lateral ones m g sin up the slope, with
// the signs that Bullet's own solver writes.
template <class World>
void slope(worlds::Bullet<World>& bullet, double tolerance) {
  const double angle = 0.2;
  const btVector3 normal(-std::sin(angle), 0, std::cos(angle)),
      up(std::cos(angle), 0, std::sin(angle));
  btRigidBody& ground =
      bullet.body(0, bullet.template shape<btStaticPlaneShape>(normal, 0), at(0, 0, 0), 1);
  const btQuaternion tilt(btVector3(0, 1, 0), -angle);
  btRigidBody& box = bullet.body(2, bullet.template shape<btBoxShape>(btVector3(0.5, 0.5, 0.5)),
                                 btTransform(tilt, 0.5 * normal), 1);
  box.setActivationState(DISABLE_DEACTIVATION);
  bullet.step(120);
  double pressed = 0;
  for (const btManifoldPoint& point : bullet.points(box, ground)) pressed += point.m_appliedImpulse;
  const double weight = 2 * kGravity * kStep;
  EXPECT_NEAR(pressed, weight * std::cos(angle), tolerance);
  const btVector3 on_box = bullet.impulse(box, ground);
  EXPECT_NEAR(on_box.dot(up), weight * std::sin(angle), tolerance);
  EXPECT_NEAR(on_box.dot(normal), weight * std::cos(angle), tolerance);
}

TEST(Manifolds, HoldABoxOnASlopeByLateralImpulses) {
  Ours bullet;
  slope(bullet, kImpulse);
}

TEST(Manifolds, HaveTheSignsOfBulletsOwnSolver) {
  Stock bullet;
  bullet.world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  slope(bullet, 0.02 * 2 * kGravity * kStep);  // ten sweeps are not an exact answer
}

bool slippery(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
              const btCollisionObjectWrapper*, int, int) {
  point.m_combinedFriction = 0;
  return true;
}

TEST(Callbacks, ContactAddedMayChangeFriction) {
  for (bool custom : {false, true}) {
    Ours bullet;
    const double angle = 0.2;
    bullet.body(
        0, bullet.shape<btStaticPlaneShape>(btVector3(-std::sin(angle), 0, std::cos(angle)), 0),
        at(0, 0, 0), 1);
    btRigidBody& box =
        bullet.body(1, bullet.shape<btBoxShape>(btVector3(0.5, 0.5, 0.5)),
                    btTransform(btQuaternion(btVector3(0, 1, 0), -angle),
                                0.5 * btVector3(-std::sin(angle), 0, std::cos(angle))),
                    1);
    if (custom)
      box.setCollisionFlags(box.getCollisionFlags() |
                            btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    gContactAddedCallback = slippery;
    bullet.step(60);
    gContactAddedCallback = nullptr;
    EXPECT_NEAR(box.getLinearVelocity().length(), custom ? kGravity * std::sin(angle) : 0, 1e-8);
  }
}

TEST(Callbacks, MaterialsMayCombineInAnotherWay) {
  const auto before = gCalculateCombinedFrictionCallback;
  gCalculateCombinedFrictionCallback = [](const btCollisionObject* a,
                                          const btCollisionObject* b) -> btScalar {
    return std::max(a->getFriction(), b->getFriction());
  };
  Ours bullet;
  bullet.plane().setFriction(0);
  btRigidBody& box = bullet.cube(1, 0, 0, 0.5);
  box.setFriction(0.3);
  box.setLinearVelocity(btVector3(2, 0, 0));
  bullet.step(20);
  gCalculateCombinedFrictionCallback = before;
  EXPECT_NEAR(box.getLinearVelocity().x(), 2 - 20 * kStep * 0.3 * kGravity, 1e-8);
}

struct Events {
  int started, ended, processed, destroyed;
};
Events events{};

TEST(Callbacks, ContactsStartAndEndOnce) {
  events = {};
  gContactStartedCallback = [](btPersistentManifold* const& manifold) {
    EXPECT_GT(manifold->getNumContacts(), 0);
    ++events.started;
  };
  gContactEndedCallback = [](btPersistentManifold* const&) { ++events.ended; };
  gContactProcessedCallback = [](btManifoldPoint& point, void*, void*) {
    EXPECT_LT(point.getDistance(), 1);
    if (!point.m_userPersistentData) point.m_userPersistentData = &events;
    ++events.processed;
    return true;
  };
  gContactDestroyedCallback = [](void* data) {
    EXPECT_EQ(data, &events);
    ++events.destroyed;
    return true;
  };
  {
    Ours bullet;
    bullet.plane();
    btRigidBody& box = bullet.cube(1, 0, 0, 0.8);
    bullet.step(5);
    EXPECT_EQ(events.started, 0);
    EXPECT_EQ(events.processed, 0);
    bullet.step(55);
    EXPECT_EQ(events.started, 1);
    EXPECT_EQ(events.ended, 0);
    EXPECT_EQ(events.processed % 4, 0);  // four corners in each step
    EXPECT_GT(events.processed, 4 * 30);
    EXPECT_EQ(events.destroyed, 0);  // the same points from step to step
    box.activate();
    box.applyCentralImpulse(btVector3(0, 0, 3));
    bullet.step(10);
    EXPECT_EQ(events.started, 1);
    EXPECT_EQ(events.ended, 1);
    EXPECT_EQ(events.destroyed, 4);
    bullet.step(60);
    EXPECT_EQ(events.started, 2);
  }
  EXPECT_EQ(events.ended, 2);  // with the body
  EXPECT_EQ(events.destroyed, 8);
  gContactStartedCallback = nullptr;
  gContactEndedCallback = nullptr;
  gContactProcessedCallback = nullptr;
  gContactDestroyedCallback = nullptr;
}

const btCollisionObject* ignored = nullptr;
void near_but_not_that(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                       const btDispatcherInfo& info) {
  if (pair.m_pProxy0->m_clientObject == ignored || pair.m_pProxy1->m_clientObject == ignored)
    return;
  btCollisionDispatcher::defaultNearCallback(pair, dispatcher, info);
}

TEST(Callbacks, NearCallbackMayDropAPair) {
  Ours bullet;
  bullet.plane();
  btRigidBody &falls = bullet.cube(1, 0, 0, 0.5), &rests = bullet.cube(1, 5, 0, 0.5);
  ignored = &falls;
  bullet.dispatcher.setNearCallback(near_but_not_that);
  bullet.step(60);
  EXPECT_LT(falls.getWorldTransform().getOrigin().z(), -4);
  EXPECT_NEAR(rests.getWorldTransform().getOrigin().z(), 0.5, 1e-9);
}

TEST(Filters, SensorsReportAndDoNotPush) {
  Ours bullet;
  bullet.plane();
  btRigidBody& gate = bullet.cube(0, 0, 0, 3);
  gate.setCollisionFlags(gate.getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
  btRigidBody& box = bullet.cube(1, 0.2, 0, 6);
  int inside = 0;
  for (int i = 0; i < 90; ++i) {
    const double before = box.getLinearVelocity().z();
    bullet.step();
    const double z = box.getWorldTransform().getOrigin().z();
    if (z < 0.6) break;
    EXPECT_NEAR(box.getLinearVelocity().z(), before - kGravity * kStep, 1e-12);
    const bool overlaps = std::abs(z - 3) < 1;
    // The sensor was asked at the beginning of the step.
    const bool overlapped = std::abs(z - kStep * box.getLinearVelocity().z() - 3) < 1;
    inside += overlaps;
    if (overlaps == overlapped) {
      EXPECT_EQ(!bullet.points(gate, box).empty(), overlaps) << z;
    }
  }
  EXPECT_GT(inside, 5);
  bullet.step(30);
  EXPECT_NEAR(box.getWorldTransform().getOrigin().z(), 0.5, 1e-9);
}

TEST(Filters, GroupsDecideWhoMeetsWhom) {
  Ours bullet;
  constexpr int kGround = 1, kSolid = 2, kGhost = 4;
  bullet.body(0, bullet.shape<btStaticPlaneShape>(btVector3(0, 0, 1), 0), at(0, 0, 0), 0.5, kGround,
              kSolid);
  btBoxShape& cube = bullet.shape<btBoxShape>(btVector3(0.5, 0.5, 0.5));
  btRigidBody& solid = bullet.body(1, cube, at(0, 0, 0.6), 0.5, kSolid, kGround | kSolid);
  btRigidBody& ghost = bullet.body(1, cube, at(0.1, 0, 0.9), 0.5, kGhost, kGhost);
  bullet.step(60);
  EXPECT_NEAR(solid.getWorldTransform().getOrigin().z(), 0.5, 1e-9);
  EXPECT_LT(ghost.getWorldTransform().getOrigin().z(), -3);
}

TEST(Filters, IgnoredPairsDoNotMeet) {
  Ours bullet;
  btRigidBody& floor = bullet.plane();
  btRigidBody& box = bullet.cube(1, 0, 0, 0.5);
  box.setIgnoreCollisionCheck(&floor, true);
  bullet.step(60);
  EXPECT_LT(box.getWorldTransform().getOrigin().z(), -4);
}

TEST(Sleep, ARestingBoxSleepsAndWakesWhenHit) {
  Ours bullet;
  bullet.plane();
  btRigidBody& box = bullet.cube(1, 0, 0, 0.5);
  btRigidBody& awake = bullet.cube(1, 9, 0, 0.5);
  awake.setActivationState(DISABLE_DEACTIVATION);
  bullet.step(60);
  EXPECT_TRUE(box.isActive());
  bullet.step(120);  // Bullet's default: two seconds below 0.8 m/s and 1 rad/s
  EXPECT_EQ(box.getActivationState(), ISLAND_SLEEPING);
  EXPECT_TRUE(awake.isActive());
  EXPECT_EQ(bullet.world.report().contacts, 4);  // of the box that must not sleep
  const btTransform before = box.getWorldTransform();
  bullet.step(60);
  EXPECT_TRUE(box.getWorldTransform() == before);

  btRigidBody& ball = bullet.body(1, bullet.shape<btSphereShape>(0.2), at(-3, 0, 0.6));
  ball.setLinearVelocity(btVector3(8, 0, 0));
  bullet.step(30);
  EXPECT_TRUE(box.isActive());
  EXPECT_GT(box.getWorldTransform().getOrigin().x(), 0.1);
  EXPECT_LT(bullet.world.penetration(), 1e-8);
}

TEST(Sleep, ASleepingPileCostsNothing) {
  Ours bullet;
  bullet.plane();
  std::vector<btRigidBody*> boxes;
  for (int i = 0; i < 4; ++i) boxes.push_back(&bullet.cube(1, 0.1 * i, 0, 0.5 + i));
  bullet.step(200);
  for (const btRigidBody* box : boxes) EXPECT_EQ(box->getActivationState(), ISLAND_SLEEPING);
  bullet.step();
  const StepReport& report = bullet.world.report();
  EXPECT_EQ(report.islands, 0);
  EXPECT_EQ(report.contacts, 0);
  EXPECT_EQ(report.iterations, 0);
  for (long work : report.work) EXPECT_EQ(work, 0);
  // Its manifolds keep what they had.
  EXPECT_FALSE(bullet.points(*boxes[0], *boxes[1]).empty());
  // A touch on the lowest wakes all.
  boxes[0]->activate();
  bullet.step(2);
  for (const btRigidBody* box : boxes) EXPECT_TRUE(box->isActive());
  EXPECT_EQ(bullet.world.report().contacts, 16);
  for (const btRigidBody* box : boxes) EXPECT_LT(box->getLinearVelocity().length(), 1e-9);
}

TEST(Removal, InTheMiddleOfARunLeavesNothingBehind) {
  Ours bullet;
  bullet.plane();
  std::vector<btRigidBody*> boxes;
  for (int i = 0; i < 6; ++i) boxes.push_back(&bullet.cube(1, 0, 0, 0.5 + i));
  auto& hinge =
      bullet.joint<btHingeConstraint>(true, *boxes[5], btVector3(0.5, 0, 0), btVector3(0, 1, 0));
  auto& tie = bullet.joint<btPoint2PointConstraint>(false, *boxes[1], *boxes[2],
                                                    btVector3(0, 0, 0.5), btVector3(0, 0, -0.5));
  bullet.step(5);
  bullet.remove(hinge);
  bullet.step(5);
  bullet.remove(tie);
  bullet.remove(*boxes[2]);
  bullet.step(60);
  EXPECT_NEAR(boxes[3]->getWorldTransform().getOrigin().z(), 2.5, 1e-9);  // fell by one storey
  EXPECT_EQ(bullet.world.report().contacts, 5 * 4);
  bullet.remove(*boxes[0]);
  boxes.erase(boxes.begin());
  bullet.cube(1, 0, 0, 9);  // likely at the address of one that went
  bullet.step(60);
  EXPECT_EQ(bullet.world.report().joint_rows, 0);
  EXPECT_LT(bullet.world.penetration(), 1e-8);
}

TEST(Removal, OfAKinematicBodyBetweenSubSteps) {
  Ours bullet;
  bullet.plane();
  btRigidBody& box = bullet.cube(1, 0, 0, 0.5);
  btRigidBody* mover = &bullet.cube(0, 3, 0, 0.5);
  mover->setCollisionFlags(mover->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  mover->setActivationState(DISABLE_DEACTIVATION);
  std::pair<Ours*, btRigidBody**> both{&bullet, &mover};
  bullet.world.setInternalTickCallback(
      [](btDynamicsWorld* world, btScalar) {
        auto& [holder, body] = *static_cast<decltype(both)*>(world->getWorldUserInfo());
        if (*body) holder->remove(**body);
        *body = nullptr;
      },
      &both);
  bullet.world.stepSimulation(4 * kStep, 4, kStep);
  EXPECT_EQ(bullet.world.getNumCollisionObjects(), 2);
  EXPECT_NEAR(box.getWorldTransform().getOrigin().z(), 0.5, 1e-9);
}

TEST(Joints, LinkedBodiesNeedNotMeet) {
  for (bool no_contact : {true, false}) {
    Ours bullet;
    bullet.world.setGravity(btVector3(0, 0, 0));
    // The anchor of one is inside the other: contact would push them apart.
    btRigidBody &a = bullet.cube(1, 0, 0, 0), &b = bullet.cube(1, 0.9, 0, 0);
    bullet.joint<btPoint2PointConstraint>(no_contact, a, b, btVector3(0.45, 0, 0),
                                          btVector3(-0.45, 0, 0));
    bullet.step();
    EXPECT_EQ(bullet.world.report().contacts > 0, !no_contact);
  }
}

// A pendulum that hangs straight down is held by its weight, upwards.
TEST(Joints, FeedbackIsTheForceOnEitherBody) {
  Ours bullet;
  btRigidBody& bob = bullet.cube(3, 0, 0, -2);
  auto& joint = bullet.joint<btPoint2PointConstraint>(true, bob, btVector3(0, 0, 2));
  btJointFeedback feedback{};
  joint.setJointFeedback(&feedback);
  joint.enableFeedback(true);
  bullet.step(10);
  EXPECT_LT((feedback.m_appliedForceBodyA - btVector3(0, 0, 3 * kGravity)).length(), 1e-7);
  EXPECT_LT((feedback.m_appliedForceBodyB + feedback.m_appliedForceBodyA).length(), 1e-12);
  EXPECT_NEAR(joint.getAppliedImpulse(), 3 * kGravity * kStep, kImpulse);
  // The anchor is straight above the centre: no torque.
  EXPECT_LT(feedback.m_appliedTorqueBodyA.length(), 1e-7);
}

TEST(Joints, BreakAtTheirThreshold) {
  for (double part : {0.9, 1.1}) {
    Ours bullet;
    btRigidBody& bob = bullet.cube(3, 0, 0, -2);
    auto& joint = bullet.joint<btPoint2PointConstraint>(true, bob, btVector3(0, 0, 2));
    joint.setBreakingImpulseThreshold(part * 3 * kGravity * kStep);
    bullet.step(30);
    EXPECT_EQ(joint.isEnabled(), part > 1);
    EXPECT_EQ(bob.getWorldTransform().getOrigin().z() < -2.5, part < 1);
  }
}

class Pencil : public btIDebugDraw {
 public:
  int lines = 0, contacts = 0;
  void drawLine(const btVector3&, const btVector3&, const btVector3&) override { ++lines; }
  void drawContactPoint(const btVector3&, const btVector3&, btScalar, int,
                        const btVector3&) override {
    ++contacts;
  }
  void reportErrorWarning(const char*) override {}
  void draw3dText(const btVector3&, const char*) override {}
  void setDebugMode(int mode) override { mode_ = mode; }
  int getDebugMode() const override { return mode_; }

 private:
  int mode_ = 0;
};

TEST(DebugDrawing, ShowsContactsAndJoints) {
  Ours bullet;
  Pencil pencil;
  bullet.world.setDebugDrawer(&pencil);
  bullet.plane();
  btRigidBody& box = bullet.cube(1, 0, 0, 0.5);
  bullet.step();
  pencil.setDebugMode(btIDebugDraw::DBG_DrawContactPoints);
  bullet.world.debugDrawWorld();
  EXPECT_EQ(pencil.contacts, 4);
  EXPECT_EQ(pencil.lines, 0);
  pencil.setDebugMode(btIDebugDraw::DBG_DrawConstraints | btIDebugDraw::DBG_DrawConstraintLimits);
  bullet.world.debugDrawWorld();
  EXPECT_EQ(pencil.lines, 0);
  bullet.joint<btHingeConstraint>(true, box, btVector3(0, 0, 0.5), btVector3(0, 1, 0));
  bullet.world.debugDrawWorld();
  EXPECT_GT(pencil.lines, 0);
  bullet.world.setDebugDrawer(nullptr);
}

TEST(World, ABlowThatIsPassedOnFindsItsContactsInTheSameStep) {
  Ours bullet;
  bullet.world.setGravity(btVector3(0, 0, 0));
  auto& ball = bullet.shape<btSphereShape>(0.2);
  // Gaps of 0.1 m and 0.15 m; only the first ball moves, too short to reach the third one.
  btRigidBody& a = bullet.body(1, ball, at(-0.5, 0, 0), 0);
  btRigidBody& b = bullet.body(1, ball, at(0, 0, 0), 0);
  btRigidBody& c = bullet.body(1, ball, at(0.55, 0, 0), 0);
  a.setLinearVelocity(btVector3(30, 0, 0));
  bullet.step();
  EXPECT_EQ(bullet.world.report().retries, 1);
  // Impulses p of a on b, q of b on c: both gaps close, 6 + (p - q) - (30 - p) = 0 and
  // 9 + q - (p - q) = 0, thus p = 13 and q = 2. Without c: p = 12, and b goes 0.2 m.
  EXPECT_NEAR(a.getLinearVelocity().x(), 17, 1e-8);
  EXPECT_NEAR(b.getLinearVelocity().x(), 11, 1e-8);
  EXPECT_NEAR(c.getLinearVelocity().x(), 2, 1e-8);
}

// The blow is solved twice, a pile far from it is not: its impulses are known the second time.
TEST(World, ASecondSolveOfAStepStartsFromTheFirst) {
  const auto factorizations = [](bool blow) {
    Ours bullet;
    bullet.plane();
    for (int k = 0; k < 6; ++k) bullet.cube(1, 0.1 * k, 0.05 * k, 0.5 + k);
    if (blow) {
      auto& ball = bullet.shape<btSphereShape>(0.2);
      btRigidBody& first = bullet.body(1, ball, at(-0.5, 20, 5), 0);
      bullet.body(1, ball, at(0, 20, 5), 0);
      bullet.body(1, ball, at(0.55, 20, 5), 0);
      first.setLinearVelocity(btVector3(30, 0, 0));
    }
    bullet.step();
    EXPECT_EQ(bullet.world.report().retries, blow ? 1 : 0);
    return bullet.world.report().work[static_cast<std::size_t>(Work::factorization)];
  };
  const long alone = factorizations(false), beside = factorizations(true);
  EXPECT_GT(alone, 4);
  EXPECT_LT(beside, alone + 4);  // some for the balls
}

}  // namespace world_contacts_test
}  // namespace perpend
