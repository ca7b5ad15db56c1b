// A stage seen by its camera: a depth buffer with 4 x 4 samples a pixel (2 x 2 in a film) says what
// is seen where; each facet that a pixel shows is lit once. Where neighbouring samples see
// different facets there is an edge, and its samples are inked: outlines of bodies a pixel wide,
// edges within a body half as wide. What is fixed fades into the ground colour away from what the
// picture is about.
#include "draw/render.hpp"

#include <cmath>

#include "draw/light.hpp"
#include "draw/raster.hpp"

namespace perpend::draw {
namespace {

constexpr int kQuickSamples = 2;  // of a film, along each side of a pixel
constexpr std::uint32_t kNothing = static_cast<std::uint32_t>(-1);
constexpr float kInk = 0.16f;      // of the colour that remains under an edge
constexpr float kGone = 0.02f;     // what has faded so far is not there at all
constexpr float kGlass = 0.10f;    // of the glass' colour over what is behind it
constexpr float kGridInk = 0.80f;  // of the ground's brightness on a line of the grid

std::uint8_t encoded(float value) {
  const float v = std::clamp(value, 0.0f, 1.0f);
  const float s = v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(std::lround(255 * s));
}

float decoded(std::uint8_t value) {
  const float s = static_cast<float>(value) / 255.0f;
  return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
}

// From 0 to 1 without corners.
float smooth(float t) {
  const float s = std::clamp(t, 0.0f, 1.0f);
  return s * s * (3 - 2 * s);
}

const Colour& ground() {
  static const Colour kColour(decoded(kGround[0]), decoded(kGround[1]), decoded(kGround[2]));
  return kColour;
}

template <int kSamples>  // along each side of a pixel
class Renderer {
 public:
  Renderer(const Stage& stage, double half_width, int width, int height, Quality quality,
           const Backdrop* behind = nullptr)
      : stage_(stage),
        width_(width * kSamples),
        height_(height * kSamples),
        scale_(static_cast<float>(width_ / (2 * half_width))),
        level_(static_cast<float>(2e-5 * half_width)),
        light_(stage, std::max(width, height), quality) {
    const bool given = behind && behind->triangles == stage.triangles.size();
    if (given) {
      depth_ = behind->depth;
      seen_ = behind->seen;
    } else {
      clear();
    }
    for (std::uint32_t i = 0; i < stage.triangles.size(); ++i)
      if (!piece_of(i).glass && !(given && piece_of(i).still)) cover(i);
  }

  Backdrop still() {
    clear();
    for (std::uint32_t i = 0; i < stage_.triangles.size(); ++i)
      if (!piece_of(i).glass && piece_of(i).still) cover(i);
    return {std::move(depth_), std::move(seen_), stage_.triangles.size()};
  }

  Image draw() {
    Image image;
    image.width = width_ / kSamples;
    image.height = height_ / kSamples;
    std::vector<Colour> colours(static_cast<std::size_t>(image.width) *
                                static_cast<std::size_t>(image.height));
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        colours[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                static_cast<std::size_t>(x)] = pixel(x, y);
    lay_glass(colours, image.width);
    image.rgb.reserve(3 * colours.size());
    for (const Colour& colour : colours)
      for (int k = 0; k < 3; ++k) image.rgb.push_back(encoded(colour[k]));
    return image;
  }

 private:
  void clear() {
    const auto size = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    depth_.assign(size, -std::numeric_limits<float>::infinity());
    seen_.assign(size, kNothing);
  }
  const Piece& piece_of(std::uint32_t triangle) const {
    return stage_.pieces[stage_.triangles[triangle].piece];
  }
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  Eigen::Vector2f on_screen(const Vector3f& p) const {
    return {static_cast<float>(width_) / 2 + p.x() * scale_,
            static_cast<float>(height_) / 2 - p.y() * scale_};
  }
  bool faces_away(const StageTriangle& t) const {
    const Vector3f u = t.points[1] - t.points[0], v = t.points[2] - t.points[0];
    return u.x() * v.y() - u.y() * v.x() <= 0;
  }

