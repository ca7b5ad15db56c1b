#include "perpend/sim/world.hpp"

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>

#include <chrono>

#include "sim/step.hpp"

namespace perpend {

DynamicsWorld::DynamicsWorld(btDispatcher* dispatcher, btBroadphaseInterface* broadphase,
                             btConstraintSolver* solver, btCollisionConfiguration* configuration)
    : btDiscreteDynamicsWorld(dispatcher, broadphase, solver, configuration),
      step_(std::make_unique<sim::Step>(*this)) {}

DynamicsWorld::~DynamicsWorld() = default;

StepOptions& DynamicsWorld::options() { return step_->options; }
const StepReport& DynamicsWorld::report() const { return step_->report; }
void DynamicsWorld::on_step(std::function<void(const StepProblem&, const StepReport&)> callback) {
  step_->on_step = std::move(callback);
}

Frame DynamicsWorld::frame(double h) {
  const bool forces = getGravity().length2() > 0;
  if (forces) applyGravity();
  step_->begin(h);
  step_->update_aabbs();
  step_->find_contacts();
  Frame frame = step_->frame();
  if (forces) clearForces();
  return frame;
}

double DynamicsWorld::penetration() { return step_->penetration(); }
double DynamicsWorld::joint_violation() { return step_->joint_violation(); }

void DynamicsWorld::removeConstraint(btTypedConstraint* joint) {
  step_->forget(joint);
  btDiscreteDynamicsWorld::removeConstraint(joint);
}

void DynamicsWorld::saveKinematicState(btScalar time) {
  step_->kinematic_before();
  btDiscreteDynamicsWorld::saveKinematicState(time);
  step_->kinematic_after(time);
}

void DynamicsWorld::internalSingleStepSimulation(btScalar h) {
  BT_PROFILE("internalSingleStepSimulation");
  if (m_internalPreTickCallback) m_internalPreTickCallback(this, h);
  const auto start = std::chrono::steady_clock::now();
  step_->report = {};
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i)
    if (m_nonStaticRigidBodies[i]->isActive()) m_nonStaticRigidBodies[i]->applyDamping(h);
  getDispatchInfo().m_timeStep = h;
  getDispatchInfo().m_debugDraw = getDebugDrawer();
  step_->begin(h);
  step_->update_aabbs();
  computeOverlappingPairs();
  // Bullet's islands decide who sleeps; ours, who is solved with whom.
  calculateSimulationIslands();
  getSimulationIslandManager()->buildIslands(getDispatcher(), this);
  step_->wake();
  step_->find_contacts();
  step_->solve();
  step_->advance();
  step_->correct();
  updateActions(h);
  updateActivationState(h);
  step_->report.total_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (step_->on_step) step_->call_on_step();
  if (m_internalTickCallback) m_internalTickCallback(this, h);
}

}  // namespace perpend
