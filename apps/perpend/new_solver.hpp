// What `perpend new-solver` writes, as text in the program; made by cmake/embed.cmake from
// new_solver/ and include/perpend/peers/plugin.h.
#pragma once

#include <string_view>

namespace perpend::app {

std::string_view template_normal();
std::string_view template_box();
std::string_view template_ncp();
std::string_view template_table();
std::string_view template_cmake();
std::string_view plugin_header();

}  // namespace perpend::app
