#pragma once

#include <string>
#include <string_view>

namespace perpend {

// A text as a cell of a CSV file (RFC 4180): quoted where it needs it. What a spreadsheet would
// take for a formula gets an apostrophe in front; numbers stay what they are.
std::string csv_text(std::string_view);

}  // namespace perpend
