// A wrecking ball on a chain of hinges, a wall, a door with a motor, a crate on a lift, a tower
// that carries a hundred times the weight of its stones: an ordinary Bullet program.
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <perpend/sim/world.hpp>
#include <vector>

namespace {

constexpr btScalar kStep = 1.0 / 60;

// Moves a kinematic body up and down; Bullet asks it once per step.
class LiftMotion : public btMotionState {
 public:
  explicit LiftMotion(const btVector3& foot) : foot_(foot) {}
  void advance(btScalar time) { time_ = time; }
  btScalar height() const { return 1 - std::cos(0.5 * time_); }
  void getWorldTransform(btTransform& pose) const override {
    pose.setIdentity();
    pose.setOrigin(foot_ + btVector3(0, 0, height()));
  }
  void setWorldTransform(const btTransform&) override {}

 private:
  btVector3 foot_;
  btScalar time_ = 0;
};

class Playground {
 public:
  explicit Playground(btDynamicsWorld& world) : world_(world) {
    world_.setGravity(btVector3(0, 0, -9.81));
    world_.setInternalTickCallback(count_tick, this);
    add(0, shape<btStaticPlaneShape>(btVector3(0, 0, 1), 0), btVector3(0, 0, 0));
    build_wall();
    build_wrecking_ball();
    build_door();
    build_lift();
    build_tower();
  }

