// Words in a picture: an upright letter of one stroke width, drawn for this program.
#pragma once

#include <string>

#include "perpend/draw.hpp"

namespace perpend::draw {

enum class Align { left, middle, right };

double text_width(const std::string&, double size);
// `size` is the height of a capital letter in pixels, (x, y) where the base line begins, ends or
// has its middle. A letter that is not known is an empty box.
void letter(Image&, double x, double y, double size, Align, const std::string&, double weight = 1);

}  // namespace perpend::draw
