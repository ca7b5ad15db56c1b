// What is wrong with a model, told before it runs.
//
// Principal moments a <= b <= c of any body have a + b >= c, and are those of its shape times how
// unevenly its mass is spread: ten times more or less is more often a wrong unit.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "model/assembly.hpp"
#include "model/weight.hpp"
#include "model/xml.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::model {
namespace {

constexpr double kTriangle = 1e-6;            // relative: files round their digits
constexpr double kUneven = 10;                // moments against those of the shape
constexpr double kLight = 1, kHeavy = 30000;  // kg/m^3
constexpr double kFar = 1e9;                  // m

std::string quoted(const std::string& kind, const std::string& name) {
  return kind + " '" + name + "'";
}

// Of the shapes at a density of 1, in the link. No volume: nothing can be said.
MassProperties all_shapes(const Link& link) {
  Shape all;
  all.type = Shape::Type::compound;
  for (const LinkShape& shape : link.shapes)
    if (shape.shape.type != Shape::Type::plane && shape.shape.type != Shape::Type::mesh &&
        shape.shape.type != Shape::Type::height_field)
      all.parts.push_back({shape.shape, shape.pose});
  MassProperties none;
  return all.parts.empty() ? none : mass_properties(all);
}

void check_shape(const Link& link, const Vector3d& moments, Report& report) {
  const MassProperties shape = all_shapes(link);
  if (!(shape.volume > 0)) return;
  const double density = link.mass / shape.volume;
  if (density < kLight || density > kHeavy)
    report.find(
        "mass", quoted("link", link.name), link.place, density, "kg/m3",
        "its mass over the volume of its collision shapes is " + short_number(density) + " kg/m3");
  const Vector3d own =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(link.mass * shape.inertia, Eigen::EigenvaluesOnly)
          .eigenvalues();
  double worst = 1;
  for (int k = 0; k < 3; ++k)
    if (const double ratio = moments[k] / own[k]; std::abs(std::log(ratio)) > std::log(worst))
      worst = std::max(ratio, 1 / ratio);
  if (worst > kUneven)
    report.find("inertia", quoted("link", link.name), link.place, worst, "",
                "its inertia is " + short_number(worst) +
                    (moments[2] > own[2] ? " times" : " times less than") +
                    " that of its collision shape at the same mass");
}

// Whose inertia a link without one of its own has.
std::string instead(const Link& link) {
  return all_shapes(link).volume > 0 ? "that of its shapes"
                                     : "that of a ball of " + short_number(kBallRadius) + " m";
}

void check_inertia(Link& link, Report& report) {
  const std::string where = quoted("link", link.name);
  if (link.shape_inertia) {
    report.lose(link.place, "inertial", Loss::Kind::changed,
                "'" + link.name + "' has a mass and no inertia: " + instead(link));
    link.inertia.reset();
  }
  if (!link.inertia) return;
  const Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(*link.inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(moments[0] > 0)) {
    report.find("inertia", where, link.place, moments[0], "kg m2",
                "its least principal moment is " + short_number(moments[0]) + ": " + instead(link) +
                    " is taken");
    report.lose(link.place, "inertia", Loss::Kind::changed,
                "'" + link.name + "': not positive; " + instead(link));
    link.inertia.reset();
    return;
  }
  const double lacking = moments[2] - moments[0] - moments[1];
  if (lacking > kTriangle * moments[2])
    report.find("inertia", where, link.place, lacking, "kg m2",
                "no body has these principal moments: the largest, " + short_number(moments[2]) +
                    ", is above the sum of the others by " + short_number(lacking));
  check_shape(link, moments, report);
}

// Sizes and places that squares of doubles still hold, and nobody builds.
void check_extent(const Link& link) {
  const auto look = [&](const Place& place, const char* what, const Vector3d& v) {
    const double most = v.cwiseAbs().maxCoeff();
    if (!(most < kFar))
      refuse_at(place, quoted("link", link.name) + ": " + what + " is " + short_number(most) +
                           " m; at most " + short_number(kFar) + " m are read");
  };
  look(link.place, "its position", link.pose.position);
  look(link.place, "its centre of mass", link.centre);
  for (const LinkShape& one : link.shapes) {
    const Shape& s = one.shape;
    look(one.place, "the position of a shape", one.pose.position);
    if (s.type == Shape::Type::box) look(one.place, "half of a box", s.half_extents);
    if (s.type == Shape::Type::sphere || s.type == Shape::Type::cylinder ||
        s.type == Shape::Type::capsule)
      look(one.place, "the size of a shape",
           {s.radius, s.type == Shape::Type::sphere ? 0 : s.height, 0});
    for (const Vector3d& point : s.points) look(one.place, "a corner of a mesh", point);
  }
}

}  // namespace

void check_links(Assembly& assembly, Report& report) {
  for (Link& given : assembly.links) {
    check_extent(given);
    if (!std::isfinite(given.mass) || given.mass < 0)
      refuse_at(given.place, quoted("link", given.name) + ": mass is " + short_number(given.mass));
    if (given.mass > 0 && !given.fixed) check_inertia(given, report);
  }
  static constexpr const char* kUnits[6] = {"m", "m", "m", "rad", "rad", "rad"};
  for (const LinkJoint& joint : assembly.joints) {
    for (std::size_t k = 0; k < 6; ++k) {
      const Joint::Limit& limit = joint.limits[k];
      if (limit.free()) continue;
      const double outside = std::max(limit.lower, -limit.upper);
      if (outside > 1e-9)
        report.find("limit", quoted("joint", joint.name), joint.place, outside, kUnits[k],
                    "it starts outside its limits by " + short_number(outside) + " " + kUnits[k]);
    }
    if (joint.mimics >= 0 && std::abs(joint.offset) > 1e-9)
      report.find("mimic", quoted("joint", joint.name), joint.place, joint.offset, "",
                  "it starts " + short_number(joint.offset) + " from where it must follow");
  }
}

}  // namespace perpend::model
