#include "model/files.hpp"

#include <algorithm>
#include <cctype>

#include "perpend/io.hpp"

namespace perpend::model {
namespace {

namespace fs = std::filesystem;

constexpr int kPackageAbove = 3;  // PACKAGE/urdf/arms/arm.urdf

std::string ending(const std::string& name) {
  std::string out = fs::path(name).extension().string();
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return out;
}

// A path behind a scheme; empty where it has another one.
std::string after(const std::string& uri, const std::string& scheme) {
  return uri.starts_with(scheme) ? uri.substr(scheme.size()) : std::string();
}

}  // namespace

Files::Files(const std::string& model, const Options& options, Report& report) : report_(report) {
  std::error_code error;
  folder_ = fs::canonical(fs::absolute(model).parent_path(), error);
  if (error) throw io::InputError(model + ": its folder cannot be read: " + error.message());
  roots_.push_back(folder_);
  for (const std::string& path : options.mesh_path) {
    const fs::path root = fs::canonical(path, error);
    if (error || !fs::is_directory(root))
      throw io::InputError("--mesh-path: " + path + ": is not a folder");
    roots_.push_back(root);
  }
}

bool Files::inside(const fs::path& path) const {
  const bool found = std::any_of(roots_.begin(), roots_.end(), [&](const fs::path& root) {
    return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
  });
  if (found) report_.files.push_back(path.string());
  return found;
}

std::vector<fs::path> Files::candidates(const std::string& uri) const {
  std::vector<fs::path> out;
  std::string in_package = after(uri, "package://");
  if (in_package.empty()) in_package = after(uri, "model://");
  if (in_package.empty()) {
    std::string path = after(uri, "file://");
    if (path.empty()) path = uri;
    for (const fs::path& root : roots_) out.push_back(root / path);  // an absolute one stays itself
    return out;
  }
  const std::size_t slash = in_package.find('/');
  const std::string package = in_package.substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : in_package.substr(slash + 1);
  for (const fs::path& root : roots_) {
    out.push_back(root / in_package);
    out.push_back(root / rest);
  }
  return out;
}

std::string Files::find(const std::string& uri, const Place& place, const std::string& tag) const {
  const auto refuse = [&](const std::string& why) {
    refuse_at(place, "<" + tag + ">: '" + uri.substr(0, 200) + "' " + why);
  };
  std::error_code error;
  std::vector<fs::path> tried = candidates(uri);
  bool outside = false;
  for (const fs::path& path : tried) {
    const fs::path real = fs::canonical(path, error);
    if (error || !fs::is_regular_file(real, error)) continue;
    if (inside(real)) return real.string();
    outside = true;
  }
  // The package that the model is part of.
  if (const std::string in_package = after(uri, "package://"); !in_package.empty()) {
    const std::string package = in_package.substr(0, in_package.find('/'));
    fs::path above = folder_;
    for (int i = 0; i < kPackageAbove; ++i, above = above.parent_path()) {
      if (package.empty() || above.filename() != package) continue;  // the root has no name
      const fs::path real = fs::canonical(above.parent_path() / in_package, error);
      if (error || !fs::is_regular_file(real, error)) continue;
      if (std::mismatch(above.begin(), above.end(), real.begin(), real.end()).first ==
          above.end()) {
        report_.files.push_back(real.string());
        return real.string();
      }
      outside = true;
    }
  }
  if (outside) refuse("leads out of the model's folder (--mesh-path names others)");
  refuse("is not in the model's folder (--mesh-path names others)");
  return {};
}

std::string Files::find_in(const std::string& folder, const std::string& name, const Place& place,
                           const std::string& tag) const {
  if (folder.empty() || fs::path(name).is_absolute()) return find(name, place, tag);
  return find((fs::path(folder) / name).string(), place, tag);
}

bool readable_mesh(const std::string& name) {
  const std::string end = ending(name);
  return end == ".obj" || end == ".stl";
}

Mesh read_mesh(const std::string& path, const std::string& shown) {
  const std::string bytes = read_bytes(path, std::size_t{1} << 28);
  return ending(path) == ".obj" ? read_obj(bytes, shown) : read_stl(bytes, shown);
}

}  // namespace perpend::model
