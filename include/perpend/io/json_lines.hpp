// Frames as JSON lines that are not in a file (docs/json.md).
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "perpend/io.hpp"

namespace perpend::io {

// `name` stands for the file in errors.
std::vector<Record> read_json_lines(std::istream&, const std::string& name);

}  // namespace perpend::io
