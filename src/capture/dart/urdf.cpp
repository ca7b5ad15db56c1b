// A robot from a URDF file on a floor.
#include <algorithm>
#include <cmath>
#include <dart/utils/urdf/DartLoader.hpp>
#include <filesystem>
#include <limits>

#include "capture/dart/captured_output.hpp"
#include "capture/dart/scene.hpp"
#include "capture/dart/urdf_check.hpp"

namespace perpend::capture::from_dart {
namespace {

double lowest(const dart::dynamics::Skeleton& robot) {
  double z = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < robot.getNumBodyNodes(); ++i)
    for (const dart::dynamics::ShapeNode* node : robot.getBodyNode(i)->getShapeNodes()) {
      if (!node->has<dart::dynamics::CollisionAspect>()) continue;
      const dart::math::BoundingBox& box = node->getShape()->getBoundingBox();
      for (int corner = 0; corner < 8; ++corner) {
        Vector3d point;
        for (int k = 0; k < 3; ++k)
          point[k] = (corner >> k) & 1 ? box.getMax()[k] : box.getMin()[k];
        z = std::min(z, (node->getWorldTransform() * point).z());
      }
    }
  return z;
}

}  // namespace

DartScene::DartScene(const std::string& path, double h) {
  const CheckedUrdf checked = check_urdf(path);
  const std::string where = std::filesystem::absolute(path).string();
  dart::dynamics::SkeletonPtr robot;
  {
    const CapturedOutput listening;
    dart::utils::DartLoader loader;
    for (const auto& [name, folder] : checked.packages) loader.addPackageDirectory(name, folder);
    robot = loader.parseSkeleton(dart::common::Uri::createFromPath(where));
    const std::string error = listening.error();
    if (!robot || !error.empty())
      throw io::InputError(path + ": DART cannot read this robot: " +
                           (error.empty() ? listening.first_line() : error));
  }
  for (const std::string& link : checked.without_inertia) {
    told_ += "; inertia of link '";
    told_ += link;
    told_ += "' (the file has none: DART uses 1 kg and 1 kg m2)";
  }
  if (robot->getNumDofs() == 0) throw io::InputError(path + ": has no joint that moves");
  const double bottom = lowest(*robot);
  if (!std::isfinite(bottom)) throw io::InputError(path + ": has no collision shape");

  Scene floor;
  floor.bodies.emplace_back();
  floor.bodies[0].shape.type = Shape::Type::plane;
  floor.bodies[0].mu = 1;  // DART's default, and that of the robot's links
  floor.bodies[0].pose.position.z() = bottom;
  start(floor.gravity, h);
  bodies_.resize(1);
  add_tree(floor, {{0, -1, -1}});
  bodies_[0]->setName("floor");
  world_->addSkeleton(robot);
  for (std::size_t i = 0; i < robot->getNumBodyNodes(); ++i)
    bodies_.push_back(robot->getBodyNode(i));
  for (std::size_t i = 0; i < robot->getNumJoints(); ++i)
    robot->getJoint(i)->setLimitEnforcement(true);
}

}  // namespace perpend::capture::from_dart
