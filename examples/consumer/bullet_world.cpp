// A Bullet program on Perpend's world: a box that falls 1 m onto a plane and comes to rest. Then
// the same in Bullet's own world with one of Perpend's solvers.
#include <cstdio>
#include <perpend/sim/world.hpp>

namespace {

// A plane and a cube of 1 m above it, in a world of either kind.
class Fall {
 public:
  explicit Fall(btDiscreteDynamicsWorld& world)
      : world_(world), floor_(0, nullptr, &plane_), cube_(1, nullptr, &box_, inertia()) {
    world_.setGravity(btVector3(0, 0, -9.81));
    world_.addRigidBody(&floor_);
    cube_.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 0, 1.5)));
    world_.addRigidBody(&cube_);
  }
  ~Fall() {
    world_.removeRigidBody(&cube_);
    world_.removeRigidBody(&floor_);
  }
  Fall(const Fall&) = delete;
  Fall& operator=(const Fall&) = delete;

  // The height of the cube's centre after one more second.
  double second() {
    for (int step = 0; step < 60; ++step) world_.stepSimulation(1.0 / 60, 0);
    return cube_.getWorldTransform().getOrigin().z();
  }

 private:
  btVector3 inertia() const {
    btVector3 diagonal;
    box_.calculateLocalInertia(1, diagonal);
    return diagonal;
  }

  btDiscreteDynamicsWorld& world_;
  btStaticPlaneShape plane_{btVector3(0, 0, 1), 0};
  btBoxShape box_{btVector3(0.5, 0.5, 0.5)};
  btRigidBody floor_, cube_;
};

void perpends_world(btCollisionDispatcher& dispatcher, btDbvtBroadphase& broadphase,
                    btDefaultCollisionConfiguration& configuration) {
  btSequentialImpulseConstraintSolver solver;
  perpend::DynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  perpend::ThreadPool pool(2);
  world.set_executor(pool);
  Fall fall(world);

  perpend::StepOptions& options = world.options();     // change them between steps
  options.effort.kind = perpend::Effort::Kind::exact;  // or real_time
  options.solve.tolerance = 1e-10;                     // m/s
  options.correct = 10;                                // rounds of position correction
  options.max_push = 1;         // m/s, at which overlapping bodies are pushed apart
  options.solver = "ncp/auto";  // see `perpend solvers`
  fall.second();

  world.options().effort.kind = perpend::Effort::Kind::real_time;
  perpend::Snapshot state = world.save();
  const double height = fall.second();
  world.restore(state);
  std::printf("height %.9f m, %s, %s\n", height,
              std::string(perpend::name(world.report().status)).c_str(),
              fall.second() == height ? "the same again" : "another height");

  const perpend::StepReport& report = world.report();
  std::printf("%g m/s, %g ms\n", report.errors[perpend::Measure::velocity_error],
              1e3 * report.total_seconds);
}

void bullets_world(btCollisionDispatcher& dispatcher, btDbvtBroadphase& broadphase,
                   btDefaultCollisionConfiguration& configuration) {
  perpend::ConstraintSolver solver;  // a btConstraintSolver
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  Fall fall(world);
  fall.second();
  std::printf("with the solver alone: height %.2f m\n", fall.second());
}

}  // namespace

int main() {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  perpends_world(dispatcher, broadphase, configuration);
  bullets_world(dispatcher, broadphase, configuration);
}
