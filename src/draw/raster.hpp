// Filling triangles, sample by sample.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace perpend::draw {

// Calls put(x, y, a, b, c) for every sample (x, y) whose middle lies in the triangle, borders
// included, with its barycentric coordinates; coordinates are in samples from the upper left
// corner.
template <class Put>
void fill(const Eigen::Vector2f& pa, const Eigen::Vector2f& pb, const Eigen::Vector2f& pc,
          int width, int height, Put&& put) {
  const auto cross = [](const Eigen::Vector2f& u, const Eigen::Vector2f& v) {
    return static_cast<double>(u.x()) * static_cast<double>(v.y()) -
           static_cast<double>(u.y()) * static_cast<double>(v.x());
  };
  const double area = cross(pb - pa, pc - pa);
  if (!(std::abs(area) > 0)) return;
  const float left = std::min({pa.x(), pb.x(), pc.x()}), right = std::max({pa.x(), pb.x(), pc.x()});
  const float top = std::min({pa.y(), pb.y(), pc.y()}), low = std::max({pa.y(), pb.y(), pc.y()});
  if (!(right > 0) || !(low > 0) || !(left < static_cast<float>(width)) ||
      !(top < static_cast<float>(height)))
    return;
  const int x0 = static_cast<int>(std::max(left, 0.0f));
  const int x1 = static_cast<int>(std::min(right, static_cast<float>(width - 1)));
  const int y0 = static_cast<int>(std::max(top, 0.0f));
  const int y1 = static_cast<int>(std::min(low, static_cast<float>(height - 1)));
  constexpr double kBorder = -1e-6;
  for (int y = y0; y <= y1; ++y) {
    // Where on this row the triangle can be, a sample more to each side: the test below decides.
    double from = x0, to = x1;
    const Eigen::Vector2f first(static_cast<float>(x0) + 0.5f, static_cast<float>(y) + 0.5f);
    for (const auto& [u, v] : {std::pair{&pb, &pc}, std::pair{&pc, &pa}, std::pair{&pa, &pb}}) {
      const double here = cross(*v - *u, first - *u) / area;
      const double slope = -static_cast<double>(v->y() - u->y()) / area;
      const double border = x0 + (kBorder - here) / slope;
      if (slope > 0) from = std::max(from, border - 1);
      if (slope < 0) to = std::min(to, border + 1);
    }
    if (!(from <= to)) continue;
    for (int x = static_cast<int>(from), end = static_cast<int>(std::ceil(to)); x <= end; ++x) {
      const Eigen::Vector2f p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
      const double a = cross(pc - pb, p - pb) / area;
      const double b = cross(pa - pc, p - pc) / area;
      const double c = 1 - a - b;
      if (a < kBorder || b < kBorder || c < kBorder) continue;
      put(x, y, static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
    }
  }
}

}  // namespace perpend::draw
