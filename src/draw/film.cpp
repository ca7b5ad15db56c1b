// Frames of a moving picture: clips beside each other, above them their titles and the time.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "draw/canvas.hpp"
#include "draw/contact_marks.hpp"
#include "draw/lettering.hpp"
#include "draw/matters.hpp"
#include "draw/render.hpp"
#include "perpend/base.hpp"
#include "perpend/draw.hpp"

namespace perpend::draw {
namespace {

constexpr int kStrip = 34, kSeam = 2;  // pixels: above the picture; between clips
constexpr double kCapitals = 11.5;     // pixels, of the words
constexpr double kAround = 0.14;       // of the radius of what is looked at
// Width over height of one clip alone, and of one of several.
constexpr double kSlimmest = 1.5, kSlimmestBeside = 0.8, kWidestClip = 16.0 / 9;
constexpr double kRoundness = 0.25;  // pixels that a round outline may be off
constexpr double kMuchLarger = 1.4;  // than what matters: then the rest is not looked at
constexpr std::size_t kLooks = 60;   // moments at which the camera is chosen
constexpr std::size_t kGlassLooks = 12;

std::vector<const State*> some(const std::vector<State>& states, std::size_t most) {
  std::vector<const State*> out;
  const std::size_t count = std::min(most, states.size());
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(&states[count > 1 ? i * (states.size() - 1) / (count - 1) : 0]);
  return out;
}

int even(double pixels) { return 2 * std::max(8, static_cast<int>(std::lround(pixels / 2))); }

// "t = 1.25 s", always as wide.
std::string told_time(double time, double slow) {
  const std::string words = formatted("t = %.2f s", std::abs(time) < 0.005 ? 0.0 : time);
  return slow == 1 ? words : words + formatted(", %g times slower", slow);
}

}  // namespace

struct Film::Parts {
  std::vector<Clip> clips;
  FilmOptions options;
  Camera camera;
  Bounds about;
  int width = 0, height = 0, clip_width = 0;
  double chord = 0, reach = 0;
  std::size_t frames = 0;
  std::vector<Cast> casts;                 // of each clip
  std::vector<std::vector<bool>> glasses;  // of each clip's pieces
  std::vector<Backdrop> backdrops;         // of each clip

  Stage staged(std::size_t clip, const State& state) const {
    Stage one =
        stage(clips[clip].scene, {&state}, {0.0f}, camera, about, chord, reach, &casts[clip]);
    for (std::size_t i = 0; i < one.pieces.size() && i < glasses[clip].size(); ++i)
      one.pieces[i].glass = glasses[clip][i] && !one.pieces[i].moving;
    return one;
  }
};

Film::Film(std::vector<Clip> clips, const FilmOptions& options)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.clips = std::move(clips);
  p.options = options;
  const auto count = static_cast<int>(p.clips.size());
  for (const Clip& clip : p.clips) p.frames = std::max(p.frames, clip.run.states.size());
  const Matrix3d axes = view_axes(p.clips.front().scene, options.view);
  std::vector<Seen> seen;
  for (const Clip& clip : p.clips) seen.push_back({&clip.scene, some(clip.run.states, kLooks)});
  p.about = what_matters(seen, axes, kMuchLarger);
  const double room = kAround * std::max(p.about.radius(), 1e-9);
  double half_x = (p.about.upper - p.about.lower).x() / 2 + room;
  double half_y = (p.about.upper - p.about.lower).y() / 2 + room;
  half_x = std::max(half_x, (count > 1 ? kSlimmestBeside : kSlimmest) * half_y);
  half_y = std::max(half_y, half_x / kWidestClip);
  p.camera.view = options.view;
  p.camera.centre = axes.transpose() * p.about.centre();
  p.camera.half_width = half_x;
  p.width = even(options.width);
  p.clip_width = (p.width - (count - 1) * kSeam) / count;
  p.height = even(kStrip + p.clip_width * half_y / half_x);
  p.chord = kRoundness * 2 * half_x / p.clip_width;
  p.reach = std::hypot(half_x, half_y);
  const double aspect = half_x / half_y;
  for (std::size_t c = 0; c < p.clips.size(); ++c) {
    const Row& run = p.clips[c].run;
    p.casts.push_back(cast_of(p.clips[c].scene, run.states.front(), p.camera, p.chord, p.reach));
    p.glasses.emplace_back();
    std::vector<bool> mark;
    if (options.glass)
      for (const State* state : some(run.states, kGlassLooks))
        find_glass(p.staged(c, *state), p.camera, aspect, mark);
    p.glasses.back() = mark;
    p.backdrops.push_back(backdrop(p.staged(c, run.states.front()), p.camera.half_width,
                                   p.clip_width, p.height - kStrip));
  }
}

Film::~Film() = default;
Film::Film(Film&&) noexcept = default;
int Film::width() const { return parts_->width; }
int Film::height() const { return parts_->height; }
std::size_t Film::frames() const { return parts_->frames; }

Image Film::frame(std::size_t number) const {
  const Parts& p = *parts_;
  Image image = blank(p.width, p.height);
  double time = 0;
  for (std::size_t c = 0; c < p.clips.size(); ++c) {
    const Row& run = p.clips[c].run;
    const std::size_t at = std::min(number, run.states.size() - 1);
    if (number < run.states.size()) time = run.states[at].time;
    Image drawn = render(p.staged(c, run.states[at]), p.camera.half_width, p.clip_width,
                         p.height - kStrip, p.backdrops[c]);
    if (p.options.show.any() && at < run.contacts.size())
      mark_contacts(drawn, p.clips[c].scene, run.contacts[at], p.options.show, p.camera);
    const int x = static_cast<int>(c) * (p.clip_width + kSeam);
    paste(image, drawn, x, kStrip);
    letter(image, x + kCapitals, kStrip - 11.0, kCapitals, Align::left, run.title, 1.4);
    if (c == 0) continue;
    for (int y = 0; y < p.height; ++y)
      for (int s = x - kSeam; s < x; ++s)
        std::fill_n(image.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(y) * p.width + s), 3,
                    std::uint8_t{0xd8});
  }
  letter(image, p.width - kCapitals, kStrip - 11.0, kCapitals, Align::right,
         told_time(time, p.options.slow));
  if (p.options.show.error)
    paste_error_scale(image, kCapitals, p.height - kCapitals, 0.9 * kCapitals);
  return image;
}

}  // namespace perpend::draw
