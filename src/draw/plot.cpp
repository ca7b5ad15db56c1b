// Line plots as SVG. Colours are the eight of Okabe and Ito (2008), which people with the common
// forms of colour blindness tell apart; black is left to axes and guides.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "draw/ticks.hpp"
#include "draw/xml.hpp"
#include "perpend/base/html_text.hpp"
#include "perpend/draw.hpp"

namespace perpend::draw {
namespace {

constexpr std::array<const char*, 7> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                              "#e69f00", "#56b4e9", "#8c6bb1"};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The card has a ground of its own, so that it can be read wherever it is shown.
constexpr const char* kStyle = R"(<style>
.card{fill:#ffffff}.grid{stroke:#e3e6ea}.minor{stroke:#c4c9d0}.axis{stroke:#57606a}
text{fill:#24292f;font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif}
.guide{stroke:#6e7781}.curve,.guide{fill:none;stroke-linejoin:round}.legend{fill:#ffffff;fill-opacity:0.85}
@media (prefers-color-scheme:dark){.card{fill:#0d1117}.grid{stroke:#21262d}.minor{stroke:#3d444d}
.axis{stroke:#9198a1}text{fill:#e6edf3}.guide{stroke:#9198a1}.legend{fill:#0d1117}}
</style>
)";

struct Box {
  double left, top, right, bottom;  // pixels
};

class Panel {
 public:
  Panel(const Plot& plot, const Box& outer) : plot_(plot), outer_(outer) {
    double x0 = kInfinity, x1 = -kInfinity, y0 = kInfinity, y1 = -kInfinity;
    for (const Curve& curve : plot.curves) {
      if (curve.guide) continue;  // guides are drawn inside what the data span
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (!drawable(curve.x[i], curve.y[i])) continue;
        x0 = std::min(x0, curve.x[i]);
        x1 = std::max(x1, curve.x[i]);
        y0 = std::min(y0, curve.y[i]);
        y1 = std::max(y1, curve.y[i]);
      }
    }
    x_ = widened(x0, x1, plot.x.log);
    y_ = widened(y0, y1, plot.y.log);
    y_ticks_ = ticks(y_, plot.y.log, 6);
    std::size_t longest = 1;
    for (const Tick& tick : y_ticks_) longest = std::max(longest, tick.label.size());
    inner_ = {outer.left + 40 + 7.5 * static_cast<double>(longest), outer.top + 34,
              outer.right - 18, outer.bottom - 50};
    place_legend();
  }

  std::string draw(int number) const {
    const std::string clip = "inside" + std::to_string(number);
    std::string out = axes();
    out += "<clipPath id=\"" + clip + "\"><rect" + rect(inner_) + "/></clipPath>\n";
    out += "<g clip-path=\"url(#" + clip + ")\">\n";
    std::size_t data = 0;
    for (const Curve& curve : plot_.curves) out += path(curve, curve.guide ? 0 : data++);
    out += "</g>\n" + legend();
    return out;
  }

 private:
  bool drawable(double x, double y) const {
    return std::abs(x) <= kLargest && std::abs(y) <= kLargest && (!plot_.x.log || x >= kSmallest) &&
           (!plot_.y.log || y >= kSmallest);
  }
  static double part(double value, const Range& range, bool log) {
    return log ? (std::log(value) - std::log(range.lower)) /
                     (std::log(range.upper) - std::log(range.lower))
               : (value - range.lower) / (range.upper - range.lower);
  }
  double px(double x) const {
    return inner_.left + (inner_.right - inner_.left) * part(x, x_, plot_.x.log);
  }
  double py(double y) const {
    return inner_.bottom - (inner_.bottom - inner_.top) * part(y, y_, plot_.y.log);
  }

  static std::string line(const char* kind, double x1, double y1, double x2, double y2) {
    return "<line class=\"" + std::string(kind) + "\" x1=\"" + pixels(x1) + "\" y1=\"" +
           pixels(y1) + "\" x2=\"" + pixels(x2) + "\" y2=\"" + pixels(y2) + "\"/>\n";
  }
  static std::string rect(const Box& box) {
    return " x=\"" + pixels(box.left) + "\" y=\"" + pixels(box.top) + "\" width=\"" +
           pixels(box.right - box.left) + "\" height=\"" + pixels(box.bottom - box.top) + "\"";
  }

  std::string axes() const {
    std::string out;
    for (const Tick& tick : ticks(x_, plot_.x.log, 6)) {
      const double x = px(tick.value);
      if (tick.label.empty()) {
        out += line("minor", x, inner_.bottom, x, inner_.bottom - 4);
        continue;
      }
      out += line("grid", x, inner_.top, x, inner_.bottom);
      out += text(x, inner_.bottom + 17, 12, "middle", tick.label);
    }
    for (const Tick& tick : y_ticks_) {
      const double y = py(tick.value);
      if (tick.label.empty()) {
        out += line("minor", inner_.left, y, inner_.left + 4, y);
        continue;
      }
      out += line("grid", inner_.left, y, inner_.right, y);
      out += text(inner_.left - 7, y + 4, 12, "end", tick.label);
    }
    out += line("axis", inner_.left, inner_.bottom, inner_.right, inner_.bottom);
    out += line("axis", inner_.left, inner_.top, inner_.left, inner_.bottom);
    const double middle = (inner_.left + inner_.right) / 2;
    out += text(middle, outer_.top + 20, 14, "middle", plot_.title, "font-weight=\"bold\"");
    out += text(middle, inner_.bottom + 38, 13, "middle", plot_.x.label);
    const double left = outer_.left + 20, half = (inner_.top + inner_.bottom) / 2;
    out += text(left, half, 13, "middle", plot_.y.label,
                "transform=\"rotate(-90 " + pixels(left) + " " + pixels(half) + ")\"");
    return out;
  }

  // A guide, or the data's curve of that number: seven colours, then the same dashed and dotted.
  static std::string stroke(const Curve& curve, std::size_t number) {
    if (curve.guide) return "class=\"guide\" stroke-width=\"1.2\" stroke-dasharray=\"5 4\"";
    const std::size_t round = number / kColours.size();
    std::string out = "class=\"curve\" stroke-width=\"2\" stroke=\"";
    out.append(kColours[number % kColours.size()]).append("\"");
    if (round > 0)
      out += round % 2 == 1 ? " stroke-dasharray=\"9 3\"" : " stroke-dasharray=\"2 3\"";
    return out;
  }

  std::string path(const Curve& curve, std::size_t number) const {
    const std::string colour = curve.guide ? "" : kColours[number % kColours.size()];
    std::string d, marks;
    bool open = false;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const bool drawn = drawable(curve.x[i], curve.y[i]);
      if (drawn) {
        const std::string x = pixels(px(curve.x[i])), y = pixels(py(curve.y[i]));
        d += (open ? "L" : "M") + x + " " + y;
        if (curve.marks)
          marks +=
              "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"3.5\" fill=\"" + colour + "\"/>\n";
      }
      open = drawn;
    }
    return "<path " + stroke(curve, number) + " d=\"" + d + "\"><title>" + html_text(curve.label) +
           "</title></path>\n" + marks;
  }

  // In a corner, halfway between two or in the middle, where the least of the curves lies under it;
  // where many curves leave no place free, beside the axes.
  void place_legend() {
    constexpr std::size_t kMany = 6;
    std::size_t longest = 0;
    for (const Curve& curve : plot_.curves)
      if (!curve.label.empty()) {
        ++labels_;
        longest = std::max(longest, curve.label.size());
      }
    const double width = 44 + 6.9 * static_cast<double>(longest);
    const double height = 10 + 17 * static_cast<double>(labels_);
    int fewest = std::numeric_limits<int>::max();
    const double right = inner_.right - width - 6, left = inner_.left + 8,
                 middle = (left + right) / 2;
    const double high = inner_.top + 4, low = inner_.bottom - height - 8, half = (high + low) / 2;
    using Place = std::pair<double, double>;
    for (const auto& [x, y] : {Place(right, high), Place(right, low), Place(left, high),
                               Place(left, low), Place(right, half), Place(left, half),
                               Place(middle, high), Place(middle, low), Place(middle, half)}) {
      const Box box{x, y, x + width, y + height};
      const int under = points_in(box);
      if (under >= fewest) continue;
      fewest = under;
      legend_ = box;
    }
    if (fewest == 0 || labels_ <= kMany) return;
    inner_.right -= width + 4;
    legend_ = {inner_.right + 8, inner_.top, inner_.right + 8 + width, inner_.top + height};
  }

  std::string legend() const {
    if (labels_ == 0) return {};
    std::string out = "<rect class=\"legend\" rx=\"4\"" + rect(legend_) + "/>\n";
    std::size_t number = 0;
    double y = legend_.top + 18;
    for (const Curve& curve : plot_.curves) {
      const std::string drawn = stroke(curve, curve.guide ? 0 : number++);
      if (curve.label.empty()) continue;
      out += "<line " + drawn + " x1=\"" + pixels(legend_.left + 8) + "\" x2=\"" +
             pixels(legend_.left + 30) + "\" y1=\"" + pixels(y - 4) + "\" y2=\"" + pixels(y - 4) +
             "\"/>\n";
      out += text(legend_.left + 37, y, 12, "start", curve.label);
      y += 17;
    }
    return out;
  }

  // How much of the curves, sampled along their pieces, lies in a box.
  int points_in(const Box& box) const {
    constexpr int kSamples = 16;
    int count = 0;
    for (const Curve& curve : plot_.curves)
      for (std::size_t i = 0; i + 1 < curve.x.size(); ++i) {
        if (!drawable(curve.x[i], curve.y[i]) || !drawable(curve.x[i + 1], curve.y[i + 1]))
          continue;
        for (int s = 0; s < kSamples; ++s) {
          const double t = static_cast<double>(s) / kSamples;
          const double x = px(curve.x[i]) + t * (px(curve.x[i + 1]) - px(curve.x[i]));
          const double y = py(curve.y[i]) + t * (py(curve.y[i + 1]) - py(curve.y[i]));
          count += x > box.left && x < box.right && y > box.top && y < box.bottom;
        }
      }
    return count;
  }

  const Plot& plot_;
  Box outer_, inner_{}, legend_{};
  std::size_t labels_ = 0;
  Range x_, y_;
  std::vector<Tick> y_ticks_;
};

}  // namespace

std::string svg(const std::vector<Plot>& plots, int width, int height) {
  std::string out = svg_start(width, height) + kStyle;
  out += "<rect class=\"card\" rx=\"8\" width=\"" + std::to_string(width) + "\" height=\"" +
         std::to_string(height) + "\"/>\n";
  const double each =
      static_cast<double>(width) / static_cast<double>(std::max<std::size_t>(plots.size(), 1));
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const double left = each * static_cast<double>(i);
    out += Panel(plots[i], {left, 0, left + each, static_cast<double>(height)})
               .draw(static_cast<int>(i));
  }
  return out + "</svg>\n";
}

}  // namespace perpend::draw
