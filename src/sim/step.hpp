// One time step of a Bullet world by Stewart and Trinkle (004, eq. 11): bodies, contacts and joints
// as a frame, the frame's islands solved, velocities and then positions.
#pragma once

#include "perpend/sim/world.hpp"
#include "sim/contacts.hpp"
#include "sim/ids.hpp"
#include "sim/islands.hpp"
#include "sim/joints.hpp"
#include "sim/pair_contacts.hpp"

namespace perpend::sim {

class Step {
 public:
  explicit Step(btDiscreteDynamicsWorld& world) : world_(world) {}

  StepOptions options;
  StepReport report;
  std::function<void(const StepProblem&, const StepReport&)> on_step;
  bool give_id(const btCollisionObject*, std::int64_t);
  bool give_id(const btTypedConstraint* joint, std::int64_t id) {
    return joint_ids_.give(joint, id);
  }
  std::int64_t id(const btCollisionObject&) const;
  void run_with(Executor& executor) { executor_ = &executor; }

  void watch();  // the clock of the step's time limit starts
  // The parts of a step, in this order.
  void begin(double h);  // bodies as they are, and how far they may go
  void find_near();      // pairs whose boxes, grown by their reach, overlap
  void sleep();          // whole islands of Bullet's fall asleep, or wake up
  void find_contacts();  // of those pairs
  void solve();          // v+
  void advance();        // positions, impulses back to where Bullet's users read them
  void close_joints();   // v+ and positions such that joints are closed where the step ends
  void correct();        // positions onto joints and gaps
  // True when a body comes to 1e9 m/s, or to no number, with the forces of the step or with v+: the
  // step cannot be taken. The report tells which.
  bool runs_away();
  void conclude();  // the report's status, where a limit or Ctrl-C has left a part of the step off
  ContactFinder& finder() { return finder_; }
  Frame frame();  // after find_contacts()
  void call_on_step();

  void save(Snapshot&) const;
  // The reason why it does not fit this world; empty when all is as it was.
  std::string restore(const Snapshot&);

  void kinematic_before();                // remembers where kinematic bodies are
  void kinematic_after(double time);      // Bullet has moved them to where they go in `time`
  void number(const btTypedConstraint*);  // it was added
  void forget(const btTypedConstraint*);
  void forget(const btCollisionObject*);

 private:
  struct Moving {  // one per collision object of the world, in the order of their ids
    btCollisionObject* object;
    std::int64_t id;
    btRigidBody* rigid;       // null: a plain collision object
    bool moves;               // has mass, and is awake
    Vector3d velocity, spin;  // free: with the forces of this step
    Vector3d way, angle;    // h times the velocity and spin it comes with, m and rad: where bodies
                            // that rest on others really go, unlike with gravity alone
    Vector3d gyroscopic;    // N m
    Matrix3d inertia;       // world axes, kg m^2
    double radius;          // of the ball about the centre of mass that holds the shape, m
    double reach;           // how far a point of it may go in this step, m
    void extend(double h);  // for the present velocity and spin
    bool still() const;     // stays where it is
  };
  struct Box {
    Vector3d low, high;
    bool meets(const Box&) const;
  };
  struct NearPair {  // as the broad phase proposes it
    btBroadphasePair* pair;
    Index first, second;  // rows, ascending
    bool overlap;         // of the boxes of this step
  };
  struct Pair {
    PairContacts* contacts;
    Index first, second;
    Index start, count;  // rows in the frame
    bool same(const Pair& o) const { return first == o.first && second == o.second; }
  };
  struct HeldJoint {
    btTypedConstraint* joint;
    Index start, count;  // rows
  };
  struct Kinematic {
    btRigidBody* body;
    btTransform from, to;
    double duration, elapsed;
    bool arrived;  // from here on it is the user's again
  };
  struct Remembered {
    int key;
    double impulse;
  };
  // The impulses of the last step, as vectors on the second body: what the next one starts from.
  struct ContactMemory {
    struct Pair {
      std::int64_t first, second;  // ids
      std::size_t start, count;
    };
    struct Impulse {
      std::uint64_t feature;
      Vector3d impulse;
    };
    std::vector<Pair> pairs;  // ascending
    std::vector<Impulse> impulses;
    std::span<const Impulse> of(std::int64_t first, std::int64_t second) const;
  };

