// What a world is asked in one step, read before it; what came of it, read after it.
#pragma once

#include <functional>

#include "capture/ode/step_record.hpp"
#include "capture/places.hpp"

namespace perpend::capture::from_ode {

class OdeStepReader {
 public:
  void begin(std::unique_ptr<OdeStepRecord>, dWorldID, OdeMethod, double h);
  void add(dSpaceID);  // the bodies of its geoms
  Index add(dBodyID);
  void add_contact(dJointID, const OdePair&, const dContact&);
  void add_joint(dJointID, const OdePair&, const OdeRest&);
  const std::vector<OdeBodyCopy>& bodies() const { return made_->bodies; }
  // The body whose joints come next, which need not be looked up for each.
  dBodyID stand_at(std::size_t i) {
    here_ = made_->bodies[i].body;
    here_place_ = static_cast<Index>(i);
    return here_;
  }

  // After the step; the joints must be alive.
  using Id = std::function<std::int64_t(dBodyID, dGeomID)>;
  using JointId = std::function<std::int64_t(dJointID)>;
  using JointTurned = std::function<bool(dJointID)>;
  std::unique_ptr<OdeStepRecord> answered(const Id&, const JointId&, const JointTurned&);
  bool open() const { return made_ != nullptr; }  // between begin and answered

 private:
  Index place(dBodyID body) { return body == here_ ? here_place_ : add(body); }
  Index add_fixed(dGeomID);  // for what has no body: a geom, or the world
  OdeBody body(Index i) const {
    return body_of(made_->bodies[static_cast<std::size_t>(i)], made_->settings);
  }
  dJointFeedback* lend(dJointID);
  void leave_out_sleepers();

  std::unique_ptr<OdeStepRecord> made_;
  Places places_;
  dBodyID here_ = nullptr;
  Index here_place_ = 0;
  std::vector<dJointID> lent_;  // joints that have feedback of ours
  struct Theirs {
    const dJointFeedback* from;
    dJointFeedback* to;
  };
  std::vector<Theirs> theirs_;  // feedback of joints that have some already
};

}  // namespace perpend::capture::from_ode
