// Records the contact problem and the answer of every step of stock Bullet (docs/capture.md).
//
//   perpend::capture::BulletFile file("run.h5");
//   perpend::capture::Recording<btSequentialImpulseConstraintSolver> solver(file);
//   btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
//   ...
//   file.close();
//
// `Recording` derives from the solver and forwards every call to it. The simulation has the same
// bits as without recording.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "perpend/capture.hpp"

class btMLCPSolverInterface;

static_assert(sizeof(btScalar) == 8,
              "perpend needs Bullet in double precision: link perpend::capture_bullet, or define "
              "BT_USE_DOUBLE_PRECISION and link Debian's -float64 libraries");

namespace perpend::capture::from_bullet {

class MlcpListener;

// The names of Bullet's solvers in recordings.
inline constexpr const char kSequential[] = "sequential impulses";
inline constexpr const char kConjugate[] = "nonsmooth nonlinear conjugate gradients";
inline constexpr const char kMixed[] = "MLCP";  // by any other method
inline constexpr const char kDantzig[] = "MLCP by Dantzig";
inline constexpr const char kLemke[] = "MLCP by Lemke";
inline constexpr const char kSweeps[] = "MLCP by projected Gauss-Seidel";

// One call of the solver: islands that Bullet solves together, and their rows in the frame.
struct BulletGroup {
  Index first_contact = 0, contacts = 0, first_joint_row = 0, joint_rows = 0;
  std::int64_t iterations = -1;  // -1: not counted
  bool fell_back = false;        // the solver gave up and sequential impulses answered
};

// One step of the world.
struct BulletStep {
  io::Record record;  // its timing has formulation and solver only
  Impulses start;     // the solver's warm start: contacts (n, t, o), then joint rows
  std::vector<BulletGroup> groups;
  bool fell_back = false;                       // true if it is true for any group
  double seconds = 0;                           // time that recording took
  std::chrono::steady_clock::time_point began;  // when the solver was called
};

// The data of Bullet's solver between its setup and its finish.
struct BulletPools {
  const btAlignedObjectArray<btSolverBody>& bodies;
  const btConstraintArray &joints, &contacts, &friction;
  const btAlignedObjectArray<btTypedConstraint::btConstraintInfo1>& joint_sizes;
  const btAlignedObjectArray<btSolverConstraint*>* mixed;  // rows of its MLCP; null: it has none
};

// Makes one BulletStep from all calls between prepareSolve and allSolved. Islands may come in
// several groups.
class BulletRecorder {
 public:
  using Sink = std::function<void(BulletStep&)>;
  // Makes the record at once, in the engine's thread. `measured`: compute the errors of the answer,
  // which takes longer than recording.
  explicit BulletRecorder(Sink, bool measured = true);
  // The receiver makes the record. The warm start is not kept.
  explicit BulletRecorder(Outlet outlet) : BulletRecorder(std::move(outlet), false) {}
  virtual ~BulletRecorder();
  BulletRecorder(const BulletRecorder&) = delete;
  BulletRecorder& operator=(const BulletRecorder&) = delete;

  // Returns the id of a body in recordings. Default: its place in the world's list (Bullet changes
  // it when bodies are removed), -1 if it is in no world.
  std::function<std::int64_t(const btCollisionObject&)> id;
  // Likewise of a joint; negative: none. Empty: joints have no ids.
  std::function<std::int64_t(const btTypedConstraint&)> joint_id;
  // The solver's name in recordings, one of the answerers of bullet_header(). Recording sets it.
  std::string solver;

  // Called by Recording, in this order.
  void begin_step();
  void before_setup(btTypedConstraint** joints, int count, const btContactSolverInfo&);
  void after_setup(const BulletPools&, btPersistentManifold** manifolds, int count,
                   btTypedConstraint** joints, const btContactSolverInfo&);
  // Returns a method for btMLCPSolver that listens and forwards every call to `method`.
  btMLCPSolverInterface* overhear(btMLCPSolverInterface* method);
  void before_finish(const BulletPools&, int iterations, bool fell_back);
  void after_finish();
  void end_step();
  // Counts the time since the last call as the engine's: building its problem, or solving it.
  enum class Part { formulation, solver };
  void spent(Part);

 private:
  BulletRecorder(Outlet, bool with_start);

