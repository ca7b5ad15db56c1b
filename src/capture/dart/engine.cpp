// Scenes and URDF files in a world of DART, as the program perpend-capture-dart runs them.
#include "capture/engine.hpp"

#include <dart/config.hpp>
#include <unordered_map>

#include "capture/dart/scene.hpp"
#include "capture/dart/world_run.hpp"
#include "capture/header.hpp"

namespace perpend::capture::from_dart {
namespace {

constexpr double kRobotStep = 0.001;  // s, DART's default

class DartRun : public Run {
 public:
  explicit DartRun(const Task& task)
      : scene_(task.file.empty() ? DartScene(task.scene, task.h)
                                 : DartScene(task.file, task.h > 0 ? task.h : kRobotStep)),
        sweeps_(task.solver == "pgs"),
        iterations_(task.iterations) {
    scene_.solve_with(task.solver, task.iterations);
    const std::vector<std::int64_t> ids = io::body_ids(task.scene);
    for (std::size_t i = 0; i < scene_.bodies().size(); ++i)
      ids_[scene_.bodies()[i]] = i < ids.size() ? ids[i] : static_cast<std::int64_t>(i);
    const auto step = [this] { scene_.step(); };
    run_ = task.recorded
               ? recorded_dart_run(scene_.world(), step, task.file.empty() ? of_scene() : of_file())
               : dart_run(scene_.world(), step);
  }
  io::Header header() const override {
    io::Header out = run_->header();
    out.omitted += scene_.told();
    return out;
  }
  double h() const override { return run_->h(); }
  int iterations() const override {
    if (!sweeps_) return 0;
    return iterations_ > 0 ? iterations_ : scene_.sweeps();
  }
  RecordedStep step() override { return run_->step(); }
  std::uint64_t hash() const override { return run_->hash(); }

 private:
  DartIds of_file() const {
    DartIds out;
    out.body = [this](const dart::dynamics::BodyNode& node) { return ids_.at(&node); };
    return out;
  }
  DartIds of_scene() const {
    const auto found = [](const auto& places, const auto* what) {
      const auto at = places.find(what);
      return at == places.end() ? std::int64_t{-1} : at->second;
    };
    DartIds out = of_file();
    out.joint = [this, found](const dart::dynamics::Joint& joint) {
      return found(scene_.joints(), &joint);
    };
    out.constraint = [this, found](const dart::constraint::ConstraintBase& constraint) {
      return found(scene_.loops(), &constraint);
    };
    return out;
  }

  DartScene scene_;
  bool sweeps_;
  int iterations_;
  std::unordered_map<const dart::dynamics::BodyNode*, std::int64_t> ids_;  // only looked up
  std::unique_ptr<Run> run_;
};

}  // namespace

io::Header dart_header(const std::string& scene) {
  return header_of(
      {"dart",
       DART_VERSION,
       sizeof(double),
       {kDartDantzig, kDartSweeps, kDartBoth, kDartOther},
       "box",
       "contacts that are apart (DART lists those that touch); fixed bodies that nothing "
       "touches; the second coefficient of friction where it differs; soft bodies; "
       "constraints on more than two bodies; iterations; contact ids"},
      scene);
}

}  // namespace perpend::capture::from_dart

namespace perpend::capture {

Engine dart_engine() {
  Engine out = engine_of<from_dart::DartRun>(
      "dart", "DART", {{"dantzig", from_dart::kDartDantzig}, {"pgs", from_dart::kDartSweeps}},
      {".urdf"});
  out.supports = {.drives = true, .filters = true};
  return out;
}

}  // namespace perpend::capture
