// XML is told by its root element, the worlds that Bullet saves by their first seven letters.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

constexpr std::size_t kBeginning = std::size_t{1} << 16;  // bytes that must hold the root's name
constexpr std::string_view kSpace = " \t\r\n";

// The name of the root element; empty when the text is not XML or its root is not in sight.
std::string_view root_of(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto skip_to_end_of = [&](std::string_view end) {
    const std::size_t at = text.find(end);
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + end.size());
  };
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    if (!text.starts_with('<')) return {};
    if (text.starts_with("<?"))
      skip_to_end_of("?>");
    else if (text.starts_with("<!--"))
      skip_to_end_of("-->");
    else if (text.starts_with("<!"))
      skip_to_end_of(text.find('[') < text.find('>') ? "]>" : ">");
    else
      break;
  }
  text.remove_prefix(1);
  return text.substr(0, std::min({text.find_first_of(" \t\r\n/>"), text.size(), std::size_t{40}}));
}

EngineFile recorded_by(const char* format, const std::string& engine,
                       std::vector<std::string> endings) {
  return {std::string("this is ") + format + ": perpend capture " + engine +
              " FILE --out FILE.h5 records it",
          std::move(endings)};
}

}  // namespace

std::optional<EngineFile> engine_file(std::string_view text) {
  if (text.starts_with("BULLETd") || text.starts_with("BULLETf"))
    return EngineFile{
        "this is a saved world of Bullet: a program that loads it can be recorded "
        "(docs/capture.md)",
        {}};
  const std::string_view root = root_of(text.substr(0, kBeginning));
  if (root.empty()) return {};
  if (root == "robot") return recorded_by("URDF", "dart", {".urdf"});
  if (root == "sdf" || root == "gazebo") return recorded_by("SDF", "gazebo", {".sdf", ".world"});
  if (root == "mujoco") return recorded_by("MJCF", "mujoco", {".xml", ".mjcf"});
  if (root == "skel")
    return EngineFile{
        "this is SKEL, a world of DART: a program that loads it is recorded by perpend capture "
        "dart --run",
        {}};
  return EngineFile{"this is XML, <" + std::string(root) + ">, which no command reads", {}};
}

std::optional<EngineFile> engine_file_at(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text(kBeginning, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return engine_file(text);
}

bool is_engine_file(const std::string& path, const std::vector<std::string>& endings) {
  const auto known = [&](const std::string& ending) {
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
  };
  if (known(std::filesystem::path(path).extension().string())) return true;
  const std::optional<EngineFile> found = engine_file_at(path);
  return found && std::any_of(found->endings.begin(), found->endings.end(), known);
}

}  // namespace perpend::io