  struct Step;
  std::unique_ptr<Step> step_;
  std::unique_ptr<MlcpListener> listener_;
  Outlet outlet_;
  bool with_start_;
  std::unique_ptr<StepRecord> emptied_;  // of steps that went to a sink
  double time_ = 0;
};

// A recorder that writes the standard file.
class BulletFile : public RecordedFile, public BulletRecorder {
 public:
  // Throws io::InputError if the file cannot be made.
  explicit BulletFile(const std::string& path, const std::string& scene = {});
};
// Root attributes of a recording of Bullet.
io::Header bullet_header(const std::string& scene);

// A solver of Bullet that records: btSequentialImpulseConstraintSolver, btNNCGConstraintSolver or
// btMLCPSolver. Arguments after the recorder are those of the solver. The recorder must outlive it.
template <class Solver>
class Recording : public Solver {
 public:
  BT_DECLARE_ALIGNED_ALLOCATOR();

  template <class... Arguments>
  explicit Recording(BulletRecorder& recorder, Arguments&&... arguments)
      : Solver(std::forward<Arguments>(arguments)...), recorder_(recorder) {
    if (this->getSolverType() == BT_SEQUENTIAL_IMPULSE_SOLVER) recorder.solver = kSequential;
    if (this->getSolverType() == BT_NNCG_SOLVER) recorder.solver = kConjugate;
    if constexpr (kOfMlcp) recorder.overhear(this->m_solver);
  }

  void prepareSolve(int bodies, int manifolds) override {
    Solver::prepareSolve(bodies, manifolds);
    recorder_.begin_step();
  }
  void allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer) override {
    Solver::allSolved(info, drawer);
    recorder_.end_step();
  }

 protected:
  btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int body_count,
                                        btPersistentManifold** manifolds, int manifold_count,
                                        btTypedConstraint** joints, int joint_count,
                                        const btContactSolverInfo& info,
                                        btIDebugDraw* drawer) override {
    recorder_.before_setup(joints, joint_count, info);
    const btScalar result = Solver::solveGroupCacheFriendlySetup(
        bodies, body_count, manifolds, manifold_count, joints, joint_count, info, drawer);
    recorder_.spent(BulletRecorder::Part::formulation);
    recorder_.after_setup(pools(), manifolds, manifold_count, joints, info);
    fallbacks_ = fallbacks();
    return result;
  }
  btScalar solveGroupCacheFriendlyIterations(btCollisionObject** bodies, int body_count,
                                             btPersistentManifold** manifolds, int manifold_count,
                                             btTypedConstraint** joints, int joint_count,
                                             const btContactSolverInfo& info,
                                             btIDebugDraw* drawer) override {
    this->m_analyticsData.m_numIterationsUsed = -1;  // a statistic that no solver uses
    const auto solve = [&] {
      return Solver::solveGroupCacheFriendlyIterations(
          bodies, body_count, manifolds, manifold_count, joints, joint_count, info, drawer);
    };
    btScalar result;
    if constexpr (kOfMlcp) {
      btMLCPSolverInterface* const method = this->m_solver;
      this->m_solver = recorder_.overhear(method);
      result = solve();
      this->m_solver = method;
    } else {
      result = solve();
    }
    recorder_.spent(BulletRecorder::Part::solver);
    return result;
  }
  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int body_count,
                                         const btContactSolverInfo& info) override {
    recorder_.before_finish(pools(), this->m_analyticsData.m_numIterationsUsed,
                            fallbacks() > fallbacks_);
    const btScalar result = Solver::solveGroupCacheFriendlyFinish(bodies, body_count, info);
    recorder_.spent(BulletRecorder::Part::solver);
    recorder_.after_finish();
    return result;
  }

 private:
  static constexpr bool kOfMlcp = requires(Solver & solver) { solver.getNumFallbacks(); };

  BulletPools pools() const {
    const btAlignedObjectArray<btSolverConstraint*>* mixed = nullptr;
    if constexpr (kOfMlcp) mixed = &this->m_allConstraintPtrArray;
    return {this->m_tmpSolverBodyPool,
            this->m_tmpSolverNonContactConstraintPool,
            this->m_tmpSolverContactConstraintPool,
            this->m_tmpSolverContactFrictionConstraintPool,
            this->m_tmpConstraintSizesPool,
            mixed};
  }
  // btMLCPSolver falls back to sequential impulses without saying so.
  int fallbacks() const {
    if constexpr (kOfMlcp)
      return this->getNumFallbacks();
    else
      return 0;
  }

  BulletRecorder& recorder_;
  int fallbacks_ = 0;
};

}  // namespace perpend::capture::from_bullet

namespace perpend::capture {

// The names for your own program.
using from_bullet::bullet_header, from_bullet::BulletFile, from_bullet::BulletGroup,
    from_bullet::BulletPools, from_bullet::BulletRecorder, from_bullet::BulletStep,
    from_bullet::Recording;

}  // namespace perpend::capture
