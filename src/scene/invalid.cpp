// Why a scene cannot be simulated.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <set>

#include "perpend/scene.hpp"
#include "scene/limits.hpp"

namespace perpend {
namespace {

using namespace scene;  // of its limits

// Quaternions are given with few digits sometimes; the builders normalize them.
constexpr double kUnitTolerance = 1e-6;

bool fixed_only(Shape::Type type) {
  return type == Shape::Type::height_field || type == Shape::Type::mesh ||
         type == Shape::Type::plane;
}

std::string invalid(const Pose& pose) {
  if (std::string why = numbers("position", pose.position); !why.empty()) return why;
  if (!pose.orientation.coeffs().allFinite() ||
      std::abs(pose.orientation.norm() - 1) > kUnitTolerance)
    return "orientation: not a unit quaternion";
  return {};
}

std::string invalid_mesh(const Shape& shape) {
  if (shape.triangles.empty()) return "triangles: none";
  const Index count = static_cast<Index>(shape.points.size());
  for (std::size_t i = 0; i < shape.triangles.size(); ++i)
    for (Index corner : shape.triangles[i])
      if (corner < 0 || corner >= count)
        return "triangles " + std::to_string(i) + ": no point " + std::to_string(corner);
  return {};
}

std::string invalid(const Shape& shape) {
  using Type = Shape::Type;
  const Type type = shape.type;
  const bool round =
      type == Type::sphere || type == Type::cylinder || type == Type::cone || type == Type::capsule;
  if (type == Type::box)
    for (const double half : shape.half_extents)
      if (std::string why = length("half_extents", half); !why.empty()) return why;
  if (std::string why = round ? length("radius", shape.radius) : ""; !why.empty()) return why;
  if (round && type != Type::sphere)
    if (std::string why = length("height", shape.height); !why.empty()) return why;
  if (type == Type::hull || type == Type::mesh)
    for (std::size_t i = 0; i < shape.points.size(); ++i)
      if (std::string why = numbers("points " + std::to_string(i), shape.points[i]); !why.empty())
        return why;
  if (type == Type::hull && mass_properties(shape).volume <= 0)
    return "points: all lie in one plane";
  if (type == Type::mesh) return invalid_mesh(shape);
  if (type == Type::height_field) {
    if (shape.rows < 2 || shape.columns < 2) return "rows, columns: fewer than 2";
    // Divided, because the product of hostile numbers may overflow.
    const Index count = static_cast<Index>(shape.heights.size());
    if (count % shape.rows != 0 || count / shape.rows != shape.columns)
      return "heights: " + std::to_string(count) + ", expected rows x columns";
    return first_of({length("spacing", shape.spacing), numbers("heights", shape.heights)});
  }
  if (type == Type::compound) {
    if (shape.parts.empty()) return "parts: none";
    for (std::size_t i = 0; i < shape.parts.size(); ++i) {
      const Part& part = shape.parts[i];
      const std::string where = "parts " + std::to_string(i) + "/";
      if (fixed_only(part.shape.type))
        return where + "shape: a " + std::string(name(part.shape.type)) + " cannot be a part";
      if (const std::string why = invalid(part.pose); !why.empty()) return where + why;
      if (const std::string why = invalid(part.shape); !why.empty()) return where + "shape/" + why;
    }
  }
  return {};
}

std::string invalid(const Motion& motion) {
  switch (motion.type) {
    case Motion::Type::path:
      if (motion.keys.empty()) return "keys: none";
      for (std::size_t i = 0; i < motion.keys.size(); ++i) {
        const std::string where = "keys " + std::to_string(i);
        if (std::string why = first_of(
                {number(where, motion.keys[i].time), numbers(where, motion.keys[i].velocity)});
            !why.empty())
          return why;
        if (i > 0 && motion.keys[i].time <= motion.keys[i - 1].time)
          return "keys " + std::to_string(i) + ": not later than the one before";
      }
      return {};
    case Motion::Type::vibration:
      return first_of({numbers("direction", motion.direction),
                       number("amplitude", motion.amplitude), number("frequency", motion.frequency),
                       number("phase", motion.phase)});
    case Motion::Type::conveyor:
      return numbers("velocity", motion.velocity);
  }
  return {};
}

std::string invalid_weight(const Body& body) {
  if (!std::isfinite(body.mass) || body.mass < 0) return "mass: negative or not finite";
  if (body.mass > 0 && fixed_only(body.shape.type))
    return "mass: must be 0 for a " + std::string(name(body.shape.type)) + ", which is fixed";
  if (const char* why = perpend_record_wrong_mass(body.mass)) return std::string("mass: ") + why;
  if (body.centre_of_mass)
    if (std::string why = numbers("centre_of_mass", *body.centre_of_mass); !why.empty()) return why;
  if (body.inertia) {
    const Matrix3d& inertia = *body.inertia;
    if (!inertia.allFinite()) return "inertia: not finite";
    if ((inertia - inertia.transpose()).norm() > kUnitTolerance * inertia.norm())
      return "inertia: not symmetric";
    if (body.mass > 0 && inertia.llt().info() != Eigen::Success)
      return "inertia: not positive definite";
  }
  if (body.mass == 0) return {};
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> weight = inertia(body);
  const char* why = perpend_record_wrong_inertia(weight.data());
  return why ? std::string(body.inertia ? "inertia: " : "mass: the inertia of its shape ") + why
             : "";
}

std::string invalid(const Body& body) {
  if (const std::string why = invalid(body.shape); !why.empty()) return "shape/" + why;
  if (const std::string why = invalid_weight(body); !why.empty()) return why;
  if (!std::isfinite(body.mu) || body.mu < 0) return "mu: negative or not finite";
  if (body.mu > kLargest) return "mu: beyond 1e30";
  if (!(body.restitution >= 0 && body.restitution <= 1)) return "restitution: not in 0..1";
  if (const std::string why = invalid(body.pose); !why.empty()) return why;
  if (std::string why = numbers("velocity", body.velocity); !why.empty()) return why;
  if (body.motion) {
    if (body.mass > 0) return "motion: only a body of mass 0 can have one";
    if (const std::string why = invalid(*body.motion); !why.empty()) return "motion/" + why;
  }
  return {};
}

std::string invalid_drives(const Joint& joint) {
  const std::span<const std::size_t> axes = free_axes(joint.type);
  for (std::size_t k = 0; k < 6; ++k) {
    const std::string where = axes.size() == 1 ? "drive" : "drives " + std::to_string(k);
    if (std::find(axes.begin(), axes.end(), k) == axes.end()) {
      if (joint.drives[k] == Joint::Drive{}) continue;
      return "drives " + std::to_string(k) + ": a " + std::string(name(joint.type)) +
             " joint does not move along this axis";
    }
    if (const std::string why = invalid(joint.drives[k]); !why.empty()) return where + ": " + why;
  }
  return {};
}

std::string invalid_mimic(const Joint& joint, const Scene& scene) {
  const auto drives = [](const Joint& one) { return free_axes(one.type).size() == 1; };
  const Joint::Mimic& mimic = joint.mimic;
  if (mimic.joint == -1) return {};
  if (mimic.joint < 0 || mimic.joint >= static_cast<Index>(scene.joints.size()))
    return "mimic: joint: no joint " + std::to_string(mimic.joint);
  const Joint& other = scene.joints[static_cast<std::size_t>(mimic.joint)];
  if (!drives(joint) || !drives(other))
    return "mimic: joint: a " + std::string(name((drives(joint) ? other : joint).type)) +
           " joint has no coordinate to follow; hinges and sliders have";
  if (std::string why = first_of({number("ratio", mimic.ratio), number("offset", mimic.offset)});
      !why.empty())
    return "mimic: " + why;
  const Joint* next = &joint;  // follows whom?
  for (std::size_t i = 0; i <= scene.joints.size(); ++i) {
    if (next->mimic.joint < 0 || next->mimic.joint >= static_cast<Index>(scene.joints.size()))
      return {};
    next = &scene.joints[static_cast<std::size_t>(next->mimic.joint)];
    if (next == &joint) return i == 0 ? "mimic: joint: itself" : "mimic: joint: follows itself";
  }
  return {};  // another joint's circle
}

std::string invalid(const Joint& joint, const Scene& scene) {
  const Index count = static_cast<Index>(scene.bodies.size());
  const auto fixed = [&](Index i) {
    return i < 0 || scene.bodies[static_cast<std::size_t>(i)].mass == 0;
  };
  if (joint.first < -1 || joint.first >= count)
    return "first: no body " + std::to_string(joint.first);
  if (joint.second < -1 || joint.second >= count)
    return "second: no body " + std::to_string(joint.second);
  if (joint.first == joint.second) return "first, second: the same body";
  if (fixed(joint.first) && fixed(joint.second)) return "first, second: both are fixed";
  if (const std::string why = invalid(joint.frame); !why.empty()) return "frame/" + why;
  for (const Joint::Limit& limit : joint.limits)
    if (std::isnan(limit.lower) || std::isnan(limit.upper) ||
        (limit.lower == limit.upper && !std::isfinite(limit.lower)))
      return "limits: not a number";
    else
      for (const double end : {limit.lower, limit.upper})
        if (std::isfinite(end) && std::abs(end) > kLargest) return "limits: beyond 1e30";
  for (const Joint::Motor& motor : joint.motors) {
    if (std::string why = number("motors: speed", motor.speed); !why.empty()) return why;
    if (std::isnan(motor.max_force) || motor.max_force < 0) return "motors: max_force: negative";
  }
  if (const std::string why = invalid_drives(joint); !why.empty()) return why;
  return invalid_mimic(joint, scene);
}

// `others`: the ids so far.
std::string invalid(const std::optional<std::int64_t>& id, std::set<std::int64_t>& others) {
  constexpr std::int64_t kHighest = std::int64_t{1} << 53;  // exact in every JSON reader
  if (!id) return {};
  if (*id < 0 || *id > kHighest) return "id: not in 0 ... 2^53";
  if (!others.insert(*id).second) return "id: " + std::to_string(*id) + " occurs twice";
  return {};
}

std::string called(std::string kind, std::size_t index, const std::string& given) {
  kind += ' ';
  kind += std::to_string(index);
  if (!given.empty()) kind.append(" (").append(given).append(")");
  return kind.append(": ");
}

std::string invalid(const Control& control, const Scene& scene) {
  if (control.joint < 0 || control.joint >= static_cast<Index>(scene.joints.size()))
    return "joint: no joint " + std::to_string(control.joint);
  const Joint& joint = scene.joints[static_cast<std::size_t>(control.joint)];
  const std::span<const std::size_t> axes = free_axes(joint.type);
  const auto axis = static_cast<std::size_t>(control.axis);
  if (control.axis < 0 ? axes.size() != 1 : std::find(axes.begin(), axes.end(), axis) == axes.end())
    return "axis: a " + std::string(name(joint.type)) + " joint has " +
           (axes.empty()       ? "none"
            : control.axis < 0 ? "several, say which"
                               : "no such axis");
  if (control.keys.empty()) return "keys: none";
  const auto values = [](const Control::Key& key) {
    return std::array{key.position, key.speed, key.force};
  };
  for (std::size_t i = 0; i < control.keys.size(); ++i) {
    const std::string where = "keys " + std::to_string(i) + ": ";
    const Control::Key& key = control.keys[i];
    if (std::string why = number(where + "time", key.time); !why.empty()) return why;
    if (i > 0 && key.time <= control.keys[i - 1].time)
      return where + "not later than the one before";
    bool any = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::optional<double> value = values(key)[k];
      any |= value.has_value();
      if (std::string why = number("keys " + std::to_string(i), value.value_or(0)); !why.empty())
        return why;
      if (value.has_value() != values(control.keys[0])[k].has_value())
        return where + "has not the same of position, speed and force as the first";
    }
    if (!any) return where + "has none of position, speed and force";
  }
  return {};
}

}  // namespace

