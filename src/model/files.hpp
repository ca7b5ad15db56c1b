// The files that a model may name: in its own folder, in the package it is part of, or in a folder
// of --mesh-path; nowhere else, by no path and no link.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/assembly.hpp"
#include "model/mesh.hpp"
#include "model/xml.hpp"
#include "perpend/model.hpp"

namespace perpend::model {

class Files {
 public:
  // Tells the report what it finds.
  Files(const std::string& model, const Options&, Report&);
  // The path of "meshes/a.stl", "package://robot/meshes/a.stl", "model://...", "file:///...".
  // Throws where it is not there or leads out.
  std::string find(const std::string& uri, const Place&, const std::string& tag) const;
  // The same for a path that is not relative to the model but to a folder in its folder.
  std::string find_in(const std::string& folder, const std::string& name, const Place&,
                      const std::string& tag) const;
  // True where it may be read; then it is told.
  bool inside(const std::filesystem::path&) const;

 private:
  std::vector<std::filesystem::path> candidates(const std::string& uri) const;
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> roots_;  // canonical
  Report& report_;
};

// By its ending: obj or stl. False: another format.
bool readable_mesh(const std::string& name);
Mesh read_mesh(const std::string& path, const std::string& shown);

}  // namespace perpend::model
