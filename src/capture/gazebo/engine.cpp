// Worlds in SDF, as the program perpend-capture-gazebo runs them.
#include "capture/engine.hpp"

#include <dart/config.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/simulation/World.hpp>

#include "capture/dart/world_run.hpp"
#include "capture/gazebo/world.hpp"

namespace perpend::capture::from_gazebo {
namespace {

constexpr char kAsTheFileSays[] = "default";

class GazeboRun : public Run {
 public:
  explicit GazeboRun(const Task& task)
      : world_(file_of(task),
               {task.h, task.solver == kAsTheFileSays ? std::string() : task.solver}) {
    const auto* solver = dynamic_cast<const dart::constraint::BoxedLcpConstraintSolver*>(
        world_.world().getConstraintSolver());
    sweeps_ = solver && solver->getBoxedLcpSolver()->is<dart::constraint::PgsBoxedLcpSolver>();
    const auto step = [this] { world_.step(); };
    run_ = task.recorded ? from_dart::recorded_dart_run(world_.world(), step)
                         : from_dart::dart_run(world_.world(), step);
  }
  io::Header header() const override {
    io::Header out = run_->header();
    out.engine = "gazebo";
    out.engine_version = gazebo_version();
    out.engine_version += ", dart ";
    out.engine_version += DART_VERSION;
    return out;
  }
  double h() const override { return run_->h(); }
  std::string solver() const override {
    return sweeps_ ? from_dart::kDartSweeps : from_dart::kDartDantzig;
  }
  RecordedStep step() override { return run_->step(); }
  std::uint64_t hash() const override { return run_->hash(); }

 private:
  static const std::string& file_of(const Task& task) {
    if (task.file.empty())
      throw io::InputError("gazebo: '" + task.scene.name +
                           "' is a scene of Perpend; Gazebo reads .sdf and .world files");
    return task.file;
  }

  GazeboWorld world_;
  bool sweeps_ = false;
  std::unique_ptr<Run> run_;
};

}  // namespace
}  // namespace perpend::capture::from_gazebo

namespace perpend::capture {

Engine gazebo_engine() {
  return engine_of<from_gazebo::GazeboRun>("gazebo", "Gazebo's physics with DART",
                                           {{from_gazebo::kAsTheFileSays, "as the file says"},
                                            {"dantzig", from_dart::kDartDantzig},
                                            {"pgs", from_dart::kDartSweeps}},
                                           {".sdf", ".world"});
}

}  // namespace perpend::capture
