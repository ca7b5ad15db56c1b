// Stands before dWorldStep and dWorldQuickStep in a program that uses ODE, and before the functions
// that tell what ODE itself does not: which bodies a world has, what a contact joint was made with.
#include <unordered_map>
#include <vector>

#include "capture/preload/preload.hpp"
#include "perpend/capture/ode.hpp"

namespace {

using perpend::capture::OdeFile;
using perpend::capture::OdeMethod;
namespace preload = perpend::capture::preload;

template <class Function>
Function* ode(const char* symbol) {
  return preload::behind<Function>(symbol, "libode.so");
}

// Of the process. ODE itself is stepped by one thread.
struct RecordingState {
  std::unordered_map<dBodyID, dWorldID> bodies;  // in no order: see watch
  std::vector<dBodyID> made;                     // the same bodies, as they were made
  std::unique_ptr<OdeFile> file;
  dWorldID world = nullptr;
  bool over = false;

  // The recorder of that world; null: it is not recorded.
  OdeFile* of(dWorldID asked) {
    if (over || (world && world != asked)) return nullptr;
    const std::string path = preload::asked_for();
    if (file || path.empty()) return file.get();
    try {
      file = std::make_unique<OdeFile>(path, asked, nullptr);
      world = asked;
      for (const dBodyID body : made)
        if (bodies.at(body) == world) file->watch(body);
      preload::at_end([this] { close(); });
    } catch (const perpend::io::InputError& error) {
      preload::say(error.what());
      over = true;
    }
    return file.get();
  }
  void close() {
    preload::close(file.get());
    file.reset();
    over = true;
  }
  template <class Step>
  int step(dWorldID asked, OdeMethod method, dReal h, Step* engine) {
    OdeFile* recorder = of(asked);
    if (recorder) recorder->before(method, h);
    const int done = engine(asked, h);
    if (recorder) recorder->after();
    return done;
  }
};

RecordingState& recorded() {
  static auto* const out = new RecordingState;  // outlives the program's own objects
  return *out;
}

}  // namespace

extern "C" {

PERPEND_STANDS_BEFORE dBodyID dBodyCreate(dWorldID world) {
  static auto* const engine = ode<dBodyID(dWorldID)>("dBodyCreate");
  const dBodyID body = engine(world);
  RecordingState& r = recorded();
  r.bodies[body] = world;
  r.made.push_back(body);
  if (r.file && r.world == world) r.file->watch(body);
  return body;
}

PERPEND_STANDS_BEFORE void dBodyDestroy(dBodyID body) {
  static auto* const engine = ode<void(dBodyID)>("dBodyDestroy");
  RecordingState& r = recorded();
  r.bodies.erase(body);
  std::erase(r.made, body);
  if (r.file) r.file->forget(body);
  engine(body);
}

PERPEND_STANDS_BEFORE void dWorldDestroy(dWorldID world) {
  static auto* const engine = ode<void(dWorldID)>("dWorldDestroy");
  RecordingState& r = recorded();
  if (r.world == world) r.close();
  std::erase_if(r.made, [&](dBodyID body) { return r.bodies.at(body) == world; });
  std::erase_if(r.bodies, [&](const auto& one) { return one.second == world; });
  engine(world);
}

PERPEND_STANDS_BEFORE dJointID dJointCreateContact(dWorldID world, dJointGroupID group,
                                                   const dContact* contact) {
  static auto* const engine =
      ode<dJointID(dWorldID, dJointGroupID, const dContact*)>("dJointCreateContact");
  const dJointID joint = engine(world, group, contact);
  if (OdeFile* recorder = recorded().of(world)) recorder->contact(joint, *contact);
  return joint;
}

PERPEND_STANDS_BEFORE int dWorldStep(dWorldID world, dReal h) {
  static auto* const engine = ode<int(dWorldID, dReal)>("dWorldStep");
  return recorded().step(world, OdeMethod::step, h, engine);
}

PERPEND_STANDS_BEFORE int dWorldQuickStep(dWorldID world, dReal h) {
  static auto* const engine = ode<int(dWorldID, dReal)>("dWorldQuickStep");
  return recorded().step(world, OdeMethod::quick_step, h, engine);
}

}  // extern "C"
