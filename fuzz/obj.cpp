// Any bytes as OBJ: what is read has triangles of its own points, and a hull is none or inside
// them.
//
// About: src/model/mesh.cpp
#include "input.hpp"
#include "model/mesh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const std::string text(reinterpret_cast<const char*>(data), size);
  model::Mesh mesh;
  if (!fuzz::accepted([&] { mesh = model::read_obj(text, "fuzz.obj"); })) return 0;
  const auto count = static_cast<Index>(mesh.points.size());
  for (const auto& corners : mesh.triangles)
    for (const Index corner : corners) fuzz::require(corner >= 0 && corner < count);
  const model::Mesh whole = model::joined(mesh);
  model::open_edges(whole);
  double off = 0;
  fuzz::require(model::hull_corners(whole.points, 8, off).size() <= 8);
  return 0;
}
