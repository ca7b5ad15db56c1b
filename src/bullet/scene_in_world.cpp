#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "bullet/many_bodies.hpp"
#include "perpend/base.hpp"
#include "perpend/bullet.hpp"
#include "perpend/scene.hpp"

namespace perpend::bullet {

std::string version() {
  return std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
}

namespace {

// The frame at the centre of mass along principal axes, which Bullet wants a body to have.
Pose principal(const Body& body, Vector3d& moments) {
  Pose frame;
  frame.position = centre_of_mass(body);
  const Matrix3d full = inertia(body);
  const Matrix3d aside = full - Matrix3d(full.diagonal().asDiagonal());
  if (aside.norm() <= 1e-12 * full.norm()) {
    moments = full.diagonal();
    return frame;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(full);
  Matrix3d turn = axes.eigenvectors();
  if (turn.determinant() < 0) turn.col(2) = -turn.col(2);
  moments = axes.eigenvalues();
  frame.orientation = Eigen::Quaterniond(turn);
  return frame;
}

}  // namespace

struct SceneInWorld::ScriptedBody : btMotionState {
  Pose start;
  Motion motion;
  double time = 0;
  void getWorldTransform(btTransform& pose) const override {
    pose = to_bullet(moved(start, motion, time));
  }
  void setWorldTransform(const btTransform&) override {}
};

// Bullet's own groups keep fixed bodies apart; those of the scene come on top of them.
struct SceneInWorld::Filter : btOverlapFilterCallback {
  struct Sets {
    std::uint32_t group, mask;
    Index body;
  };
  std::map<const void*, Sets> sets;         // by the body; only looked up
  std::set<std::pair<Index, Index>> apart;  // both ways round

  bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
    if ((a->m_collisionFilterGroup & b->m_collisionFilterMask) == 0 ||
        (b->m_collisionFilterGroup & a->m_collisionFilterMask) == 0)
      return false;
    const auto first = sets.find(a->m_clientObject), second = sets.find(b->m_clientObject);
    if (first == sets.end() || second == sets.end()) return true;  // a body of the program
    if ((first->second.group & second->second.mask) == 0 ||
        (second->second.group & first->second.mask) == 0)
      return false;
    return apart.count({first->second.body, second->second.body}) == 0;
  }
};

SceneInWorld::SceneInWorld(const Scene& scene, double h, btDiscreteDynamicsWorld& world)
    : world_(world), h_(h) {
  world_.setGravity(to_bullet(scene.gravity));
  const auto filtered = [](const Body& body) {
    return body.group != Body{}.group || body.mask != Body{}.mask;
  };
  if (!scene.apart.empty() || std::any_of(scene.bodies.begin(), scene.bodies.end(), filtered)) {
    filter_ = std::make_unique<Filter>();
    for (const auto& [first, second] : scene.apart) {
      filter_->apart.insert({first, second});
      filter_->apart.insert({second, first});
    }
    world_.getPairCache()->setOverlapFilterCallback(filter_.get());
  }
  {
    ManyBodies many(world_, scene.bodies.size());
    for (const Body& body : scene.bodies) {
      add(body);
      many.added();
    }
  }
  for (const Joint& joint : scene.joints) add_joint(joint);
}

SceneInWorld::~SceneInWorld() {
  for (auto& joint : joints_) world_.removeConstraint(joint.get());
  remove_bodies(world_, bodies_);
  if (filter_) world_.getPairCache()->setOverlapFilterCallback(nullptr);
}

void SceneInWorld::add(const Body& body) {
  Vector3d moments = Vector3d::Zero();
  Pose frame;
  if (body.mass > 0) frame = principal(body, moments);
  btCollisionShape* shape = shapes_.make(body.shape, frame);
  btMotionState* motion = nullptr;
  if (body.motion && body.motion->type != Motion::Type::conveyor) {
    driven_.push_back(std::make_unique<ScriptedBody>());
    driven_.back()->start = body.pose;
    driven_.back()->motion = *body.motion;
    motion = driven_.back().get();
  }
  btRigidBody::btRigidBodyConstructionInfo info(body.mass, motion, shape, to_bullet(moments));
  info.m_startWorldTransform = to_bullet(body.pose) * to_bullet(frame);
  // Bullet multiplies the two bodies' numbers; a pair shall have the geometric mean.
  info.m_friction = std::sqrt(body.mu);
  info.m_restitution = std::sqrt(body.restitution);
  auto made = std::make_unique<btRigidBody>(info);
  if (motion)
    made->setCollisionFlags(made->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
  const bool conveyor = body.motion && body.motion->type == Motion::Type::conveyor;
  const auto& velocity = conveyor ? body.motion->velocity : body.velocity;
  made->setLinearVelocity(to_bullet(velocity.head<3>()));
  made->setAngularVelocity(to_bullet(velocity.tail<3>()));
  made->setActivationState(DISABLE_DEACTIVATION);
  made->setSleepingThresholds(0, 0);
  if (filter_)
    filter_->sets[static_cast<btCollisionObject*>(made.get())] = {
        body.group, body.mask, static_cast<Index>(bodies_.size())};
  world_.addRigidBody(made.get());
  ids_.push_back(body.id);
  bodies_.push_back(std::move(made));
  shape_axes_.push_back(to_bullet(frame).getRotation().inverse());
}

void SceneInWorld::add_joint(const Joint& joint) {
  btRigidBody& fixed = btTypedConstraint::getFixedBody();
  const auto body = [&](Index i) -> btRigidBody& {
    return i < 0 ? fixed : *bodies_[static_cast<std::size_t>(i)];
  };
  btRigidBody &a = body(joint.first), &b = body(joint.second);
  btTransform frame = to_bullet(joint.frame);
  if (joint.type == Joint::Type::slider) {  // Bullet slides along x, we along z
    btTransform turn;
    turn.setIdentity();
    turn.getBasis().setValue(0, 0, -1, 0, 1, 0, 1, 0, 0);
    frame = frame * turn;
  }
  const btTransform in_a = a.getCenterOfMassTransform().inverse() * frame;
  const btTransform in_b = b.getCenterOfMassTransform().inverse() * frame;
  std::unique_ptr<btTypedConstraint> made;
  switch (joint.type) {
    case Joint::Type::hinge: {
      auto hinge = std::make_unique<btHingeConstraint>(a, b, in_a, in_b, true);
      const Joint::Limit& limit = joint.limits[5];
      hinge->setLimit(limit.lower, limit.upper);
      const Joint::Motor& motor = joint.motors[5];
      if (motor.on) hinge->enableAngularMotor(true, motor.speed, motor.max_force * h_);
      made = std::move(hinge);
      break;
    }
    case Joint::Type::point:
      if (joint.drives != std::array<Joint::Drive, 6>{}) {  // Bullet's has no axes
        auto six = std::make_unique<btGeneric6DofConstraint>(a, b, in_a, in_b, true);
        for (int k = 0; k < 6; ++k) six->setLimit(k, k < 3 ? 0 : 1, k < 3 ? 0 : -1);
        made = std::move(six);
        break;
      }
      made = std::make_unique<btPoint2PointConstraint>(a, b, in_a.getOrigin(), in_b.getOrigin());
      break;
    case Joint::Type::slider: {
      auto slider = std::make_unique<btSliderConstraint>(a, b, in_a, in_b, true);
      slider->setLowerLinLimit(joint.limits[2].lower);
      slider->setUpperLinLimit(joint.limits[2].upper);
      slider->setLowerAngLimit(0);
      slider->setUpperAngLimit(0);
      const Joint::Motor& motor = joint.motors[2];
      slider->setPoweredLinMotor(motor.on);
      slider->setTargetLinMotorVelocity(motor.speed);
      slider->setMaxLinMotorForce(motor.max_force);
      made = std::move(slider);
      break;
    }
    case Joint::Type::generic: {
      auto six = std::make_unique<btGeneric6DofConstraint>(a, b, in_a, in_b, true);
      for (int k = 0; k < 6; ++k) {
        const Joint::Limit& limit = joint.limits[static_cast<std::size_t>(k)];
        const Joint::Motor& motor = joint.motors[static_cast<std::size_t>(k)];
        // Bullet's angles are those of A relative to B, and its motors drive A relative to B.
        if (k < 3) {
          six->setLimit(k, limit.lower, limit.upper);
          six->getTranslationalLimitMotor()->m_enableMotor[k] = motor.on;
          six->getTranslationalLimitMotor()->m_targetVelocity[k] = -motor.speed;
          six->getTranslationalLimitMotor()->m_maxMotorForce[k] = motor.max_force;
        } else {
          six->setLimit(k, -limit.upper, -limit.lower);
          btRotationalLimitMotor& angular = *six->getRotationalLimitMotor(k - 3);
          angular.m_enableMotor = motor.on;
          angular.m_targetVelocity = -motor.speed;
          angular.m_maxMotorForce = motor.max_force;
        }
      }
      made = std::move(six);
      break;
    }
    case Joint::Type::fixed:
      made = std::make_unique<btFixedConstraint>(a, b, in_a, in_b);
      break;
  }
  made->setUserConstraintId(static_cast<int>(joints_.size()));  // its place: its id in frames
  world_.addConstraint(made.get(), !joint.collide);
  joints_.push_back(std::move(made));
}

void SceneInWorld::step() {
  set_steps(steps_ + 1);
  world_.stepSimulation(h_, 0);  // exactly one step of that length
}

void SceneInWorld::set_steps(long steps) {
  steps_ = steps;
  set_time(static_cast<double>(steps_) * h_);
}

void SceneInWorld::set_time(double time) {
  time_ = time;
  for (auto& driven : driven_) driven->time = time_;
  if (told_) told_(time_);
}

State SceneInWorld::state() const {
  State out;
  const auto n = static_cast<Index>(bodies_.size());
  out.time = time_;
  out.positions.resize(n, 3);
  out.quaternions.resize(n, 4);
  out.velocities.resize(n, 6);
  for (Index i = 0; i < n; ++i) {
    const btRigidBody& body = *bodies_[static_cast<std::size_t>(i)];
    const btTransform& pose = body.getCenterOfMassTransform();
    const btQuaternion q = pose.getRotation() * shape_axes_[static_cast<std::size_t>(i)];
    out.positions.row(i) = from_bullet(pose.getOrigin()).transpose();
    out.quaternions.row(i) << q.w(), q.x(), q.y(), q.z();
    out.velocities.row(i).head<3>() = from_bullet(body.getLinearVelocity()).transpose();
    out.velocities.row(i).tail<3>() = from_bullet(body.getAngularVelocity()).transpose();
  }
  return out;
}

// Bodies with an id first.
std::vector<std::size_t> SceneInWorld::by_id() const {
  std::vector<std::size_t> order(bodies_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return ids_[a].value_or(kNone) < ids_[b].value_or(kNone);
  });
  return order;
}

std::uint64_t SceneInWorld::hash() const {
  StateHash out;
  for (const std::size_t i : by_id()) {
    const btRigidBody* body = bodies_[i].get();
    const btTransform& pose = body->getCenterOfMassTransform();
    for (int r = 0; r < 3; ++r) {
      out.add(pose.getOrigin()[r]);
      for (int c = 0; c < 3; ++c) out.add(pose.getBasis()[r][c]);
      out.add(body->getLinearVelocity()[r]);
      out.add(body->getAngularVelocity()[r]);
    }
  }
  return out.value();
}

}  // namespace perpend::bullet
