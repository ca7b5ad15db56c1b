// Recording what ODE is asked at every step, and what it answers (docs/capture.md).
//
//   perpend::capture::OdeFile file("run.h5", world, space);
//   ...
//   file.contact(dJointCreateContact(world, group, &contact), contact);  // in the near callback
//   ...
//   file.quick_step(h);                                                  // or file.step(h)
//   ...
//   file.close();
//
// A world that somebody else steps: before(OdeMethod, h) when its contact joints are made, after()
// when it was stepped and they are not yet destroyed; contacts need not be told. Nothing that ODE
// computes changes by a bit.
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
  step,       // dWorldStep: one pivoting solve, friction bounds fixed by a first solve without it
  quick_step  // dWorldQuickStep: sweeps with over-relaxation in random order
};

// One step of the world.
struct OdeStep {
  io::Record record;  // timing: solver; the rest is unknown here
  OdeMethod method = OdeMethod::step;
  // ODE's joints behind the contacts and joints of the frame, in its order; alive as long as their
  // maker keeps them.
  std::vector<dJointID> contacts, joints;
  unsigned long seed = 0;  // of ODE's random numbers when the step began
  bool gave_up = false;    // dWorldStep ended a solve before its end ("LCP internal error")
  // False: the bounds that dWorldStep froze could not be found again (a large island of redundant
  // contacts); those recorded are by its answer.
  bool bounds_known = true;
  Index opaque = 0;    // joints whose rows ODE does not tell; their forces are external
  double seconds = 0;  // what recording took
  std::chrono::steady_clock::time_point began;  // before(): contacts had been found
};

class OdeRecorder {
 public:
  using Sink = std::function<void(OdeStep&)>;
  // Bodies are found through the geoms of the space (and of those inside it; null: none) and
  // through joints. Records are made at once, in the engine's thread. `measured`: whether the
  // answer gets its errors, which takes longer than recording.
  OdeRecorder(dWorldID, dSpaceID, Sink, bool measured = true);
  // Records are made by whoever gets the steps.
  OdeRecorder(dWorldID, dSpaceID, Outlet);
  virtual ~OdeRecorder();
  OdeRecorder(const OdeRecorder&) = delete;
  OdeRecorder& operator=(const OdeRecorder&) = delete;

  // Bodies that are in no geom of that space; one that is watched by itself must be forgotten
  // before it is destroyed.
  void watch(dSpaceID);
  void watch(dBodyID);
  void forget(dBodyID);

  // What a contact joint was made with. ODE has no getter for it: of joints that are not told here
  // it is read from the text of dWorldExportDIF, to fifteen digits and many times slower.
  // Returns the joint.
  dJointID contact(dJointID, const dContact&);
  // Nor does it tell the pose in which a hinge, slider or fixed joint was set, from which its error
  // is counted. It is taken from the pose at the first step after the joint was made; where bodies
  // are moved in between, or the joint is set anew, say it here.
  void set(dJointID);

  // The id of a body in the frames; of a geom without body, or of the world (both null), as well.
  // Unless told otherwise ids count up in the order in which they are met.
  std::function<std::int64_t(dBodyID, dGeomID)> id;

  void step(dReal h);        // in place of dWorldStep(world, h)
  void quick_step(dReal h);  // in place of dWorldQuickStep(world, h)
  void before(OdeMethod, dReal h);
  void after();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A recorder that writes the standard file.
class OdeFile : public RecordedFile, public OdeRecorder {
 public:
  // Throws io::InputError when the file cannot be made.
  OdeFile(const std::string& path, dWorldID, dSpaceID, const std::string& scene = {});
};
// Root attributes of a recording of ODE.
io::Header ode_header(const std::string& scene);

}  // namespace perpend::capture::from_ode

namespace perpend::capture {

// What a program of one's own needs.
using from_ode::ode_header, from_ode::OdeFile, from_ode::OdeMethod, from_ode::OdeRecorder,
    from_ode::OdeStep;

}  // namespace perpend::capture
