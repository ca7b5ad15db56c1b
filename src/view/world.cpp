#include "view/world.hpp"

#include <map>

#include "perpend/bullet.hpp"
#include "perpend/measure.hpp"
#include "perpend/sim/world.hpp"
#include "view/spring.hpp"

namespace perpend::view {

struct World::Parts {
  Parts(const Scene& given, const Settings& initial)
      : scene(given),
        settings(initial),
        dispatcher(&configuration),
        world(&dispatcher, &broadphase, &solver, &configuration),
        inside(scene, initial.h, world) {}

  const Scene scene;
  Settings settings;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  DynamicsWorld world;
  bullet::SceneInWorld inside;
  std::vector<btTransform> shape_in_body;       // Bullet's bodies lie along principal axes
  std::map<std::int64_t, std::uint32_t> place;  // of ids in the scene
  StepProblem problem;
  bool taken = false;

  btRigidBody& body(std::size_t i) const { return const_cast<Parts*>(this)->inside.body(i); }
  btTransform shape_pose(std::size_t i) const {
    return body(i).getCenterOfMassTransform() * shape_in_body[i];
  }
  Vector3d pull(Hold&);
};

World::World(const Scene& scene, const Settings& settings, Executor& executor)
    : parts_(std::make_unique<Parts>(scene, settings)) {
  Parts& p = *parts_;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].id) p.world.set_id(&p.body(i), *scene.bodies[i].id);
  for (std::size_t i = 0; i < scene.joints.size(); ++i)
    if (scene.joints[i].id) p.world.set_id(&p.inside.joint(i), *scene.joints[i].id);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    p.shape_in_body.push_back(p.body(i).getCenterOfMassTransform().inverse() *
                              bullet::to_bullet(scene.bodies[i].pose));
    p.place[p.world.id(&p.body(i))] = static_cast<std::uint32_t>(i);
  }
  p.world.set_executor(executor);
  p.world.on_step([&p](const StepProblem& problem, const StepReport& report) {
    p.taken = report.status != Status::stopped;
    p.problem = problem;
  });
  set(settings);
}

World::~World() = default;

void World::set(const Settings& settings) {
  Parts& p = *parts_;
  p.settings = settings;
  p.world.options() = settings.step;
  const Vector3d along = p.scene.gravity.norm() > 0 ? Vector3d(p.scene.gravity.normalized())
                                                    : Vector3d(-Vector3d::UnitZ());
  // The scene's own has its own digits.
  const bool scenes_own = settings.gravity == p.scene.gravity.norm();
  p.world.setGravity(
      bullet::to_bullet(scenes_own ? p.scene.gravity : Vector3d(settings.gravity * along)));
  for (std::size_t i = 0; i < p.scene.bodies.size(); ++i)
    p.body(i).setFriction(std::sqrt(p.scene.bodies[i].mu * settings.friction));
}

// Applies the hold's force and torque to its body.
Vector3d World::Parts::pull(Hold& hold) {
  btRigidBody& held = body(hold.body);
  const Body& told = scene.bodies[hold.body];
  Vector3d force = Vector3d::Zero();
  if (hold.drags) {
    const btVector3 point = shape_pose(hold.body) * bullet::to_bullet(hold.point);
    const btVector3 arm = point - held.getCenterOfMassPosition();
    Grip grip;
    grip.mass = told.mass;
    grip.inverse_inertia = bullet::from_bullet(held.getInvInertiaTensorWorld());
    grip.arm = bullet::from_bullet(arm);
    grip.velocity =
        bullet::from_bullet(held.getVelocityInLocalPoint(arm) + settings.h * world.getGravity());
    grip.distance = hold.target - bullet::from_bullet(point);
    force = spring_force(grip, settings.h, settings.strength);
    held.applyForce(bullet::to_bullet(force), arm);
  }
  if (!hold.torque.isZero(0))
    held.applyTorque(
        bullet::to_bullet(capped_torque(hold.torque, told.mass, radius(told), settings.strength)));
  return force;
}

