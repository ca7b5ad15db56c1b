// Pieces of SVG.
#pragma once

#include <string>

namespace perpend::draw {

// Two digits behind the point, none where they are zero.
std::string pixels(double);
std::string svg_start(int width, int height);
std::string text(double x, double y, int size, const char* anchor, const std::string& words,
                 const std::string& attributes = "");

}  // namespace perpend::draw
