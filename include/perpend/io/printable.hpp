// Texts from files and names of files, on their way to a terminal.
//
// A terminal obeys control characters, and a reader is led astray by characters that change the
// direction of writing: both are shown as escapes, "\x1b", "\u202e".
#pragma once

#include <string>
#include <string_view>

namespace perpend::io {

// One line: control characters (C0, DEL, C1), line ends, marks of writing direction and bytes that
// are not UTF-8 as escapes, everything else as it is.
std::string printable(std::string_view);
// A JSON document that means the same, with such characters as JSON's own escapes. Line ends
// between its parts stay.
std::string printable_json(std::string_view document);

}  // namespace perpend::io
