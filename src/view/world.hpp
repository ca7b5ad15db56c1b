// A scene in our world or in Bullet's own, as the viewer needs it: hands pull at it, settings and
// the scene's bodies change between steps.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "view/messages.hpp"
#include "view/settings.hpp"

namespace perpend {
struct StepProblem;  // perpend/sim/world.hpp
}

namespace perpend::view {

// What a hand does to a body until it lets go.
struct Hold {
  std::uint32_t body = 0;
  bool drags = false;
  Vector3d point = Vector3d::Zero(), target = Vector3d::Zero();  // m: in the shape's frame; world
  Vector3d torque = Vector3d::Zero();                            // N m
  Vector3d force = Vector3d::Zero();                             // N, in the last step
};

enum class Engine { perpend, bullet };

class World {
 public:
  World(const Scene&, const Settings&, Engine, Executor&);
  ~World();

  void set(const Settings&);  // in our world: those of the same h
  // One step from one time to the next; the holds get their forces. Returns why it was not made:
  // then nothing has moved.
  std::string step(double from, double to, std::vector<Hold>&);
  // Stock Bullet: iterations and time alone.
  const StepReport& report() const;
  const StepProblem& problem() const;                // of the last step
  void watch(bool on);                               // keep the history of each step
  const std::vector<HistoryPoint>& history() const;  // of the last step

  // None: stock Bullet keeps more than it tells.
  std::optional<Snapshot> save() const;
  std::string restore(const Snapshot&, double time);
  void add(const Body&);  // stock Bullet only: our world is built again
  void cut(std::size_t joint);
  bool is_cut(std::size_t joint) const;

  double energy() const;       // J
  double penetration() const;  // m
  std::uint64_t hash() const;
  Pose pose(std::size_t body) const;         // of its shape
  Vector6 velocity(std::size_t body) const;  // of its centre of mass
  std::int64_t id(std::size_t body) const;
  // Of the last step.
  std::vector<ContactForce> touches() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace perpend::view
