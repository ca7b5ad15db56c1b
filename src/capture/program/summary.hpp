// What a recorded run looked like, as the JSON document that `perpend capture --json` prints.
#pragma once

#include <map>
#include <nlohmann/json.hpp>

#include "perpend/capture.hpp"

namespace perpend::capture {

using Json = nlohmann::ordered_json;

std::string hexadecimal(std::uint64_t);

// Sums and worst values over the steps.
class Summary {
 public:
  // In the engine's thread, after every step; `spent`: s, without recording it.
  void step(const RecordedStep&, double spent);
  // Of every record as it was written: the answer has its errors.
  void written(const io::Record&);
  long steps() const { return static_cast<long>(seconds_.size()); }

  // `solver`: title of the one in force. Steps that somebody else answered are fallbacks.
  Json document(const std::string& solver, const Run&, const io::Header&, std::uintmax_t bytes);

 private:
  std::map<std::string, long> answered_;
  Index bodies_ = 0, contacts_ = 0, joint_rows_ = 0;
  double momentum_ = 0, collision_ = 0, formulation_ = 0, solver_ = 0, recording_ = 0;
  Errors errors_;
  std::vector<double> seconds_;
};

}  // namespace perpend::capture
