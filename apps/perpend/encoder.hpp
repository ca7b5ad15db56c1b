// Frames through ffmpeg, started as a program.
#pragma once

#include <optional>
#include <string>

#include "perpend/draw.hpp"
#include "perpend/host.hpp"

namespace perpend::app {

enum class VideoFormat { gif, mp4 };

// Frames go in by a socket; the file grows in memory, and what ffmpeg complains of beside it. One
// thread and no dates: the same frames give the same bytes.
class Encoder {
 public:
  // Frames of a GIF that only choose its colours come first.
  static constexpr std::size_t kColourFrames = 16;

  // `ffmpeg`: its path. Throws Failure if it cannot be started.
  Encoder(const std::string& ffmpeg, VideoFormat, int width, int height, int fps,
          std::size_t colour_frames);
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  // False: interrupted. Throws Failure with ffmpeg's last line if it has ended.
  bool add(const draw::Image&);
  // The bytes of the file; none: interrupted. Throws as add().
  std::optional<std::string> finish();

 private:
  bool ended();  // waits for it; false: interrupted
  [[noreturn]] void fail() const;
  host::Child child_;
  host::ExitStatus how_;
  int in_ = -1, out_ = -1, errors_ = -1;
};

}  // namespace perpend::app
