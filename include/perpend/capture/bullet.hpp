// Recording what stock Bullet is asked at every step, and what it answers (docs/capture.md).
//
//   perpend::capture::BulletFile file("run.h5");
//   perpend::capture::Recording<btSequentialImpulseConstraintSolver> solver(file);
//   btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
//   ...
//   file.close();
//
// `Recording` derives from the solver and forwards every call to it; nothing that Bullet computes
// changes by a bit.
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

// Names of Bullet's solvers in the frames.
inline constexpr const char kSequential[] = "sequential impulses";
inline constexpr const char kConjugate[] = "nonsmooth nonlinear conjugate gradients";
inline constexpr const char kMixed[] = "MLCP";  // by a method that is none of these
inline constexpr const char kDantzig[] = "MLCP by Dantzig";
inline constexpr const char kLemke[] = "MLCP by Lemke";
inline constexpr const char kSweeps[] = "MLCP by projected Gauss-Seidel";

// One call of the solver in a step: islands that Bullet solves together, and their rows in the
// frame.
struct BulletGroup {
  Index first_contact = 0, contacts = 0, first_joint_row = 0, joint_rows = 0;
  std::int64_t iterations = -1;  // -1: not counted
  bool fell_back = false;        // sequential impulses answered in the place of the solver
};

// One step of the world.
struct BulletStep {
  io::Record record;  // timing: formulation and solver; the rest is unknown here
  Impulses start;     // what its solver began with: contacts (n, t, o), then joint rows
  std::vector<BulletGroup> groups;
  bool fell_back = false;  // its solver gave up and sequential impulses answered, in any group
  double seconds = 0;      // what recording took
  std::chrono::steady_clock::time_point began;  // its solver was called: contacts were found
};

// What a solver holds between its setup and its finish.
struct BulletPools {
  const btAlignedObjectArray<btSolverBody>& bodies;
  const btConstraintArray &joints, &contacts, &friction;
  const btAlignedObjectArray<btTypedConstraint::btConstraintInfo1>& joint_sizes;
  const btAlignedObjectArray<btSolverConstraint*>* mixed;  // rows of its MLCP; null: it has none
};

// Makes one BulletStep of all that the solver is asked between prepareSolve and allSolved: islands
// may come in several groups.
class BulletRecorder {
 public:
  using Sink = std::function<void(BulletStep&)>;
  // Records are made at once, in the engine's thread. `measured`: whether the answer gets its
  // errors, which takes longer than recording.
  explicit BulletRecorder(Sink, bool measured = true);
  // Records are made by whoever gets the steps; what the solver started from is not kept.
  explicit BulletRecorder(Outlet outlet) : BulletRecorder(std::move(outlet), false) {}
  virtual ~BulletRecorder();
  BulletRecorder(const BulletRecorder&) = delete;
  BulletRecorder& operator=(const BulletRecorder&) = delete;

  // The id of a body in the frames. Its place in the world's list unless told otherwise, which
  // Bullet changes when bodies are removed; -1 where it is in no world.
  std::function<std::int64_t(const btCollisionObject&)> id;
  // Who answers, as the frames tell it: an answerer of bullet_header(). Recording sets it.
  std::string solver;

  // Called by Recording, in this order.
  void begin_step();
  void before_setup(btTypedConstraint** joints, int count, const btContactSolverInfo&);
  void after_setup(const BulletPools&, btPersistentManifold** manifolds, int count,
                   btTypedConstraint** joints, const btContactSolverInfo&);
  // The method that btMLCPSolver is to ask in place of its own: it forwards all to it, and hears.
  btMLCPSolverInterface* overhear(btMLCPSolverInterface* method);
  void before_finish(const BulletPools&, int iterations, bool fell_back);
  void after_finish();
  void end_step();
  // The time since the last call goes to the engine: to building its problem, or to solving it.
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
  // Throws io::InputError when the file cannot be made.
  explicit BulletFile(const std::string& path, const std::string& scene = {});
};
// Root attributes of a recording of Bullet.
io::Header bullet_header(const std::string& scene);

// `Solver` is btSequentialImpulseConstraintSolver, btNNCGConstraintSolver or btMLCPSolver, made
// from the arguments after the recorder, which must outlive it.
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
    this->m_analyticsData.m_numIterationsUsed = -1;  // a statistic, which no solver reads
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
  // btMLCPSolver hands over to sequential impulses without a word.
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

// What a program of one's own needs.
using from_bullet::bullet_header, from_bullet::BulletFile, from_bullet::BulletGroup,
    from_bullet::BulletPools, from_bullet::BulletRecorder, from_bullet::BulletStep,
    from_bullet::Recording;

}  // namespace perpend::capture
