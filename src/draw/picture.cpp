// Moments of a run beside each other, or one over the other, under one camera.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "draw/canvas.hpp"
#include "draw/contact_marks.hpp"
#include "draw/lettering.hpp"
#include "draw/matters.hpp"
#include "draw/render.hpp"
#include "draw/ticks.hpp"
#include "draw/xml.hpp"
#include "perpend/base.hpp"
#include "perpend/draw.hpp"

namespace perpend::draw {
namespace {

constexpr int kMargin = 14, kGap = 10, kGroupGap = 24, kLabel = 30, kTitle = 38;  // pixels
constexpr double kLetters = 12.5;                                                 // of a capital
constexpr double kRoom = 0.18;                    // around the moving bodies, of their radius
constexpr double kTallest = 0.42, kWidest = 2.4;  // width over height of one panel
constexpr double kNarrow = 0.7;  // width over height: so are panels that stand beside each other
constexpr std::size_t kMostBeside = 10;  // panels
constexpr double kMostHeight = 0.72;     // of the picture, over its width
constexpr double kMuchTooLarge = 3;      // than what matters: the rest is not looked at
constexpr double kChord = 0.12;          // pixels that a round outline may be off

struct Panel {
  std::vector<const State*> states;
  const std::vector<ContactForce>* contacts = nullptr;  // of the last state
  std::string label, title;
  int group = 0;  // which run, where several stand beside each other
};
struct PanelRow {
  std::string title;
  std::vector<Panel> panels;
};
struct Layout {
  int columns = 1;
  int panel_width = 1, panel_height = 1;
  int height = 1;  // of the picture
};
struct Label {
  double x, y;
  Align align;
  std::string words;
  bool title;
};
struct PlacedImage {
  int x, y;
  Image image;
};

// Enough digits to tell the moments apart.
std::string time_label(double time, double apart) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(apart) - 1e-6)) + 1, 0, 6);
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, time);
  std::string number = text;
  if (number.find('.') != std::string::npos) {
    while (number.back() == '0') number.pop_back();
    if (number.back() == '.') number.pop_back();
  }
  return (number == "-0" ? "0" : number);
}

double least_apart(const std::vector<State>& states) {
  double least = 1;
  for (std::size_t i = 0; i + 1 < states.size(); ++i)
    if (states[i + 1].time > states[i].time)
      least = std::min(least, states[i + 1].time - states[i].time);
  return least;
}

std::vector<PanelRow> panels(const std::vector<Row>& rows, bool strobe) {
  std::vector<PanelRow> out;
  for (const Row& row : rows) {
    PanelRow one{row.title, {}};
    const double apart = least_apart(row.states);
    std::string times;
    for (std::size_t s = 0; s < row.states.size(); ++s) {
      const State& state = row.states[s];
      const std::vector<ContactForce>* contacts =
          s < row.contacts.size() ? &row.contacts[s] : nullptr;
      const std::string time = time_label(state.time, apart);
      if (strobe) {
        if (one.panels.empty()) one.panels.emplace_back();
        times += (times.empty() ? "" : ", ") + time;
        one.panels.front().states.push_back(&state);
        one.panels.front().contacts = contacts;
        one.panels.front().label = "t = " + times + " s";
      } else {
        one.panels.push_back({{&state}, contacts, "t = " + time + " s", "", 0});
      }
    }
    if (!one.panels.empty()) out.push_back(std::move(one));
  }
  return out;
}

// Runs with one panel each, or with a few narrow ones, stand beside each other.
void set_beside(std::vector<PanelRow>& rows, double aspect) {
  std::size_t count = 0, most = 0;
  for (const PanelRow& row : rows) {
    count += row.panels.size();
    most = std::max(most, row.panels.size());
  }
  if (rows.size() < 2 || (most > 1 && (aspect > kNarrow || count > kMostBeside))) return;
  PanelRow beside;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r].panels.front().title = rows[r].title;
    for (Panel& panel : rows[r].panels) {
      panel.group = static_cast<int>(r);
      beside.panels.push_back(std::move(panel));
    }
  }
  rows = {beside};
}

// Pixels above the panels of a row for their titles.
int title_height(const PanelRow& row) {
  const bool any = std::any_of(row.panels.begin(), row.panels.end(),
                               [](const Panel& panel) { return !panel.title.empty(); });
  return any ? kTitle : 0;
}

