// JSON inside this room: documents in memory, and numbers as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace perpend::bench {

using Json = nlohmann::ordered_json;

// The shortest text that reads back as the same number; "null" when it is not finite.
std::string exact(double);
// The nearest number of so many significant digits; itself where that would be infinite.
double rounded(double, int digits);

}  // namespace perpend::bench
