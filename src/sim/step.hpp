// One time step of a Bullet world by Stewart and Trinkle (Nguyen and Trinkle 2010, eq. 11): bodies,
// near pairs, contacts, the frame, its islands solved, new positions. Each stage is a file of its
// own that hands values on; here they are called one after the other, and what a world keeps
// between steps is here.
#pragma once

#include <optional>

#include "perpend/sim/world.hpp"
#include "sim/body_solids.hpp"
#include "sim/close_joints.hpp"
#include "sim/drives.hpp"
#include "sim/ignored.hpp"
#include "sim/kinematic.hpp"
#include "sim/order.hpp"
#include "sim/project.hpp"
#include "sim/reach.hpp"
#include "sim/snapshot.hpp"

namespace perpend::sim {

class Step {
 public:
  explicit Step(btDiscreteDynamicsWorld& world) : world_(world) {}

  StepOptions options;
  StepReport report;
  std::function<void(const StepProblem&, const StepReport&)> on_step;
  MovingSurfaces surfaces;

  // The whole step; what it solved. None: a body runs away, nothing has moved, the report tells
  // which. `may_sleep`: some body may.
  std::optional<StepProblem> take(double h, bool may_sleep);
  // The frame that a step from the present state would solve first.
  Frame frame(double h);

  void run_with(Executor& executor) { executor_ = &executor; }
  bool threads() const { return executor_->workers() > 1; }  // more than the one that steps
  // What is remembered by ids is not known any more when they change.
  bool give_id(const btCollisionObject*, std::int64_t);
  Order& order() { return order_; }
  KinematicBodies& kinematic() { return kinematic_; }
  ContactFinder& finder();  // for poses between steps

  void forget(const btTypedConstraint*);
  void forget(const btCollisionObject*);
  const Drives& drives() const { return drives_; }
  JointDrives& drives_of(const btTypedConstraint& joint) { return drives_[&joint]; }

  Snapshot save() const { return sim::save(world_, order_, memory_, drives_); }
  std::string restore(const Snapshot&);

 private:
  using JointList = std::vector<btTypedConstraint*>;  // in order

  Executor& executor();
  StepBodies bodies(double h);
  std::vector<NearPair> near(const StepBodies&);
  Touches find(const StepBodies&, const std::vector<NearPair>&);
  StepSetup set_up(StepBodies, Touches, const JointList&, double h);
  std::optional<StepSetup> found_farther(StepSetup&, const Solution&, const JointList&,
                                         const Account&);
  void prepare_solvers();
  Start start(const StepSetup&);
  Start start(const StepSetup&, const ContactMemory&, const Solution&);
  // The frame gets what is foreseen of its joints. Islands that were in the frame before keep their
  // answers.
  struct Before {
    const Frame& frame;
    Solution& solution;
  };
  // `most_iterations`: of an island; 0: those of the options. With fewer it is a rough solve, and
  // what is left short is not told of.
  Solution solve(StepSetup&, const Start&, StepClock&, Account&, const Before* = nullptr,
                 long most_iterations = 0);
  void finish(const StepSetup&, Solution&, Start, StepClock&, Account&);
  void answer_islands(const StepSetup&, Solution&, std::span<const std::size_t> which, const Start&,
                      const Solving&);
  ContactMemory contact_memory(const StepSetup&, std::span<const Vector3d> impulses) const;
  void write_back(const StepSetup&, const Solution&);
  // In the report: the work of an island, how it was answered, and its errors.
  void count(const IslandAnswer&);
  void tell(const Result&);
  void tell(const Errors&, double& rows, double more);
  bool refused(const std::string& runaway);

  btDiscreteDynamicsWorld& world_;
  bool begun_ = false;
  Ignored ignored_;
  Executor serial_;
  Executor* executor_ = &serial_;
  Order order_;
  KinematicBodies kinematic_;
  Memory memory_;
  Drives drives_;
  Solvers solvers_, correctors_;        // of the islands, of the projection
  std::vector<HeldRows> held_;          // of the islands
  std::vector<ContactFinder> finders_;  // of each worker, for present poses; pairs have their own
  BodySolids solids_;
};

}  // namespace perpend::sim