std::string invalid(const Joint::Drive& drive) {
  for (const DriveField& field : drive_fields()) {
    const double value = drive.*field.member;
    const std::string name(field.name);
    if (field.unlimited ? std::isnan(value) : !std::isfinite(value)) return name + ": not finite";
    if (!field.negative && value < 0) return name + ": negative";
    if (field.negative && std::abs(value) > kLargest) return name + ": beyond 1e30";
    if (!field.negative && std::isfinite(value))
      if (const char* why = perpend_record_wrong_mass(value); why)
        return name + ": is outside 1e-140 to 1e140";
  }
  return {};
}

std::string invalid(const Scene& scene) {
  if (std::string why = first_of({numbers("gravity", scene.gravity), length("step", scene.step)});
      !why.empty())
    return why;
  if (scene.steps < 0) return "steps: negative";
  std::set<std::int64_t> ids;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    for (const std::string& why : {invalid(scene.bodies[i]), invalid(scene.bodies[i].id, ids)})
      if (!why.empty()) return called("body", i, scene.bodies[i].name) + why;
  ids.clear();
  for (std::size_t i = 0; i < scene.joints.size(); ++i)
    for (const std::string& why :
         {invalid(scene.joints[i], scene), invalid(scene.joints[i].id, ids)})
      if (!why.empty()) return called("joint", i, scene.joints[i].name) + why;
  for (std::size_t i = 0; i < scene.apart.size(); ++i) {
    const std::string where = "apart " + std::to_string(i) + ": ";
    for (const Index body : scene.apart[i])
      if (body < 0 || body >= static_cast<Index>(scene.bodies.size()))
        return where + "no body " + std::to_string(body);
    if (scene.apart[i][0] == scene.apart[i][1]) return where + "the same body";
  }
  for (std::size_t i = 0; i < scene.control.size(); ++i)
    if (const std::string why = invalid(scene.control[i], scene); !why.empty())
      return called("control", i, {}) + why;
  return {};
}

}  // namespace perpend
