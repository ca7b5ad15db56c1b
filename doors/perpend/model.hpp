// Models of other programs as scenes: URDF, SDF, MJCF, worlds that Bullet saved, OBJ and STL
// meshes. docs/import.md says what comes over. What does not is listed, with file and line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/scene.hpp"

namespace perpend::model {

enum class Format { urdf, sdf, mjcf, bullet, obj, stl };
std::string_view name(Format);

struct Place {
  std::string file;
  int line = 0;  // 0: the whole file, or a file that has no lines
  std::string words() const { return line > 0 ? file + ":" + std::to_string(line) : file; }
};

// What the scene does not have, or has differently.
struct Loss {
  enum class Kind {
    physics,     // it would move differently
    appearance,  // looks, cameras, sensors: it moves the same
    engine,      // settings of the engine's solver
    changed      // the scene has something in its place; `why` says what
  };
  Place place;
  std::string tag;  // "joint", or "joint@safety" for an attribute
  Kind kind = Kind::physics;
  std::string why;
};
std::string_view name(Loss::Kind);

// What is wrong with the model itself.
struct Finding {
  std::string check;  // mass, inertia, overlap, limit, mesh, mimic
  std::string where;  // "link 'arm'"
  Place place;
  double value = 0;  // in `unit`
  std::string unit;
  std::string why;
};

struct Options {
  std::vector<std::string> mesh_path;  // folders with meshes, besides the model's own
  bool keep_fixed = false;             // a fixed joint stays a joint; else its bodies become one
  bool self_collide = false;           // links of a robot touch each other where the file is silent
  bool fixed_base = false;             // the root of a URDF does not move
  bool floor = true;                   // below a URDF or mesh, which have no world
  bool decompose = false;              // meshes by HACD; else their convex hull
  Index hull_points = 256;             // of a hull at most
  double density = 1000;               // kg/m^3, of what has no mass and needs one
};

struct Model {
  Format format = Format::urdf;
  Scene scene;
  std::vector<Loss> lost;  // by file and line
  std::vector<Finding> findings;
  std::vector<std::string> files;  // meshes, textures and parts that it names
};

// Throws io::InputError: one line that names file and line.
Model import_model(const std::string& path, const Options&);

// What comes over: the one table that the readers, their lists of losses and docs/import.md share.
struct Tag {
  Format format;
  std::string_view path;                  // PARENT/TAG; "*/TAG": below any parent
  std::string_view attributes;            // that come over; "*": all
  std::string_view becomes;               // empty: it is lost
  Loss::Kind kind = Loss::Kind::physics;  // of what is lost
  std::string_view why{};                 // it is lost
};
std::span<const Tag> tags();

// The formats that this program was built with.
std::vector<Format> formats();

}  // namespace perpend::model
