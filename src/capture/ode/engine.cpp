// Scenes in a world of ODE with either of its methods, as the program perpend-capture-ode runs
// them.
#include "capture/ode/answerers.hpp"
#include "capture/ode/scene.hpp"

namespace perpend::capture {
namespace {

std::vector<SolverName> solvers() { return {{"quickstep", kQuickStep}, {"worldstep", kWorldStep}}; }

// ODE prints every solve that broke down; the records tell which.
class Silence {
 public:
  Silence() : before_(dGetMessageHandler()) {
    dSetMessageHandler([](int, const char*, va_list) {});
  }
  ~Silence() { dSetMessageHandler(before_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  dMessageFunction* before_;
};

class OdeRun : public Run {
 public:
  explicit OdeRun(const Task& task)
      : method_(task.solver == "worldstep" ? OdeMethod::step : OdeMethod::quick_step),
        inside_(task.scene, task.h),
        recorder_(inside_.world(), inside_.space(),
                  Outlet{[this](RecordedStep step) { made_ = std::move(step); },
                         [this] { return std::move(emptied_); }}) {
    if (task.iterations > 0) dWorldSetQuickStepNumIterations(inside_.world(), task.iterations);
    if (task.recorded) inside_.record(&recorder_);
    seed_ = dRandGetSeed();
  }
  io::Header header() const override { return ode_header({}); }
  double h() const override { return inside_.h(); }
  int iterations() const override {
    return method_ == OdeMethod::step ? 0 : dWorldGetQuickStepNumIterations(inside_.world());
  }
  // QuickStep's random numbers are the process's: every run has its own sequence of them.
  RecordedStep step() override {
    dRandSetSeed(seed_);
    inside_.step(method_);
    seed_ = dRandGetSeed();
    return std::move(made_);
  }
  void reuse(std::unique_ptr<Gathered> step) override { emptied_ = std::move(step); }
  std::uint64_t hash() const override { return inside_.hash(); }

 private:
  OdeMethod method_;
  unsigned long seed_ = 0;
  Silence silence_;
  OdeScene inside_;
  RecordedStep made_;
  std::unique_ptr<Gathered> emptied_;
  OdeRecorder recorder_;
};

}  // namespace

Engine ode_engine() {
  Engine out;
  out.name = "ode";
  out.title = "ODE";
  out.solvers = solvers();
  out.make = [](const Task& task) { return std::make_unique<OdeRun>(task); };
  return out;
}

io::Header ode_header(const std::string& scene) {
  io::Header header;
  header.engine = "ode";
  header.engine_version = dODE_VERSION;
  header.scalar_bytes = sizeof(dReal);
  header.scene = scene;
  header.created = timestamp();
  for (const SolverName& one : solvers()) header.answerers.push_back(one.title);
  header.answerers.push_back(kGaveUp);
  header.friction_model = "box";
  header.omitted =
      "gaps above zero; contact ids; sleeping bodies; fixed bodies that nothing touches; "
      "iterations "
      "of dWorldStep; rows of contacts that were not told and of joints other than ball, hinge, "
      "slider, universal, fixed and angular motor (their forces count as external); the cap of a "
      "body's angular speed; the seed of QuickStep's random order";
  return header;
}

}  // namespace perpend::capture
