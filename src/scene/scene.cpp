#include "perpend/scene.hpp"

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

}  // namespace perpend
