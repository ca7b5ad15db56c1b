// Scenes in stock Bullet's own world with any of its solvers, as the program perpend-capture-bullet
// runs them.
#include "capture/engine.hpp"

#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include "capture/header.hpp"
#include "capture/outlet.hpp"
#include "perpend/bullet.hpp"
#include "perpend/capture/bullet.hpp"

namespace perpend::capture::from_bullet {
namespace {

std::vector<SolverName> solvers() {
  return {{"si", kSequential},
          {"nncg", kConjugate},
          {"dantzig", kDantzig},
          {"lemke", kLemke},
          {"pgs", kSweeps}};
}

// One of Bullet's solvers, recording unless the recorder is null.
class NamedSolver {
 public:
  NamedSolver(const std::string& name, BulletRecorder* recorder) {
    if (name == "si") make<btSequentialImpulseConstraintSolver>(recorder);
    if (name == "nncg") make<btNNCGConstraintSolver>(recorder);
    if (name == "dantzig") make<btMLCPSolver>(recorder, &dantzig_);
    if (name == "lemke") make<btMLCPSolver>(recorder, &lemke_);
    if (name == "pgs") make<btMLCPSolver>(recorder, &pgs_);
  }
  btConstraintSolver* get() { return solver_.get(); }

 private:
  template <class Solver, class... Arguments>
  void make(BulletRecorder* recorder, Arguments*... arguments) {
    if (recorder)
      solver_ = std::make_unique<Recording<Solver>>(*recorder, arguments...);
    else
      solver_ = std::make_unique<Solver>(arguments...);
  }
  btDantzigSolver dantzig_;
  btLemkeSolver lemke_;
  btSolveProjectedGaussSeidel pgs_;
  std::unique_ptr<btConstraintSolver> solver_;
};

class BulletRun : public Run {
 public:
  explicit BulletRun(const Task& task)
      : recorded_(task.recorded),
        h_(task.h),
        recorder_(last_.outlet()),
        solver_(task.solver, recorded_ ? &recorder_ : nullptr),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, solver_.get(), &configuration_),
        inside_(task.scene, task.h, world_) {
    if (task.iterations > 0) world_.getSolverInfo().m_numIterations = task.iterations;
    recorder_.id = [ids = io::body_ids(task.scene)](const btCollisionObject& object) {
      const int place = object.getWorldArrayIndex();  // nothing is ever removed here
      return place < 0 ? -1 : ids[static_cast<std::size_t>(place)];
    };
    for (std::size_t k = 0; k < task.scene.joints.size(); ++k)
      inside_.joint(k).setUserConstraintId(static_cast<int>(k));
    recorder_.joint_id = [](const btTypedConstraint& joint) { return joint.getUserConstraintId(); };
  }
  io::Header header() const override { return bullet_header({}); }
  double h() const override { return h_; }
  int iterations() const override { return world_.getSolverInfo().m_numIterations; }
  RecordedStep step() override {
    inside_.step();
    return last_.take();
  }
  void reuse(std::unique_ptr<StepRecord> step) override { last_.reuse(std::move(step)); }
  std::uint64_t hash() const override { return inside_.hash(); }

 private:
  bool recorded_;
  double h_;
  LastStep last_;
  BulletRecorder recorder_;
  NamedSolver solver_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  mutable btDiscreteDynamicsWorld
      world_;  // it gives its settings to nobody who may not change them
  bullet::SceneInWorld inside_;
};

}  // namespace

io::Header bullet_header(const std::string& scene) {
  return header_of(
      {"bullet", bullet::version(), sizeof(btScalar), answerers_of(solvers(), kMixed), "box",
       "sleeping bodies; fixed bodies that nothing touches; impulses of rolling and spinning "
       "friction; push of the split impulse (it moves positions only); contact ids; factors "
       "that lock axes of a body; impulses the solver started from"},
      scene);
}

}  // namespace perpend::capture::from_bullet

namespace perpend::capture {

Engine bullet_engine() {
  Engine out = engine_of<from_bullet::BulletRun>("bullet", "stock Bullet", from_bullet::solvers());
  out.supports = kBulletSupport;
  return out;
}

}  // namespace perpend::capture
