// What bodies, joints and the world of Bullet may ask for and the model has not (settings.inc):
// told once each, with the first body or joint that asks.
#pragma once

#include <string>
#include <vector>

#include "sim/bodies.hpp"

class btTypedConstraint;
struct btContactSolverInfo;

namespace perpend::sim {

class Ignored {
 public:
  // What they ask for and has not been told yet, a sentence each.
  std::vector<std::string> news(const StepBodies&, const std::vector<btTypedConstraint*>& joints,
                                const btContactSolverInfo&);

 private:
  std::vector<bool> told_;
};

}  // namespace perpend::sim
