// What bodies of Bullet may ask for and the model has not: told once each, with the first body that
// asks.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/bodies.hpp"

namespace perpend::sim {

class Ignored {
 public:
  // What these bodies ask for and has not been told yet, a sentence each.
  std::vector<std::string> news(const StepBodies&);

 private:
  std::array<bool, 6> told_{};
};

}  // namespace perpend::sim
