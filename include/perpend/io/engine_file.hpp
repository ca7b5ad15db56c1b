// Files of other engines: told by their content, so that who meets one where he cannot read it can
// say who does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perpend::io {

struct EngineFile {
  std::string words;                 // "this is URDF: perpend capture dart FILE ... records it"
  std::vector<std::string> endings;  // that such files usually have: ".urdf"
};

// By the beginning of the text; nothing when it is none. Any other XML is one without endings.
std::optional<EngineFile> engine_file(std::string_view text);
// By the beginning of a file; nothing when there is no such plain file.
std::optional<EngineFile> engine_file_at(const std::string& path);
// Whether an engine that reads files with these endings reads this one: by its ending or content.
bool is_engine_file(const std::string& path, const std::vector<std::string>& endings);

}  // namespace perpend::io
