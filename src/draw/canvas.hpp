// An image that others are pasted into.
#pragma once

#include "perpend/draw.hpp"

namespace perpend::draw {

Image blank(int width, int height);  // in the ground's colour
void paste(Image& onto, const Image&, int x, int y);
// The scale of error_colour() with words beside it; (x, y): where the line of words begins.
void paste_error_scale(Image& onto, double x, double y, double letters);

}  // namespace perpend::draw