  void cover(std::uint32_t index) {
    const StageTriangle& t = stage_.triangles[index];
    if (piece_of(index).closed && faces_away(t)) return;
    fill(on_screen(t.points[0]), on_screen(t.points[1]), on_screen(t.points[2]), width_, height_,
         [&](int x, int y, float a, float b, float c) {
           const float z = a * t.points[0].z() + b * t.points[1].z() + c * t.points[2].z();
           // Of faces in one plane the first one stays, whatever rounding says.
           if (!(z > depth_[at(x, y)] + level_)) return;
           const Vector3f there = at_depth(x, y, z);
           if (presence(piece_of(index), there) < kGone) return;
           depth_[at(x, y)] = z;
           seen_[at(x, y)] = index;
         });
  }

  Vector3f at_depth(int x, int y, float z) const {
    return {(static_cast<float>(x) + 0.5f - static_cast<float>(width_) / 2) / scale_,
            (static_cast<float>(height_) / 2 - static_cast<float>(y) - 0.5f) / scale_, z};
  }
  Vector3f point(int x, int y) const { return at_depth(x, y, depth_[at(x, y)]); }

  // Towards the eye, also where the back of an open surface is seen.
  Vector3f normal(const StageTriangle& t, const Vector3f& p) const {
    const Vector3f u = t.points[1] - t.points[0], v = t.points[2] - t.points[0];
    const Vector3f d = p - t.points[0];
    const float area = u.x() * v.y() - u.y() * v.x();
    const float b = (d.x() * v.y() - d.y() * v.x()) / area;
    const float c = (u.x() * d.y() - u.y() * d.x()) / area;
    const Vector3f n = (1 - b - c) * t.normals[0] + b * t.normals[1] + c * t.normals[2];
    const Vector3f unit = n.normalized();
    return faces_away(t) ? Vector3f(-unit) : unit;
  }

  // 1: as it is, 0: gone.
  float presence(const Piece& piece, const Vector3f& p) const {
    if (piece.moving) return 1;
    const auto radius = static_cast<float>(stage_.moving.radius());
    const Vector3f lower = stage_.moving.lower.cast<float>(),
                   upper = stage_.moving.upper.cast<float>();
    const float away =
        (lower - p).cwiseMax(p - upper).cwiseMax(0.0f).norm() / std::max(radius, 1e-9f);
    // And before the border of the picture comes.
    const float half_x = static_cast<float>(width_) / (2 * scale_);
    const float half_y = static_cast<float>(height_) / (2 * scale_);
    const float border = std::min(half_x - std::abs(p.x()), half_y - std::abs(p.y())) /
                         (0.16f * std::min(half_x, half_y));
    return smooth(1 - (away - 0.18f) / 0.62f) * smooth(border);
  }

  // Brightness of the ground's grid: lines a pixel and a half wide, softened by half a pixel.
  float grid(const Piece& piece, const Vector3f& p, const Vector3f& n) const {
    const Vector3f normal_of_grid = piece.grid_x.cross(piece.grid_y);
    if (std::abs(n.dot(normal_of_grid)) < 0.99f) return 1;
    float shade = 1;
    for (const Vector3f& axis : {piece.grid_x, piece.grid_y}) {
      const float s = (p - piece.grid_origin).dot(axis) / stage_.grid;
      const float metres = std::abs(s - std::round(s)) * stage_.grid;
      // A metre across the line is this many pixels on the screen.
      const Vector3f other = normal_of_grid.cross(axis);
      const Eigen::Vector2f along(other.x(), other.y()), across(axis.x(), axis.y());
      const float length = along.norm();
      const float seen =
          length > 1e-3f ? std::abs(along.x() * across.y() - along.y() * across.x()) / length : 0;
      const float pixels = metres * seen * scale_ / kSamples;
      const float cover = std::clamp(1.1f - pixels, 0.0f, 1.0f);
      shade = std::min(shade, 1 - (1 - kGridInk) * cover);
    }
    return shade;
  }

