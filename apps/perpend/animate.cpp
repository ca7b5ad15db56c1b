#include "animate.hpp"

#include <cmath>

#include "encoder.hpp"
#include "glb.hpp"
#include "in_order.hpp"
#include "interrupt.hpp"
#include "perpend/cli.hpp"
#include "perpend/host.hpp"
#include "perpend/io/files.hpp"
#include "picture_file.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

constexpr double kMostFrames = 1e5;

// Between two states of a run.
State between(const State& a, const State& b, double time) {
  const double part = b.time > a.time ? (time - a.time) / (b.time - a.time) : 1;
  if (part >= 1 - 1e-9) return b;
  if (part <= 1e-9) return a;
  State out = b;
  out.time = time;
  out.positions = (1 - part) * a.positions + part * b.positions;
  for (Index i = 0; i < b.quaternions.rows(); ++i) {
    const auto p = a.quaternions.row(i), q = b.quaternions.row(i);
    if (!p.allFinite() || !q.allFinite()) continue;
    const Eigen::Quaterniond from(p[0], p[1], p[2], p[3]), to(q[0], q[1], q[2], q[3]);
    const Eigen::Quaterniond mean = from.slerp(part, to);
    out.quaternions.row(i) << mean.w(), mean.x(), mean.y(), mean.z();
  }
  return out;
}

}  // namespace

void add_animate_options(CLI::App& command, AnimateRequest& request) {
  command
      .add_option(
          "--animate", request.file,
          "Make a moving picture: .gif and .mp4 need ffmpeg; .glb is for Blender and three.js")
      ->type_name("FILE.gif|mp4|glb");
  command.add_option("--fps", request.fps, "Frames a second [gif 25, mp4 30, glb 60]")
      ->transform(cli::whole(1, 120))
      ->type_name("N");
  command.add_option("--slow", request.slow, "Slow motion: N times as long as the run took [1]")
      ->check(positive())
      ->type_name("N");
  command.add_option("--from", request.from, "Begin at this time of the run, in s [its start]")
      ->check(CLI::NonNegativeNumber)
      ->type_name("T");
  command.add_option("--width", request.width, "Pixels [gif 640, mp4 800; two runs 800, 960]")
      ->transform(cli::whole(64, 4096))
      ->type_name("N");
}

Animation::Format Animation::format_of(const std::string& file) {
  check_ending("--animate", file, {".gif", ".mp4", ".glb"});
  return file.ends_with(".gif") ? Format::gif : file.ends_with(".glb") ? Format::glb : Format::mp4;
}

Animation::Animation(const AnimateRequest& request, const Look& look, double end,
                     const Globals& globals)
    : request_(request),
      look_(look),
      globals_(globals),
      format_(format_of(request.file)),
      file_(request.file, Output::Content::text) {
  fps_ = request.fps > 0          ? request.fps
         : format_ == Format::gif ? 25
         : format_ == Format::mp4 ? 30
                                  : 60;
  slow_ = request.slow > 0 ? request.slow : 1;
  from_ = std::max(request.from, 0.0);
  if (from_ > end)
    throw UsageError("--from: " + brief(from_) + " s is after the end of the run, " + brief(end) +
                     " s");
  if (const double frames = (end - from_) * fps_ * slow_; frames > kMostFrames)
    throw UsageError("--animate: " + brief(frames) + " frames; at most " + brief(kMostFrames));
  if (format_ == Format::gif && fps_ > 50)
    throw UsageError("--fps: a GIF has at most 50 frames a second");
  if (format_ == Format::glb) {
    if (look_.show.any()) throw UsageError("--show: a .glb file holds bodies only");
    if (!has_gltf())
      throw UsageError(
          "--animate: this program was built without tinygltf (libtinygltf-dev), which "
          "writes .glb files");
    return;
  }
  ffmpeg_ = host::program_on_path("ffmpeg");
  if (ffmpeg_.empty())
    throw UsageError(
        "--animate: ffmpeg, which makes .gif and .mp4 files, is not on the PATH "
        "(Debian: apt install ffmpeg)");
}

double Animation::time_of(std::size_t frame) const {
  return from_ + static_cast<double>(frame) / (fps_ * slow_);
}

void Animation::run(const Scene& scene, const std::string& title) {
  clips_.push_back({scene, {title.empty() ? io::printable(scene.name) : title, {}, {}}});
  last_ = {};
}

void Animation::see(const Moment& moment) {
  draw::Row& run = clips_.back().run;
  const bool first = last_.state.positions.rows() == 0;
  if (first) last_ = moment;
  // A run that begins later than the film, such as one that was restored.
  if (first && clips_.size() == 1) from_ = std::max(from_, moment.state.time);
  const double slack = 1e-6 / (fps_ * slow_);
  while (time_of(run.states.size()) <= moment.state.time + slack) {
    run.states.push_back(between(last_.state, moment.state, time_of(run.states.size())));
    if (look_.show.any()) run.contacts.push_back(moment.contacts);
  }
  last_ = moment;
}

void Animation::write() {
  if (interrupted()) return;
  std::erase_if(clips_, [](const draw::Clip& clip) { return clip.run.states.empty(); });
  if (clips_.empty()) return;
  if (format_ == Format::glb)
    file_.write(glb(clips_, slow_));
  else
    encode();
  if (!interrupted()) file_.commit();
}

void Animation::encode() {
  const bool gif = format_ == Format::gif, several = clips_.size() > 1;
  draw::FilmOptions options;
  options.view = look_.view;
  options.glass = look_.glass;
  options.show = look_.show;
  options.slow = slow_;
  options.width = request_.width > 0 ? request_.width
                  : gif              ? (several ? 800 : 640)
                                     : (several ? 960 : 800);
  const draw::Film film(std::move(clips_), options);
  // Which frame comes when: those that choose the colours of a GIF, then all.
  const std::size_t count = film.frames();
  const std::size_t colours = gif ? std::min(Encoder::kColourFrames, count) : 0;
  const auto number = [&](std::size_t i) {
    return i >= colours ? i - colours : colours > 1 ? i * (count - 1) / (colours - 1) : 0;
  };
  Encoder encoder(ffmpeg_, gif ? VideoFormat::gif : VideoFormat::mp4, film.width(), film.height(),
                  fps_, colours);
  ProgressBar bar(globals_, "frames", static_cast<long>(colours + count));
  in_order<std::size_t, draw::Image>(
      globals_.threads, colours + count,
      [&](std::size_t i) {
        return interrupted() ? std::nullopt : std::optional<std::size_t>(number(i));
      },
      [&](std::size_t& frame) { return film.frame(frame); },
      [&](std::size_t i, const draw::Image& image) {
        encoder.add(image);
        bar.show(static_cast<long>(i) + 1);
      });
  if (interrupted()) return;
  if (const std::optional<std::string> film_file = encoder.finish()) file_.write(*film_file);
}

}  // namespace perpend::app
