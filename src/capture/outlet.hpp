// Where recorders that gather put their steps, and the memory that they fill again.
#pragma once

#include "perpend/capture.hpp"

namespace perpend::capture {

// Into a file.
inline Outlet outlet_to(Writer& writer) {
  return {[&writer](RecordedStep step) { writer.put(std::move(step.record)); },
          [&writer] { return writer.emptied(); }};
}

// The last step, for a Run to hand on.
class LastStep {
 public:
  Outlet outlet() {
    return {[this](RecordedStep step) { made_ = std::move(step); },
            [this] { return std::move(emptied_); }};
  }
  RecordedStep take() { return std::move(made_); }
  void reuse(std::unique_ptr<StepRecord> step) { emptied_ = std::move(step); }

 private:
  RecordedStep made_;
  std::unique_ptr<StepRecord> emptied_;
};

// A step to be filled: the emptied one where it is of that class, else a new one.
template <class Step>
std::unique_ptr<Step> refilled(std::unique_ptr<StepRecord> emptied) {
  auto* again = dynamic_cast<Step*>(emptied.get());
  if (!again) return std::make_unique<Step>();
  emptied.release();
  return std::unique_ptr<Step>(again);
}

}  // namespace perpend::capture
