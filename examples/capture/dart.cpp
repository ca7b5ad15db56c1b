// A program for DART that records itself: three lines. Then the last step is read back, and the
// forces of the floor on the box are added up: its weight.
//
//   recorded_dart FILE.h5
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <perpend/capture/dart.hpp>

#include "weight.hpp"

namespace {

using namespace dart::dynamics;

constexpr double kGravity = 9.81, kMass = 3;  // m/s^2, kg

// A box whose middle is at that height; with no mass it is fixed there.
template <class Joint>
SkeletonPtr box(const Eigen::Vector3d& size, double height, double mass) {
  const SkeletonPtr skeleton = Skeleton::create(mass > 0 ? "box" : "floor");
  auto [joint, body] = skeleton->createJointAndBodyNodePair<Joint>();
  const auto shape = std::make_shared<BoxShape>(size);
  body->template createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
  if (mass > 0)
    body->setInertia(Inertia(mass, Eigen::Vector3d::Zero(), shape->computeInertia(mass)));
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation().z() = height;
  joint->setTransformFromParentBodyNode(pose);
  return skeleton;
}

}  // namespace

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "run.h5";
  const dart::simulation::WorldPtr world = dart::simulation::World::create();
  world->setGravity(Eigen::Vector3d(0, 0, -kGravity));
  world->setTimeStep(1.0 / 60);
  world->addSkeleton(box<WeldJoint>(Eigen::Vector3d(10, 10, 1), -0.5, 0));
  world->addSkeleton(box<FreeJoint>(Eigen::Vector3d(1, 1, 1), 1, kMass));
  perpend::capture::DartFile file(path);
  file.record(*world);
  for (int step = 0; step < 600; ++step) world->step();
  file.close();

  print_weight(path, kMass * kGravity);
}
