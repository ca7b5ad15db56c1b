// The same marks as on the viewer's page (web/view/src/contacts.ts): sizes go by a typical body,
// but nothing is thinner than a reader of a small picture can see. Marks hide each other by depth
// and are seen through the bodies, within a light rim. Cones are laid under them, see-through.
#include "draw/contact_marks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "draw/raster.hpp"
#include "draw/solids.hpp"
#include "draw/stage.hpp"

namespace perpend::draw {
namespace {

constexpr int kAcross = 4;           // samples along each side of a pixel
constexpr float kConeShare = 0.13f;  // of its colour, for each of its two sides
constexpr int kMostSides = 3;
constexpr float kRim = 0.7f;  // of white around marks
using Rgb = std::array<std::uint8_t, 3>;
constexpr Rgb kForce{0xc2, 0x18, 0x7a}, kCone{0xc9, 0xa2, 0x00}, kUnknown{0x8a, 0x8f, 0x98};
constexpr std::array<Rgb, 6> kHeat{{{0x2c, 0x4f, 0xb8},
                                    {0x2f, 0x9f, 0xd0},
                                    {0x58, 0xc2, 0x7d},
                                    {0xf0, 0xd4, 0x42},
                                    {0xf0, 0x8a, 0x24},
                                    {0xd1, 0x1f, 0x1f}}};

template <class Value>
Value median(std::vector<Value> values, Value otherwise) {
  if (values.empty()) return otherwise;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Half of a typical moving body, m, and the weight of one, N.
struct Typical {
  double size, weight;
};
Typical typical(const Scene& scene) {
  std::vector<double> radii, masses;
  for (const Body& body : scene.bodies) {
    if (!(body.mass > 0)) continue;
    radii.push_back(radius(body));
    masses.push_back(body.mass);
  }
  const double gravity = scene.gravity.norm() > 0 ? scene.gravity.norm() : 9.81;
  return {median(radii, 0.5 * std::sqrt(3)) / std::sqrt(3), gravity * median(masses, 1.0)};
}

class Marker {
 public:
  Marker(Image& image, const Camera& camera, const Matrix3d& axes)
      : image_(image),
        width_(image.width * kAcross),
        height_(image.height * kAcross),
        scale_(static_cast<double>(width_) / (2 * camera.half_width)),
        axes_(axes),
        centre_(camera.centre) {
    const auto size = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    depth_.assign(size, -std::numeric_limits<float>::infinity());
    colour_.resize(size);
    sides_.assign(size, 0);
  }
  double pixel() const { return kAcross / scale_; }  // m

  // A solid whose z axis lies along `axis`, stretched by `stretch` and moved to `origin`.
  void solid(const Solid& solid, const Vector3d& origin, const Vector3d& axis,
             const Vector3d& stretch, const Rgb& colour) {
    each(solid, origin, axis, stretch, [&](std::size_t i, float z, const Vector3d& normal) {
      if (!(z > depth_[i])) return;
      depth_[i] = z;
      colour_[i] = shaded(colour, normal);
    });
  }
  void cone(const Solid& solid, const Vector3d& origin, const Vector3d& axis,
            const Vector3d& stretch) {
    each(solid, origin, axis, stretch, [&](std::size_t i, float, const Vector3d&) {
      sides_[i] = static_cast<std::uint8_t>(std::min(sides_[i] + 1, kMostSides));
    });
  }

  void lay() {
    const std::vector<std::uint8_t> rim = around_marks();
    for (int y = 0; y < image_.height; ++y)
      for (int x = 0; x < image_.width; ++x) lay(x, y, rim);
  }

 private:
  template <class Put>
  void each(const Solid& solid, const Vector3d& origin, const Vector3d& axis,
            const Vector3d& stretch, Put&& put) {
    const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
    for (const Corner3& triangle : solid.triangles) {
      std::array<Vector3d, 3> p;
      std::array<Eigen::Vector2f, 3> on;
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] = axes_ * (origin + turn * stretch.cwiseProduct(triangle.points[k]) - centre_);
        on[k] = {static_cast<float>(width_ / 2.0 + p[k].x() * scale_),
                 static_cast<float>(height_ / 2.0 - p[k].y() * scale_)};
      }
      const Vector3d normal = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
      fill(on[0], on[1], on[2], width_, height_, [&](int x, int y, float a, float b, float c) {
        const double z = static_cast<double>(a) * p[0].z() + static_cast<double>(b) * p[1].z() +
                         static_cast<double>(c) * p[2].z();
        put(at(x, y), static_cast<float>(z), normal);
      });
    }
  }
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  bool marked(std::size_t i) const { return depth_[i] > -std::numeric_limits<float>::infinity(); }

