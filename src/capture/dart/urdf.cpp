// A robot from a URDF file on a floor.
#include <algorithm>
#include <cmath>
#include <dart/utils/urdf/DartLoader.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

#include "capture/dart/scene.hpp"

namespace perpend::capture {
namespace {

// DART and the parser of URDF say on these what is wrong.
class Listening {
 public:
  Listening() : out_(std::cout.rdbuf(said_.rdbuf())), err_(std::cerr.rdbuf(said_.rdbuf())) {}
  ~Listening() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(err_);
  }
  std::string first_line() const {
    std::istringstream lines(said_.str());
    std::string line;
    std::getline(lines, line);
    return line;
  }

 private:
  std::ostringstream said_;
  std::streambuf *out_, *err_;
};

// Letters of a terminal's colours taken out.
std::string plain(const std::string& line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b')
      while (i < line.size() && line[i] != 'm') ++i;
    else
      out += line[i];
  }
  return out;
}

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
  const std::string where = std::filesystem::absolute(path).string();
  if (!std::ifstream(where)) throw io::InputError(path + ": cannot be read");
  dart::dynamics::SkeletonPtr robot;
  {
    const Listening listening;
    robot = dart::utils::DartLoader().parseSkeleton(dart::common::Uri::createFromPath(where));
    if (!robot)
      throw io::InputError(path +
                           ": is no robot that DART can read: " + plain(listening.first_line()));
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
  world_->addSkeleton(robot);
  for (std::size_t i = 0; i < robot->getNumBodyNodes(); ++i)
    bodies_.push_back(robot->getBodyNode(i));
  for (std::size_t i = 0; i < robot->getNumJoints(); ++i)
    robot->getJoint(i)->setLimitEnforcement(true);
}

}  // namespace perpend::capture
