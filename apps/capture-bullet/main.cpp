// perpend-capture-bullet: a scene in stock Bullet, every step recorded. `perpend capture bullet`
// starts it; a program of its own, so that no other engine can come into one process with Bullet
// (docs/capture.md tells what the two say to each other).
//
// On stdout one JSON document per line: {"step": N} now and then, and at the end {"summary": {...}}
// or {"error": "..."}. Ctrl-C ends the run after the step in work; the file is closed.
#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "perpend/bullet.hpp"
#include "perpend/capture.hpp"
#include "perpend/capture/bullet.hpp"
#include "perpend/io.hpp"

namespace perpend::capture {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
enum Exit : int { kSuccess = 0, kUsage = 2, kInterrupted = 130 };

volatile std::sig_atomic_t stopped = 0;  // a signal handler can reach nothing but globals

struct Request {
  std::string scene, out, solver = "si";
  long steps = -1;
  double h = 0;
  int iterations = 0;
};

struct SolverName {
  const char *name, *title;
};
constexpr SolverName kSolvers[] = {{"si", "sequential impulses"},
                                   {"nncg", "nonsmooth nonlinear conjugate gradients"},
                                   {"dantzig", "MLCP by Dantzig"},
                                   {"lemke", "MLCP by Lemke"},
                                   {"pgs", "MLCP by projected Gauss-Seidel"}};

// One of Bullet's solvers, recording.
struct Recorded {
  btDantzigSolver dantzig;
  btLemkeSolver lemke;
  btSolveProjectedGaussSeidel pgs;
  std::unique_ptr<btConstraintSolver> solver;

  Recorded(const std::string& name, BulletRecorder& recorder) {
    if (name == "si") make<btSequentialImpulseConstraintSolver>(recorder);
    if (name == "nncg") make<btNNCGConstraintSolver>(recorder);
    if (name == "dantzig") make<btMLCPSolver>(recorder, &dantzig);
    if (name == "lemke") make<btMLCPSolver>(recorder, &lemke);
    if (name == "pgs") make<btMLCPSolver>(recorder, &pgs);
  }
  template <class Solver, class... Arguments>
  void make(BulletRecorder& recorder, Arguments*... arguments) {
    solver = std::make_unique<Recording<Solver>>(recorder, arguments...);
  }
};

void say(const Json& document) { std::cout << document.dump() << "\n" << std::flush; }

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string text(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return digits;
}

std::string hexadecimal(std::uint64_t value) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

Scene scene_of(const std::string& path) {
  if (path != "-") return io::read_scene(path);
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  return io::scene_from_json(text, "the scene on standard input");
}

// What a run looked like; sums and worst values over its steps.
class Summary {
 public:
  void add(const BulletStep& step, double spent) {
    const io::Record& record = step.record;
    ++steps_;
    bodies_ = std::max(bodies_, record.frame.bodies.count());
    contacts_ = std::max(contacts_, record.frame.contacts.count());
    joint_rows_ = std::max(joint_rows_, record.frame.joints.row_count());
    fallbacks_ += step.fell_back;
    momentum_ = std::max(momentum_, momentum_gap(record));
    for (const MeasureInfo& one : measures())
      if (record.answer.errors.has(one.measure) &&
          !(errors_[one.measure] >= record.answer.errors[one.measure]))
        errors_[one.measure] = record.answer.errors[one.measure];
    formulation_ += record.timing.formulation;
    solver_ += record.timing.solver;
    collision_ += record.timing.collision;
    seconds_.push_back(spent);
    recording_ += step.seconds;
  }
  long steps() const { return steps_; }

  Json document(const Request& request, const Scene& scene, double h, int iterations,
                std::uint64_t hash) {
    Json errors = Json::object();
    for (const MeasureInfo& one : measures())
      if (errors_.has(one.measure)) errors[std::string(one.name)] = number(errors_[one.measure]);
    double total = 0;
    for (const double one : seconds_) total += one;
    std::sort(seconds_.begin(), seconds_.end());
    const auto quantile = [&](double q) {
      if (seconds_.empty()) return Json(nullptr);
      return Json(
          1e3 *
          seconds_[static_cast<std::size_t>(q * static_cast<double>(seconds_.size() - 1) + 0.5)]);
    };
    const auto title = std::find_if(std::begin(kSolvers), std::end(kSolvers),
                                    [&](const SolverName& s) { return s.name == request.solver; });
    Json answered = Json::object();
    if (steps_ > fallbacks_) answered[title->title] = steps_ - fallbacks_;
    if (fallbacks_ > 0) answered[kSolvers[0].title] = fallbacks_;
    return {{"scene", scene.name},
            {"engine", "bullet"},
            {"engine_version", bullet::version()},
            {"scalar_bytes", sizeof(btScalar)},
            {"solver", title->title},
            {"max_iterations", iterations},
            {"dt", h},
            {"steps", steps_},
            {"bodies", bodies_},
            {"contacts_max", contacts_},
            {"joint_rows", joint_rows_},
            {"answered", answered},
            {"fallbacks", fallbacks_},
            {"momentum_gap", number(momentum_)},
            {"errors", errors},
            {"state_hash", hexadecimal(hash)},
            {"seconds",
             {{"collision", collision_},
              {"formulation", formulation_},
              {"solver", solver_},
              {"total", total},
              {"recording", recording_}}},
            {"step_ms", {{"median", quantile(0.5)}, {"p99", quantile(0.99)}}}};
  }

