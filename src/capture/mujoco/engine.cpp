// Scenes and MJCF files in MuJoCo, as the program perpend-capture-mujoco runs them.
#include "capture/engine.hpp"

#include "capture/clock.hpp"
#include "capture/mujoco/cone_error.hpp"
#include "capture/mujoco/world.hpp"

namespace perpend::capture::from_mujoco {
namespace {

constexpr int kNoSlipIterations = 10;

double clock_seconds() { return seconds(Clock::now().time_since_epoch()); }

// A name of `solvers` changes what it names, and leaves the rest as the model has it.
void choose(const std::string& name, mjOption& option) {
  const auto says = [&](const char* word) { return name.find(word) != std::string::npos; };
  if (says("newton")) option.solver = mjSOL_NEWTON;
  if (says("cg")) option.solver = mjSOL_CG;
  if (says("pgs")) option.solver = mjSOL_PGS;
  if (says("elliptic")) option.cone = mjCONE_ELLIPTIC;
  if (says("noslip")) option.noslip_iterations = kNoSlipIterations;
}

std::vector<SolverName> solvers() {
  return {{"default", "that of the model, or Newton with pyramids"},
          {"newton", "Newton"},
          {"cg", "CG"},
          {"pgs", "PGS"},
          {"newton-elliptic", "Newton, elliptic cones"},
          {"cg-elliptic", "CG, elliptic cones"},
          {"pgs-elliptic", "PGS, elliptic cones"},
          {"newton-noslip", "Newton, then noslip"},
          {"newton-elliptic-noslip", "Newton, elliptic cones, then noslip"}};
}

MujocoWorld world_of(const Task& task) {
  if (task.file.empty()) return MujocoWorld(task.scene, task.h);
  return MujocoWorld(model_from_file(task.file));
}

class MujocoRun : public Run {
 public:
  explicit MujocoRun(const Task& task)
      : recorded_(task.recorded),
        world_(world_of(task)),
        recorder_([this](MujocoStep& step) { made_ = std::move(step); }) {
    mjOption& option = world_.model().opt;
    choose(task.solver, option);
    if (task.iterations > 0) option.iterations = task.iterations;
    if (task.h > 0) option.timestep = task.h;
    const std::string why = refusal(world_.model());
    if (!why.empty()) throw io::InputError(task.scene.name + ": " + why);
    if (mjcb_time == clock_seconds) recorder_.clock_unit = 1;
    if (!task.file.empty()) return;
    recorder_.id = [this, ids = io::body_ids(task.scene)](int body) {
      const std::int64_t place = world_.place(body);
      return place < 0 ? place : ids[static_cast<std::size_t>(place)];
    };
    recorder_.joint_id = [this](const mjModel&, mjtObj kind, int number) {
      return world_.joint(kind, number);
    };
  }
  io::Header header() const override { return mujoco_header(world_.model(), {}); }
  double h() const override { return world_.model().opt.timestep; }
  int iterations() const override { return world_.model().opt.iterations; }
  std::string solver() const override { return solver_title(world_.model()); }
  RecordedStep step() override {
    world_.step(recorded_ ? &recorder_ : nullptr);
    if (!recorded_) return {};
    return {std::move(made_.record), made_.seconds, {}};
  }
  std::uint64_t hash() const override { return world_.hash(); }

 private:
  bool recorded_;
  MujocoWorld world_;
  MujocoStep made_;
  MujocoRecorder recorder_;
};

}  // namespace

void take_over_process() {
  mju_user_error = [](const char* why) { throw io::InputError(std::string("MuJoCo: ") + why); };
  mju_user_warning = [](const char*) {};
  mjcb_time = clock_seconds;
}

}  // namespace perpend::capture::from_mujoco

namespace perpend::capture {

Engine mujoco_engine() {
  Engine out = engine_of<from_mujoco::MujocoRun>("mujoco", "MuJoCo", from_mujoco::solvers(),
                                                 {".xml", ".mjcf"});
  out.measure = from_mujoco::measure_mujoco;
  out.supports = {.drives = true, .filters = true};
  return out;
}

}  // namespace perpend::capture
