// --animate: runs as a moving picture (GIF, MP4) or as a scene that moves (glTF).
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "look.hpp"
#include "output.hpp"
#include "watcher.hpp"

namespace perpend::app {

struct AnimateRequest {
  std::string file;
  int fps = 0, width = 0;  // 0: those of the format
  double slow = 0;         // 0: real time
  double from = -1;        // s; negative: from the start
  bool asked() const { return !file.empty(); }
  bool any() const { return fps > 0 || width > 0 || slow > 0 || from >= 0; }
};

void add_animate_options(CLI::App&, AnimateRequest&);

class Animation : public Watcher {
 public:
  // Throws UsageError, before anything runs, when something asked for is wrong or ffmpeg is not
  // there. `end`: of the longest run, s.
  Animation(const AnimateRequest&, const Look&, double end, const Globals&);
  void run(const Scene&, const std::string& title) override;
  void see(const Moment&) override;
  void write() override;  // nothing when interrupted

 private:
  enum class Format { gif, mp4, glb };
  static Format format_of(const std::string& file);
  double time_of(std::size_t frame) const;  // s, of the run
  void encode();

  AnimateRequest request_;
  Look look_;
  const Globals& globals_;
  Format format_;
  int fps_ = 0;
  double slow_ = 1, from_ = 0;
  std::string ffmpeg_;
  std::vector<draw::Clip> clips_;
  Moment last_;
  Output file_;
};

}  // namespace perpend::app
