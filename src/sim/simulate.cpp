// A whole run of a scene: steps, what each cost, and what it looked like.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <unordered_map>

#include "perpend/base.hpp"
#include "perpend/host.hpp"
#include "perpend/io.hpp"
#include "perpend/io/names.hpp"
#include "perpend/sim.hpp"
#include "perpend/sim/contact_forces.hpp"
#include "perpend/sim/recording.hpp"
#include "sim/build.hpp"
#include "sim/contacts.hpp"
#include "sim/record.hpp"
#include "sim/state_of_world.hpp"

namespace perpend {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Index stock_contacts(btDiscreteDynamicsWorld& world) {
  Index count = 0;
  for (int i = 0; i < world.getDispatcher()->getNumManifolds(); ++i)
    count += world.getDispatcher()->getManifoldByIndexInternal(i)->getNumContacts();
  return count;
}

class Recorder {
 public:
  Recorder(const Scene& scene, const SimulateOptions& options, double h, Index steps)
      : writer_(options.out, header(scene, options, h, steps), 1024) {}

  void name(io::ModelColumns model) { model_ = std::move(model); }  // with the next frame
  void add(io::Record record) {
    std::swap(record.model, model_);
    writer_.append(record);
    model_ = {};
  }
  void close() { writer_.close(); }
  void close(std::uint64_t hash) { writer_.close(hexadecimal(hash)); }

 private:
  static io::Header header(const Scene& scene, const SimulateOptions& options, double h,
                           Index steps) {
    io::Header out = recording_header(scene, options, h, steps);
    // Begins in the middle, or somebody else decides: the scene alone does not tell how.
    if (options.restore || options.control) {
      out.scene_json.clear();
      out.simulate.clear();
    }
    return out;
  }
  io::FrameWriter writer_;
  io::ModelColumns model_;
};

// Names alone: shapes are not needed, and hulls take time.
io::Names names_of(const Scene& scene, const io::Header& header) {
  io::ModelColumns names;
  names.body_ids = io::body_ids(scene, 1);
  for (const Body& body : scene.bodies) names.body_names.emplace_back(body.name);
  for (const Joint& joint : scene.joints) {
    names.joint_ids.push_back(static_cast<std::int64_t>(names.joint_ids.size()));
    names.joint_names.emplace_back(joint.name);
  }
  return io::Names(names, header);
}

// The moment that the caller watches; contacts and error are those of the step before.
class Watched {
 public:
  Watched(const Scene& scene, sim::Built& built) : built_(built) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const auto place = static_cast<std::uint32_t>(i);
      objects_[&built.body(i)] = place;
      if (built.ours()) ids_[built.ours()->id(&built.body(i))] = place;
    }
    moment_.error = std::numeric_limits<double>::quiet_NaN();
  }
  void take(const StepProblem& problem, const sim::Measured& answer) {
    moment_.contacts = contact_forces(problem, answer.system, answer.impulses,
                                      [&](std::int64_t id) { return ids_.at(id); });
    moment_.error = answer.errors[Measure::velocity_error];
  }
  void take_stock(double h) {
    moment_.contacts = contact_forces(
        built_.world(), h, [&](const btCollisionObject* object) { return objects_.at(object); });
  }
  const Moment& at(const State& state, double penetration) {
    moment_.state = state;
    moment_.penetration = penetration;
    return moment_;
  }

 private:
  sim::Built& built_;
  std::unordered_map<std::int64_t, std::uint32_t> ids_;
  std::unordered_map<const btCollisionObject*, std::uint32_t> objects_;
  Moment moment_;
};

// Of a run that its engine has let go too far, in the way our own world tells it.
std::string too_fast(const Scene& scene, const State& state) {
  constexpr double kTooFast = 1e9;  // m/s
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const double speed = state.velocities.row(static_cast<Index>(i)).head<3>().norm();
    if (speed < kTooFast) continue;
    return scene.bodies[i].name + (std::isnan(speed) ? " has a speed that is not a number"
                                                     : formatted(" moves at %.3g m/s", speed));
  }
  return {};
}

// No run that means something has so much.
std::string too_much_energy(double energy) {
  constexpr double kMost = 1e12;  // J
  return energy < kMost ? std::string() : formatted("the kinetic energy is %.3g J", energy);
}

// Of steps from `first` on, counted from 0.
StepTimes step_times(const std::vector<double>& seconds, Index first) {
  StepTimes out;
  out.median = 1e3 * quantile(seconds, 0.5);
  out.p99 = 1e3 * quantile(seconds, 0.99);
  out.worst = 1e3 * quantile(seconds, 1);
  const auto worst = std::max_element(seconds.begin(), seconds.end());
  if (!seconds.empty()) out.worst_step = first + 1 + (worst - seconds.begin());
  return out;
}