  struct IslandAnswer {
    Result result;
    Rows3 contacts;         // impulses of its contacts (n, t, o)
    VectorXd joints;        // of its joint rows
    Rows6 velocities_plus;  // of its bodies; no rows: there is no answer
    double formulation_seconds = 0, solver_seconds = 0;
    Index settled = 0;  // how often another face of a group had to push
  };
  struct Outcome {  // of an island
    bool converged = false;
    double own_error = 0;
  };

  Executor& executor();
  void order_bodies();
  std::vector<std::pair<std::int64_t, btCollisionObject*>> ordered_bodies() const;
  Index row(const btCollisionObject&) const;  // -1: not in this world
  std::int64_t id_or_world(const btRigidBody&) const;
  std::vector<btTypedConstraint*> ordered_joints() const;
  void begin_again_if_woken();
  std::vector<NearPair> near_pairs();  // ascending
  void collect_pairs();
  void for_pairs(const std::function<void(Index pair, int worker)>&);
  void fill_bodies(Frame&);
  void fill_contacts(Frame&);
  void fill_joints(Frame&, double h, bool positions_only);
  Index body_row(const btRigidBody&, Frame&);
  Impulses last_impulses();
  bool doubtful(const Island&) const;
  bool reached_farther();
  std::vector<bool> would_hit(const Frame& wider) const;
  void solve_islands();
  IslandAnswer solve_island(const Island&, const Impulses& last, const SolverInfo&, Solver&) const;
  void count(const IslandAnswer&);                // its work, in the report
  void tell(const Result&);                       // how an island was answered, in the report
  void take(const Island&, const IslandAnswer&);  // into the step's columns
  void remember_short();
  void write_back();
  void remember_contacts(std::span<const Vector3d> impulses);
  void place_kinematic();
  VectorXd left_open(const Island&) const;
  void place_again(const Island&);
  bool touches(const Island&) const;
  std::vector<bool> may_violate() const;  // of each body
  Frame positions_frame(const std::vector<double>& deep);
  // False when there was nothing to do, or it could not be done. `iterations`: what earlier passes
  // of this step have taken for each body's island.
  bool project(std::vector<long>& iterations);
  const SolverInfo* solver_info();
  // The limits of a step are those of its solves, the closing of joints and the correction
  // together.
  double left() const;        // of the time limit, s; 0: none is set
  Options for_solve() const;  // with what is left
  bool over();                // what is left to do is left off

  btDiscreteDynamicsWorld& world_;
  Executor serial_;
  Executor* executor_ = &serial_;
  double h_ = 0;
  double began_ = 0;                        // by the clock of the options
  bool stopped_ = false, limited_ = false;  // by Ctrl-C, by the time limit: a part was left off
  ContactFinder finder_;                    // for poses between steps; pairs have their own
  std::vector<ContactFinder> finders_;      // of each worker, for projections
  std::vector<Moving> bodies_;
  Ids body_ids_, joint_ids_;  // given by the user
  std::vector<Index> rows_;   // of the world's array of collision objects
  std::vector<Box> boxes_;    // of the bodies
  std::vector<Pair> pairs_;
  std::vector<PairContacts::Touch> touches_;  // contacts of the frame, pair by pair
  std::vector<HeldJoint> joints_;
  std::vector<JointRow> joint_rows_;
  Frame frame_;
  Impulses impulses_;
  Rows6 velocities_plus_;
  std::vector<Kinematic> kinematic_;
  ContactMemory memory_;
  std::map<const btTypedConstraint*, std::vector<Remembered>> joint_impulses_;  // only looked up
  std::map<const btTypedConstraint*, std::int64_t> joint_numbers_;              // only looked up
  std::int64_t joints_added_ = 0;
  std::vector<bool> known_;  // of each contact: it was there in the last step
  std::vector<Island> islands_;
  std::vector<Outcome> outcomes_;         // of the islands
  std::vector<std::int64_t> fell_short_;  // ids, ascending: bodies whose island did not converge
  std::string solver_name_;
  std::vector<std::unique_ptr<Solver>> solvers_, correctors_;  // of each worker
};

}  // namespace perpend::sim
