#include "draw/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "draw/lettering.hpp"
#include "draw/render.hpp"

namespace perpend::draw {

Image blank(int width, int height) {
  Image image{width, height, {}};
  const auto size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  image.rgb.reserve(3 * size);
  for (std::size_t i = 0; i < size; ++i)
    image.rgb.insert(image.rgb.end(), kGround.begin(), kGround.end());
  return image;
}

void paste(Image& onto, const Image& image, int x, int y) {
  const auto row_bytes = static_cast<std::size_t>(image.width) * 3;
  for (int row = 0; row < image.height; ++row)
    std::copy_n(
        image.rgb.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * row_bytes),
        row_bytes, onto.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(y + row) * onto.width + x));
}

void paste_error_scale(Image& onto, double x, double y, double letters) {
  const std::string before = "error 1e-10", after = "0.1 m/s";
  const int left = static_cast<int>(std::lround(x + text_width(before, letters) + letters));
  const int wide = static_cast<int>(std::lround(9 * letters));
  const int high = static_cast<int>(std::lround(0.8 * letters));
  const int top = static_cast<int>(std::lround(y - 0.9 * letters));
  letter(onto, x, y, letters, Align::left, before);
  letter(onto, left + wide + letters, y, letters, Align::left, after);
  for (int row = std::max(top, 0); row < std::min(top + high, onto.height); ++row)
    for (int column = left; column < std::min(left + wide, onto.width); ++column) {
      const auto colour = error_colour(std::pow(10, -10 + 9.0 * (column - left + 0.5) / wide));
      std::copy(colour.begin(), colour.end(),
                onto.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(row) * onto.width + column));
    }
}

}  // namespace perpend::draw