  Colour lit(std::uint32_t index, int x, int y) const {
    const StageTriangle& t = stage_.triangles[index];
    const Piece& piece = piece_of(index);
    const Vector3f p = point(x, y), n = normal(t, p);
    const float here = presence(piece, p);
    if (here <= 0) return ground();
    float bright = light_.at(p, n);
    if (piece.ground) bright *= grid(piece, p, n);
    return ground() + here * (piece.colour * bright - ground());
  }

  // How strongly the sample is inked.
  float ink(int x, int y) const {
    const std::uint32_t mine = seen_[at(x, y)];
    float strongest = 0;
    for (const auto& [dx, dy, reach] :
         {std::array{1, 0, 1}, std::array{-1, 0, 1}, std::array{0, 1, 1}, std::array{0, -1, 1},
          std::array{2, 0, 2}, std::array{-2, 0, 2}, std::array{0, 2, 2}, std::array{0, -2, 2}}) {
      if (kSamples < 4 && reach > 1) break;  // one coarse sample is as wide as two fine ones
      const int u = x + dx, v = y + dy;
      if (u < 0 || v < 0 || u >= width_ || v >= height_) continue;
      const std::uint32_t other = seen_[at(u, v)];
      if (mine == other) continue;
      const bool both = mine != kNothing && other != kNothing;
      const bool same_piece = both && stage_.triangles[mine].piece == stage_.triangles[other].piece;
      if (same_piece &&
          (reach > 1 || stage_.triangles[mine].facet == stage_.triangles[other].facet))
        continue;
      // The nearer of the two owns the edge; what is fixed fades with its edges.
      const bool ours =
          mine != kNothing && (other == kNothing || depth_[at(x, y)] >= depth_[at(u, v)]);
      const std::uint32_t owner = ours ? mine : other;
      const Piece& piece = piece_of(owner);
      if (reach > 1 && !piece.moving) continue;  // fixed things have thin lines
      const float weight = piece.moving ? 1.0f : 0.75f;
      strongest = std::max(strongest, weight * presence(piece, ours ? point(x, y) : point(u, v)));
    }
    return strongest;
  }

  // All samples from which a pixel takes its edges see the same: there are none.
  bool uniform(int px, int py) const {
    const int x0 = std::max(px * kSamples - 2, 0), x1 = std::min((px + 1) * kSamples + 2, width_);
    const int y0 = std::max(py * kSamples - 2, 0), y1 = std::min((py + 1) * kSamples + 2, height_);
    const std::uint32_t first = seen_[at(x0, y0)];
    for (int y = y0; y < y1; ++y)
      for (std::size_t i = at(x0, y), end = at(x1 - 1, y); i <= end; ++i)
        if (seen_[i] != first) return false;
    return true;
  }

  Colour pixel(int px, int py) const {
    if (uniform(px, py)) {
      const int x = px * kSamples, y = py * kSamples;
      const std::uint32_t index = seen_[at(x, y)];
      if (index == kNothing) return ground();
      const Colour one = lit(index, x, y);
      Colour sum = Colour::Zero();  // as below, bit for bit
      for (int k = 0; k < kSamples * kSamples; ++k) sum += one;
      return sum / static_cast<float>(kSamples * kSamples);
    }
    Colour sum = Colour::Zero();
    std::array<std::uint32_t, kSamples * kSamples> facets{};
    std::array<Colour, kSamples * kSamples> shades;
    std::size_t known = 0;
    for (int j = 0; j < kSamples; ++j)
      for (int i = 0; i < kSamples; ++i) {
        const int x = px * kSamples + i, y = py * kSamples + j;
        const std::uint32_t index = seen_[at(x, y)];
        Colour colour = ground();
        if (index != kNothing) {
          const std::uint32_t facet = stage_.triangles[index].facet;
          std::size_t k = 0;
          while (k < known && facets[k] != facet) ++k;
          if (k == known) {
            facets[known] = facet;
            shades[known++] = lit(index, x, y);
          }
          colour = shades[k];
        }
        const float inked = ink(x, y);
        sum += colour * (1 - (1 - kInk) * inked);
      }
    return sum / static_cast<float>(kSamples * kSamples);
  }

