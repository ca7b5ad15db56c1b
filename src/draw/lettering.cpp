// A glyph is a list of strokes on a grid: capitals stand from y = 4 to 16, small letters reach 12,
// tails go down to 0. A stroke is a letter that says how it is drawn and its points, two digits of
// base 36 each: `L` straight pieces, `C` a curve from the first to the last point, `O` a closed
// curve. Curves are quadratic B-splines of their points (by cutting corners: Chaikin 1974); a point
// given twice is a corner.
#include "draw/lettering.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace perpend::draw {
namespace {

using Point = Eigen::Vector2d;
using Stroke = std::vector<Point>;

constexpr double kBase = 4, kCapital = 12;  // of the grid: the base line, the height of a capital
constexpr double kGap = 3.6, kSpace = 5;    // between letters, and a word's end
constexpr double kThick = 1.55;             // of a stroke, in units of the grid
constexpr double kDark = 38;                // of the ink, 0 to 255

// clang-format off
const std::map<char, const char*>& glyphs() {
  static const std::map<char, const char*> kGlyphs{
      {'a', "O04848c0c L8c84"},
      {'b', "L0g04 O04848c0c"},
      {'c', "C8a8c0c048486"},
      {'d', "L8g84 O04848c0c"},
      {'e', "C0888888c0c048486"},
      {'f', "C6g2g2a24 L0c5c"},
      {'g', "O04848c0c L8c83 C83800001"},
      {'h', "L0g04 C090c8c8884"},
      {'i', "L0c04 L0g0f"},
      {'j', "L4c43 C434000 L4g4f"},
      {'k', "L0g04 L7c08 L2984"},
      {'l', "C0g060434"},
      {'m', "L0c04 C090c6c6864 C696cccc8c4"},
      {'n', "L0c04 C090c8c8884"},
      {'o', "O04848c0c"},
      {'p', "L0c00 O04848c0c"},
      {'q', "L8c80 O04848c0c"},
      {'r', "L0c04 C080c5c"},
      {'s', "C7a7c0c0878740406"},
      {'t', "C2g272454 L0c5c"},
      {'u', "C0c08048487 L8c84"},
      {'v', "L0c448c"},
      {'w', "L0c346a94cc"},
      {'x', "L0c84 L048c"},
      {'y', "L0c44 L8c20"},
      {'z', "L0c8c0484"},
      {'A', "L045ga4 L2888"},
      {'B', "L0g04 L0g4g C4g9g9a4a L4a0a C4aaaa444 L4404"},
      {'C', "Cadag0g04a4a7"},
      {'D', "L0g04 L0g3g C3gaga434 L3404"},
      {'E', "L8g0g0484 L0a6a"},
      {'F', "L8g0g04 L0a6a"},
      {'G', "Cadag0g04a4a9 L69a9"},
      {'H', "L0g04 Laga4 L0aaa"},
      {'I', "L0g04"},
      {'J', "C6g68640407"},
      {'K', "L0g04 L9g08 L3ba4"},
      {'L', "L0g0484"},
      {'M', "L040g57aga4"},
      {'N', "L040ga4ag"},
      {'O', "O04b4bg0g"},
      {'P', "L0g04 L0g4g C4g9g9949 L4909"},
      {'Q', "O04b4bg0g L77b3"},
      {'R', "L0g04 L0g4g C4g9g9949 L4909 L59a4"},
      {'S', "C9d9g0g0a9a940407"},
      {'T', "L0gag L5g54"},
      {'U', "C0g0a04a4aaag"},
      {'V', "L0g54ag"},
      {'W', "L0g347eb4eg"},
      {'X', "L0ga4 L04ag"},
      {'Y', "L0g5aag L5a54"},
      {'Z', "L0gag04a4"},
      {'0', "O04848g0g"},
      {'1', "L1d4g44"},
      {'2', "C0d0g8g8a04 L0484"},
      {'3', "C0e0g8g8a3a C3a8a840406"},
      {'4', "L5g0888 L6b64"},
      {'5', "L7g1g0a C0a2c8c840406"},
      {'6', "O04848b0b C7g2g0c08"},
      {'7', "L0g8g34"},
      {'8', "O1a7a7g1g O04848a0a"},
      {'9', "O09898g0g C8c876414"},
      {'.', "L0405"},
      {',', "L1502"},
      {':', "L0405 L0b0c"},
      {';', "L1502 L1b1c"},
      {'-', "L0959"},
      {'+', "L0989 L4d45"},
      {'=', "L0787 L0b8b"},
      {'/', "L037h"},
      {'(', "C3i0e0632"},
      {')', "C0i3e3602"},
      {'[', "L3i0i0232"},
      {']', "L0i3i3202"},
      {'%', "O0b3b3g0g O64949969 L8g14"},
      {'_', "L0383"},
      {'<', "L8d0985"},
      {'>', "L0d8905"},
      {'*', "L4f49 L1e7a L7e1a"},
      {'\'', "L0g0d"},
      {'!', "L0g08 L0405"},
      {'?', "C0d0g8g8a47 L4445"},
      {'#', "L3g14 L8g64 L0c9c L0888"},
  };
  return kGlyphs;
}
// clang-format on

double digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

Stroke cut_corners(const Stroke& points, bool closed) {
  Stroke out;
  const std::size_t n = points.size();
  if (!closed) out.push_back(points.front());
  for (std::size_t i = 0; i + (closed ? 0 : 1) < n; ++i) {
    const Point &a = points[i], &b = points[(i + 1) % n];
    out.push_back(0.75 * a + 0.25 * b);
    out.push_back(0.25 * a + 0.75 * b);
  }
  if (!closed) out.push_back(points.back());
  return out;
}

struct Glyph {
  std::vector<Stroke> strokes;
  double width = 0;
};

Glyph glyph(char c) {
  if (c == ' ') return {{}, kSpace - kGap};
  const auto found = glyphs().find(c);
  std::istringstream text(found == glyphs().end() ? "L04080g8g8404" : found->second);
  Glyph out;
  for (std::string stroke; text >> stroke;) {
    Stroke points;
    for (std::size_t i = 1; i + 1 < stroke.size(); i += 2) {
      points.emplace_back(digit(stroke[i]), digit(stroke[i + 1]));
      out.width = std::max(out.width, points.back().x());
    }
    const bool closed = stroke[0] == 'O';
    if (stroke[0] != 'L')
      for (int round = 0; round < 4; ++round) points = cut_corners(points, closed);
    if (closed) points.push_back(points.front());
    out.strokes.push_back(std::move(points));
  }
  return out;
}

double distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const Point d = b - a;
  const double length = d.squaredNorm();
  const double t = length > 0 ? std::clamp((p - a).dot(d) / length, 0.0, 1.0) : 0;
  return (p - a - t * d).norm();
}

