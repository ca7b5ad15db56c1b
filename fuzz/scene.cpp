// Any bytes as a scene: what is read is a scene that can be written and read again.
//
// About: src/io/scene_json.cpp src/io/json_fields.cpp src/scene/invalid.cpp
// src/scene/mass_properties.cpp src/scene/convex_hull.cpp
#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const fuzz::InputFile file(data, size);
  Scene scene;
  if (!fuzz::accepted([&] {
        io::kind_of(file.path());
        scene = io::read_scene(file.path());
      }))
    return 0;
  const std::string text = io::to_json(scene);
  fuzz::require(io::to_json(io::scene_from_json(text, "again")) == text);
  return 0;
}
