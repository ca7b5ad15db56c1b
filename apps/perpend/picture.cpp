#include "picture.hpp"

#include <algorithm>
#include <cmath>

#include "picture_file.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

constexpr Index kMoments = 6;

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

}  // namespace

void add_picture_options(CLI::App& command, PictureRequest& request) {
  command.add_option("--picture", request.file, "Draw the run at several times")
      ->type_name("FILE.png|svg");
  command.add_option("--at", request.at, "Times to draw, in s [six, equally spaced]")
      ->type_name("T,T,...");
  command.add_flag("--strobe", request.strobe, "All times in one picture, earlier ones paler");
}

Pictures::Pictures(const PictureRequest& request, const Look& look, const Scene& scene,
                   const SimulateOptions& options)
    : scene_(scene),
      svg_((check_ending("--picture", request.file, {".png", ".svg"}),
            !request.file.ends_with(".png"))),
      file_(request.file, Output::Content::text) {
  options_.view = look.view;
  options_.strobe = request.strobe;
  options_.glass = look.glass;
  options_.show = look.show;
  h_ = options.h > 0 ? options.h : scene.step;
  steps_ = moments(request.at, h_, options.steps >= 0 ? options.steps : scene.steps);
}

void Pictures::run(const Scene&, const std::string& title) { rows_.push_back({title, {}}); }

void Pictures::see(const Moment& moment) {
  if (!std::binary_search(steps_.begin(), steps_.end(), std::lround(moment.state.time / h_)))
    return;
  rows_.back().states.push_back(moment.state);
  rows_.back().contacts.push_back(moment.contacts);
}

void Pictures::write() {
  if (rows_.empty() || rows_.front().states.empty()) return;
  file_.write(svg_ ? draw::picture_svg(scene_, rows_, options_)
                   : draw::png(draw::picture(scene_, rows_, options_)));
  file_.commit();
}

}  // namespace perpend::app
