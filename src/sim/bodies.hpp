// Bodies as a step finds them: who moves, with which velocity if nothing held it, and how far a
// point of it may go.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "perpend/frame.hpp"

class btCollisionObject;
class btRigidBody;

namespace perpend::sim {

// Contacts this close belong to the set even when nothing moves. m
inline constexpr double kSkin = 1e-4;

struct StepBody {
  btCollisionObject* object = nullptr;
  btRigidBody* rigid = nullptr;  // null: a plain collision object
  std::int64_t id = 0;
  bool moves = false;    // has mass, and is awake
  bool surface = false;  // stays, and its surface has the velocity and the spin
  Vector3d velocity = Vector3d::Zero(), spin = Vector3d::Zero();  // free: with the step's forces
  // h times the velocity and spin it comes with, m and rad: where bodies that rest on others really
  // go, unlike with gravity alone.
  Vector3d way = Vector3d::Zero(), angle = Vector3d::Zero();
  Vector3d gyroscopic = Vector3d::Zero();  // N m
  Matrix3d inertia = Matrix3d::Zero();     // world axes, kg m^2
  double radius = 0;     // of the ball about the centre of mass that holds the shape, m
  double reach = kSkin;  // how far a point of it may go in this step, m

  // How far what turns with it leaves the straight way in this step; of points a metre or two away.
  double bend() const { return angle.norm() * (angle.norm() * (1 + radius / 2) + way.norm()); }
  void extend(double path, double turn);         // the reach, for that way (m) and angle (rad)
  bool still() const { return reach == kSkin; }  // stays where it is
};

struct StepBodies {
  std::vector<StepBody> list;  // one per collision object, in the order of their ids
  std::vector<Index> rows;     // in the list, of each index in the world's array

  Index count() const { return static_cast<Index>(list.size()); }
  StepBody& operator[](Index row) { return list[static_cast<std::size_t>(row)]; }
  const StepBody& operator[](Index row) const { return list[static_cast<std::size_t>(row)]; }
  Index row(const btCollisionObject&) const;  // -1: not in this world
  bool moves(Index row) const { return row < count() && (*this)[row].moves; }
};

// Fixed bodies with a moving surface, such as conveyors; only looked up. The velocity of other
// fixed bodies is ignored, as in Bullet.
using MovingSurfaces = std::set<const btCollisionObject*>;

// `ordered`: ids, ascending, and the objects of one world.
StepBodies gather_bodies(const std::vector<std::pair<std::int64_t, btCollisionObject*>>& ordered,
                         double h, const MovingSurfaces& = {});

// Whether one fell asleep or woke up since they were gathered.
bool others_awake(const StepBodies&);

// Their rows in a frame, as they are now.
Bodies body_columns(const StepBodies&);

}  // namespace perpend::sim