  // From the upper left, so that the form is seen.
  static Rgb shaded(const Rgb& colour, const Vector3d& normal) {
    const double light = 0.72 + 0.28 * std::max(0.0, normal.dot(Vector3d(-0.35, 0.6, 0.72)));
    Rgb out;
    for (std::size_t k = 0; k < 3; ++k)
      out[k] = static_cast<std::uint8_t>(std::lround(std::min(255.0, colour[k] * light)));
    return out;
  }

  // Samples within a pixel of a mark, first along rows, then along columns.
  std::vector<std::uint8_t> around_marks() const {
    constexpr int kReach = 4;
    std::vector<std::uint8_t> rows(depth_.size(), 0), out(depth_.size(), 0);
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        if (!marked(at(x, y))) continue;
        for (int u = std::max(0, x - kReach); u <= std::min(width_ - 1, x + kReach); ++u)
          rows[at(u, y)] = 1;
      }
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        if (rows[at(x, y)] == 0) continue;
        for (int v = std::max(0, y - kReach); v <= std::min(height_ - 1, y + kReach); ++v)
          out[at(x, v)] = 1;
      }
    return out;
  }

  void lay(int px, int py, const std::vector<std::uint8_t>& rim) {
    const std::size_t pixel =
        3 * (static_cast<std::size_t>(py) * static_cast<std::size_t>(image_.width) +
             static_cast<std::size_t>(px));
    std::array<float, 3> sum{};
    bool touched = false;
    for (int j = 0; j < kAcross; ++j)
      for (int i = 0; i < kAcross; ++i) {
        const std::size_t sample = at(px * kAcross + i, py * kAcross + j);
        const bool mark = marked(sample);
        touched |= mark || rim[sample] != 0 || sides_[sample] != 0;
        float under = 1;
        for (int k = 0; k < sides_[sample]; ++k) under *= 1 - kConeShare;
        for (std::size_t k = 0; k < 3; ++k) {
          float value = image_.rgb[pixel + k];
          value = under * value + (1 - under) * static_cast<float>(kCone[k]);
          if (mark)
            value = colour_[sample][k];
          else if (rim[sample] != 0)
            value += kRim * (255 - value);
          sum[k] += value;
        }
      }
    if (!touched) return;
    for (std::size_t k = 0; k < 3; ++k)
      image_.rgb[pixel + k] =
          static_cast<std::uint8_t>(std::lround(sum[k] / static_cast<float>(kAcross * kAcross)));
  }

  Image& image_;
  int width_, height_;
  double scale_;  // samples per metre
  Matrix3d axes_;
  Vector3d centre_;
  std::vector<float> depth_;
  std::vector<Rgb> colour_;
  std::vector<std::uint8_t> sides_;  // of cones
};

Solid unit(Shape::Type type) {
  Shape shape;
  shape.type = type;
  shape.radius = 1;
  shape.height = 1;
  return solids(shape, 0.02, Vector3d::Zero(), 1).front();
}

// Along z from 0 to 1.
Solid standing(Solid solid) {
  for (Corner3& triangle : solid.triangles)
    for (Vector3d& point : triangle.points) point.z() += 0.5;
  return solid;
}

// From its tip at the origin, open at z = 1 with radius 1.
Solid funnel() {
  constexpr int kSides = 24;
  Solid out;
  for (int i = 0; i < kSides; ++i) {
    const double a = 2 * std::numbers::pi * i / kSides, b = 2 * std::numbers::pi * (i + 1) / kSides;
    Corner3 one;
    one.points = {Vector3d::Zero(), Vector3d(std::cos(a), std::sin(a), 1),
                  Vector3d(std::cos(b), std::sin(b), 1)};
    out.triangles.push_back(one);
  }
  return out;
}