// As few columns as keep the picture from getting too high.
Layout layout(const std::vector<PanelRow>& rows, double aspect, int width) {
  int most = 1;
  int groups = 0;
  for (const PanelRow& row : rows) {
    most = std::max(most, static_cast<int>(row.panels.size()));
    groups = std::max(groups, row.panels.back().group);
  }
  Layout out;
  const bool beside = std::any_of(rows.begin(), rows.end(),
                                  [](const PanelRow& row) { return title_height(row) > 0; });
  for (int columns = beside ? most : 1; columns <= most; ++columns) {
    // Full rows; with five or more moments the last one may have a gap.
    const int lines_of_longest = (most + columns - 1) / columns;
    if (most < 5 ? most % columns != 0
                 : (most + lines_of_longest - 1) / lines_of_longest != columns)
      continue;
    out.columns = columns;
    const int gaps = (columns - 1) * kGap + groups * kGroupGap;
    out.panel_width = std::max(16, (width - 2 * kMargin - gaps) / columns);
    out.panel_height = std::max(16, static_cast<int>(std::lround(out.panel_width / aspect)));
    out.height = 2 * kMargin;
    for (const PanelRow& row : rows) {
      const int lines = (static_cast<int>(row.panels.size()) + columns - 1) / columns;
      out.height += lines * (title_height(row) + out.panel_height + kLabel) +
                    (row.title.empty() ? 0 : kTitle);
    }
    const double limit = kMostHeight * (rows.size() > 1 ? 1.25 : 1);
    if (out.height <= limit * width) break;
  }
  return out;
}

struct Composition {
  int width = 0, height = 0;
  std::vector<PlacedImage> images;
  std::vector<Label> labels;
};

Composition compose(const Scene& scene, const std::vector<Row>& rows,
                    const PictureOptions& options) {
  std::vector<PanelRow> all = panels(rows, options.strobe);
  std::vector<const State*> states;
  for (const PanelRow& row : all)
    for (const Panel& panel : row.panels)
      states.insert(states.end(), panel.states.begin(), panel.states.end());
  const Matrix3d axes = view_axes(scene, options.view);
  const Bounds about = what_matters({{&scene, states}}, axes, kMuchTooLarge);
  const double radius = std::max(about.radius(), 1e-9);
  Camera camera;
  camera.view = options.view;
  camera.centre = axes.transpose() * about.centre();
  double half_x = (about.upper - about.lower).x() / 2 + kRoom * radius;
  double half_y = (about.upper - about.lower).y() / 2 + kRoom * radius;
  half_x = std::max(half_x, kTallest * half_y);
  half_y = std::max(half_y, half_x / kWidest);
  camera.half_width = half_x;
  const double aspect = half_x / half_y;
  set_beside(all, aspect);
  const Layout places = layout(all, aspect, options.width);
  const double chord = kChord * 2 * half_x / places.panel_width;
  const double reach = std::hypot(half_x, half_y);

  const auto staged = [&](const Panel& panel) {
    std::vector<float> pale;
    for (std::size_t s = 0; s < panel.states.size(); ++s)
      pale.push_back(0.72f * static_cast<float>(panel.states.size() - 1 - s) /
                     static_cast<float>(std::max<std::size_t>(panel.states.size() - 1, 1)));
    return stage(scene, panel.states, pale, camera, about, chord, reach);
  };
  std::vector<bool> glass;
  if (options.glass)
    for (const PanelRow& row : all)
      for (const Panel& panel : row.panels) find_glass(staged(panel), camera, aspect, glass);

  Composition out;
  out.width = options.width;
  out.height = places.height + (options.show.error ? kLabel : 0);
  int y = kMargin;
  for (const PanelRow& row : all) {
    if (!row.title.empty()) {
      out.labels.push_back({kMargin + 4.0, y + kTitle - 16.0, Align::left, row.title, true});
      y += kTitle;
    }
    const int columns = std::min(places.columns, static_cast<int>(row.panels.size()));
    const int used =
        columns * places.panel_width + (columns - 1) * kGap + row.panels.back().group * kGroupGap;
    const int left = (options.width - used) / 2;
    for (std::size_t i = 0; i < row.panels.size(); ++i) {
      const int column = static_cast<int>(i) % columns;
      if (column == 0) y += title_height(row) + (i > 0 ? places.panel_height + kLabel : 0);
      Stage one = staged(row.panels[i]);
      for (std::size_t p = 0; p < one.pieces.size() && p < glass.size(); ++p)
        one.pieces[p].glass = glass[p] && !one.pieces[p].moving;
      const int x = left + column * (places.panel_width + kGap) + row.panels[i].group * kGroupGap;
      if (!row.panels[i].title.empty())
        out.labels.push_back({x + 4.0, y - 16.0, Align::left, row.panels[i].title, true});
      Image drawn = render(one, camera.half_width, places.panel_width, places.panel_height);
      if (row.panels[i].contacts && options.show.any())
        mark_contacts(drawn, scene, *row.panels[i].contacts, options.show, camera);
      out.images.push_back({x, y, std::move(drawn)});
      out.labels.push_back({x + places.panel_width / 2.0, y + places.panel_height + kLabel - 11.0,
                            Align::middle, row.panels[i].label, false});
    }
    y += places.panel_height + kLabel;
  }
  return out;
}

