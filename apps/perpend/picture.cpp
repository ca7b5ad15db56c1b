#include "picture.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "contact_model.hpp"
#include "picture_file.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

constexpr Index kMoments = 6;

std::vector<double> numbers(const std::string& option, const std::string& text) {
  std::vector<double> out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    double value = 0;
    const char* end = text.data() + comma;
    const auto [stopped, error] = std::from_chars(text.data() + from, end, value);
    if (error != std::errc() || stopped != end || !std::isfinite(value))
      throw UsageError(option + ": '" + text.substr(from, comma - from) + "' is not a number");
    out.push_back(value);
    from = comma + 1;
  }
  return out;
}

std::vector<Index> moments(const std::string& at, double h, Index steps) {
  std::vector<Index> out;
  if (at.empty()) {
    for (Index i = 0; i < kMoments; ++i) out.push_back(i * steps / (kMoments - 1));
  } else {
    const double end = h * static_cast<double>(steps);
    for (double time : numbers("--at", at)) {
      if (time < 0 || time > end + h / 2)
        throw UsageError("--at: " + brief(time) + " s is outside the run of " + brief(end) + " s");
      out.push_back(std::clamp<Index>(std::lround(time / h), 0, steps));
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

draw::View view_of(const std::string& text) {
  draw::View view;
  if (text.empty()) return view;
  const std::vector<double> angles = numbers("--view", text);
  if (angles.size() != 2) throw UsageError("--view: give AZIMUTH,ELEVATION in degrees");
  if (std::abs(angles[1]) > 90)
    throw UsageError("--view: the elevation " + brief(angles[1]) + " is not in -90..90");
  view.azimuth = angles[0];
  view.elevation = angles[1];
  return view;
}

// The same run in another engine or with another contact model.
SimulateOptions other_run(const std::string& what, SimulateOptions options) {
  options.out.clear();
  options.hash_every = 0;
  if (what == "bullet") {
    options.engine = "bullet";
    return options;
  }
  options.engine = "perpend";
  if (const auto model = contact_model(what)) {
    options.step.contacts = *model;
    return options;
  }
  throw UsageError("--beside: '" + what +
                   "' is not bullet, one-direction, nonconvex or conjunctive");
}

std::string title_of(const SimulateOptions& options, bool same_engine) {
  if (options.engine == "bullet") return "stock Bullet " + bullet_version();
  if (!same_engine && options.step.contacts == ContactModel::one_direction) return "Perpend";
  return "Perpend, " + std::string(name(options.step.contacts)) + " contacts";
}

}  // namespace

void add_picture_options(CLI::App& command, PictureRequest& request) {
  command.add_option("--picture", request.file, "Draw the run at several times")
      ->type_name("FILE.png|svg");
  command.add_option("--at", request.at, "Times to draw, in s [six, equally spaced]")
      ->type_name("T,T,...");
  command
      .add_option("--view", request.view,
                  "Direction of view: azimuth from +x towards +y, elevation, in degrees [-65,20]")
      ->type_name("A,E");
  command.add_flag("--strobe", request.strobe, "All times in one picture, earlier ones paler");
  command.add_flag("--solid", request.solid,
                   "Do not draw fixed bodies transparent where they hide moving ones");
  command
      .add_option("--beside", request.beside,
                  "Also draw another run: bullet, or a contact model (one-direction, nonconvex, "
                  "conjunctive)")
      ->type_name("WHAT");
}

Pictures::Pictures(const PictureRequest& request, const Scene& scene,
                   const SimulateOptions& options)
    : scene_(scene),
      svg_((check_ending("--picture", request.file, {".png", ".svg"}),
            !request.file.ends_with(".png"))),
      file_(request.file, Output::Content::text) {
  options_.view = view_of(request.view);
  options_.strobe = request.strobe;
  options_.glass = !request.solid;
  if (!request.beside.empty()) beside_ = other_run(request.beside, options);
  h_ = options.h > 0 ? options.h : scene.step;
  steps_ = moments(request.at, h_, options.steps >= 0 ? options.steps : scene.steps);
}

std::function<void(const State&)> Pictures::row(const SimulateOptions& options) {
  const bool same_engine = beside_ && beside_->engine == "perpend";
  rows_.push_back({beside_ ? title_of(options, same_engine) : "", {}});
  return [this](const State& state) {
    if (std::binary_search(steps_.begin(), steps_.end(), std::lround(state.time / h_)))
      rows_.back().states.push_back(state);
  };
}

void Pictures::write() {
  if (rows_.empty() || rows_.front().states.empty()) return;
  file_.write(svg_ ? draw::picture_svg(scene_, rows_, options_)
                   : draw::png(draw::picture(scene_, rows_, options_)));
  file_.commit();
}

}  // namespace perpend::app
