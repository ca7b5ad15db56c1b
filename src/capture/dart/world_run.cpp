#include "capture/dart/world_run.hpp"

#include <dart/simulation/World.hpp>
#include <optional>

#include "perpend/base.hpp"

namespace perpend::capture::from_dart {
namespace {

class WorldRun : public Run {
 public:
  WorldRun(dart::simulation::World& world, std::function<void()> step)
      : world_(world), step_(std::move(step)) {}
  void record(DartIds id) {
    recorder_.emplace([this](DartStep& step) { made_ = std::move(step); });
    recorder_->record(world_);
    recorder_->identify(std::move(id));
  }
  io::Header header() const override { return dart_header({}); }
  double h() const override { return world_.getTimeStep(); }
  RecordedStep step() override {
    step_();
    if (!recorder_) return {};
    recorder_->finish();
    return {std::move(made_.record), made_.seconds, {}};
  }
  std::uint64_t hash() const override { return state_hash(world_); }

 private:
  dart::simulation::World& world_;
  std::function<void()> step_;
  DartStep made_;
  std::optional<DartRecorder> recorder_;
};

}  // namespace

std::uint64_t state_hash(const dart::simulation::World& world) {
  StateHash hash;
  for (std::size_t i = 0; i < world.getNumSkeletons(); ++i) {
    for (const double q : world.getSkeleton(i)->getPositions()) hash.add(q);
    for (const double dq : world.getSkeleton(i)->getVelocities()) hash.add(dq);
  }
  return hash.value();
}

std::unique_ptr<Run> dart_run(dart::simulation::World& world, std::function<void()> step) {
  return std::make_unique<WorldRun>(world, std::move(step));
}

std::unique_ptr<Run> recorded_dart_run(dart::simulation::World& world, std::function<void()> step,
                                       DartIds id) {
  auto out = std::make_unique<WorldRun>(world, std::move(step));
  out->record(std::move(id));
  return out;
}

}  // namespace perpend::capture::from_dart
