#include "view/world.hpp"

#include <chrono>
#include <map>

#include "perpend/bullet.hpp"
#include "perpend/io.hpp"
#include "perpend/sim/contact_forces.hpp"
#include "perpend/sim/scene_drives.hpp"
#include "view/spring.hpp"

namespace perpend::view {

struct World::Parts {
  Parts(const Scene& given, const Settings& initial, Engine engine)
      : scene(given), settings(initial), dispatcher(&configuration) {
    if (engine == Engine::perpend) {
      auto made =
          std::make_unique<DynamicsWorld>(&dispatcher, &broadphase, &solver, &configuration);
      ours = made.get();
      world = std::move(made);
    } else {
      world = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher, &broadphase, &solver,
                                                        &configuration);
    }
    if (const std::string what = ours ? "" : beyond_engine(given, kBulletSupport); !what.empty())
      throw io::InputError(given.name + ": " + what + ": Bullet's own world does not have it");
    inside = std::make_unique<bullet::SceneInWorld>(scene, initial.h, *world);
  }

  Scene scene;
  Settings settings;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  std::unique_ptr<btDiscreteDynamicsWorld> world;
  DynamicsWorld* ours = nullptr;  // null: stock Bullet
  std::unique_ptr<bullet::SceneInWorld> inside;
  std::unique_ptr<SceneDrives> drives;          // of our world
  std::vector<btTransform> shape_in_body;       // Bullet's bodies lie along principal axes
  std::map<std::int64_t, std::uint32_t> place;  // of ids in the scene
  std::map<const btCollisionObject*, std::uint32_t> place_of;
  StepProblem problem;
  StepReport stock;  // the report of Bullet's own world
  bool taken = false, watched = false;

  btRigidBody& body(std::size_t i) const { return inside->body(i); }
  btTransform shape_pose(std::size_t i) const {
    return body(i).getCenterOfMassTransform() * shape_in_body[i];
  }
  void found(std::size_t i) {
    shape_in_body.push_back(body(i).getCenterOfMassTransform().inverse() *
                            bullet::to_bullet(scene.bodies[i].pose));
    place_of[&body(i)] = static_cast<std::uint32_t>(i);
    if (ours) place[ours->id(&body(i))] = static_cast<std::uint32_t>(i);
  }
  Vector3d pull(Hold&);
  std::string step_stock();
};

World::World(const Scene& scene, const Settings& settings, Engine engine, Executor& executor)
    : parts_(std::make_unique<Parts>(scene, settings, engine)) {
  Parts& p = *parts_;
  if (p.ours) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      if (scene.bodies[i].id) p.ours->set_id(&p.body(i), *scene.bodies[i].id);
    for (std::size_t i = 0; i < scene.joints.size(); ++i)
      if (scene.joints[i].id) p.ours->set_id(&p.inside->joint(i), *scene.joints[i].id);
    p.drives = std::make_unique<SceneDrives>(scene, *p.inside, *p.ours);
    p.ours->set_executor(executor);
    p.ours->on_step([&p](const StepProblem& problem, const StepReport& report) {
      p.taken = report.status != Status::stopped;
      p.problem = problem;
    });
  }
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) p.found(i);
  set(settings);
}

World::~World() = default;

void World::set(const Settings& settings) {
  Parts& p = *parts_;
  p.settings = settings;
  if (p.ours)
    p.ours->options() = settings.step;
  else
    p.world->getSolverInfo().m_numIterations = static_cast<int>(settings.step.solve.max_iterations);
  watch(p.watched);
  const Vector3d along = p.scene.gravity.norm() > 0 ? Vector3d(p.scene.gravity.normalized())
                                                    : Vector3d(-Vector3d::UnitZ());
  // The scene's own has its own digits.
  const bool scenes_own = settings.gravity == p.scene.gravity.norm();
  p.world->setGravity(
      bullet::to_bullet(scenes_own ? p.scene.gravity : Vector3d(settings.gravity * along)));
  for (std::size_t i = 0; i < p.scene.bodies.size(); ++i)
    p.body(i).setFriction(std::sqrt(p.scene.bodies[i].mu * settings.friction));
}

