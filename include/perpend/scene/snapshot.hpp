// The whole state of a run between two steps, as plain data: a run that is restored from it goes on
// with the same bits as one that was never interrupted. docs/snapshot.md describes the JSON form.
//
// Bodies and joints are recognized by ids, so a snapshot fits every world that was built alike.
#pragma once

#include "perpend/scene.hpp"

namespace perpend {

struct Snapshot {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  struct Placed {
    Vector3d position = Vector3d::Zero();  // m, of the centre of mass
    Matrix3d axes = Matrix3d::Identity();  // columns: the body's axes in the world
  };
  struct Body {
    std::int64_t id = 0;
    Placed pose;
    Placed previous;                     // where the next motion of a kinematic body starts
    Vector6 velocity = Vector6::Zero();  // m/s, rad/s
    Vector6 force = Vector6::Zero();     // N, N m: applied for the next step
    int activation = 1;                  // Bullet's: 1 active, 2 asleep, 3 wants to sleep, 4, 5, 6
    double resting = 0;                  // s, for how long it has been slow enough to sleep
    bool fell_short = false;             // its island stayed above the tolerance in the last step
  };
  // What the solver starts from: the impulse on the second body at each contact, N s.
  struct Contact {
    std::uint64_t feature = 0;
    Vector3d impulse = Vector3d::Zero();
  };
  struct Pair {
    std::int64_t first = 0, second = 0;  // ids
    std::vector<Contact> contacts;
  };
  struct Row {
    int key = 0;
    double impulse = 0;
  };
  struct Joint {
    std::int64_t first = -1, second = -1;  // ids of its bodies; -1: the world
    bool enabled = true;                   // false: broken
    double impulse = 0;                    // N s, as Bullet's users read it
    std::vector<Row> rows;
  };

  std::string scene;          // its name
  double h = 0;               // s; 0: unknown
  Index step = 0;             // how many steps were made
  double remaining = 0;       // s, of the time given to Bullet's world and not yet simulated
  std::vector<Body> bodies;   // ids ascending
  std::vector<Pair> pairs;    // ids ascending
  std::vector<Joint> joints;  // in the world's order: by ids
};

// The reason why nothing can be restored from it, naming the field; empty when it can.
std::string invalid(const Snapshot&);

}  // namespace perpend