Solid pyramid() {
  Shape shape;
  shape.type = Shape::Type::hull;
  for (int i = 0; i < 3; ++i)
    shape.points.emplace_back(1.1 * std::cos(2 * std::numbers::pi * i / 3),
                              1.1 * std::sin(2 * std::numbers::pi * i / 3), -0.9);
  shape.points.emplace_back(0, 0, 0.9);
  return solids(shape, 0.02, Vector3d::Zero(), 1).front();
}

Solid ring() {
  constexpr int kRound = 20, kThin = 8;
  Solid out;
  const auto point = [](int i, int j) {
    const double a = 2 * std::numbers::pi * i / kRound, b = 2 * std::numbers::pi * j / kThin;
    const double r = 0.8 + 0.25 * std::cos(b);
    return Vector3d(r * std::cos(a), r * std::sin(a), 0.25 * std::sin(b));
  };
  for (int i = 0; i < kRound; ++i)
    for (int j = 0; j < kThin; ++j) {
      Corner3 one, two;
      one.points = {point(i, j), point(i + 1, j), point(i + 1, j + 1)};
      two.points = {point(i, j), point(i + 1, j + 1), point(i, j + 1)};
      out.triangles.push_back(one);
      out.triangles.push_back(two);
    }
  return out;
}

struct Forms {
  Solid shaft = standing(unit(Shape::Type::cylinder)), head = standing(unit(Shape::Type::cone));
  Solid cone = funnel();
  std::array<Solid, 3> modes{ring(), unit(Shape::Type::box), pyramid()};
};
const Forms& forms() {
  static const Forms kForms;
  return kForms;
}

}  // namespace

std::array<std::uint8_t, 3> error_colour(double error) {
  if (!(error >= 0)) return kUnknown;
  const double part = (std::log10(std::max(error, 1e-300)) + 10) / 9;
  const double at = std::clamp(part, 0.0, 1.0) * (kHeat.size() - 1);
  const std::size_t k = std::min<std::size_t>(static_cast<std::size_t>(at), kHeat.size() - 2);
  Rgb out;
  for (std::size_t c = 0; c < 3; ++c)
    out[c] = static_cast<std::uint8_t>(
        std::lround(kHeat[k][c] + (at - static_cast<double>(k)) * (kHeat[k + 1][c] - kHeat[k][c])));
  return out;
}

void mark_contacts(Image& image, const Scene& scene, const std::vector<ContactForce>& contacts,
                   const Show& show, const Camera& camera) {
  if (contacts.empty()) return;
  const Typical body = typical(scene);
  Marker marker(image, camera, view_axes(scene, camera.view));
  const double thick = std::max(0.035 * body.size, 1.1 * marker.pixel());
  const double big = std::max(0.075 * body.size, 2.6 * marker.pixel());
  for (const ContactForce& contact : contacts) {
    if (!contact.point.allFinite() || !contact.force.allFinite() || !contact.normal.allFinite())
      continue;
    const double newtons = contact.force.norm();
    if (newtons > 1e-3 * body.weight) {
      const double part = newtons / body.weight;
      const double length = 1.5 * body.size * (part > 1 ? std::sqrt(part) : part);
      const Vector3d along = contact.force / newtons;
      if (show.forces) {
        const double tip = std::min(4.5 * thick, 0.6 * length), wide = tip / 4.5;
        marker.solid(forms().shaft, contact.point, along, {wide, wide, length - tip}, kForce);
        marker.solid(forms().head, contact.point + (length - tip) * along, along,
                     {2.2 * wide, 2.2 * wide, tip}, kForce);
      }
      if (show.cones) {
        const double high = std::max(length * along.dot(contact.normal), 1e-3 * body.size);
        marker.cone(forms().cone, contact.point, contact.normal,
                    {contact.mu * high, contact.mu * high, high});
      }
    }
    if (show.error) {
      const std::size_t mode = static_cast<std::size_t>(std::clamp<int>(contact.mode, 0, 2));
      // The box is one metre wide, its mark 1.4 sizes.
      const double side = mode == 1 ? 1.4 * big : big;
      marker.solid(forms().modes[mode], contact.point, contact.normal, Vector3d::Constant(side),
                   error_colour(contact.error));
    }
  }
  marker.lay();
}

}  // namespace perpend::draw
