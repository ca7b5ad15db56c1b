#include "perpend/sim/world.hpp"

#include <algorithm>
#include <chrono>

#include "perpend/host.hpp"
#include "sim/bullet_body.hpp"
#include "sim/contacts.hpp"
#include "sim/state_of_world.hpp"
#include "sim/step.hpp"

namespace perpend {

DynamicsWorld::DynamicsWorld(btDispatcher* dispatcher, btBroadphaseInterface* broadphase,
                             btConstraintSolver* solver, btCollisionConfiguration* configuration)
    : btDiscreteDynamicsWorld(dispatcher, broadphase, solver, configuration),
      step_(std::make_unique<sim::Step>(*this)) {}

DynamicsWorld::~DynamicsWorld() = default;

StepOptions& DynamicsWorld::options() { return step_->options; }
const StepReport& DynamicsWorld::report() const { return step_->report; }
void DynamicsWorld::set_executor(Executor& executor) { step_->run_with(executor); }

bool DynamicsWorld::set_id(const btCollisionObject* object, std::int64_t id) {
  return step_->give_id(object, id);
}
bool DynamicsWorld::set_id(const btTypedConstraint* joint, std::int64_t id) {
  return step_->order().give(joint, id);
}
std::int64_t DynamicsWorld::id(const btCollisionObject* object) const {
  return step_->order().id(*object);
}

bool DynamicsWorld::set_drive(btTypedConstraint* joint, int axis, const Joint::Drive& drive) {
  const auto axes = sim::free_axes_of(*joint);
  const auto k = static_cast<std::size_t>(axis);
  if (axis < 0 || std::find(axes.begin(), axes.end(), k) == axes.end()) return false;
  if (!invalid(drive).empty()) return false;
  Joint::Drive& own = step_->drives_of(*joint).axes[k];
  if (own == drive) return true;
  own = drive;
  joint->getRigidBodyA().activate();
  joint->getRigidBodyB().activate();
  return true;
}

Joint::Drive DynamicsWorld::drive(const btTypedConstraint* joint, int axis) const {
  const auto found = step_->drives().find(joint);
  if (found == step_->drives().end() || axis < 0 || axis > 5) return {};
  return found->second.axes[static_cast<std::size_t>(axis)];
}

void DynamicsWorld::use_rotation_vector(const btTypedConstraint* joint) {
  step_->drives_of(*joint).vector = true;
}

bool DynamicsWorld::set_mimic(btTypedConstraint* joint, btTypedConstraint* followed, double ratio,
                              double offset) {
  if (sim::free_axes_of(*joint).size() != 1 || sim::free_axes_of(*followed).size() != 1 ||
      joint == followed)
    return false;
  step_->drives_of(*followed);  // its turns are counted
  sim::JointDrives& own = step_->drives_of(*joint);
  own.followed = followed;
  own.ratio = ratio;
  own.offset = offset;
  return true;
}

JointReading DynamicsWorld::reading(const btTypedConstraint* joint, int axis) const {
  const auto k = static_cast<std::size_t>(axis);
  if (axis < 0 || axis > 5) return {};
  const auto found = step_->drives().find(joint);
  const bool known = found != step_->drives().end();
  const sim::Coordinates all =
      sim::joint_coordinates(*const_cast<btTypedConstraint*>(joint), known && found->second.vector);
  if (!all[k]) return {};
  JointReading out{all[k]->violation, sim::speed_of(*all[k], *joint), 0};
  if (!known) return out;
  out.coordinate = sim::with_turns(out.coordinate, k, found->second.coordinates[k]);
  out.force = found->second.forces[k];
  return out;
}

void DynamicsWorld::set_surface_velocity(btRigidBody* body, const btVector3& linear,
                                         const btVector3& angular) {
  body->setLinearVelocity(linear);
  body->setAngularVelocity(angular);
  if (linear.isZero() && angular.isZero())
    step_->surfaces.erase(body);
  else
    step_->surfaces.insert(body);
}

void DynamicsWorld::on_step(std::function<void(const StepProblem&, const StepReport&)> callback) {
  step_->on_step = std::move(callback);
}

Frame DynamicsWorld::frame(double h) {
  // Forces that the user has applied belong to the next step.
  std::vector<std::pair<btVector3, btVector3>> forces;
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i)
    forces.emplace_back(m_nonStaticRigidBodies[i]->getTotalForce(),
                        m_nonStaticRigidBodies[i]->getTotalTorque());
  applyGravity();
  Frame frame = step_->frame(h);
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
    btRigidBody& body = *m_nonStaticRigidBodies[i];
    const auto& [force, torque] = forces[static_cast<std::size_t>(i)];
    body.clearForces();
    body.applyCentralForce(sim::without_factor(force, body.getLinearFactor()));
    body.applyTorque(sim::without_factor(torque, body.getAngularFactor()));
  }
  return frame;
}

