// Worlds whose joints are open, contradict each other or hold bodies inside others, for ours and
// for stock Bullet, and what matters of a run: how far joints are open and how much moves.
#pragma once

#include <algorithm>
#include <random>
#include <type_traits>
#include <vector>

#include "sim/joints.hpp"
#include "support/bullet_world.hpp"

namespace perpend::tangles {

struct Outcome {
  double gap = 0, energy = 0;            // the largest over all steps, m, J
  double last_gap = 0, last_energy = 0;  // of the last second
  double gain = 0;                       // J, the most that a step adds beyond work of gravity
};

template <class World>
class Tangle : public worlds::Bullet<World> {
 public:
  using worlds::Bullet<World>::world;

  double kinetic() const {
    double sum = 0;
    for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
      const btRigidBody* body = btRigidBody::upcast(world.getCollisionObjectArray()[i]);
      if (!body || body->getInvMass() == 0) continue;
      const btVector3 w = body->getAngularVelocity();
      const btVector3 turning = body->getInvInertiaTensorWorld().inverse() * w;
      sum += body->getLinearVelocity().length2() / body->getInvMass() / 2 + turning.dot(w) / 2;
    }
    return sum;
  }
  double mass() const {
    double sum = 0;
    for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
      const btRigidBody* body = btRigidBody::upcast(world.getCollisionObjectArray()[i]);
      if (body && body->getInvMass() > 0) sum += 1 / body->getInvMass();
    }
    return sum;
  }
  double potential() const {
    double sum = 0;
    for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
      const btRigidBody* body = btRigidBody::upcast(world.getCollisionObjectArray()[i]);
      if (body && body->getInvMass() > 0)
        sum -= world.getGravity().dot(body->getCenterOfMassPosition()) / body->getInvMass();
    }
    return sum;
  }
  double gap() {
    double worst = 0;
    for (int i = 0; i < world.getNumConstraints(); ++i)
      worst = std::max(worst, sim::separation(*world.getConstraint(i)));
    return worst;
  }
  Outcome run(int steps = 300, double h = worlds::kStep) {
    Outcome run;
    for (int k = 0; k < steps; ++k) {
      const double before = kinetic();
      this->step(1, h);
      const double now = kinetic(), open = gap();
      run.energy = std::max(run.energy, now);
      run.gap = std::max(run.gap, open);
      run.gain = std::max(run.gain, now - before);
      if ((steps - k) * h > 1) continue;
      run.last_energy = std::max(run.last_energy, now);
      run.last_gap = std::max(run.last_gap, open);
    }
    return run;
  }
  btRigidBody& box(double mass, const btVector3& half, const btTransform& pose, double mu = 0.5) {
    return this->body(mass, this->template shape<btBoxShape>(half), pose, mu);
  }
  // Between places that are where each body thinks they are.
  void link(btRigidBody& a, btRigidBody& b, const btVector3& in_a, const btVector3& in_b,
            bool no_contact = false) {
    this->template joint<btPoint2PointConstraint>(no_contact, a, b, in_a, in_b);
  }
};

// Planks of 0.8 x 0.4 x 2 m in a row along x, the first and last one fixed.
struct Planks {
  int count = 10;
  double open = 0.1556;  // m, each joint; negative: planks overlap
  bool twin = false, free_end = false;
  double tilt = 0;  // rad, of the row about z
  double vary = 0;  // of masses: the last is exp(vary) times as heavy as the first
};
template <class World>
void build(Tangle<World>& t, const Planks& p) {
  btRigidBody* before = nullptr;
  const btQuaternion turn(btVector3(0, 0, 1), p.tilt);
  for (int i = 0; i < p.count; ++i) {
    const bool fixed = i == 0 || (i == p.count - 1 && !p.free_end);
    const btVector3 place = quatRotate(turn, btVector3((1 - p.open) * i, 0, 0));
    btRigidBody& body = t.box(fixed ? 0 : std::exp(p.vary * i / p.count), btVector3(0.4, 0.2, 1),
                              btTransform(turn, place));
    for (const double z : {-0.5, 0.5})
      if (before && (p.twin || z < 0))
        t.link(*before, body, btVector3(0.5, 0, z), btVector3(-0.5, 0, z));
    before = &body;
  }
  t.world.setGravity(btVector3(0, -10, 0));
}

