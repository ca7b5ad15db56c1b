// Kinematic bodies within a step. Bullet moves them to the end of the time it is given before the
// first step of it; a step starts where they are then, and they move with it.
#pragma once

#include <LinearMath/btTransform.h>

#include <vector>

class btCollisionObject;
class btRigidBody;

namespace perpend::sim {

class KinematicBodies {
 public:
  // Before Bullet moves it: where it is. Bodies that are not kinematic, or asleep, are not taken.
  void leaves(btCollisionObject&);
  // Bullet has moved them to where they go in `time`.
  void arrive_in(double time);
  void place();            // to where they are at the time that has gone by
  void advance(double h);  // that time goes by; and places them
  void forget(const btCollisionObject*);
  void clear() { list_.clear(); }

 private:
  struct Body {
    btRigidBody* body;
    btTransform from, to;
    double duration, elapsed;
    bool arrived;  // from here on it is the user's again
  };
  std::vector<Body> list_;
};

}  // namespace perpend::sim
