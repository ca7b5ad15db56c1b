// Scenes in ODE, every step kept.
#pragma once

#include <string>
#include <vector>

#include "capture/ode/scene.hpp"
#include "capture/proof.hpp"

namespace perpend::capture::from_ode {

// ODE's complaints about its own solves are counted by the recorder and fill the screen otherwise.
class Quiet {
 public:
  Quiet() {
    dSetMessageHandler([](int, const char*, va_list) {});
  }
  ~Quiet() { dSetMessageHandler(nullptr); }
};

inline Task task_of(const Scene& scene, OdeMethod method) {
  return task_of(ode_engine(), scene, method == OdeMethod::step ? "worldstep" : "quickstep");
}

// A scene, stepped and recorded; `prepare` may change the world first.
template <class Prepare>
void watch(const Scene& scene, OdeMethod method, int steps, const OdeRecorder::Sink& sink,
           Prepare&& prepare) {
  const Quiet quiet;
  OdeScene inside(scene, scene.step);
  OdeRecorder recorder(inside.world(), inside.space(), sink, false);
  inside.record(&recorder);
  prepare(inside);
  for (int k = 0; k < steps; ++k) inside.step(method);
}
template <class Prepare>
std::vector<OdeStep> recorded(const Scene& scene, OdeMethod method, int steps, Prepare&& prepare) {
  std::vector<OdeStep> kept;
  watch(
      scene, method, steps, [&](OdeStep& step) { kept.push_back(step); }, prepare);
  return kept;
}
inline std::vector<OdeStep> recorded(const Scene& scene, OdeMethod method, int steps) {
  return recorded(scene, method, steps, [](OdeScene&) {});
}

// The boxed LCP with the bounds that dWorldStep froze, solved by a method of ours.
inline Impulses boxed(const System& system, const io::Record&) {
  Options options;
  options.tolerance = 1e-11;
  options.measure_all = false;
  return solve(system, "box/newton", options).impulses;
}

}  // namespace perpend::capture::from_ode