 private:
  long steps_ = 0, fallbacks_ = 0;
  Index bodies_ = 0, contacts_ = 0, joint_rows_ = 0;
  double momentum_ = 0, collision_ = 0, formulation_ = 0, solver_ = 0, recording_ = 0;
  Errors errors_;
  std::vector<double> seconds_;
};

io::Header header(const Request& request, const Scene& scene, double h, long steps,
                  int iterations) {
  io::Header out = bullet_header(scene.name);
  out.scene_json = io::to_json(scene);
  out.simulate = io::recipe_json({{"engine", "bullet"},
                                  {"dt", text(h)},
                                  {"steps", std::to_string(steps)},
                                  {"solver", request.solver},
                                  {"max_iterations", std::to_string(iterations)}});
  return out;
}

// Of the scene's bodies: their place where none has an id, else those without come after all ids.
std::vector<std::int64_t> body_ids(const Scene& scene) {
  constexpr std::int64_t kHighest = std::int64_t{1} << 53;
  const bool any = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                               [](const Body& body) { return body.id.has_value(); });
  std::vector<std::int64_t> ids;
  for (const Body& body : scene.bodies) {
    const auto place = static_cast<std::int64_t>(ids.size());
    ids.push_back(body.id.value_or(any ? kHighest + 1 + place : place));
  }
  return ids;
}

int run(const Request& request) {
  const Scene scene = scene_of(request.scene);
  const double h = request.h > 0 ? request.h : scene.step;
  const long steps = request.steps >= 0 ? request.steps : scene.steps;

  // A step is written after it is over, when its time is known; when its solver is called the
  // contacts have been found.
  std::optional<BulletStep> made;
  BulletRecorder recorder([&](BulletStep& step) { made = std::move(step); });
  Recorded recorded(request.solver, recorder);
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, recorded.solver.get(), &configuration);
  if (request.iterations > 0) world.getSolverInfo().m_numIterations = request.iterations;
  const int iterations = world.getSolverInfo().m_numIterations;
  bullet::SceneInWorld inside(scene, h, world);
  recorder.id = [ids = body_ids(scene)](const btCollisionObject& object) {
    const int place = object.getWorldArrayIndex();  // nothing is ever removed here
    return place < 0 ? -1 : ids[static_cast<std::size_t>(place)];
  };

  io::FrameWriter writer(request.out, header(request, scene, h, steps, iterations), 1024);
  Summary summary;
  Clock::time_point told = Clock::now();
  while (summary.steps() < steps && !stopped) {
    made.reset();
    const Clock::time_point start = Clock::now();
    inside.step();
    const double spent =
        std::chrono::duration<double>(Clock::now() - start).count() - made->seconds;
    io::Record& record = made->record;
    record.timing.total = spent;
    record.timing.collision = std::chrono::duration<double>(made->began - start).count();
    writer.append(record);
    summary.add(*made, spent);
    if (Clock::now() - told > std::chrono::milliseconds(100)) {
      say({{"step", summary.steps()}});
      told = Clock::now();
    }
  }
  stopped ? writer.close() : writer.close(hexadecimal(inside.hash()));
  say({{"summary", summary.document(request, scene, h, iterations, inside.hash())}});
  return stopped ? kInterrupted : kSuccess;
}

}  // namespace
}  // namespace perpend::capture

int main(int argc, char** argv) {
  using namespace perpend::capture;
  std::signal(SIGINT, [](int) { stopped = 1; });
  Request request;
  CLI::App program("A scene in stock Bullet, every step recorded in a standard file.",
                   "perpend-capture-bullet");
  program.add_option("SCENE", request.scene, "Scene file; -: from standard input")->required();
  program.add_option("--out", request.out, "Standard file")->required()->type_name("FILE.h5");
  program.add_option("--steps", request.steps, "Number of steps [the scene's]")->type_name("N");
  program.add_option("--dt", request.h, "Step [the scene's]")->type_name("SECONDS");
  std::vector<std::string> names;
  for (const SolverName& solver : kSolvers) names.emplace_back(solver.name);
  program.add_option("--solver", request.solver, "Which of Bullet's solvers")
      ->check(CLI::IsMember(names));
  program.add_option("--iterations", request.iterations, "Its iterations [Bullet's default]")
      ->type_name("N");
  program.footer(
      "Example:\n  perpend scenes stack:10 | perpend-capture-bullet - --out stack.h5\n"
      "perpend capture bullet is the same with progress, table and checks.");
  try {
    program.parse(argc, argv);
    return run(request);
  } catch (const CLI::Success& help) {
    return program.exit(help);
  } catch (const std::exception& error) {
    say({{"error", error.what()}});
    return kUsage;
  }
}