// Balls on a string between two nails that are farther apart than it is long.
struct Chain {
  int count = 10;
  double missing = 1.2;  // m
  bool free_end = false;
};
template <class World>
void build(Tangle<World>& t, const Chain& c) {
  const double pitch = 0.5 + c.missing / (c.count + 1);
  btRigidBody* before = &t.body(0, t.template shape<btSphereShape>(0.1), worlds::at(0, 0, 0));
  for (int i = 1; i <= c.count + 1; ++i) {
    const bool fixed = i == c.count + 1;
    if (fixed && c.free_end) break;
    btRigidBody& ball =
        t.body(fixed ? 0 : 1, t.template shape<btSphereShape>(0.1), worlds::at(pitch * i, 0, 0));
    t.link(*before, ball, btVector3(0.25, 0, 0), btVector3(-0.25, 0, 0), true);
    before = &ball;
  }
}

// A trunk with four limbs on cones of hinges whose limits exclude the start and, by a second joint,
// each other.
struct Ragdoll {
  double limit = 0.6;  // rad, by which each limit is exceeded
};
template <class World>
void build(Tangle<World>& t, const Ragdoll& r) {
  t.plane();
  btRigidBody& trunk = t.box(10, btVector3(0.2, 0.1, 0.3), worlds::at(0, 0, 1.2));
  btRigidBody& head = t.box(2, btVector3(0.1, 0.1, 0.1), worlds::at(0, 0, 1.65));
  t.link(trunk, head, btVector3(0, 0, 0.35), btVector3(0, 0, -0.1), true);
  for (const double side : {-1.0, 1.0})
    for (const double up : {-1.0, 1.0}) {
      btRigidBody& upper =
          t.box(1, btVector3(0.06, 0.06, 0.15), worlds::at(side * 0.35, 0, 1.2 + up * 0.3));
      btRigidBody& lower =
          t.box(1, btVector3(0.05, 0.05, 0.15), worlds::at(side * 0.35, 0, 1.2 + up * 0.3 - 0.35));
      const auto hinge = [&](btRigidBody& a, btRigidBody& b, const btVector3& in_a,
                             const btVector3& in_b, double low, double high) {
        btHingeConstraint& made = t.template joint<btHingeConstraint>(
            true, a, b, in_a, in_b, btVector3(0, 1, 0), btVector3(0, 1, 0), true);
        made.setLimit(low, high);
      };
      hinge(trunk, upper, btVector3(side * 0.35, 0, up * 0.3 + 0.15), btVector3(0, 0, 0.15),
            r.limit, r.limit + 0.2);
      hinge(upper, lower, btVector3(0, 0, -0.17), btVector3(0, 0, 0.17), r.limit, r.limit + 0.3);
      hinge(trunk, lower, btVector3(side * 0.35, 0, up * 0.3 - 0.2), btVector3(0, 0, 0.17),
            -r.limit - 0.3, -r.limit);
    }
}

// A beam on a hinge whose limits want it inside a wall.
struct InWall {
  double motor = 0;  // N s
};
template <class World>
void build(Tangle<World>& t, const InWall& w) {
  t.plane();
  t.box(0, btVector3(0.2, 2, 2), worlds::at(0.9, 0, 1));
  btRigidBody& beam = t.box(1, btVector3(0.1, 0.1, 0.5), worlds::at(0, 0, 1.5));
  btHingeConstraint& made = t.template joint<btHingeConstraint>(false, beam, btVector3(0, 0, -0.5),
                                                                btVector3(0, 1, 0), true);
  if (w.motor > 0)
    made.enableAngularMotor(true, 5, w.motor);
  else
    made.setLimit(-2, -1.5);
}

