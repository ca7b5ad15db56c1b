// JSON inside this room: documents in memory, and numbers as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace perpend::bench {

using Json = nlohmann::ordered_json;

// The shortest text that reads back as the same number; "null" when it is not finite.
std::string exact(double);
// The same to so many significant digits.
std::string rounded(double, int digits);
// A quoted text, whatever bytes it holds.
std::string quoted(const std::string&);

}  // namespace perpend::bench
