// A scene in a world of DART, and the clock of its motors and scripted motions. Boxes and balls are
// collided by DART's own detector, anything else as meshes by FCL.
#pragma once

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>
#include <map>
#include <vector>

#include "capture/dart/drives.hpp"
#include "capture/forest.hpp"
#include "perpend/io.hpp"

namespace perpend::capture::from_dart {

class DartScene {
 public:
  // Throws io::InputError that names the body or joint which DART cannot express.
  DartScene(const Scene&, double h);
  // The robot of a URDF file on a floor. Throws io::InputError.
  DartScene(const std::string& urdf, double h);

  // "dantzig": DART's default, with projected Gauss-Seidel where that fails; "pgs". `iterations` of
  // the latter; 0: DART's default.
  void solve_with(const std::string& solver, int iterations);
  int sweeps() const;  // of projected Gauss-Seidel, at most
  dart::simulation::World& world() const { return *world_; }
  void step();
  const std::string& told() const { return told_; }  // to be added to what a recording omits
  // In the order of the scene; of a URDF file the floor, then the robot's in DART's order.
  const std::vector<dart::dynamics::BodyNode*>& bodies() const { return bodies_; }
  // Of the scene, by what DART has for it.
  const std::map<const dart::dynamics::Joint*, Index>& joints() const { return joints_; }
  const std::map<const dart::constraint::ConstraintBase*, Index>& loops() const { return loops_; }

 private:
  struct Motor {
    dart::dynamics::Joint* joint;
    double speed;
  };
  struct ScriptedBody {
    dart::dynamics::FreeJoint* joint;
    Pose start;
    Motion motion;
  };
  void start(const Vector3d& gravity, double h);
  void add_tree(const Scene&, const std::vector<Branch>&);
  void add_body(const Scene&, const Branch&, dart::dynamics::Skeleton&);
  void close_loop(const Scene&, Index joint);
  void filter_pairs(const Scene&);
  void add_drives(const Scene&, Index joint, const dart::dynamics::BodyNode&);
  void follow(const Scene&, Index joint);

  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
  std::vector<dart::dynamics::BodyNode*> bodies_;
  std::map<const dart::dynamics::Joint*, Index> joints_;
  std::map<const dart::constraint::ConstraintBase*, Index> loops_;
  std::vector<Motor> motors_;
  std::vector<ScriptedBody> driven_;
  Drives drives_;
  std::string told_;
  long steps_ = 0;
};

}  // namespace perpend::capture::from_dart
