// Scenes and URDF files in a world of DART, as the program perpend-capture-dart runs them.
#include <dart/config.hpp>
#include <unordered_map>

#include "capture/dart/scene.hpp"
#include "perpend/capture/dart.hpp"

namespace perpend::capture {
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
    const std::vector<std::int64_t> ids = body_ids(task.scene);
    for (std::size_t i = 0; i < scene_.bodies().size(); ++i)
      ids_[scene_.bodies()[i]] = i < ids.size() ? ids[i] : static_cast<std::int64_t>(i);
    const auto step = [this] { scene_.step(); };
    run_ = task.recorded ? recorded_dart_run(scene_.world(), step,
                                             [this](const dart::dynamics::BodyNode& node) {
                                               return ids_.at(&node);
                                             })
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
  DartScene scene_;
  bool sweeps_;
  int iterations_;
  std::unordered_map<const dart::dynamics::BodyNode*, std::int64_t> ids_;  // only looked up
  std::unique_ptr<Run> run_;
};

}  // namespace

Engine dart_engine() {
  Engine out;
  out.name = "dart";
  out.title = "DART";
  out.solvers = {{"dantzig", kDartDantzig}, {"pgs", kDartSweeps}};
  out.files = {".urdf"};
  out.make = [](const Task& task) { return std::make_unique<DartRun>(task); };
  return out;
}

io::Header dart_header(const std::string& scene) {
  io::Header header;
  header.engine = "dart";
  header.engine_version = DART_VERSION;
  header.scalar_bytes = sizeof(double);
  header.scene = scene;
  header.created = timestamp();
  header.answerers = {kDartDantzig, kDartSweeps, kDartBoth, kDartOther};
  header.friction_model = "box";
  header.omitted =
      "contacts that are apart (DART lists those that touch); fixed bodies that nothing touches; "
      "the second coefficient of friction where it differs; soft bodies; constraints on more than "
      "two bodies; iterations; contact ids";
  return header;
}

}  // namespace perpend::capture
