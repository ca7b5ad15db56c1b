// What a world is asked in one step, as it was before the step, and the frame made of it after.
#pragma once

#include <deque>
#include <functional>
#include <unordered_map>

#include "capture/ode/rows.hpp"
#include "perpend/capture/ode.hpp"

namespace perpend::capture {

class OdeAsked {
 public:
  OdeAsked(dWorldID world, OdeMethod method, double h)
      : method_(method),
        settings_(read_world(world, h)),
        iterations_(dWorldGetQuickStepNumIterations(world)) {}

  void add(dSpaceID);  // the bodies of its geoms
  Index add(dBodyID);
  void add_contact(dJointID, const OdePair&, const dContact&);
  void add_joint(dJointID, const OdePair&, const OdeRest&);
  const std::vector<OdeBody>& bodies() const { return bodies_; }

  // After the step.
  using Id = std::function<std::int64_t(dBodyID, dGeomID)>;
  OdeStep answered(const Id&, bool gave_up);
  void give_back();  // feedback that was lent; the joints must be alive

 private:
  struct Contact {
    dJointID joint;
    const dJointFeedback* feedback;
    Index first, second;
    OdeContact rows;
  };
  struct JointOfTwo {
    dJointID joint;
    const dJointFeedback* feedback;
    OdePair pair;
    Index first, second;
    std::optional<OdeJoint> rows;
    std::optional<std::vector<Vector3d>> motor;  // axes of an angular motor
  };
  Index add_fixed(dGeomID);  // for what has no body: a geom, or the world
  const OdeBody& body(Index i) const { return bodies_[static_cast<std::size_t>(i)]; }
  const dJointFeedback* lend(dJointID);
  void leave_out_sleepers();
  void take_opaque(OdeStep&);
  void fill_bodies(OdeStep&, const Id&) const;
  void fill_contacts(OdeStep&) const;
  void fill_joints(OdeStep&) const;
  void fill_bounds(OdeStep&) const;
  Index rolling_rows() const;

  OdeMethod method_;
  OdeWorld settings_;
  int iterations_;  // of QuickStep
  std::vector<OdeBody> bodies_;
  std::vector<dGeomID> geoms_;                     // of bodies without dBodyID; null: the world
  std::unordered_map<const void*, Index> places_;  // only looked up
  std::vector<Contact> contacts_;
  std::vector<JointOfTwo> joints_;
  std::deque<dJointFeedback> feedback_;
  std::vector<dJointID> lent_;  // joints that have feedback of ours
};

}  // namespace perpend::capture