void add(Summary& sum, const StepReport& step) {
  sum.contacts_max = std::max(sum.contacts_max, step.contacts);
  sum.joint_rows_max = std::max(sum.joint_rows_max, step.joint_rows);
  sum.iterations += step.iterations;
  sum.iterations_max = std::max(sum.iterations_max, step.iterations);
  for (std::size_t w = 0; w < kWorks; ++w) sum.work[w] += step.work[w];
  sum.sweeps += step.sweeps;
  sum.sweeps_max = std::max(sum.sweeps_max, step.sweeps);
  for (const auto& [path, count] : step.paths) sum.paths[path] += count;
  sum.islands += step.islands;
  sum.unconverged += step.unconverged;
  sum.capped += step.capped;
  sum.unconverged_steps += step.unconverged > 0 || step.status == Status::time_limit;
  sum.retries += step.retries;
  sum.corrected += step.corrected;
  sum.settled += step.settled;
  if (!step.message.empty()) sum.message = step.message;
  sum.seconds.collision += step.collision_seconds;
  sum.seconds.formulation += step.formulation_seconds;
  sum.seconds.solver += step.solver_seconds;
  sum.seconds.correction += step.correction_seconds;
}

void tell_worst(Summary& sum, const StepProblem& problem, const sim::Measured& answer,
                const io::Names& names) {
  const io::FrameNames rows(names, problem.frame, problem.joint_ids);
  const io::Worst worst = io::worst(answer.system, answer.impulses, rows);
  if (worst.unit < 0) return;
  sum.worst = worst.where;
  sum.worst_step = sum.steps + 1;
  sum.worst_residual = worst.residual;
  sum.worst_unit = worst.unit_of_residual;
}

}  // namespace