Snapshot DynamicsWorld::save() const {
  Snapshot out = step_->save();
  out.remaining = m_localTime;
  return out;
}

std::string DynamicsWorld::restore(const Snapshot& saved) {
  const std::string why = step_->restore(saved);
  if (!why.empty()) return why;
  m_localTime = saved.remaining;
  updateAabbs();
  synchronizeMotionStates();
  return {};
}

double DynamicsWorld::penetration() { return sim::penetration(*this, step_->finder()); }
double DynamicsWorld::joint_violation() { return sim::joint_violation(*this); }

double penetration(btDiscreteDynamicsWorld& world) {
  sim::ContactFinder finder;
  return sim::penetration(world, finder);
}

void DynamicsWorld::addConstraint(btTypedConstraint* joint, bool apart) {
  step_->order().added(joint);
  btDiscreteDynamicsWorld::addConstraint(joint, apart);
}

void DynamicsWorld::removeConstraint(btTypedConstraint* joint) {
  step_->forget(joint);
  btDiscreteDynamicsWorld::removeConstraint(joint);
}

void DynamicsWorld::removeRigidBody(btRigidBody* body) {
  step_->forget(body);
  btDiscreteDynamicsWorld::removeRigidBody(body);
}

void DynamicsWorld::removeCollisionObject(btCollisionObject* object) {
  step_->forget(object);
  btDiscreteDynamicsWorld::removeCollisionObject(object);
}

void DynamicsWorld::saveKinematicState(btScalar time) {
  sim::KinematicBodies& kinematic = step_->kinematic();
  kinematic.clear();
  for (int i = 0; i < m_collisionObjects.size(); ++i) kinematic.leaves(*m_collisionObjects[i]);
  btDiscreteDynamicsWorld::saveKinematicState(time);
  kinematic.arrive_in(time);
}

void DynamicsWorld::internalSingleStepSimulation(btScalar h) {
  BT_PROFILE("internalSingleStepSimulation");
  if (m_internalPreTickCallback) m_internalPreTickCallback(this, h);
  const auto start = std::chrono::steady_clock::now();
  const bool threads = step_->threads();
  const double cpu_start = host::cpu_seconds(threads);
  step_->report = {};
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i)
    if (btRigidBody& body = *m_nonStaticRigidBodies[i];
        body.isActive() && !body.isStaticOrKinematicObject())
      body.applyDamping(h);
  getSolverInfo().m_timeStep = h;
  getDispatchInfo().m_timeStep = h;
  getDispatchInfo().m_debugDraw = getDebugDrawer();
  bool may_sleep = false;
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i)
    may_sleep |= m_nonStaticRigidBodies[i]->getActivationState() != DISABLE_DEACTIVATION;
  const std::optional<StepProblem> taken = step_->take(h, may_sleep);
  if (taken) {
    updateActions(h);
    updateActivationState(h);
  }
  step_->report.total_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  step_->report.cpu_seconds = host::cpu_seconds(threads) - cpu_start;
  if (taken && step_->on_step) step_->on_step(*taken, step_->report);
  if (m_internalTickCallback) m_internalTickCallback(this, h);
}

}  // namespace perpend
