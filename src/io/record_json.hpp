// One record as one JSON object (docs/json.md).
#pragma once

#include "perpend/io.hpp"

namespace perpend::io {

// Throws InputError, a line that opens with `where`: "FILE:LINE".
Record record_from_json(const std::string& line, const std::string& where);

}  // namespace perpend::io
