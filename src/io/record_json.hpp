// One record as one JSON object (docs/json.md).
#pragma once

#include "perpend/io.hpp"

namespace perpend::io {

// Throws InputError, a line that opens with `where`: "FILE:LINE".
Record record_from_json(const std::string& line, const std::string& where);

// "FILE:LINE".
std::string line_place(const std::string& name, long number);
// The next line without its end; false when there is none. Throws InputError for one that is too
// long; the message begins with `where`.
bool next_line(std::istream& text, std::string& line, const std::string& where);
// Lines that are empty or begin with # are comments.
bool holds_a_frame(const std::string& line);

}  // namespace perpend::io
