// PNG (ISO/IEC 15948): eight-bit RGB, every row with the filter whose differences are smallest in
// sum, no date and no program name in it.
#include <array>
#include <cstdlib>

#include "draw/deflate.hpp"
#include "perpend/draw.hpp"

namespace perpend::draw {
namespace {

constexpr std::size_t kChannels = 3;

std::uint32_t crc(std::string_view bytes) {
  std::uint32_t c = 0xffffffffu;
  for (char byte : bytes) {
    c ^= static_cast<std::uint8_t>(byte);
    for (int k = 0; k < 8; ++k) c = (c & 1u) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
  }
  return c ^ 0xffffffffu;
}

void put_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<char>((value >> shift) & 0xff));
}

void put_chunk(std::string& out, const char* type, const std::string& data) {
  put_number(out, static_cast<std::uint32_t>(data.size()));
  const std::string checked = type + data;
  out += checked;
  put_number(out, crc(checked));
}

// What is expected from the left, upper and upper-left neighbour.
int prediction(int filter, int left, int up, int corner) {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) / 2;
    case 4: {  // Paeth: the neighbour nearest to left + up - corner
      const int p = left + up - corner;
      const int a = std::abs(p - left), b = std::abs(p - up), c = std::abs(p - corner);
      return a <= b && a <= c ? left : (b <= c ? up : corner);
    }
    default:
      return 0;
  }
}

std::vector<std::uint8_t> filtered(const Image& image) {
  const auto width = static_cast<std::size_t>(image.width) * kChannels;
  std::vector<std::uint8_t> out;
  out.reserve((width + 1) * static_cast<std::size_t>(image.height));
  const std::vector<std::uint8_t> black(width, 0);
  std::vector<std::uint8_t> row(width), best(width);
  for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) {
    const std::uint8_t* now = image.rgb.data() + y * width;
    const std::uint8_t* above = y > 0 ? now - width : black.data();
    long least = -1;
    std::uint8_t chosen = 0;
    for (std::uint8_t filter = 0; filter < 5; ++filter) {
      long sum = 0;
      for (std::size_t i = 0; i < width; ++i) {
        const int left = i >= kChannels ? now[i - kChannels] : 0;
        const int corner = i >= kChannels ? above[i - kChannels] : 0;
        row[i] = static_cast<std::uint8_t>(now[i] - prediction(filter, left, above[i], corner));
        sum += std::abs(static_cast<int>(static_cast<std::int8_t>(row[i])));
      }
      if (least >= 0 && sum >= least) continue;
      least = sum;
      chosen = filter;
      best.swap(row);
    }
    out.push_back(chosen);
    out.insert(out.end(), best.begin(), best.end());
  }
  return out;
}

}  // namespace

std::array<std::uint8_t, 3> Image::at(int x, int y) const {
  const std::size_t i = (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                         static_cast<std::size_t>(x)) *
                        kChannels;
  return {rgb[i], rgb[i + 1], rgb[i + 2]};
}

std::string png(const Image& image) {
  std::string out = "\x89PNG\r\n\x1a\n";
  std::string header;
  put_number(header, static_cast<std::uint32_t>(image.width));
  put_number(header, static_cast<std::uint32_t>(image.height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, deflate, filters, no interlace
  put_chunk(out, "IHDR", header);
  put_chunk(out, "sRGB", std::string(1, '\0'));
  put_chunk(out, "IDAT", zlib_compressed(filtered(image)));
  put_chunk(out, "IEND", "");
  return out;
}

}  // namespace perpend::draw