// Applies the hold's force and torque to its body.
Vector3d World::Parts::pull(Hold& hold) {
  btRigidBody& held = body(hold.body);
  const Body& told = scene.bodies[hold.body];
  Vector3d force = Vector3d::Zero(), torque = hold.torque;
  if (hold.drags) {
    const btVector3 point = shape_pose(hold.body) * bullet::to_bullet(hold.point);
    const btVector3 arm = point - held.getCenterOfMassPosition();
    Grip grip;
    grip.mass = told.mass;
    grip.inverse_inertia = bullet::from_bullet(held.getInvInertiaTensorWorld());
    grip.arm = bullet::from_bullet(arm);
    grip.velocity =
        bullet::from_bullet(held.getVelocityInLocalPoint(arm) + settings.h * world->getGravity());
    grip.distance = hold.target - bullet::from_bullet(point);
    force = spring_force(grip, settings.h, settings.strength);
    held.applyForce(bullet::to_bullet(force), arm);
    torque += grip_torque(grip, bullet::from_bullet(held.getAngularVelocity()), settings.h);
  }
  if (!torque.isZero(0))
    held.applyTorque(
        bullet::to_bullet(capped_torque(torque, told.mass, radius(told), settings.strength)));
  return force;
}

std::string World::step(double from, double to, std::vector<Hold>& holds) {
  Parts& p = *parts_;
  for (Hold& hold : holds) hold.force = p.pull(hold);
  p.inside->set_time(to);
  if (!p.ours) return p.step_stock();
  p.taken = false;
  p.world->stepSimulation(p.settings.h, 0);
  if (p.taken) return {};
  p.inside->set_time(from);
  return p.ours->report().message.empty() ? "the step was stopped" : p.ours->report().message;
}

std::string World::Parts::step_stock() {
  const auto start = std::chrono::steady_clock::now();
  world->stepSimulation(settings.h, 0);
  stock = {};
  stock.total_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  stock.iterations = world->getSolverInfo().m_numIterations;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (!(body(i).getLinearVelocity().length() < 1e9))
      return scene.bodies[i].name + " flies away in Bullet's world";
  return {};
}

const StepReport& World::report() const {
  return parts_->ours ? parts_->ours->report() : parts_->stock;
}

const StepProblem& World::problem() const { return parts_->problem; }

void World::watch(bool on) {
  Parts& p = *parts_;
  p.watched = on;
  if (!p.ours) return;
  Options& options = p.ours->options().solve;
  options.history = on;
  options.history_ratio = 1.01;
  options.history_measures = {Measure::own_error, Measure::velocity_error};
}

const std::vector<HistoryPoint>& World::history() const { return parts_->problem.history; }

std::optional<Snapshot> World::save() const {
  return parts_->ours ? std::optional(parts_->ours->save()) : std::nullopt;
}

std::string World::restore(const Snapshot& saved, double time) {
  parts_->inside->set_time(time);
  parts_->problem = {};
  return parts_->ours->restore(saved);
}

void World::add(const Body& body) {
  Parts& p = *parts_;
  p.scene.bodies.push_back(body);
  p.inside->add(body);
  p.found(p.scene.bodies.size() - 1);
  set(p.settings);
}

void World::cut(std::size_t joint) { parts_->inside->joint(joint).setEnabled(false); }
bool World::is_cut(std::size_t joint) const { return !parts_->inside->joint(joint).isEnabled(); }

double World::energy() const {
  const Parts& p = *parts_;
  const Vector3d gravity = bullet::from_bullet(p.world->getGravity());
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

double World::penetration() const {
  return parts_->ours ? parts_->ours->penetration() : perpend::penetration(*parts_->world);
}
std::uint64_t World::hash() const { return parts_->inside->hash(); }
std::int64_t World::id(std::size_t body) const { return parts_->ours->id(&parts_->body(body)); }

Vector6 World::velocity(std::size_t body) const {
  const btRigidBody& one = parts_->body(body);
  Vector6 out;
  out << bullet::from_bullet(one.getLinearVelocity()),
      bullet::from_bullet(one.getAngularVelocity());
  return out;
}

Pose World::pose(std::size_t body) const {
  const btTransform t = parts_->shape_pose(body);
  const btQuaternion q = t.getRotation();
  return {bullet::from_bullet(t.getOrigin()), Eigen::Quaterniond(q.w(), q.x(), q.y(), q.z())};
}

std::vector<ContactForce> World::touches() const {
  const Parts& p = *parts_;
  if (p.ours) return contact_forces(p.problem, [&](std::int64_t id) { return p.place.at(id); });
  return contact_forces(*p.world, p.settings.h,
                        [&](const btCollisionObject* object) { return p.place_of.at(object); });
}

}  // namespace perpend::view
