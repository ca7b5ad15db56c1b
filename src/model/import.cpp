// Which reader a file has, and what they all do at the end.
#include <algorithm>
#include <filesystem>
#include <tuple>

#include "model/files.hpp"
#include "model/readers.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"

namespace perpend::model {
namespace {

constexpr std::size_t kLargest = std::size_t{256} << 20;  // bytes of a model

[[noreturn, maybe_unused]] void not_here(const std::string& path, Format format,
                                         const char* package) {
  throw io::InputError(path + ": " + std::string(name(format)) +
                       " is not read by this build, which lacks " + package);
}

Format format_of(const std::string& text, const std::string& path) {
  if (const auto found = io::engine_file(text)) {
    const auto has = [&](const char* ending) {
      return std::find(found->endings.begin(), found->endings.end(), ending) !=
             found->endings.end();
    };
    if (has(".urdf")) return Format::urdf;
    if (has(".sdf")) return Format::sdf;
    if (has(".xml")) return Format::mjcf;
    if (text.starts_with("BULLET")) return Format::bullet;
    throw io::InputError(path + ": " + found->words);
  }
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& letter : ending) letter = static_cast<char>(std::tolower(letter));
  if (ending == ".obj") return Format::obj;
  if (ending == ".stl") return Format::stl;
  // XML that is broken before its root is in sight, or one that does not begin with its format.
  if (ending == ".urdf") return Format::urdf;
  if (ending == ".sdf" || ending == ".world") return Format::sdf;
  if (ending == ".xml" || ending == ".mjcf") return Format::mjcf;
  if (ending == ".bullet") throw io::InputError(path + ": does not begin with BULLET");
  throw io::InputError(path + ": is no URDF, SDF, MJCF, .bullet, OBJ or STL");
}

}  // namespace

std::vector<Format> formats() {
  std::vector<Format> out{Format::urdf};
#ifdef PERPEND_HAS_SDFORMAT
  out.push_back(Format::sdf);
#endif
#ifdef PERPEND_HAS_MUJOCO
  out.push_back(Format::mjcf);
#endif
#ifdef PERPEND_HAS_BULLET_FILES
  out.push_back(Format::bullet);
#endif
  out.insert(out.end(), {Format::obj, Format::stl});
  return out;
}

Model import_model(const std::string& path, const Options& options) {
  const std::string text = read_bytes(path, kLargest);
  Model model;
  model.format = format_of(text, path);
  Report report;
  Assembly assembly;
  switch (model.format) {
    case Format::urdf:
      assembly = read_urdf(text, path, options, report);
      break;
    case Format::sdf:
#ifdef PERPEND_HAS_SDFORMAT
      assembly = read_sdf(text, path, options, report);
      break;
#else
      not_here(path, model.format, "libsdformat-dev");
#endif
    case Format::mjcf:
#ifdef PERPEND_HAS_MUJOCO
      assembly = read_mjcf(text, path, options, report);
      break;
#else
      not_here(path, model.format, "libmujoco-dev");
#endif
    case Format::bullet:
#ifdef PERPEND_HAS_BULLET_FILES
      assembly = read_bullet(text, path, options, report);
      break;
#else
      not_here(path, model.format, "libbullet-extras-dev");
#endif
    case Format::obj:
    case Format::stl:
      assembly = read_mesh_model(path, options, report);
      break;
  }
  Built built = build(std::move(assembly), options, report);
  if (built.scene.bodies.empty()) throw io::InputError(path + ": has no bodies");
  check_overlaps(built, report);
  model.scene = std::move(built.scene);
  model.scene.source = std::filesystem::path(path).filename().string();
  const auto order = [](const Loss& loss) { return std::tuple(loss.place.file, loss.place.line); };
  std::stable_sort(report.lost.begin(), report.lost.end(),
                   [&](const Loss& a, const Loss& b) { return order(a) < order(b); });
  model.lost = std::move(report.lost);
  model.findings = std::move(report.findings);
  model.files = std::move(report.files);
  return model;
}

}  // namespace perpend::model
