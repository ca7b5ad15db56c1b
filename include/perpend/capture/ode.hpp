// Records the contact problem and the answer of every step of ODE (docs/capture.md).
//
//   perpend::capture::OdeFile file("run.h5", world, space);
//   ...
//   file.contact(dJointCreateContact(world, group, &contact), contact);  // in the near callback
//   ...
//   file.quick_step(h);                                                  // or file.step(h)
//   ...
//   file.close();
//
// If you call dWorldStep or dWorldQuickStep yourself: call before(OdeMethod, h) once the contact
// joints exist, and after() before you destroy them. You need not call contact() then. The
// simulation has the same bits as without recording.
#pragma once

#include <ode/ode.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "perpend/capture.hpp"

namespace perpend::capture::from_ode {

enum class OdeMethod {
  step,       // dWorldStep: pivoting; a first solve without friction fixes the friction bounds
  quick_step  // dWorldQuickStep: sweeps with over-relaxation in random order
};

// One step of the world.
struct OdeStep {
  io::Record record;  // its timing has the solver only
  OdeMethod method = OdeMethod::step;
  // ODE's joints for the contacts and joints of the frame, in its order. They exist until your
  // program destroys them.
  std::vector<dJointID> contacts, joints;
  unsigned long seed = 0;  // of ODE's random numbers at the start of the step
  bool gave_up = false;    // dWorldStep gave up a solve ("LCP internal error")
  // False: the friction bounds of dWorldStep could not be recomputed (a large island of redundant
  // contacts); the recorded ones follow from its answer.
  bool bounds_known = true;
  Index opaque = 0;    // joints whose rows ODE does not show; their forces are external
  double seconds = 0;  // time that recording took
  std::chrono::steady_clock::time_point began;  // when before() was called
};

class OdeRecorder {
 public:
  using Sink = std::function<void(OdeStep&)>;
  // Finds bodies through joints and through the geoms of the space and its subspaces (null: none).
  // Makes the record at once, in the engine's thread. `measured`: compute the errors of the answer,
  // which takes longer than recording.
  OdeRecorder(dWorldID, dSpaceID, Sink, bool measured = true);
  // The receiver makes the record.
  OdeRecorder(dWorldID, dSpaceID, Outlet);
  virtual ~OdeRecorder();
  OdeRecorder(const OdeRecorder&) = delete;
  OdeRecorder& operator=(const OdeRecorder&) = delete;

  // Adds bodies without a geom in that space. Call forget() before you destroy a watched body.
  void watch(dSpaceID);
  void watch(dBodyID);
  void forget(dBodyID);

  // Tells the recorder the dContact of a contact joint, and returns the joint. ODE has no getter
  // for it. For other contact joints the recorder reads the text of dWorldExportDIF, which is many
  // times slower and exact to fifteen digits only.
  dJointID contact(dJointID, const dContact&);
  // Tells the recorder that you have just set a hinge, slider or fixed joint. Its error is counted
  // from this pose, which ODE does not show. Without this call it is the pose at the next step.
  void set(dJointID);

  // Returns the id of a body in recordings, or of a geom without body, or of the world (both null).
  // Default: ids count up in the order in which they are met.
  std::function<std::int64_t(dBodyID, dGeomID)> id;
  // Likewise of a joint; negative: none. Empty: joints have no ids. Joints stand in the order of
  // their ids.
  std::function<std::int64_t(dJointID)> joint_id;
  // Whether rows of a joint lead from ODE's second body to its first, on which its force then is.
  // Empty: those of no joint.
  std::function<bool(dJointID)> joint_turned;

  void step(dReal h);        // call it instead of dWorldStep(world, h)
  void quick_step(dReal h);  // call it instead of dWorldQuickStep(world, h)
  void before(OdeMethod, dReal h);
  void after();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A recorder that writes the standard file.
class OdeFile : public RecordedFile, public OdeRecorder {
 public:
  // Throws io::InputError if the file cannot be made.
  OdeFile(const std::string& path, dWorldID, dSpaceID, const std::string& scene = {});
};
// Root attributes of a recording of ODE.
io::Header ode_header(const std::string& scene);

}  // namespace perpend::capture::from_ode

namespace perpend::capture {

// The names for your own program.
using from_ode::ode_header, from_ode::OdeFile, from_ode::OdeMethod, from_ode::OdeRecorder,
    from_ode::OdeStep;

}  // namespace perpend::capture
