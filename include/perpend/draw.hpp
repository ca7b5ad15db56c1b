// Pictures of scenes (PNG, or SVG with a PNG inside), frames of moving pictures, and line plots
// (SVG).
//
// You pass states; you get the bytes of a file. The same input gives the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
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

// What is drawn of contacts. It is seen through the bodies.
struct Show {
  // Arrows. The weight of a typical body is as long as three quarters of one; beyond it length
  // grows with the square root of the force.
  bool forces = false;
  bool cones = false;  // friction cones, as high as the normal part of the arrow
  // Marks in the colour of each contact's error: blue 1e-10 m/s, red 0.1 m/s, grey not known. A
  // ring is open, a cube sticks, a pyramid slides.
  bool error = false;
  bool any() const { return forces || cones || error; }
};
// The colour of an error, sRGB.
std::array<std::uint8_t, 3> error_colour(double error);

// A row of pictures: some moments of one run.
struct Row {
  std::string title;  // empty: no line above the row
  std::vector<State> states;
  std::vector<std::vector<ContactForce>> contacts = {};  // of each state; empty: none
};

struct PictureOptions {
  View view;
  int width = 1200;     // pixels
  bool strobe = false;  // all moments of a row in one picture, the earlier ones paler
  bool glass = true;    // fixed bodies in front of moving ones are transparent
  Show show;
};

// Draws rows of moments with one camera. It sees every moving body at every moment, except where a
// few that are far away would make the others very small. Bodies whose position is not finite are
// left out. Precondition: invalid(scene) is empty, and every state has a row per body.
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

// ---- Moving pictures ----

// One of the runs that are seen beside each other.
struct Clip {
  Scene scene;
  Row run;  // a state for each frame; a run that ends early stays at its last one
};

struct FilmOptions {
  View view;
  int width = 800;  // pixels; width and height of the frames are even
  bool glass = true;
  Show show;
  double slow = 1;  // told beside the time
};

// All frames of a film have one camera. It sees every moving body at every moment, except where a
// few that are far away would make the others small.
class Film {
 public:
  // Precondition: one or more clips with at least one state each.
  Film(std::vector<Clip>, const FilmOptions& = {});
  ~Film();
  Film(Film&&) noexcept;

  int width() const;
  int height() const;
  std::size_t frames() const;
  Image frame(std::size_t) const;  // several threads may draw at once

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The triangles of a body's shape, in the frame that its states tell: origin at the centre of mass.
// A plane is a square of `plane_half` metres to each side.
struct Mesh {
  std::vector<std::array<Vector3d, 3>> points, normals;
};
std::vector<Mesh> meshes(const Body&, double plane_half);  // one for each part
// The colour in which a body is drawn: linear light, 0 to 1.
std::vector<std::array<float, 3>> body_colours(const Scene&);

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

// Plots side by side, light or dark as the reader's browser prefers. Every curve is a `path` of
// class "curve" or "guide" with its label as `title`; every mark is a `circle`.
std::string svg(const std::vector<Plot>&, int width = 1000, int height = 420);

}  // namespace perpend::draw
