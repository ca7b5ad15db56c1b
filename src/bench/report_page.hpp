// The page that web/report builds, as a text in the program; empty when it was built without npm.
#pragma once

#include <string_view>

namespace perpend::bench {

std::string_view report_page();  // made by cmake/embed.cmake

}  // namespace perpend::bench
