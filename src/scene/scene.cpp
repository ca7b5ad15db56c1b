#include "perpend/scene.hpp"

#include <algorithm>
#include <set>

#include "perpend/base.hpp"

namespace perpend {

std::string_view name(Shape::Type type) {
  static constexpr std::array<std::string_view, 10> kNames{
      "box",  "sphere",   "cylinder",     "cone", "capsule",
      "hull", "compound", "height_field", "mesh", "plane"};
  return name_in(kNames, type);
}

std::string_view name(Motion::Type type) {
  static constexpr std::array<std::string_view, 3> kNames{"path", "vibration", "conveyor"};
  return name_in(kNames, type);
}

std::string_view name(Joint::Type type) {
  static constexpr std::array<std::string_view, 5> kNames{"hinge", "point", "slider", "generic",
                                                          "fixed"};
  return name_in(kNames, type);
}

std::span<const std::size_t> free_axes(Joint::Type type) {
  static constexpr std::array<std::size_t, 6> kAll{0, 1, 2, 3, 4, 5};
  const std::span<const std::size_t> all(kAll);
  switch (type) {
    case Joint::Type::hinge:
      return all.subspan(5);
    case Joint::Type::slider:
      return all.subspan(2, 1);
    case Joint::Type::point:
      return all.subspan(3);
    case Joint::Type::generic:
      return all;
    case Joint::Type::fixed:
      return {};
  }
  return {};
}

std::span<const DriveField> drive_fields() {
  using Drive = Joint::Drive;
  static constexpr std::array<DriveField, 8> kFields{{{"stiffness", &Drive::stiffness},
                                                      {"damping", &Drive::damping},
                                                      {"position", &Drive::position, true},
                                                      {"speed", &Drive::speed, true},
                                                      {"max_force", &Drive::max_force, false, true},
                                                      {"friction", &Drive::friction},
                                                      {"armature", &Drive::armature},
                                                      {"force", &Drive::force, true}}};
  return kFields;
}

bool has_compliance(const Scene& scene) {
  for (const Joint& joint : scene.joints)
    for (const Joint::Drive& drive : joint.drives)
      if (drive.stiffness > 0 || drive.damping > 0 || drive.armature > 0) return true;
  return false;
}

bool has_wide_mimic(const Scene& scene) {
  return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const Joint& joint) {
    if (joint.mimic.joint < 0) return false;
    const Joint& other = scene.joints[static_cast<std::size_t>(joint.mimic.joint)];
    std::set<Index> moving;
    for (const Index body : {joint.first, joint.second, other.first, other.second})
      if (body >= 0 && scene.bodies[static_cast<std::size_t>(body)].mass > 0) moving.insert(body);
    return moving.size() > 2;
  });
}

std::string beyond_engine(const Scene& scene, SceneSupport support) {
  const auto called = [](const char* kind, std::size_t i, const std::string& name) {
    std::string out = std::string(kind) + " " + std::to_string(i);
    if (!name.empty()) out += " (" + name + ")";
    return out;
  };
  for (std::size_t i = 0; !support.drives && i < scene.joints.size(); ++i) {
    const Joint& joint = scene.joints[i];
    if (joint.drives != std::array<Joint::Drive, 6>{})
      return called("joint", i, joint.name) + ": drive";
    if (joint.mimic.joint >= 0) return called("joint", i, joint.name) + ": mimic";
  }
  if (!support.drives && !scene.control.empty()) return "control";
  for (std::size_t i = 0; !support.filters && i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (body.group != Body{}.group) return called("body", i, body.name) + ": group";
    if (body.mask != Body{}.mask) return called("body", i, body.name) + ": mask";
  }
  return !support.filters && !scene.apart.empty() ? "apart" : "";
}

std::set<std::array<Index, 2>> kept_apart(const Scene& scene) {
  std::set<std::array<Index, 2>> out;
  const auto add = [&](Index a, Index b) { out.insert({std::min(a, b), std::max(a, b)}); };
  for (const Joint& joint : scene.joints)
    if (!joint.collide && joint.first >= 0 && joint.second >= 0) add(joint.first, joint.second);
  for (const auto& [a, b] : scene.apart) add(a, b);
  std::vector<Index> special;  // bodies whose group or mask is their own
  const auto count = static_cast<Index>(scene.bodies.size());
  const auto at = [&](Index i) -> const Body& { return scene.bodies[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < count; ++i)
    if (at(i).group != Body{}.group || at(i).mask != Body{}.mask) special.push_back(i);
  for (const Index i : special)
    for (Index k = 0; k < count; ++k)
      if (k != i && ((at(i).group & at(k).mask) == 0 || (at(k).group & at(i).mask) == 0)) add(i, k);
  return out;
}

Joint::Drive controlled(Joint::Drive drive, const Control& control, double time) {
  if (control.keys.empty()) return drive;
  std::size_t next = 0;
  while (next < control.keys.size() && control.keys[next].time < time) ++next;
  const Control::Key& b = control.keys[std::min(next, control.keys.size() - 1)];
  const Control::Key& a = next == 0 ? b : control.keys[next - 1];
  const double part = b.time > a.time ? std::min(1.0, (time - a.time) / (b.time - a.time)) : 0;
  const auto put = [&](std::optional<double> Control::Key::*member, double& value) {
    if (a.*member && b.*member) value = *(a.*member) + part * (*(b.*member) - *(a.*member));
  };
  put(&Control::Key::position, drive.position);
  put(&Control::Key::speed, drive.speed);
  put(&Control::Key::force, drive.force);
  return drive;
}

}  // namespace perpend
