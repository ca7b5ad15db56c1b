// Pictures of scenes (PNG, or SVG with a PNG inside) and line plots (SVG).
//
// You pass states; you get the bytes of a file. The same input gives the same bytes.
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
// The bytes of a PNG file. Throws std::runtime_error if libpng refuses the image: without pixels,
// or too large.
std::string png(const Image&);

// ---- Scenes ----

// The direction of view, in degrees. The azimuth counts from +x towards +y (-90: seen from -y, with
// x to the right), the elevation from the horizon up. Up is against gravity, or z without gravity.
struct View {
  double azimuth = -65, elevation = 20;
};

// A row of pictures: some moments of one run.
struct Row {
  std::string title;  // empty: no line above the row
  std::vector<State> states;
};

struct PictureOptions {
  View view;
  int width = 1200;     // pixels
  bool strobe = false;  // all moments of a row in one picture, the earlier ones paler
  bool glass = true;    // fixed bodies in front of moving ones are transparent
};

// Draws rows of moments with one camera, which sees every moving body at every moment. Bodies
// whose position is not finite are left out. Precondition: invalid(scene) is empty, and every state
// has a row per body.
Image picture(const Scene&, const std::vector<Row>&, const PictureOptions& = {});
// The same as an SVG: the picture, with labels as text.
std::string picture_svg(const Scene&, const std::vector<Row>&, const PictureOptions& = {});

// For one moment without labels: an orthographic camera that looks at `centre`. Half of the
// picture's width shows `half_width` metres.
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
  std::vector<double> x, y;  // points that are not finite, or not positive on a log axis, break
                             // the line
  bool marks = false;        // a dot at every point
  bool guide = false;        // a thin dashed line beside the data, such as a slope
};

struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
};

// Plots side by side, light or dark as the reader's browser prefers. Every curve is a <path> of
// class "curve" or "guide" with its label as <title>; every mark is a <circle>.
std::string svg(const std::vector<Plot>&, int width = 1000, int height = 420);

}  // namespace perpend::draw
