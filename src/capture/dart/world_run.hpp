// A world of DART as the programs that record it run it, whoever made the world.
#pragma once

#include <dart/dynamics/BodyNode.hpp>
#include <dart/simulation/World.hpp>
#include <optional>

#include "perpend/capture/dart.hpp"

namespace perpend::capture {

// Of all coordinates and their velocities, bit for bit.
std::uint64_t state_hash(const dart::simulation::World&);

class DartWorldRun : public Run {
 public:
  io::Header header() const override { return dart_header({}); }
  double h() const override { return world().getTimeStep(); }
  RecordedStep step() override;
  std::uint64_t hash() const override { return state_hash(world()); }

 protected:
  // Every step from now on; ids as DartRecorder::identify says.
  void record(std::function<std::int64_t(const dart::dynamics::BodyNode&)> = {});
  virtual dart::simulation::World& world() const = 0;
  virtual void advance() = 0;  // one step of the world

 private:
  DartStep made_;
  std::optional<DartRecorder> recorder_;
};

}  // namespace perpend::capture
