// Any bytes as a model with options, which the first byte says: what is imported is a scene that
// perpend reads from its importer.
//
// About: src/model/build.cpp src/model/urdf.cpp src/model/mesh_model.cpp src/model/mesh.cpp
// src/model/weight.cpp src/model/hacd.cpp src/model/files.cpp src/io/scene_json.cpp
#include <filesystem>

#include "input.hpp"
#include "model/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  if (size == 0) return 0;
  const unsigned how = *data;
  model::Options options;
  options.keep_fixed = (how & 1) != 0;
  options.self_collide = (how & 2) != 0;
  options.fixed_base = (how & 4) != 0;
  options.decompose = (how & 8) != 0;
  options.floor = (how & 16) != 0;
  const fuzz::InputFile file(data + 1, size - 1);
  const std::string path = file.path() + (how & 32 ? ".obj" : ".stl");
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  model::Report report;
  Scene scene;
  std::filesystem::create_symlink(file.path(), path);
  const bool read = fuzz::accepted([&] {
    model::Assembly found = how & 64 ? model::read_mesh_model(path, options, report)
                                     : model::read_urdf(text, path, options, report);
    scene = model::build(std::move(found), options, report).scene;
  });
  std::filesystem::remove(path);
  if (!read) return 0;
  const std::string written = io::to_json(scene);
  fuzz::require(io::to_json(io::scene_from_json(written, "again")) == written);
  return 0;
}
