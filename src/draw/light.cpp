#include "draw/light.hpp"

#include <cmath>
#include <numbers>

#include "draw/raster.hpp"

namespace perpend::draw {
namespace {

struct Lights {
  int sun, sky;          // how many
  int sun_map, sky_map;  // the widest of their maps
};
constexpr Lights kFine{16, 64, 1024, 512}, kQuick{4, 12, 512, 192};
constexpr float kSun = 0.70f, kSky = 0.62f, kBounce = 0.12f;
constexpr float kSunRadius = 0.045f;    // of the disc, rad
constexpr float kGolden = 2.39996323f;  // rad: points of a spiral that fill a disc evenly

// Two directions at right angles to a third.
std::pair<Vector3f, Vector3f> across(const Vector3f& d) {
  const Vector3f helper = std::abs(d.y()) < 0.9f ? Vector3f::UnitY() : Vector3f::UnitX();
  const Vector3f u = helper.cross(d).normalized();
  return {u, d.cross(u)};
}

}  // namespace

ShadowMap::ShadowMap(const Stage& stage, const Vector3f& towards, const Vector3f& centre,
                     float radius, int size, Quality quality)
    : towards_(towards), centre_(centre), radius_(radius), size_(size) {
  std::tie(across_, along_) = draw::across(towards);
  nearest_.assign(static_cast<std::size_t>(size) * static_cast<std::size_t>(size),
                  -std::numeric_limits<float>::infinity());
  const float scale = static_cast<float>(size) / (2 * radius);
  cell_ = 2 * radius / static_cast<float>(size);
  per_metre_ = scale;
  left_ = (radius - centre.dot(across_)) * scale - 0.5f;
  top_ = (radius - centre.dot(along_)) * scale - 0.5f;
  const auto at = [&](const Vector3f& p) {
    const Vector3f d = p - centre_;
    return Eigen::Vector2f((d.dot(across_) + radius_) * scale, (d.dot(along_) + radius_) * scale);
  };
  for (const StageTriangle& t : stage.triangles) {
    const Piece& piece = stage.pieces[t.piece];
    if (piece.glass || (piece.ground && quality == Quality::quick)) continue;
    const Vector3f depth(t.points[0].dot(towards_), t.points[1].dot(towards_),
                         t.points[2].dot(towards_));
    fill(at(t.points[0]), at(t.points[1]), at(t.points[2]), size, size,
         [&](int x, int y, float a, float b, float c) {
           float& nearest = nearest_[static_cast<std::size_t>(y) * static_cast<std::size_t>(size) +
                                     static_cast<std::size_t>(x)];
           nearest = std::max(nearest, depth.dot(Vector3f(a, b, c)));
         });
  }
}

inline float ShadowMap::reaches(const Vector3f& point, const Vector3f& normal, float cosine) const {
  // Off the surface by some cells, so that it does not shade itself.
  const Vector3f p = point + normal * (1.5f * cell_);
  const float x = p.dot(across_) * per_metre_ + left_, y = p.dot(along_) * per_metre_ + top_;
  const auto last = static_cast<float>(size_ - 1);
  if (!(x >= 0 && y >= 0 && x < last && y < last)) return 1;
  const float slope = std::sqrt(std::max(0.0f, 1 - cosine * cosine)) / std::max(cosine, 0.1f);
  const float depth = p.dot(towards_) + cell_ * slope;
  const auto column = static_cast<int>(x), row = static_cast<int>(y);
  const float u = x - static_cast<float>(column), v = y - static_cast<float>(row);
  const float* here = nearest_.data() + static_cast<std::ptrdiff_t>(row) * size_ + column;
  const auto open = [&](const float* nearest) { return depth >= *nearest ? 1.0f : 0.0f; };
  return (1 - v) * ((1 - u) * open(here) + u * open(here + 1)) +
         v * ((1 - u) * open(here + size_) + u * open(here + size_ + 1));
}

Light::Light(const Stage& stage, int pixels, Quality quality) : up_(stage.up) {
  const Lights& lights = quality == Quality::fine ? kFine : kQuick;
  const int sun_map = std::clamp(2 * pixels, 96, lights.sun_map);
  const int sky_map = std::clamp(pixels, 64, lights.sky_map);
  const Vector3f centre = stage.moving.centre().cast<float>();
  const float radius = std::max(static_cast<float>(stage.moving.radius()) * 1.35f, 1e-6f);
  // From the upper left, over the shoulder of who looks.
  const Vector3f eye = (Vector3f::UnitZ() - up_ * up_.z());
  const Vector3f back = eye.norm() > 1e-3f ? Vector3f(eye.normalized()) : Vector3f::UnitZ();
  const Vector3f left = up_.cross(-back).norm() > 0 ? Vector3f(-up_.cross(back).normalized())
                                                    : Vector3f(-Vector3f::UnitX());
  const Vector3f sun = (1.15f * up_ + 0.75f * left + 0.62f * back).normalized();
  const auto [u, v] = across(sun);
  for (int i = 0; i < lights.sun; ++i) {
    const float r =
        kSunRadius * std::sqrt((static_cast<float>(i) + 0.5f) / static_cast<float>(lights.sun));
    const float a = kGolden * static_cast<float>(i);
    const Vector3f towards = (sun + r * (std::cos(a) * u + std::sin(a) * v)).normalized();
    sun_.emplace_back(stage, towards, centre, radius, sun_map, quality);
  }
  const auto [east, north] = across(up_);
  for (int i = 0; i < lights.sky; ++i) {
    const float height = (static_cast<float>(i) + 0.5f) / static_cast<float>(lights.sky);
    const float r = std::sqrt(1 - height * height), a = kGolden * static_cast<float>(i);
    const Vector3f towards = height * up_ + r * std::cos(a) * east + r * std::sin(a) * north;
    sky_.emplace_back(stage, towards, centre, radius, sky_map, quality);
  }
}

float Light::at(const Vector3f& point, const Vector3f& normal) const {
  float sun = 0, sky = 0;
  for (const ShadowMap& light : sun_)
    if (const float cosine = normal.dot(light.towards()); cosine > 0)
      sun += light.reaches(point, normal, cosine) * cosine;
  for (const ShadowMap& light : sky_)
    if (const float cosine = normal.dot(light.towards()); cosine > 0)
      sky += light.reaches(point, normal, cosine) * cosine;
  // A surface that looks up gets half of the dome's lights times their mean cosine.
  return kSun * sun / static_cast<float>(sun_.size()) +
         kSky * sky / (0.5f * static_cast<float>(sky_.size())) +
         kBounce * (1 - 0.5f * normal.dot(up_));
}

}  // namespace perpend::draw
