// A program for DART that records itself: three lines. Then the last step is read back, and the
// forces of the floor on the box are added up: its weight.
//
//   recorded_dart FILE.h5
#include <cstdio>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <perpend/capture/dart.hpp>

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

// Force on body `id`, N: impulses act on the second body of a pair along n, t, o, on the first
// against them.
perpend::Vector3d contact_force(const perpend::io::Record& record, std::int64_t id) {
  const perpend::Contacts& contacts = record.frame.contacts;
  perpend::Vector3d force = perpend::Vector3d::Zero();
  for (perpend::Index i = 0; i < contacts.count(); ++i) {
    perpend::Matrix3d axes;
    axes << contacts.normals.row(i), contacts.tangents.row(i).head<3>(),
        contacts.tangents.row(i).tail<3>();
    const perpend::Vector3d impulse = axes.transpose() * record.answer.z.row(i).transpose();
    for (const int side : {0, 1}) {
      const auto body = static_cast<std::size_t>(contacts.pairs(i, side));
      if (record.frame.bodies.ids[body] == id)
        force += (side == 1 ? 1 : -1) * impulse / record.frame.step;
    }
  }
  return force;
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

  const perpend::io::FrameReader reader(path);
  const perpend::io::Record last = reader.read(reader.frames() - 1);
  const perpend::Vector3d force = contact_force(last, 1);  // the second body of the world
  std::printf("%lld steps, contact force %.4f %.4f %.4f N, weight %.4f N\n",
              static_cast<long long>(reader.frames()), force.x(), force.y(), force.z(),
              kMass * kGravity);
}