// One body, hung where it is not.
struct OpenPoint {
  double open = 0.5;  // m
};
template <class World>
void build(Tangle<World>& t, const OpenPoint& o) {
  btRigidBody& cube = t.cube(1, 0, 0, 0);
  t.template joint<btPoint2PointConstraint>(false, cube, btVector3(0, 0, 0.5));
  static_cast<btPoint2PointConstraint*>(t.world.getConstraint(0))
      ->setPivotB(btVector3(o.open, 0, 0.5));
}

// A stack whose bodies overlap at the start.
struct Overlapping {
  int count = 10;
  double deep = 0.2;
};
template <class World>
void build(Tangle<World>& t, const Overlapping& o) {
  t.plane();
  for (int i = 0; i < o.count; ++i) t.cube(1, 0, 0, 0.5 - o.deep + i * (1 - o.deep));
}

// Bodies thrown together, with joints between random places.
struct Random {
  unsigned seed = 1;
  int bodies = 8, joints = 8;
  bool shapes = false;  // balls, hulls, hinges and limits too; the masses differ
  bool floor = false;
};
template <class World>
void build(Tangle<World>& t, const Random& r) {
  std::mt19937_64 random(r.seed);
  const auto number = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  const auto vector = [&](double size) {
    return btVector3(number(-size, size), number(-size, size), number(-size, size));
  };
  std::vector<btRigidBody*> bodies;
  if (r.floor)
    t.plane();
  else
    t.world.setGravity(btVector3(0, 0, 0));
  for (int i = 0; i < r.bodies; ++i) {
    const btVector3 half(number(0.1, 0.4), number(0.1, 0.4), number(0.1, 0.4));
    const double mass = r.shapes ? std::exp(number(-3, 3)) : number(0.5, 2);
    const int kind = r.shapes ? static_cast<int>(number(0, 3)) : 0;
    btCollisionShape* shape = nullptr;
    if (kind == 0) shape = &t.template shape<btBoxShape>(half);
    if (kind == 1) shape = &t.template shape<btSphereShape>(half.x());
    if (kind == 2) {
      auto& hull = t.template shape<btConvexHullShape>();
      for (int k = 0; k < 8; ++k) hull.addPoint(vector(half.x() + 0.1));
      shape = &hull;
    }
    const btVector3 place = vector(r.bodies < 8 ? 0.4 : 1) + btVector3(0, 0, 1.2);
    const btQuaternion turn(vector(1).normalized(), number(0, 3));
    bodies.push_back(&t.body(i == 0 && !r.floor ? 0 : mass, *shape, btTransform(turn, place)));
  }
  const auto any = [&]() -> btRigidBody& { return *bodies[random() % bodies.size()]; };
  for (int k = 0; k < r.joints; ++k) {
    btRigidBody &a = any(), &b = any();
    const btVector3 in_a = vector(0.5), in_b = vector(0.5);
    const double low = number(-2, 2), width = number(0, 1);
    const btVector3 axis = vector(1).normalized();
    const bool hinge = r.shapes && random() % 2 == 0, no_contact = random() % 2 == 0;
    if (&a == &b) continue;
    if (!hinge) {
      t.link(a, b, in_a, in_b, no_contact);
    } else {
      auto& made =
          t.template joint<btHingeConstraint>(no_contact, a, b, in_a, in_b, axis, axis, true);
      made.setLimit(low, low + width);
    }
  }
}

template <class World, class What>
Outcome run_of(const What& what, int steps = 300, const StepOptions& options = {}) {
  Tangle<World> t;
  if constexpr (std::is_same_v<World, DynamicsWorld>) t.world.options() = options;
  build(t, what);
  return t.run(steps);
}

}  // namespace perpend::tangles
