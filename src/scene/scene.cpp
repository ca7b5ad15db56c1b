#include "perpend/scene.hpp"

#include "perpend/base.hpp"

namespace perpend {

std::string_view name(Shape::Type type) {
  static constexpr std::array<std::string_view, 10> kNames{
      "box",  "sphere",   "cylinder",     "cone", "capsule",
      "hull", "compound", "height_field", "mesh", "plane"};
  return name_in(kNames, type);
}

std::string_view name(Joint::Type type) {
  static constexpr std::array<std::string_view, 5> kNames{"hinge", "point", "slider", "generic",
                                                          "fixed"};
  return name_in(kNames, type);
}

}  // namespace perpend
