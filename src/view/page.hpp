// The page, as built: one HTML file with script and style inside (web/view).
#pragma once

#include <string_view>

namespace perpend::view {

std::string_view page();

}  // namespace perpend::view