  // Front faces of glass over what is behind them, with their edges.
  void lay_glass(std::vector<Colour>& colours, int width) {
    const float share = 1.0f / (kSamples * kSamples);
    std::vector<float> cover(colours.size(), 0), lines(colours.size(), 0);
    std::vector<std::uint32_t> front(seen_.size(), kNothing);
    for (std::uint32_t i = 0; i < stage_.triangles.size(); ++i) {
      const StageTriangle& t = stage_.triangles[i];
      if (!piece_of(i).glass || (piece_of(i).closed && faces_away(t))) continue;
      fill(on_screen(t.points[0]), on_screen(t.points[1]), on_screen(t.points[2]), width_, height_,
           [&](int x, int y, float a, float b, float c) {
             const float z = a * t.points[0].z() + b * t.points[1].z() + c * t.points[2].z();
             if (!(z > depth_[at(x, y)] + level_)) return;
             const std::uint32_t before = front[at(x, y)];
             if (before == kNothing || z > glass_depth(before, x, y) + level_) front[at(x, y)] = i;
           });
    }
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const std::uint32_t mine = front[at(x, y)];
        const std::size_t pixel =
            static_cast<std::size_t>(y / kSamples) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(x / kSamples);
        if (mine == kNothing) continue;
        Vector3f p = point(x, y);
        p.z() = glass_depth(mine, x, y);
        const float here = presence(piece_of(mine), p);
        cover[pixel] += share * here;
        for (const auto& [dx, dy] :
             {std::array{1, 0}, std::array{-1, 0}, std::array{0, 1}, std::array{0, -1}}) {
          const int u = x + dx, v = y + dy;
          if (u < 0 || v < 0 || u >= width_ || v >= height_) continue;
          const std::uint32_t other = front[at(u, v)];
          if (other == mine) continue;
          if (other != kNothing && stage_.triangles[mine].facet == stage_.triangles[other].facet)
            continue;
          lines[pixel] += share * here;
          break;
        }
      }
    for (std::size_t i = 0; i < colours.size(); ++i) {
      colours[i] += kGlass * cover[i] * (Colour::Constant(0.55f) - colours[i]);
      colours[i] *= 1 - 0.75f * std::min(lines[i], 1.0f);
    }
  }
  float glass_depth(std::uint32_t index, int x, int y) const {
    const StageTriangle& t = stage_.triangles[index];
    const Vector3f n = (t.points[1] - t.points[0]).cross(t.points[2] - t.points[0]);
    const Vector3f p = point(x, y);
    return t.points[0].z() -
           (n.x() * (p.x() - t.points[0].x()) + n.y() * (p.y() - t.points[0].y())) / n.z();
  }

  const Stage& stage_;
  int width_, height_;
  float scale_;  // samples per metre
  float level_;  // m, that count as one plane
  Light light_;
  std::vector<float> depth_;
  std::vector<std::uint32_t> seen_;  // triangles
};

}  // namespace

Image render(const Stage& stage, double half_width, int width, int height, Quality quality) {
  if (quality == Quality::quick)
    return Renderer<kQuickSamples>(stage, half_width, width, height, quality).draw();
  return Renderer<4>(stage, half_width, width, height, quality).draw();
}

Backdrop backdrop(const Stage& stage, double half_width, int width, int height) {
  return Renderer<kQuickSamples>(stage, half_width, width, height, Quality::quick).still();
}

Image render(const Stage& stage, double half_width, int width, int height, const Backdrop& behind) {
  return Renderer<kQuickSamples>(stage, half_width, width, height, Quality::quick, &behind).draw();
}

}  // namespace perpend::draw
