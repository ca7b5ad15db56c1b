// One step of ODE as its own thread gathers it, and the record that is made of it later.
#pragma once

#include <memory>

#include "capture/ode/rows.hpp"
#include "perpend/capture/ode.hpp"

namespace perpend::capture::from_ode {

// Places where ODE writes what a joint felt: they stay where they are, and are used again.
class Feedback {
 public:
  void clear() { count_ = 0; }
  dJointFeedback* next();
  std::size_t bytes() const { return blocks_.size() * kBlock * sizeof(dJointFeedback); }

 private:
  static constexpr std::size_t kBlock = 256;
  std::vector<std::unique_ptr<dJointFeedback[]>> blocks_;
  std::size_t count_ = 0;
};

struct ContactOfOde {
  dJointID joint;
  dJointFeedback* felt;
  std::int32_t first, second;  // bodies
  bool reversed;
  dContact made;

  ContactOfOde() {}
};
struct JointOfOde {
  dJointID joint;
  dJointFeedback* felt;
  OdePair pair;
  Index first, second;
  std::optional<OdeJoint> rows;
  std::optional<std::vector<Vector3d>> motor;  // axes of an angular motor, until its rows are known
  std::int64_t id = -1;
  bool turned = false;  // rows lead from the second body to the first
};

class OdeStepRecord : public StepRecord {
 public:
  void clear();  // keeps the memory
  void fill(io::Record&) override;
  std::size_t bytes() const override;

  OdeMethod method = OdeMethod::step;
  OdeWorld settings{};
  int iterations = 0;  // of QuickStep
  std::vector<OdeBodyCopy> bodies;
  std::vector<ContactOfOde> contacts;
  std::vector<JointOfOde> joints;
  Feedback feedback;
  bool gave_up = false;
  unsigned long seed = 0;
  double time = 0;  // s

  // Found out by fill().
  std::vector<dJointID> contact_joints, row_joints;
  bool bounds_known = true;
  Index opaque = 0;
};

}  // namespace perpend::capture::from_ode
