// The list of experiments, and running one.
#include "reproduce/kit.hpp"

namespace perpend::reproduce {

#define EXPERIMENT(function) Experiment function();
#include "reproduce/experiments.inc"
#undef EXPERIMENT

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> kExperiments{
#define EXPERIMENT(function) function(),
#include "reproduce/experiments.inc"
#undef EXPERIMENT
  };
  return kExperiments;
}

const Experiment* experiment_named(std::string_view wanted) {
  for (const Experiment& one : experiments())
    if (one.name == wanted) return &one;
  return nullptr;
}

Finished run(const Experiment& what, const Settings& settings) {
  Finished out{&what, what.run(settings)};
  go_on(settings);
  return out;
}

}  // namespace perpend::reproduce
