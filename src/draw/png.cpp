// PNG: eight-bit RGB in sRGB, by libpng with its usual filters and compression; no date and no
// program name in it, so that the same picture is the same bytes.
#include <png.h>

#include <stdexcept>

#include "perpend/draw.hpp"

namespace perpend::draw {
namespace {

constexpr std::size_t kChannels = 3;

}  // namespace

std::array<std::uint8_t, 3> Image::at(int x, int y) const {
  const std::size_t i = (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                         static_cast<std::size_t>(x)) *
                        kChannels;
  return {rgb[i], rgb[i + 1], rgb[i + 2]};
}

std::string png(const Image& image) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0)
    throw std::runtime_error(std::string("libpng: ") + header.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace perpend::draw