Summary simulate(const Scene& scene, const SimulateOptions& options) {
  const bool stock = options.engine == "bullet";
  const double h = options.h > 0 ? options.h : scene.step;
  const Index steps = options.steps >= 0 ? options.steps : scene.steps;
  if (const std::string what = stock ? beyond_engine(scene, kBulletSupport) : ""; !what.empty())
    throw io::InputError(scene.name + ": " + what + ": Bullet's own world does not have it");
  sim::Built built(scene, h, stock ? sim::Built::Engine::bullet : sim::Built::Engine::perpend);
  Summary sum;
  sum.scene = scene.name;
  sum.engine = options.engine;
  sum.solver = stock ? "sequential impulses" : options.step.solver;
  sum.stepper = stock ? "" : name(options.step.stepper);
  sum.contacts = stock ? "" : name(options.step.contacts);
  sum.effort = stock ? "" : name(options.step.effort);
  sum.h = h;
  sum.bodies = static_cast<Index>(scene.bodies.size());
  for (const Body& body : scene.bodies) sum.moving += body.mass > 0;

  double time = 0;
  bool taken = false;  // the last step
  std::unique_ptr<Recorder> recorder;
  ThreadPool pool(stock ? 1 : options.threads);
  std::unique_ptr<Watched> watched;
  if (options.watch) watched = std::make_unique<Watched>(scene, built);
  const io::Names names = names_of(scene, recording_header(scene, options, h, steps));
  if (!stock) {
    built.ours()->options() = options.step;
    built.ours()->set_executor(pool);
    if (!options.out.empty()) recorder = std::make_unique<Recorder>(scene, options, h, steps);
    built.ours()->on_step([&](const StepProblem& problem, const StepReport& report) {
      taken = report.status != Status::stopped;
      if (!taken) return;
      const sim::Measured answer = sim::measured(problem, report);
      if (!(sum.errors[Measure::velocity_error] >= answer.errors[Measure::velocity_error]))
        tell_worst(sum, problem, answer, names);
      for (const MeasureInfo& one : measures())
        if (answer.errors.has(one.measure) &&
            !(sum.errors[one.measure] >= answer.errors[one.measure]))
          sum.errors[one.measure] = answer.errors[one.measure];
      if (report.held > 0) {
        const io::FrameNames rows(names, problem.frame, problem.joint_ids);
        ++sum.held_steps;
        sum.held += report.held;
        sum.held_rows = report.held_rows;
        for (OpenRow& one : sum.held_rows)
          one.where = one.contact >= 0 ? rows.contact(one.contact)
                                       : rows.joint(rows.joint_of(one.joint_row));
      }
      if (watched) watched->take(problem, answer);
      if (recorder && sum.steps == 0) recorder->name(model_of(scene, problem.frame.bodies, 0));
      if (recorder && (!options.record || options.record(sum.steps, problem.frame)))
        recorder->add(sim::record_of(time, problem, report, answer));
      time += problem.frame.step;
    });
  }
  if (options.restore) {
    if (recorder) recorder->name(model_of(scene, built.ours()->frame(h).bodies, 0));
    if (const std::string why = built.restore(*options.restore); !why.empty())
      throw SnapshotError(why);
    sum.first_step = sum.steps = built.steps();
    time = static_cast<double>(built.steps()) * h;
  }
  const auto save = [&] {
    Snapshot saved = built.save();
    saved.scene = scene.name;
    options.save(saved);
  };
  if (options.save && options.save_at == sum.steps) save();
  Trajectory trajectory(scene, built.state());
  if (options.observe) options.observe(built.state());
  sim::ContactFinder ruler;
  if (watched) options.watch(watched->at(built.state(), sim::penetration(built.world(), ruler)));
  std::vector<double> seconds, cpu_seconds;
  for (Index step = sum.first_step; step < steps; ++step) {
    // Ctrl-C within a step: it is undone, for half of one is no state to go on from.
    std::optional<Snapshot> before;
    if (!stock && options.step.solve.cancelled) before = built.save();
    taken = stock;
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = host::cpu_seconds(false);
    if (options.control && !stock)
      options.control(static_cast<double>(built.steps()) * h, built.joints());
    built.step();
    if (!taken) {
      const StepReport& report = built.ours()->report();
      if (report.status == Status::stopped && before)
        built.restore(*before);
      else
        sum.message = built.named(scene, report.message) + " in step " + std::to_string(step + 1) +
                      ": the run ends before it";
      sum.stopped = true;
      break;
    }
    double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    double cpu = host::cpu_seconds(false) - cpu_start;
    if (!stock) {  // without recording and measuring
      spent = built.ours()->report().total_seconds;
      cpu = built.ours()->report().cpu_seconds;
      for (const std::string& note : built.ours()->report().notes)
        sum.notes.push_back(built.named(scene, note));
      add(sum, built.ours()->report());
    } else {
      sum.contacts_max = std::max(sum.contacts_max, stock_contacts(built.world()));
    }
    seconds.push_back(spent);
    cpu_seconds.push_back(cpu);
    sum.seconds.total += spent;
    const bool last_second = static_cast<double>(steps - step) * h <= 1;
    const double deep = sim::penetration(built.world(), ruler);
    const double apart = sim::joint_violation(built.world());
    sum.max_penetration = std::max(sum.max_penetration, deep);
    sum.max_joint_violation = std::max(sum.max_joint_violation, apart);
    if (last_second) {
      sum.max_penetration_last_second = std::max(sum.max_penetration_last_second, deep);
      sum.max_joint_violation_last_second = std::max(sum.max_joint_violation_last_second, apart);
    }
    const State now = built.state();
    trajectory.add(now);
    std::string wrong = stock ? too_fast(scene, now) : "";
    if (wrong.empty()) wrong = too_much_energy(trajectory.kinetic_energy());
    if (!wrong.empty()) {
      sum.message = wrong + " after step " + std::to_string(step + 1) + ": the run ends there";
      sum.stopped = true;
    }
    if (options.observe) options.observe(now);
    if (watched && stock) watched->take_stock(h);
    if (watched) options.watch(watched->at(now, deep));
    sum.steps = step + 1;
    if (options.hash_every > 0 && sum.steps % options.hash_every == 0)
      sum.hashes.emplace_back(sum.steps, built.hash());
    if (options.save && options.save_at == sum.steps) save();
    if (options.progress && !options.progress(step + 1, steps)) sum.stopped = true;
    if (sum.stopped) break;
  }
  if (options.save && options.save_at < 0) save();
  if (recorder) sum.stopped ? recorder->close() : recorder->close(built.hash());
  if (stock)
    sum.seconds.collision = sum.seconds.formulation = sum.seconds.solver = sum.seconds.correction =
        kNaN;
  sum.drift = trajectory.drift();
  sum.sag = trajectory.sag();
  sum.turn = trajectory.turn();
  sum.creep = trajectory.creep();
  sum.fell = trajectory.fell();
  sum.kinetic_energy = trajectory.kinetic_energy();
  sum.state_hash = built.hash();
  sum.step_ms = step_times(seconds, sum.first_step);
  sum.step_cpu_ms = step_times(cpu_seconds, sum.first_step);
  return sum;
}

std::string_view name(ContactModel model) {
  static constexpr std::array<std::string_view, 3> kNames{"one direction", "nonconvex",
                                                          "conjunctive"};
  return name_in(kNames, model);
}

std::string bullet_version() { return bullet::version(); }

Frame first_frame(const Scene& scene) {
  sim::Built built(scene, scene.step, sim::Built::Engine::perpend);
  return built.ours()->frame(scene.step);
}

// In the space of velocities, with M = L L': L^-1 J' J L^-T has the nonzero eigenvalues of
// A = J M^-1 J' and one row per degree of freedom.
Index rank(const System& system) {
  Eigen::MatrixXd gram;
  if (system.rows() == 0) return 0;
  if (system.dynamics) {
    const SparseMatrix J = jacobian(system);
    gram = SparseMatrix(J.transpose() * J).toDense();
    const Eigen::LLT<Eigen::MatrixXd> mass(system.dynamics->mass.toDense());
    mass.matrixL().solveInPlace(gram);
    gram.transposeInPlace();
    mass.matrixL().solveInPlace(gram);
  } else {
    gram = to_sparse(system).toDense();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> values((gram + gram.transpose()) / 2,
                                                              Eigen::EigenvaluesOnly);
  const double largest = values.eigenvalues().maxCoeff();
  return (values.eigenvalues().array() > 1e-8 * largest).count();
}

}  // namespace perpend
