// What a recorded run looked like, as the JSON document that `perpend capture --json` prints.
#pragma once

#include <map>
#include <nlohmann/json.hpp>

#include "perpend/capture.hpp"

namespace perpend::capture {

using Json = nlohmann::ordered_json;

// Sums and worst values over the steps.
class Summary {
 public:
  // In the engine's thread, after every step, s: what recording took of it, and all until it was
  // with the writer.
  void step(const io::Timing&, double recording, double whole);
  void plain_step(double whole);  // of a run that is not recorded
  // In the writer's thread, of every record as it was written: the answer has its errors.
  void written(const io::Record&);
  long steps() const { return static_cast<long>(own_.size()); }

  // When the writer is done. `solver`: title of the one in force; steps that somebody else
  // answered are fallbacks.
  Json document(const std::string& solver, const Run&, const io::Header&,
                const WriterStatistics&) const;

 private:
  std::map<std::string, long> answered_;
  Index bodies_ = 0, contacts_ = 0, joint_rows_ = 0;
  double momentum_ = 0, collision_ = 0, formulation_ = 0, solver_ = 0, recording_ = 0;
  std::map<std::string, std::vector<double>> errors_;  // by name, of the frames that have them
  // s, per step: the engine's own part, the recorded step, the step of the run beside it.
  std::vector<double> own_, recorded_, plain_;
};

}  // namespace perpend::capture
