// One time step of a Bullet world by Stewart and Trinkle (004, eq. 11): bodies, contacts and joints
// as a frame, the frame's islands solved, velocities and then positions.
#pragma once

#include "perpend/sim/world.hpp"
#include "sim/contacts.hpp"
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

  // The parts of a step, in this order.
  void begin(double h);  // bodies as they are, and how far they may go
  void wake();           // begins again when bodies fell asleep or woke up since
  void find_near();      // pairs whose boxes, grown by the whole way, overlap
  void find_contacts();  // of those pairs
  void solve();          // v+
  void advance();        // positions, impulses back to where Bullet's users read them
  void correct();        // positions onto joints and gaps
  ContactFinder& finder() { return finder_; }
  Frame frame();  // after find_contacts()
  void call_on_step();

  void kinematic_before();            // remembers where kinematic bodies are
  void kinematic_after(double time);  // Bullet has moved them to where they go in `time`
  void forget(const btTypedConstraint*);
  void forget(const btRigidBody*);

 private:
  struct Moving {  // one per collision object of the world, in its order
    btCollisionObject* object;
    btRigidBody* rigid;       // null: a plain collision object
    bool moves;               // has mass, and is awake
    Vector3d velocity, spin;  // free: with the forces of this step
    Vector3d way, angle;    // h times the velocity and spin it comes with, m and rad: where bodies
                            // that rest on others really go, unlike with gravity alone
    Vector3d gyroscopic;    // N m
    Matrix3d inertia;       // world axes, kg m^2
    double radius;          // of the ball about the centre of mass that holds the shape, m
    double reach;           // how far a point of it may go in this step, m
    Vector3d low, high;     // by which its box grows to hold the whole way, m
    void extend(double h);  // for the present velocity and spin
  };
  struct Pair {
    PairContacts* contacts;
    Index first, second;
    Index start, count;  // rows in the frame
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

  void collect_pairs();
  void fill_bodies(Frame&);
  void fill_contacts(Frame&);
  void fill_joints(Frame&, double h, bool positions_only);
  Index body_row(const btRigidBody&, Frame&);
  Impulses last_impulses();
  bool doubtful(const Island&) const;
  bool reached_farther();
  void solve_islands();
  IslandAnswer solve_island(const Island&, const Impulses& last, const SolverInfo&, Solver&) const;
  void take(const Island&, const IslandAnswer&);  // into the step's columns and report
  void remember_short();
  void write_back();
  void place_kinematic();
  bool may_violate() const;
  Frame positions_frame(double reach);
  bool project();  // false when there was nothing to do, or it could not be done
  const SolverInfo* solver_info();

  btDiscreteDynamicsWorld& world_;
  double h_ = 0;
  ContactFinder finder_;  // for poses between steps; pairs have their own
  std::vector<Moving> bodies_;
  std::vector<Pair> pairs_;
  std::vector<PairContacts::Touch> touches_;  // contacts of the frame, pair by pair
  std::vector<HeldJoint> joints_;
  std::vector<JointRow> joint_rows_;
  Frame frame_;
  Impulses impulses_;
  Rows6 velocities_plus_;
  std::vector<Kinematic> kinematic_;
  std::map<const btTypedConstraint*, std::vector<Remembered>> joint_impulses_;  // only looked up
  std::vector<bool> known_;  // of each contact: it was there in the last step
  std::vector<Island> islands_;
  std::vector<Outcome> outcomes_;         // of the islands
  std::vector<std::int64_t> fell_short_;  // ids, ascending: bodies whose island did not converge
  std::string solver_name_;
  std::unique_ptr<Solver> solver_, corrector_;
};

}  // namespace perpend::sim
