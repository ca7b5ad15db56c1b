#include "perpend/scene.hpp"

namespace perpend {

std::string_view name(Shape::Type type) {
  switch (type) {
    case Shape::Type::box:
      return "box";
    case Shape::Type::sphere:
      return "sphere";
    case Shape::Type::cylinder:
      return "cylinder";
    case Shape::Type::cone:
      return "cone";
    case Shape::Type::capsule:
      return "capsule";
    case Shape::Type::hull:
      return "hull";
    case Shape::Type::compound:
      return "compound";
    case Shape::Type::height_field:
      return "height_field";
    case Shape::Type::mesh:
      return "mesh";
    case Shape::Type::plane:
      return "plane";
  }
  return {};
}

std::string_view name(Joint::Type type) {
  switch (type) {
    case Joint::Type::hinge:
      return "hinge";
    case Joint::Type::point:
      return "point";
    case Joint::Type::slider:
      return "slider";
    case Joint::Type::generic:
      return "generic";
    case Joint::Type::fixed:
      return "fixed";
  }
  return {};
}

}  // namespace perpend
