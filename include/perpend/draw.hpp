// Pictures: what a scene looked like at some moments of a run, as shaded solids (PNG, or SVG around
// it), and line plots (SVG). Nothing here knows a simulator: states go in, bytes come out, and the
// same input gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "perpend/scene.hpp"

namespace perpend::draw {

// Eight bits per channel, rows from the top, sRGB.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
  std::array<std::uint8_t, 3> at(int x, int y) const;
};
// The bytes of the file. Throws std::runtime_error for an image that libpng does not take: one
// without pixels, or too large.
std::string png(const Image&);

// ---- Scenes ----

// From where one looks, degrees: the azimuth counts from +x towards +y (-90: from -y, x to the
// right), the elevation above the horizon. Up is against gravity, or z without it.
struct View {
  double azimuth = -65, elevation = 20;
};

// A row of moments with the name of what was run.
struct Row {
  std::string title;  // empty: no line above the row
  std::vector<State> states;
};

struct PictureOptions {
  View view;
  int width = 1200;     // pixels
  bool strobe = false;  // all moments of a row in one picture, the earlier ones paler
  bool glass = true;    // fixed bodies that stand in front of moving ones are drawn see-through
};

// Rows of moments under one camera, which sees every moving body at every moment. Precondition:
// invalid(scene) is empty, every state has a row per body. A body whose position is not finite is
// left out.
Image picture(const Scene&, const std::vector<Row>&, const PictureOptions& = {});
// The same with its words as text: an SVG that holds the picture.
std::string picture_svg(const Scene&, const std::vector<Row>&, const PictureOptions& = {});

// One moment without words. An orthographic camera looks at `centre`; `half_width` metres (>0) of
// the world lie between the middle and the right border.
struct Camera {
  View view;
  Vector3d centre = Vector3d::Zero();
  double half_width = 1;
};
Image snapshot(const Scene&, const State&, const Camera&, int width, int height, bool glass = true);

// The state of a scene at its start.
State start_state(const Scene&);

// ---- Plots ----

struct Axis {
  std::string label;
  bool log = false;
};

struct Curve {
  std::string label;         // in the legend; empty: not there
  std::vector<double> x, y;  // points that are not finite, or not positive on a log axis, are left
                             // out and break the line
  bool marks = false;        // a dot at every point
  bool guide = false;        // a thin dashed line beside the data, such as a slope
};

struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
};

// Plots side by side. Light on light pages and dark on dark ones, where the reader's program tells.
// Every curve is a <path class="curve">, or "guide", with its label as <title>; every mark a
// <circle>.
std::string svg(const std::vector<Plot>&, int width = 1000, int height = 420);

}  // namespace perpend::draw
