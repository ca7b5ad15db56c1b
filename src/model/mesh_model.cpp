// A mesh by itself: one body of uniform density, on a floor.
#include <filesystem>

#include "model/files.hpp"
#include "model/readers.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::model {

Assembly read_mesh_model(const std::string& path, const Options& options, Report& report) {
  Assembly out;
  out.name = std::filesystem::path(path).stem().string();
  out.floor = options.floor;
  Link link;
  link.name = out.name;
  link.place = {path, 0};
  for (const Shape& shape :
       shapes_of(read_mesh(path, path), Vector3d::Ones(), false, options, link.place, report)) {
    LinkShape one;
    one.shape = shape;
    one.place = link.place;
    one.tag = "mesh";
    link.shapes.push_back(one);
  }
  if (link.shapes.empty()) throw io::InputError(path + ": all of it lies in one plane");
  out.links.push_back(link);
  return out;
}

}  // namespace perpend::model
