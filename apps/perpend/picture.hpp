// perpend simulate --picture: what a run looked like at some moments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "perpend/draw.hpp"
#include "perpend/sim.hpp"

namespace perpend::app {

struct PictureRequest {
  std::string file, at, view, beside;
  bool strobe = false, solid = false;
  bool asked() const { return !file.empty(); }
  bool any() const { return !at.empty() || !view.empty() || !beside.empty() || strobe || solid; }
};

void add_picture_options(CLI::App&, PictureRequest&);

// Watches runs of a scene and draws them.
class Pictures {
 public:
  // Throws UsageError, before anything runs, when something asked for is wrong.
  Pictures(const PictureRequest&, const Scene&, const SimulateOptions&);
  // What --beside asks for: the options of a second run, drawn above the first.
  std::optional<SimulateOptions> beside() const { return beside_; }
  // A run that is to be drawn gets this observer.
  std::function<void(const State&)> row(const SimulateOptions&);
  // Writes the file; nothing when no moment was reached.
  void write();

 private:
  const Scene& scene_;
  draw::PictureOptions options_;
  std::vector<Index> steps_;  // ascending
  std::vector<draw::Row> rows_;
  double h_ = 0;
  std::optional<SimulateOptions> beside_;
  bool svg_;
  Output file_;
};

}  // namespace perpend::app
