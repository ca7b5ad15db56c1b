// Scenes in ODE, with and without a recorder.
#pragma once

#include <string>
#include <vector>

#include "perpend/capture/ode/scene.hpp"

namespace perpend::capture {

inline Scene scene_of(const std::string& name) {
  std::string why;
  return scene_named(name, 1, why).value();
}

// ODE's complaints about its own solves are counted by the recorder and fill the screen otherwise.
class Quiet {
 public:
  Quiet() {
    dSetMessageHandler([](int, const char*, va_list) {});
  }
  ~Quiet() { dSetMessageHandler(nullptr); }
};

// After so many steps; every one goes to `sink`, none: it is not recorded.
inline std::uint64_t run(const Scene& scene, OdeMethod method, int steps,
                         const OdeRecorder::Sink& sink = {}, bool measured = false) {
  const Quiet quiet;
  OdeScene inside(scene, scene.step);
  std::optional<OdeRecorder> recorder;
  if (sink) inside.record(&recorder.emplace(inside.world(), inside.space(), sink, measured));
  for (int k = 0; k < steps; ++k) inside.step(method);
  return inside.hash();
}

}  // namespace perpend::capture
