// Any bytes as STL, text or binary.
//
// About: src/model/mesh.cpp
#include "input.hpp"
#include "model/mesh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  model::Mesh mesh;
  if (!fuzz::accepted([&] { mesh = model::read_stl(bytes, "fuzz.stl"); })) return 0;
  fuzz::require(mesh.points.size() == 3 * mesh.triangles.size());
  for (const Vector3d& point : mesh.points) fuzz::require(point.allFinite());
  model::open_edges(model::joined(mesh));
  return 0;
}
