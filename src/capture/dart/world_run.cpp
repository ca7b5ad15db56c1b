#include "capture/dart/world_run.hpp"

#include "perpend/scene/hash.hpp"

namespace perpend::capture {

std::uint64_t state_hash(const dart::simulation::World& world) {
  StateHash hash;
  for (std::size_t i = 0; i < world.getNumSkeletons(); ++i) {
    for (const double q : world.getSkeleton(i)->getPositions()) hash.add(q);
    for (const double dq : world.getSkeleton(i)->getVelocities()) hash.add(dq);
  }
  return hash.value();
}

void DartWorldRun::record(std::function<std::int64_t(const dart::dynamics::BodyNode&)> id) {
  recorder_.emplace([this](DartStep& step) { made_ = std::move(step); });
  recorder_->record(world());
  recorder_->identify(std::move(id));
}

RecordedStep DartWorldRun::step() {
  advance();
  if (!recorder_) return {};
  recorder_->finish();
  return {std::move(made_.record), made_.seconds, {}};
}

}  // namespace perpend::capture
