// Recordings of a world that is stepped elsewhere, and their repetition: simulate() and rerun() for
// those who have a hand in the run.
#pragma once

#include "perpend/io.hpp"
#include "perpend/sim/world.hpp"

namespace perpend {

// Root attributes of a run from the scene's start. `hand`: a text for who repeats it, of a run
// whose events are in the file.
io::Header recording_header(const Scene&, const SimulateOptions&, double h, Index steps,
                            const std::string& hand = {});
// Of bodies as our world numbers them (io::model_of).
io::ModelColumns model_of(const Scene&, const Bodies&, double time);
io::Record recorded_step(double time, const StepProblem&, const StepReport&);

// Compares a run with its recording, frame by frame and bit for bit.
class Repetition {
 public:
  // Throws io::InputError if the file cannot be read or does not say how it was made.
  explicit Repetition(const std::string& path);

  const Scene& scene() const { return scene_; }
  const SimulateOptions& options() const { return options_; }
  const std::string& hand() const { return hand_; }  // empty: none was in the run
  std::vector<std::string> events() const { return reader_.events(); }

  bool goes_on();                                                // another step is to be made
  void add(double time, const StepProblem&, const StepReport&);  // a step that was made
  bool made(const std::function<bool(Index done, Index of)>& progress);  // false: stop
  Rerun result(std::uint64_t state_hash);

 private:
  io::FrameReader reader_;
  SimulateOptions options_;
  Scene scene_;
  std::string hand_;
  bool whole_ = false;
  double time_ = 0;  // after the last step
  Rerun out_;
};

}  // namespace perpend
