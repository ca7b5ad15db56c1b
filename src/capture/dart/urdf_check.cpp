#include "capture/dart/urdf_check.hpp"

#include <urdf_model/link.h>
#include <urdf_parser/urdf_parser.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "capture/dart/captured_output.hpp"
#include "perpend/io.hpp"

namespace perpend::capture::from_dart {
namespace {

namespace fs = std::filesystem;

std::string number(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

class Check {
 public:
  explicit Check(const std::string& path)
      : path_(path), folder_(fs::absolute(path).parent_path()) {}
  CheckedUrdf found;

  void robot(const urdf::ModelInterface& robot) {
    for (const auto& [name, link] : robot.links_) {
      who_ = "link '" + name + "'";
      const bool is_world = link == robot.getRoot() && name == "world";
      if (link->inertial)
        inertia(*link->inertial);
      else if (!is_world)
        found.without_inertia.push_back(name);
      for (const auto& collision : link->collision_array) geometry(collision->geometry.get());
      for (const auto& visual : link->visual_array) geometry(visual->geometry.get());
    }
    for (const auto& [name, joint] : robot.joints_) {
      who_ = "joint '" + name + "'";
      moves(*joint);
      if (joint->mimic && !robot.getJoint(joint->mimic->joint_name))
        refuse("mimics '" + joint->mimic->joint_name + "', which is not a joint");
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw io::InputError(path_ + ": " + who_ + ": " + why);
  }
  void positive(const std::string& what, double value) const {
    if (!(value > 0) || !std::isfinite(value))
      refuse(what + " is " + number(value) + ", but must be positive");
  }
  void not_negative(const std::string& what, double value) const {
    if (!(value >= 0)) refuse(what + " is " + number(value) + ", but must not be negative");
  }

  void inertia(const urdf::Inertial& given) const {
    positive("mass", given.mass);
    Eigen::Matrix3d moment;
    moment << given.ixx, given.ixy, given.ixz, given.ixy, given.iyy, given.iyz, given.ixz,
        given.iyz, given.izz;
    if (!moment.allFinite()) refuse("inertia is not a matrix of numbers");
    const double least =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(moment, Eigen::EigenvaluesOnly)
            .eigenvalues()[0];
    positive("least principal moment of inertia", least);
  }

  void geometry(const urdf::Geometry* shape) {
    if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(shape)) {
      positive("radius of a sphere", sphere->radius);
    } else if (const auto* box = dynamic_cast<const urdf::Box*>(shape)) {
      for (const double side : {box->dim.x, box->dim.y, box->dim.z})
        positive("size of a box", side);
    } else if (const auto* cylinder = dynamic_cast<const urdf::Cylinder*>(shape)) {
      positive("radius of a cylinder", cylinder->radius);
      positive("length of a cylinder", cylinder->length);
    } else if (const auto* mesh = dynamic_cast<const urdf::Mesh*>(shape)) {
      for (const double scale : {mesh->scale.x, mesh->scale.y, mesh->scale.z})
        positive("scale of a mesh", scale);  // DART ends the program otherwise
      file_of(mesh->filename);
    }
  }

  void file_of(const std::string& name) {
    constexpr std::string_view kPackage = "package://", kFile = "file://";
    fs::path file;
    if (name.compare(0, kPackage.size(), kPackage) == 0) {
      const std::size_t end = std::min(name.find('/', kPackage.size()), name.size());
      const std::string package = name.substr(kPackage.size(), end - kPackage.size());
      const std::optional<fs::path> folder = folder_of(package);
      if (!folder)
        refuse("mesh '" + name + "': there is no folder '" + package +
               "' above the file or beside one");
      found.packages[package] = folder->string();
      file = *folder / name.substr(std::min(end + 1, name.size()));
    } else if (name.compare(0, kFile.size(), kFile) == 0) {
      file = name.substr(kFile.size());
    } else if (name.find("://") == std::string::npos) {
      file = folder_ / name;
    } else {
      refuse("mesh '" + name + "' is neither a path nor in a package");
    }
    if (!fs::is_regular_file(file) || !std::ifstream(file))
      refuse("mesh '" + name + "' cannot be read");
  }

  std::optional<fs::path> folder_of(const std::string& package) const {
    if (package.empty()) return std::nullopt;
    for (fs::path at = folder_;; at = at.parent_path()) {
      if (at.filename() == package) return at;
      if (fs::is_directory(at / package)) return at / package;
      if (at == at.parent_path()) return std::nullopt;
    }
  }

  void moves(const urdf::Joint& joint) const {
    const bool has_axis = joint.type == urdf::Joint::REVOLUTE ||
                          joint.type == urdf::Joint::CONTINUOUS ||
                          joint.type == urdf::Joint::PRISMATIC || joint.type == urdf::Joint::PLANAR;
    if (has_axis && joint.axis.x == 0 && joint.axis.y == 0 && joint.axis.z == 0)
      refuse("axis is 0 0 0");
    if (joint.dynamics) {
      not_negative("damping", joint.dynamics->damping);
      not_negative("friction", joint.dynamics->friction);
    }
    if (!joint.limits) return;
    if (!(joint.limits->lower <= joint.limits->upper))
      refuse("lower limit " + number(joint.limits->lower) + " is above the upper one, " +
             number(joint.limits->upper));
    not_negative("limit of effort", joint.limits->effort);
    not_negative("limit of velocity", joint.limits->velocity);
  }

  const std::string path_;
  const fs::path folder_;
  std::string who_;
};

}  // namespace

CheckedUrdf check_urdf(const std::string& path) {
  std::ifstream file(path);
  if (!file || !fs::is_regular_file(path)) throw io::InputError(path + ": cannot be read");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const CapturedOutput listening;
  const urdf::ModelInterfaceSharedPtr robot = urdf::parseURDF(text);
  const std::string error = listening.error();
  if (!robot || !error.empty())
    throw io::InputError(path + ": DART cannot read this robot: " +
                         (error.empty() ? listening.first_line() : error));
  Check check(path);
  check.robot(*robot);
  return check.found;
}

}  // namespace perpend::capture::from_dart