std::string World::step(double time, std::vector<Hold>& holds) {
  Parts& p = *parts_;
  for (Hold& hold : holds) hold.force = p.pull(hold);
  p.inside.set_time(time + p.settings.h);
  p.taken = false;
  p.world.stepSimulation(p.settings.h, 0);
  if (p.taken) return {};
  p.inside.set_time(time);
  return p.world.report().message.empty() ? "the step was stopped" : p.world.report().message;
}

const StepReport& World::report() const { return parts_->world.report(); }
const StepProblem& World::problem() const { return parts_->problem; }
Snapshot World::save() const { return parts_->world.save(); }

std::string World::restore(const Snapshot& saved, double time) {
  parts_->inside.set_time(time);
  parts_->problem = {};
  return parts_->world.restore(saved);
}

void World::cut(std::size_t joint) { parts_->inside.joint(joint).setEnabled(false); }
bool World::is_cut(std::size_t joint) const { return !parts_->inside.joint(joint).isEnabled(); }

double World::energy() const {
  const Parts& p = *parts_;
  const Vector3d gravity = bullet::from_bullet(p.world.getGravity());
  double sum = 0;
  for (std::size_t i = 0; i < p.scene.bodies.size(); ++i) {
    const double mass = p.scene.bodies[i].mass;
    if (mass <= 0) continue;
    const btRigidBody& body = p.body(i);
    const btVector3 turn = body.getAngularVelocity() * body.getCenterOfMassTransform().getBasis();
    sum += mass * (body.getLinearVelocity().length2() / 2 -
                   gravity.dot(bullet::from_bullet(body.getCenterOfMassPosition())));
    for (int k = 0; k < 3; ++k) sum += turn[k] * turn[k] / body.getInvInertiaDiagLocal()[k] / 2;
  }
  return sum;
}

double World::penetration() const { return parts_->world.penetration(); }
std::uint64_t World::hash() const { return parts_->inside.hash(); }
std::int64_t World::id(std::size_t body) const { return parts_->world.id(&parts_->body(body)); }

Pose World::pose(std::size_t body) const {
  const btTransform t = parts_->shape_pose(body);
  const btQuaternion q = t.getRotation();
  return {bullet::from_bullet(t.getOrigin()), Eigen::Quaterniond(q.w(), q.x(), q.y(), q.z())};
}

std::vector<Touch> World::touches() const {
  const Frame& frame = parts_->problem.frame;
  const Contacts& contacts = frame.contacts;
  std::vector<Touch> out(static_cast<std::size_t>(contacts.count()));
  if (out.empty()) return out;
  const System system = assemble(frame);
  Rows3 z(contacts.count(), 3);
  for (Index i = 0; i < contacts.count(); ++i)
    z.row(i) = parts_->problem.impulses.segment<3>(3 * i).transpose();
  const std::vector<std::int8_t> modes = slide_or_stick(
      system, from_rows(system, z, parts_->problem.impulses.tail(frame.joints.row_count())));
  for (std::size_t i = 0; i < modes.size(); ++i)
    out[static_cast<std::size_t>(system.frame_contact[i])].mode = modes[i];
  const auto place = [&](std::int64_t row) {
    return parts_->place.at(frame.bodies.ids[static_cast<std::size_t>(row)]);
  };
  for (Index i = 0; i < contacts.count(); ++i) {
    Touch& one = out[static_cast<std::size_t>(i)];
    one.first = place(contacts.pairs(i, 0));
    one.second = place(contacts.pairs(i, 1));
    one.normal = contacts.normals.row(i).transpose();
    one.point =
        (frame.bodies.positions.row(contacts.pairs(i, 0)) + contacts.points.row(i)).transpose();
    const Tangents around = contacts.tangents.rows() > 0
                                ? Tangents{contacts.tangents.row(i).head<3>().transpose(),
                                           contacts.tangents.row(i).tail<3>().transpose()}
                                : tangents(one.normal);
    one.force = (z(i, 0) * one.normal + z(i, 1) * around.t + z(i, 2) * around.o) / frame.step;
    one.mu = contacts.mu[i];
  }
  return out;
}

}  // namespace perpend::view
