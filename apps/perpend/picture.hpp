// perpend simulate --picture: what a run looked like at some moments.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "look.hpp"
#include "output.hpp"
#include "perpend/sim.hpp"
#include "watcher.hpp"

namespace perpend::app {

struct PictureRequest {
  std::string file, at;
  bool strobe = false;
  bool asked() const { return !file.empty(); }
  bool any() const { return !at.empty() || strobe; }
};

void add_picture_options(CLI::App&, PictureRequest&);

// Watches runs of a scene and draws them.
class Pictures : public Watcher {
 public:
  // Throws UsageError, before anything runs, when something asked for is wrong.
  Pictures(const PictureRequest&, const Look&, const Scene&, const SimulateOptions&);
  void run(const Scene&, const std::string& title) override;
  void see(const Moment&) override;
  void write() override;  // nothing when no moment was reached

 private:
  const Scene& scene_;
  draw::PictureOptions options_;
  std::vector<Index> steps_;  // ascending
  std::vector<draw::Row> rows_;
  double h_ = 0;
  bool svg_;
  Output file_;
};

}  // namespace perpend::app
