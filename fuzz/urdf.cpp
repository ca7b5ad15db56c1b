// Any bytes as URDF: what is read is a scene that can be simulated, and each loss has a line.
//
// About: src/model/urdf.cpp src/model/xml.cpp src/model/walk.cpp src/model/build.cpp
// src/model/soundness.cpp src/model/files.cpp
#include "input.hpp"
#include "model/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const std::string text(reinterpret_cast<const char*>(data), size);
  model::Report report;
  Scene scene;
  const bool read = fuzz::accepted([&] {
    model::Assembly robot = model::read_urdf(text, "fuzz.urdf", {}, report);
    scene = model::build(std::move(robot), {}, report).scene;
  });
  if (!read) return 0;
  fuzz::require(invalid(scene).empty());
  for (const model::Loss& loss : report.lost) fuzz::require(loss.place.line > 0);
  return 0;
}
