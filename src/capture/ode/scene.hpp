// Scenes in a world of ODE: bodies, geoms, joints, contacts, scripted motions.
#pragma once

#include <memory>

#include "perpend/capture/ode.hpp"
#include "perpend/scene.hpp"

namespace perpend::capture::from_ode {

// dInitODE2 for as long as it lives.
class OdeLibrary {
 public:
  OdeLibrary();
  ~OdeLibrary();
  OdeLibrary(const OdeLibrary&) = delete;
  OdeLibrary& operator=(const OdeLibrary&) = delete;
};

// What ODE cannot express of a scene, naming the body or joint; empty: nothing.
std::string inexpressible_in_ode(const Scene&);

// A scene in a world of its own, with ODE's settings as they are when a world is made. Nothing
// sleeps. Random numbers of QuickStep start at the scene's seed. Throws io::InputError with the
// reason of inexpressible_in_ode.
class OdeScene {
 public:
  OdeScene(const Scene&, double h);
  ~OdeScene();
  OdeScene(const OdeScene&) = delete;
  OdeScene& operator=(const OdeScene&) = delete;

  dWorldID world() const;
  dSpaceID space() const;
  dBodyID body(std::size_t i) const;  // null: one of the scene's fixed bodies that stand still

  // Recorded from now on; null: no more. The recorder's ids become those of the scene.
  void record(OdeRecorder*);
  void step(OdeMethod);
  double h() const;
  std::uint64_t hash() const;  // of all poses and velocities, by ids, bit for bit

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace perpend::capture::from_ode
