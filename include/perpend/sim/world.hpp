// The simulator with Bullet's interface (docs/porting-from-bullet.md).
//
// DynamicsWorld replaces btDiscreteDynamicsWorld. Bodies, shapes, joints, callbacks, ray tests,
// forces, sleeping and kinematic bodies stay Bullet's. The time step is Perpend's: it finds all
// contacts that may close within the step and solves the problem of Stewart and Trinkle (Nguyen
// and Trinkle 2010, eq. 11) with any solver. ConstraintSolver is for programs that keep Bullet's
// own world.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <functional>
#include <memory>

#include "perpend/scene.hpp"
#include "perpend/sim.hpp"

static_assert(sizeof(btScalar) == 8,
              "perpend needs Bullet in double precision: link perpend::sim, or define "
              "BT_USE_DOUBLE_PRECISION and link Debian's -float64 libraries");

namespace perpend {

namespace sim {
class Step;
}

// The problem of one step and its solution, for recording.
struct StepProblem {
  Frame frame;
  Impulses impulses;  // contacts (n, t, o) in the order of the frame, then joint rows
  Rows6 velocities_plus;
  // With options().solve.history: the errors of the iterations, of the island with the most points.
  std::vector<HistoryPoint> history;
  Integers joint_ids;  // getUserConstraintId() of each joint of the frame; empty: nobody set one
};

// A btDiscreteDynamicsWorld with the time step of Perpend.
class DynamicsWorld : public btDiscreteDynamicsWorld {
 public:
  // The arguments are Bullet's. The btConstraintSolver is not used; getConstraintSolver() returns
  // it.
  DynamicsWorld(btDispatcher*, btBroadphaseInterface*, btConstraintSolver*,
                btCollisionConfiguration*);
  ~DynamicsWorld() override;
  BT_DECLARE_ALIGNED_ALLOCATOR();

  StepOptions& options();  // you may change them between steps
  const StepReport& report() const;
  // Steps with several threads, with the same bits as with one. The executor must outlive the
  // world. Callbacks and collision code of Bullet or of your program (meshes, height fields, other
  // convex shapes) run in the thread that calls stepSimulation(). Several threads may call
  // `options().solve.cancelled` at once.
  void set_executor(Executor&);
  // Gives a body or joint an id. If every body has one, the result does not depend on the order in
  // which bodies were added, nor on what the world was used for before. Bodies without an id come
  // last, in the order in which they were added. Joints need ids only if two of them link the same
  // two bodies. Returns false if the id is negative, above 2^53, or taken. Removing a body frees
  // its id.
  bool set_id(const btCollisionObject*, std::int64_t);
  bool set_id(const btTypedConstraint*, std::int64_t);
  std::int64_t id(const btCollisionObject*) const;  // in frames and recordings
  // Springs, dampers, servos, dry friction, rotors and forces along the free axes of hinges,
  // sliders and generic joints, counted as in scenes: 5 of a hinge, 2 of a slider, all of a generic
  // joint. False: the joint has no such axis, or invalid(drive) says why. You may set them before
  // each step; both bodies wake up.
  bool set_drive(btTypedConstraint*, int axis, const Joint::Drive&);
  Joint::Drive drive(const btTypedConstraint*, int axis) const;
  // Rotations of a generic joint without limits: drives act along the parts of its rotation vector
  // in place of Bullet's angles.
  void use_rotation_vector(const btTypedConstraint*);
  // A hinge or slider follows another: q = ratio q' + offset (docs/simulator.md). False: one of
  // them has no single coordinate.
  bool set_mimic(btTypedConstraint*, btTypedConstraint* followed, double ratio, double offset);
  // The surface of a fixed body of this world moves with this velocity (m/s, rad/s about its
  // centre), and the body stays: a conveyor, a turntable. Zero ends it. Without this call the
  // velocity of a fixed body is ignored, as in Bullet. The bodies on it are not woken.
  void set_surface_velocity(btRigidBody*, const btVector3& linear,
                            const btVector3& angular = btVector3(0, 0, 0));
  // Coordinate and speed now, and what the drive gave in the last step. Zero: no such axis.
  JointReading reading(const btTypedConstraint*, int axis) const;
  // Saves the whole state between two steps, and restores it in this world or in one with the same
  // ids. The next steps then have the same bits. Masses, shapes, friction, motors and gravity are
  // not saved. If a snapshot does not fit, restore() returns why and changes nothing.
  Snapshot save() const;
  std::string restore(const Snapshot&);
  // This function is called after each step with the problem that was solved.
  void on_step(std::function<void(const StepProblem&, const StepReport&)>);
  // The problem that the next step of length h would solve. Nothing moves.
  Frame frame(double h);
  // How deep bodies overlap now, and how far joints are apart, measured geometrically, in m.
  double penetration();
  double joint_violation();

  void addConstraint(btTypedConstraint*,
                     bool disableCollisionsBetweenLinkedBodies = false) override;
  void removeConstraint(btTypedConstraint*) override;
  void removeRigidBody(btRigidBody*) override;
  void removeCollisionObject(btCollisionObject*) override;

 protected:
  void internalSingleStepSimulation(btScalar h) override;
  void saveKinematicState(btScalar) override;

 private:
  std::unique_ptr<sim::Step> step_;
};

// How deep bodies overlap in any Bullet world, measured geometrically, in m.
double penetration(btDiscreteDynamicsWorld&);

// A btConstraintSolver for Bullet's own world. It solves the contacts and joints of each island as
// Bullet set them up, including Bullet's recovery from penetration, with one of our solvers.
class ConstraintSolver : public btConstraintSolver {
 public:
  explicit ConstraintSolver(std::string solver = "ncp/auto", const Options& = step_options());
  ~ConstraintSolver() override;
  btScalar solveGroup(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                      int manifold_count, btTypedConstraint** joints, int joint_count,
                      const btContactSolverInfo&, btIDebugDraw*, btDispatcher*) override;
  void reset() override;
  btConstraintSolverType getSolverType() const override { return BT_SEQUENTIAL_IMPULSE_SOLVER; }
  const Result& last() const;  // of the last island

 private:
  static Options step_options() { return StepOptions().solve; }
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace perpend
