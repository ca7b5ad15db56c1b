// Any bytes as a control file of a scene with every kind of joint: what is read makes a scene that
// can be written and read again.
//
// About: src/io/scene_json.cpp src/io/joint_json.cpp src/io/json_fields.cpp src/scene/invalid.cpp
#include "input.hpp"

namespace {

perpend::Scene jointed() {
  using namespace perpend;
  Scene scene;
  scene.bodies.resize(6);
  for (Body& body : scene.bodies) body.mass = 1;
  for (const auto type : {Joint::Type::hinge, Joint::Type::point, Joint::Type::slider,
                          Joint::Type::generic, Joint::Type::fixed}) {
    Joint joint;
    joint.type = type;
    joint.first = static_cast<Index>(scene.joints.size());
    joint.second = joint.first + 1;
    joint.name = "joint " + std::to_string(joint.second);
    scene.joints.push_back(joint);
  }
  return scene;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const fuzz::InputFile file(data, size);
  Scene scene = jointed();
  if (!fuzz::accepted([&] { io::add_control(scene, file.path()); })) return 0;
  const std::string text = io::to_json(scene);
  fuzz::require(io::to_json(io::scene_from_json(text, "again")) == text);
  return 0;
}
