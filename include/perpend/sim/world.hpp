// The simulator with Bullet's interface (Nguyen and Trinkle 2010; docs/porting-from-bullet.md).
//
// DynamicsWorld is a btDiscreteDynamicsWorld: bodies, shapes, joints, callbacks, ray tests, forces,
// sleeping and kinematic bodies are Bullet's. The single step is ours: contacts that may close
// within the step, the problem of eq. 11 of that paper, any registered solver, v+ first and
// positions with it. ConstraintSolver is the same law for those who keep Bullet's own world.
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

// The problem of one step as it was solved: for recording.
struct StepProblem {
  Frame frame;
  Impulses impulses;  // contacts (n, t, o) in the order of the frame, then joint rows
  Rows6 velocities_plus;
};

class DynamicsWorld : public btDiscreteDynamicsWorld {
 public:
  // As Bullet's. The btConstraintSolver is kept for getConstraintSolver() and not used.
  DynamicsWorld(btDispatcher*, btBroadphaseInterface*, btConstraintSolver*,
                btCollisionConfiguration*);
  ~DynamicsWorld() override;
  BT_DECLARE_ALIGNED_ALLOCATOR();

  StepOptions& options();  // may be changed between steps
  const StepReport& report() const;
  // Who runs the loops over pairs and islands; it must outlive the world or be replaced. The result
  // has the same bits with any number of threads. Callbacks, and shapes that are found through
  // code of Bullet's or the user's (meshes, height fields, other convex shapes), stay in the thread
  // that steps; `options().solve.cancelled` may be asked by several threads at once.
  void set_executor(Executor&);
  // Once every body has an id, the result is the same, bit for bit, whatever the order in which
  // bodies were added, whatever else is far away, and whatever the world was used for before.
  // Bodies without one come after all others, in the order in which they were added. Joints go by
  // their ids, then by those of their bodies, then as they were added: only two joints between the
  // same two bodies need ids. False: negative, above 2^53, or taken. Removing forgets the id.
  bool set_id(const btCollisionObject*, std::int64_t);
  bool set_id(const btTypedConstraint*, std::int64_t);
  std::int64_t id(const btCollisionObject*) const;  // in frames and recordings
  // The whole state between two steps, and back into this world or another that was built alike (by
  // ids: given ones, or the same order of adding). Then the next steps have the same bits. What the
  // user decides is not in it: masses, shapes, friction, motors, gravity. Restoring returns the
  // reason why the snapshot does not fit, naming its field, and then changes nothing.
  Snapshot save() const;
  std::string restore(const Snapshot&);
  // Called once per single step, after it, with the problem that was solved.
  void on_step(std::function<void(const StepProblem&, const StepReport&)>);
  // The problem the next step of length h would solve, from the present state; nothing moves.
  Frame frame(double h);
  // How deep bodies overlap now, and how far joints are apart, measured geometrically. m
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

// For Bullet's own world: solves each island's manifolds and joints as Bullet made them (its
// penetration recovery included) in double precision with a registered solver.
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
