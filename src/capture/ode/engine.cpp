// Scenes in a world of ODE with either of its methods, as the program perpend-capture-ode runs
// them.
#include "capture/engine.hpp"

#include "capture/header.hpp"
#include "capture/ode/answerers.hpp"
#include "capture/ode/scene.hpp"
#include "capture/outlet.hpp"

namespace perpend::capture::from_ode {
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
        recorder_(inside_.world(), inside_.space(), last_.outlet()) {
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
    return last_.take();
  }
  void reuse(std::unique_ptr<StepRecord> step) override { last_.reuse(std::move(step)); }
  std::uint64_t hash() const override { return inside_.hash(); }

 private:
  OdeMethod method_;
  unsigned long seed_ = 0;
  Silence silence_;
  OdeScene inside_;
  LastStep last_;
  OdeRecorder recorder_;
};

}  // namespace

io::Header ode_header(const std::string& scene) {
  return header_of(
      {"ode", dODE_VERSION, sizeof(dReal), answerers_of(solvers(), kGaveUp), "box",
       "gaps above zero; contact ids; sleeping bodies; fixed bodies that nothing touches; "
       "iterations of dWorldStep; joints other than ball, hinge, slider, universal, fixed and "
       "angular motor (their forces count as external); limits of a body's angular speed; the "
       "seed of QuickStep's random order"},
      scene);
}

}  // namespace perpend::capture::from_ode

namespace perpend::capture {

Engine ode_engine() { return engine_of<from_ode::OdeRun>("ode", "ODE", from_ode::solvers()); }

}  // namespace perpend::capture