  ~Playground() {
    for (auto& joint : joints_) world_.removeConstraint(joint.get());
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step(int frame) {
    lift_motion_->advance((frame + 1) * kStep);
    world_.stepSimulation(kStep, 1, kStep);
    hardest_hit_ = std::max(hardest_hit_, force_on(*ball_));
  }

  void print_frame(int frame) const {
    const btVector3 ball = ball_->getWorldTransform().getOrigin();
    std::printf(
        "%5.1f s  ball %6.2f %6.2f  door %5.1f deg  lift %5.3f  wall %4.2f m  top %5.3f m  "
        "contacts %d\n",
        (frame + 1) * kStep, ball.x(), ball.z(), door_->getHingeAngle() * 180 / SIMD_PI,
        lift_->getWorldTransform().getOrigin().z(), height_at(btVector3(0.25, 0, 0)),
        tower_.back()->getWorldTransform().getOrigin().z(), count_contacts());
  }

  void print_report() const {
    const btScalar top = tower_.back()->getWorldTransform().getOrigin().z();
    const btScalar gap = crate_->getWorldTransform().getOrigin().z() -
                         lift_->getWorldTransform().getOrigin().z() - 0.35;
    int displaced = 0;
    for (std::size_t i = 0; i < wall_.size(); ++i)
      displaced += (wall_[i]->getWorldTransform().getOrigin() - wall_start_[i]).length() > 0.1;
    std::printf("tower %s, its top at %.6f m of 4.5\n", top > 4.4 ? "stands" : "fell", top);
    std::printf("hardest hit of the ball %.0f N\n", hardest_hit_);
    std::printf("bricks displaced %d of %d\n", displaced, static_cast<int>(wall_.size()));
    std::printf("door at %.3f degrees of 90\n", door_->getHingeAngle() * 180 / SIMD_PI);
    std::printf("crate above the lift %.6f m, pressed with %.3f N, weighs %.3f N\n", gap,
                force_on(*crate_), 10 * 9.81);
    std::printf("chain apart by %.6f m\n", chain_apart());
    std::printf("steps %d\n", ticks_);
  }

 private:
  static void count_tick(btDynamicsWorld* world, btScalar) {
    ++static_cast<Playground*>(world->getWorldUserInfo())->ticks_;
  }

  template <class Shape, class... Arguments>
  Shape* shape(Arguments... arguments) {
    auto made = std::make_unique<Shape>(arguments...);
    Shape* kept = made.get();
    shapes_.push_back(std::move(made));
    return kept;
  }

  btRigidBody* add(btScalar mass, btCollisionShape* form, const btVector3& position,
                   btMotionState* motion = nullptr) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) form->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, motion, form, inertia);
    info.m_startWorldTransform.setOrigin(position);
    info.m_friction = 0.8;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }

  // Six rows of bricks, every other one shifted by half a brick.
  void build_wall() {
    btBoxShape* brick = shape<btBoxShape>(btVector3(0.25, 0.5, 0.25));
    for (int row = 0; row < 6; ++row)
      for (int k = 0; k < 5; ++k) {
        const btScalar y = k - 2 + (row % 2 ? 0.25 : -0.25);
        wall_.push_back(add(5, brick, btVector3(0.25, y, 0.25 + 0.5 * row)));
        wall_start_.push_back(wall_.back()->getWorldTransform().getOrigin());
      }
  }

  // Released with the chain stretched out horizontally, away from the wall.
  void build_wrecking_ball() {
    const btVector3 hook(-1, 0, 6);
    btRigidBody* before = add(0, shape<btSphereShape>(0.05), hook);
    btBoxShape* link = shape<btBoxShape>(btVector3(0.4, 0.05, 0.05));
    btVector3 anchor_before(0, 0, 0);
    for (int k = 0; k < 6; ++k) {
      btRigidBody* body = add(1, link, hook - btVector3(0.4 + 0.8 * k, 0, 0));
      hang(before, anchor_before, body, btVector3(0.4, 0, 0));
      before = body;
      anchor_before = btVector3(-0.4, 0, 0);
    }
    ball_ = add(60, shape<btSphereShape>(0.5), hook - btVector3(4.8 + 0.5, 0, 0));
    hang(before, anchor_before, ball_, btVector3(0.5, 0, 0));
  }

  void hang(btRigidBody* upper, const btVector3& in_upper, btRigidBody* lower,
            const btVector3& in_lower) {
    const btVector3 axis(0, 1, 0);
    auto hinge =
        std::make_unique<btHingeConstraint>(*upper, *lower, in_upper, in_lower, axis, axis);
    world_.addConstraint(hinge.get(), true);
    chain_.push_back(hinge.get());
    joints_.push_back(std::move(hinge));
  }

  // A motor opens the door until its limit stops it.
  void build_door() {
    btRigidBody* leaf = add(20, shape<btBoxShape>(btVector3(0.5, 0.05, 1)), btVector3(6.5, 5, 1.1));
    auto hinge =
        std::make_unique<btHingeConstraint>(*leaf, btVector3(-0.5, 0, 0), btVector3(0, 0, 1), true);
    hinge->setLimit(0, SIMD_HALF_PI);
    hinge->enableAngularMotor(true, 0.5, 2);
    world_.addConstraint(hinge.get());
    door_ = hinge.get();
    joints_.push_back(std::move(hinge));
  }

  void build_lift() {
    const btVector3 foot(-6, 5, 0.5);
    lift_motion_ = std::make_unique<LiftMotion>(foot);
    lift_ = add(0, shape<btBoxShape>(btVector3(1, 1, 0.1)), foot, lift_motion_.get());
    lift_->setCollisionFlags(lift_->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    crate_ = add(10, shape<btBoxShape>(btVector3(0.25, 0.25, 0.25)), foot + btVector3(0, 0, 0.35));
  }

  void build_tower() {
    btBoxShape* stone = shape<btBoxShape>(btVector3(0.5, 0.5, 0.5));
    for (int k = 0; k < 5; ++k)
      tower_.push_back(add(k < 4 ? 1 : 100, stone, btVector3(6, -5, 0.5 + k)));
  }

  // Height of whatever a ray from above meets first.
  btScalar height_at(const btVector3& place) const {
    const btVector3 from = place + btVector3(0, 0, 20), to = place - btVector3(0, 0, 1);
    btCollisionWorld::ClosestRayResultCallback hit(from, to);
    world_.rayTest(from, to, hit);
    return hit.hasHit() ? hit.m_hitPointWorld.z() : 0;
  }

  int count_contacts() const {
    int count = 0;
    btDispatcher& dispatcher = *world_.getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
      count += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    return count;
  }

  // Sum of the normal forces on one body in the last step.
  btScalar force_on(const btRigidBody& body) const {
    btScalar impulse = 0;
    btDispatcher& dispatcher = *world_.getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
      if (manifold.getBody0() != &body && manifold.getBody1() != &body) continue;
      for (int p = 0; p < manifold.getNumContacts(); ++p)
        impulse += manifold.getContactPoint(p).getAppliedImpulse();
    }
    return impulse / kStep;
  }

  btScalar chain_apart() const {
    btScalar worst = 0;
    for (const btHingeConstraint* hinge : chain_) {
      const btVector3 a =
          hinge->getRigidBodyA().getWorldTransform() * hinge->getAFrame().getOrigin();
      const btVector3 b =
          hinge->getRigidBodyB().getWorldTransform() * hinge->getBFrame().getOrigin();
      worst = std::max(worst, (a - b).length());
    }
    return worst;
  }

  btDynamicsWorld& world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::vector<btRigidBody*> wall_, tower_;
  std::vector<btVector3> wall_start_;
  std::vector<btHingeConstraint*> chain_;
  btRigidBody *ball_ = nullptr, *lift_ = nullptr, *crate_ = nullptr;
  btHingeConstraint* door_ = nullptr;
  std::unique_ptr<LiftMotion> lift_motion_;
  btScalar hardest_hit_ = 0;
  int ticks_ = 0;
};

}  // namespace

int main() {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  perpend::DynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  Playground playground(world);
  for (int frame = 0; frame < 600; ++frame) {
    playground.step(frame);
    if (frame % 30 == 29) playground.print_frame(frame);
  }
  playground.print_report();
}
