// What settings.inc says of each setting, tried: the setting is made in a small scene, in our world
// and in the stock one. What is obeyed changes the motion as it does in Bullet, what is noted is in
// the notes, and what is ignored changes no bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numbers>
#include <sstream>

#include "perpend/frame.hpp"
#include "support/bullet_world.hpp"

namespace perpend {
namespace settings_test {

using worlds::at;
using worlds::kStep;

// A world with one body to look at, and with what a setting may belong to.
struct Things {
  btDiscreteDynamicsWorld& world;
  btRigidBody* body = nullptr;   // moves
  btRigidBody* other = nullptr;  // the floor, or what the joint holds the body to
  btTypedConstraint* joint = nullptr;
  btJointFeedback feedback{};
  std::function<double()> read;  // a number that the user reads
  std::unique_ptr<btRigidBody> made;
  std::unique_ptr<btMotionState> state;

  ~Things() {
    if (made) world.removeRigidBody(made.get());
  }
  // Another body in place of `body`.
  void make(const btRigidBody::btRigidBodyConstructionInfo& info) {
    made = std::make_unique<btRigidBody>(info);
    made->setLinearVelocity(body->getLinearVelocity());
    made->setAngularVelocity(body->getAngularVelocity());
    world.removeRigidBody(body);
    world.addRigidBody(made.get());
    body = made.get();
  }
  template <class Joint>
  Joint& as() {
    return *static_cast<Joint*>(joint);
  }
  btContactSolverInfo& info() { return world.getSolverInfo(); }
};
using Set = void (*)(Things&);

// The kinds of scenes.
enum Kind {
  flight,
  drift,
  rest,
  slide,
  bounce,
  p2p,
  hinge,
  counting,
  hinge2,
  slider,
  six,
  spring,
  spring2,
  cone,
  gear,
  universal
};

// How far the change may differ from that in the stock world, of that one. Bullet iterates.
constexpr double kAlike = 0.1;  // in all
// In positions and orientations: where limits act, which Bullet lets go too far and then closes
// slowly, or where bodies touch; and where rows are soft, and Bullet's iterations make them softer.
constexpr double kLoose = 0.35, kSoft = 0.75;
constexpr double kAlong = 8;  // both go the same way: the stock world's limits swing
constexpr double kOwn = 9;    // seen here only

void nothing(Things&) {}

struct Setting {
  const char* name;
  Kind kind;
  Set set;
  Set prepare = nothing;
  double off = kAlike;
  int steps = 12;
};

btTransform turned(double x, double y, double z, const btVector3& axis, double angle) {
  return at(x, y, z, btQuaternion(axis, angle));
}

// In the flight of a body of 2 kg nothing touches; on a floor a crate of 1 kg rests or slides, or
// bounces as it falls. A joint links a body of 1 kg to a fixed one at its origin, 1 m aside.
template <class World>
void build(worlds::Bullet<World>& bullet, Kind kind, Things& things) {
  btCollisionShape& box = bullet.template shape<btBoxShape>(btVector3(0.3, 0.2, 0.1));
  if (kind == flight || kind == drift) {
    things.body = &bullet.body(2, box, at(0, 0, 0));
    things.body->setLinearVelocity(kind == drift ? btVector3(0.1, 0, 0) : btVector3(1, 2, 3));
    if (kind == drift)
      bullet.world.setGravity(btVector3(0, 0, 0));
    else
      things.body->setAngularVelocity(btVector3(3, 1, 2));
    return;
  }
  if (kind == rest || kind == slide || kind == bounce) {
    things.other = &bullet.plane();
    things.other->setRestitution(1);
    btCollisionShape& ball = bullet.template shape<btSphereShape>(0.1);
    const bool falls = kind == bounce;
    btCollisionShape& plate = bullet.template shape<btBoxShape>(btVector3(0.6, 0.5, 0.05));
    plate.setMargin(0);
    things.body = &bullet.body(1, falls ? ball : plate, at(0, 0, falls ? 0.3 : 0.05));
    if (kind == slide) things.body->setLinearVelocity(btVector3(3, 0, 0));
    if (kind == bounce) things.body->setLinearVelocity(btVector3(0, 0, -3));
    return;
  }
  bullet.world.setGravity(btVector3(-3, 1, -9));
  const bool two = kind == gear;
  things.other = &bullet.body(two ? 3 : 0, box, at(0, 0, 0));
  things.body = &bullet.body(1, box, at(two ? 3 : 1, 0, 0));
  btRigidBody &a = *things.other, &b = *things.body;
  // The joint's frame is turned so that its axes are none of the world's.
  const btTransform in_a = turned(0, 0, 0, btVector3(1, 0, 0), 1), in_b = at(-1, 0, 0) * in_a;
  const auto generic = [](auto& joint) {
    for (int k = 0; k < 6; ++k) joint.setLimit(k, 0, 0);
  };
  btVector3 anchor(0, 0, 0), first(0, 0, 1), second(0, 1, 0);
  if (kind == p2p)
    things.joint =
        &bullet.template joint<btPoint2PointConstraint>(true, a, b, anchor, btVector3(-1, 0, 0));
  if (kind == hinge)
    things.joint = &bullet.template joint<btHingeConstraint>(true, a, b, in_a, in_b, false);
  if (kind == counting)
    things.joint =
        &bullet.template joint<btHingeAccumulatedAngleConstraint>(true, a, b, in_a, in_b, false);
  if (kind == hinge2)
    things.joint = &bullet.template joint<btHinge2Constraint>(true, a, b, anchor, first, second);
  if (kind == universal)
    things.joint = &bullet.template joint<btUniversalConstraint>(true, a, b, anchor, first, second);
  if (kind == slider)
    things.joint = &bullet.template joint<btSliderConstraint>(true, a, b, in_a, in_b, true);
  if (kind == six) {
    auto& joint = bullet.template joint<btGeneric6DofConstraint>(true, a, b, in_a, in_b, true);
    generic(joint);
    things.joint = &joint;
  }
  if (kind == spring)
    things.joint =
        &bullet.template joint<btGeneric6DofSpringConstraint>(true, a, b, in_a, in_b, true);
  if (kind == spring2) {
    auto& joint = bullet.template joint<btGeneric6DofSpring2Constraint>(true, a, b, in_a, in_b);
    generic(joint);
    things.joint = &joint;
  }
  if (kind == cone)
    things.joint = &bullet.template joint<btConeTwistConstraint>(true, a, b, in_a, in_b);
  if (kind == gear) {
    b.setAngularVelocity(btVector3(1, 2, 3));
    things.joint = &bullet.template joint<btGearConstraint>(true, a, b, btVector3(0, 0, 1),
                                                            btVector3(0, 0, 1), 2);
  }
}

struct Outcome {
  VectorXd motion;  // pose, velocities, and what is read
  std::vector<std::string> notes;
};

template <class World>
Outcome run(const Setting& setting, bool set) {
  worlds::Bullet<World> bullet;
  Things things{bullet.world, {}, {}, {}, {}, {}, {}, {}};
  build(bullet, setting.kind, things);
  setting.prepare(things);
  if (set) setting.set(things);
  Outcome out;
  for (int k = 0; k < setting.steps; ++k) {
    bullet.step();
    if constexpr (std::is_same_v<World, DynamicsWorld>)
      for (const std::string& note : bullet.world.report().notes) out.notes.push_back(note);
  }
  out.motion.resize(22);
  const btTransform& pose = things.body->getWorldTransform();
  for (int k = 0; k < 3; ++k) {
    out.motion[k] = pose.getOrigin()[k];
    out.motion[3 + k] = things.body->getLinearVelocity()[k];
    out.motion[6 + k] = things.body->getAngularVelocity()[k];
    for (int c = 0; c < 3; ++c) out.motion[9 + 3 * k + c] = pose.getBasis()[k][c];
    out.motion[18 + k] =
        things.feedback.m_appliedForceBodyA[k] + things.feedback.m_appliedTorqueBodyA[k] +
        2 * things.feedback.m_appliedForceBodyB[k] + 2 * things.feedback.m_appliedTorqueBodyB[k];
  }
  out.motion[21] = things.read ? things.read() : 0;
  return out;
}

// The list: names with a *, class by class, and what becomes of them.
struct Listed {
  std::string name;
  enum State { obeyed, noted, ignored } state;
  std::string what;
};
std::vector<Listed> list() {
  std::vector<Listed> out;
  const auto add = [&](const std::string& of, const char* names, Listed::State state,
                       const char* what) {
    std::istringstream each(names);
    for (std::string name; each >> name;) out.push_back({of + "::" + name, state, what});
  };
#define PERPEND_OBEYED(CLASS, NAMES) add(#CLASS, NAMES, Listed::obeyed, "");
#define PERPEND_NOTED(CLASS, NAMES, TYPE, WHAT, TEST) add(#CLASS, NAMES, Listed::noted, WHAT);
#define PERPEND_IGNORED(CLASS, NAMES, WHY) add(#CLASS, NAMES, Listed::ignored, WHY);
#define PERPEND_UNREAD(CLASS, NAMES) add(#CLASS, NAMES, Listed::ignored, "");
#define PERPEND_INTERNAL(CLASS, NAMES)
#include "sim/settings.inc"
  return out;
}
bool covers(const std::string& listed, const std::string& name) {
  if (!listed.ends_with('*')) return listed == name;
  return name.starts_with(listed.substr(0, listed.size() - 1));
}

#include "sim/settings_tried.inc"

TEST(Settings, DoWhatTheListSaysOfThem) {
  const std::vector<Listed> all = list();
  for (const Setting& setting : kSettings) {
    SCOPED_TRACE(setting.name);
    const auto listed = std::find_if(
        all.begin(), all.end(), [&](const Listed& one) { return covers(one.name, setting.name); });
    ASSERT_NE(listed, all.end());
    const Outcome plain = run<DynamicsWorld>(setting, false);
    const Outcome ours = run<DynamicsWorld>(setting, true);
    EXPECT_TRUE(ours.motion.allFinite());
    if (listed->state == Listed::noted) {
      const std::string said = " has " + listed->what + ", which is not modelled";
      EXPECT_THAT(ours.notes, testing::ElementsAre(testing::EndsWith(said)));
      continue;
    }
    EXPECT_THAT(ours.notes, testing::IsEmpty());
    if (listed->state == Listed::ignored) {
      EXPECT_EQ(ours.motion, plain.motion);
      continue;
    }
    VectorXd change = ours.motion - plain.motion;
    EXPECT_GT(change.norm(), 1e-6);
    if (setting.off == kOwn) continue;
    VectorXd stock = run<btDiscreteDynamicsWorld>(setting, true).motion -
                     run<btDiscreteDynamicsWorld>(setting, false).motion;
    if (setting.off > kAlike)
      for (VectorXd* one : {&change, &stock}) {
        one->segment<6>(3).setZero();
        one->tail<4>().setZero();
      }
    if (setting.off == kAlong)
      EXPECT_GT(change.dot(stock), 0.5 * change.norm() * stock.norm());
    else
      EXPECT_LE((change - stock).norm(), setting.off * stock.norm())
          << "here " << change.transpose() << "\nstock " << stock.transpose();
  }
}

TEST(Settings, AreAllTried) {
  for (const Listed& listed : list())
    EXPECT_TRUE(std::any_of(std::begin(kSettings), std::end(kSettings), [&](const Setting& one) {
      return covers(listed.name, one.name);
    })) << listed.name;
}

}  // namespace settings_test
}  // namespace perpend