// Inks the pixels near a stroke; what is inked twice is not darker.
void ink(std::vector<double>& cover, int width, int height, const Stroke& stroke, double radius) {
  for (std::size_t i = 0; i + 1 < stroke.size(); ++i) {
    const Point &a = stroke[i], &b = stroke[i + 1];
    const double margin = radius + 1;
    const int x0 = std::max(0, static_cast<int>(std::floor(std::min(a.x(), b.x()) - margin)));
    const int x1 =
        std::min(width - 1, static_cast<int>(std::ceil(std::max(a.x(), b.x()) + margin)));
    const int y0 = std::max(0, static_cast<int>(std::floor(std::min(a.y(), b.y()) - margin)));
    const int y1 =
        std::min(height - 1, static_cast<int>(std::ceil(std::max(a.y(), b.y()) + margin)));
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const double away = distance_to_segment({x + 0.5, y + 0.5}, a, b);
        double& here = cover[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                             static_cast<std::size_t>(x)];
        here = std::max(here, std::clamp(radius + 0.5 - away, 0.0, 1.0));
      }
  }
}

}  // namespace

double text_width(const std::string& words, double size) {
  double width = 0;
  for (char c : words) width += glyph(c).width + kGap;
  return words.empty() ? 0 : (width - kGap) * size / kCapital;
}

void letter(Image& image, double x, double y, double size, Align align, const std::string& words,
            double weight) {
  const double scale = size / kCapital, width = text_width(words, size);
  double left = x - (align == Align::left ? 0 : align == Align::middle ? width / 2 : width);
  std::vector<double> cover(
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height), 0);
  for (char c : words) {
    const Glyph one = glyph(c);
    for (Stroke stroke : one.strokes) {
      for (Point& p : stroke) p = {left + p.x() * scale, y - (p.y() - kBase) * scale};
      ink(cover, image.width, image.height, stroke, weight * kThick * scale / 2);
    }
    left += (one.width + kGap) * scale;
  }
  for (std::size_t i = 0; i < cover.size(); ++i)
    for (std::size_t k = 0; k < 3 && cover[i] > 0; ++k) {
      std::uint8_t& value = image.rgb[3 * i + k];
      value = static_cast<std::uint8_t>(std::lround(value + cover[i] * (kDark - value)));
    }
}

}  // namespace perpend::draw
