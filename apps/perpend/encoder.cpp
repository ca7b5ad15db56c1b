#include "encoder.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "command.hpp"
#include "interrupt.hpp"

namespace perpend::app {
namespace {

// What is in a file without a name.
std::string content(int file) {
  std::string out;
  char buffer[1 << 16];
  ssize_t got = 0;
  for (off_t at = 0; (got = ::pread(file, buffer, sizeof buffer, at)) > 0; at += got)
    out.append(buffer, static_cast<std::size_t>(got));
  return out;
}

std::string last_line(const std::string& text) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    if (end > from) out = text.substr(from, end - from);
    from = end + 1;
  }
  return out;
}

std::vector<std::string> words_of(const std::string& ffmpeg, VideoFormat format, int width,
                                  int height, int fps, std::size_t colour_frames) {
  std::vector<std::string> words{ffmpeg,
                                 "-nostdin",
                                 "-hide_banner",
                                 "-loglevel",
                                 "error",
                                 "-filter_threads",
                                 "1",
                                 "-filter_complex_threads",
                                 "1",
                                 "-f",
                                 "rawvideo",
                                 "-pixel_format",
                                 "rgb24",
                                 "-video_size",
                                 std::to_string(width) + "x" + std::to_string(height),
                                 "-framerate",
                                 std::to_string(fps),
                                 "-i",
                                 "pipe:0"};
  const auto add = [&](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  if (format == VideoFormat::gif) {
    const std::string count = std::to_string(colour_frames);
    words.emplace_back("-filter_complex");
    words.push_back("[0:v]split[a][b];[a]trim=end_frame=" + count +
                    ",palettegen=max_colors=128:stats_mode=full[p];[b]trim=start_frame=" + count +
                    ",setpts=PTS-STARTPTS[f];[f][p]paletteuse=dither=none:diff_mode=rectangle");
    add({"-f", "gif"});
  } else {
    add({"-vf",
         "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+bitexact",
         "-c:v",
         "libx264",
         "-preset",
         "medium",
         "-crf",
         "20",
         "-pix_fmt",
         "yuv420p",
         "-colorspace",
         "bt709",
         "-color_primaries",
         "bt709",
         "-color_trc",
         "bt709",
         "-color_range",
         "tv",
         "-movflags",
         "+faststart",
         "-f",
         "mp4"});
  }
  add({"-threads", "1", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
       "-y", "/dev/stdout"});
  return words;
}

}  // namespace

Encoder::Encoder(const std::string& ffmpeg, VideoFormat format, int width, int height, int fps,
                 std::size_t colour_frames) {
  int ends[2] = {-1, -1};
  out_ = ::memfd_create("film", MFD_CLOEXEC);
  errors_ = ::memfd_create("errors", MFD_CLOEXEC);
  if (out_ < 0 || errors_ < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Failure(std::string("--animate: ") + std::strerror(errno));
  in_ = ends[0];
  host::Environment environment;
  const int failed = child_.start(words_of(ffmpeg, format, width, height, fps, colour_frames),
                                  environment, ends[1], out_, errors_);
  ::close(ends[1]);
  if (failed != 0) throw Failure("--animate: " + ffmpeg + ": " + std::strerror(failed));
}

Encoder::~Encoder() {
  child_.kill();
  for (const int file : {in_, out_, errors_})
    if (file >= 0) ::close(file);
}

bool Encoder::ended() {
  while (!child_.ended(how_)) {
    if (interrupted()) return false;
    ::usleep(5000);
  }
  return true;
}

void Encoder::fail() const {
  const std::string line = last_line(content(errors_));
  throw Failure("--animate: ffmpeg failed: " + (line.empty() ? how_.words() : line));
}

bool Encoder::add(const draw::Image& image) {
  for (std::size_t sent = 0; sent < image.rgb.size();) {
    if (interrupted()) return false;
    pollfd waiting{in_, POLLOUT, 0};
    if (::poll(&waiting, 1, 200) <= 0) continue;
    const ssize_t now =
        ::send(in_, image.rgb.data() + sent, image.rgb.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (now >= 0) {
      sent += static_cast<std::size_t>(now);
    } else if (errno != EAGAIN && errno != EINTR) {
      if (ended()) fail();
      return false;
    }
  }
  return true;
}

std::optional<std::string> Encoder::finish() {
  ::close(in_);
  in_ = -1;
  if (!ended()) return std::nullopt;
  if (how_.status != 0) fail();
  return content(out_);
}

}  // namespace perpend::app