// The pixels of the panels, without words.
Image pasted(const Composition& all) {
  Image image = blank(all.width, all.height);
  for (const PlacedImage& placed : all.images) paste(image, placed.image, placed.x, placed.y);
  return image;
}

}  // namespace

Image picture(const Scene& scene, const std::vector<Row>& rows, const PictureOptions& options) {
  const Composition all = compose(scene, rows, options);
  Image image = pasted(all);
  if (options.show.error) paste_error_scale(image, kMargin + 4.0, all.height - kLetters, kLetters);
  for (const Label& label : all.labels)
    letter(image, label.x, label.y, kLetters, label.align, label.words, label.title ? 1.5 : 1);
  return image;
}

std::string picture_svg(const Scene& scene, const std::vector<Row>& rows,
                        const PictureOptions& options) {
  const Composition all = compose(scene, rows, options);
  Image image = pasted(all);
  if (options.show.error) paste_error_scale(image, kMargin + 4.0, all.height - kLetters, kLetters);
  std::string out = svg_start(all.width, all.height);
  out += "<image width=\"" + std::to_string(all.width) + "\" height=\"" +
         std::to_string(all.height) + "\" href=\"data:image/png;base64," + base64(png(image)) +
         "\"/>\n";
  const std::string font =
      "font-family=\"DejaVu Sans,Verdana,Helvetica,Arial,sans-serif\" "
      "fill=\"#262626\"";
  for (const Label& label : all.labels)
    out += text(label.x, label.y, 17,
                label.align == Align::left     ? "start"
                : label.align == Align::middle ? "middle"
                                               : "end",
                label.words, font + (label.title ? " font-weight=\"bold\"" : ""));
  return out + "</svg>\n";
}

Image snapshot(const Scene& scene, const State& state, const Camera& camera, int width, int height,
               bool glass) {
  const Bounds about = bounds(scene, {&state}, view_axes(scene, camera.view));
  const double aspect = static_cast<double>(width) / height;
  const double chord = kChord * 2 * camera.half_width / width;
  Stage one = stage(scene, {&state}, {0.0f}, camera, about, chord,
                    std::hypot(camera.half_width, camera.half_width / aspect));
  std::vector<bool> mark;
  if (glass) find_glass(one, camera, aspect, mark);
  for (std::size_t p = 0; p < mark.size(); ++p) one.pieces[p].glass = mark[p];
  return render(one, camera.half_width, width, height);
}

State start_state(const Scene& scene) {
  const auto n = static_cast<Index>(scene.bodies.size());
  State state;
  state.positions.resize(n, 3);
  state.quaternions.resize(n, 4);
  state.velocities.resize(n, 6);
  for (Index i = 0; i < n; ++i) {
    const Body& body = scene.bodies[static_cast<std::size_t>(i)];
    const Eigen::Quaterniond& q = body.pose.orientation;
    state.positions.row(i) = body.pose.position + q * centre_of_mass(body);
    state.quaternions.row(i) << q.w(), q.x(), q.y(), q.z();
    state.velocities.row(i) = body.velocity;
  }
  return state;
}

}  // namespace perpend::draw
