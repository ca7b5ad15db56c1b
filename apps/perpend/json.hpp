// Results as JSON: NaN and infinity are null, a measure that cannot be computed is absent.
#pragma once

#include <nlohmann/json.hpp>

#include "perpend/solve.hpp"

namespace perpend::app {

using Json = nlohmann::ordered_json;

// Version of the documents that --json prints.
inline constexpr int kJsonVersion = 1;

Json number(double);
Json numbers(const VectorXd&);
// `at_iterate`: named so (perpend/solve.hpp).
Json errors(const Errors&, bool at_iterate = false);
// status, message, path, iterations, work, seconds, errors, and the history when there is one.
void add_result(Json& document, const Result&);
// The one document, on stdout.
void print(const Json&);

}  // namespace perpend::app
