// Scenes, and worlds that are stepped from Python.
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "bindings.hpp"
#include "perpend/bullet.hpp"
#include "perpend/io/snapshots.hpp"
#include "perpend/sim/contact_forces.hpp"
#include "perpend/sim/recording.hpp"
#include "perpend/sim/scene_drives.hpp"
#include "perpend/sim/world.hpp"

namespace perpend::python {
namespace {

Scene named_scene(const std::string& name, std::uint64_t seed) {
  std::string why;
  if (const auto scene = scene_named(name, seed, why)) return *scene;
  throw io::InputError(why);
}

// Debian's Bullet counts in globals: one thread at a time in a process. Whoever holds this lock may
// ask for the interpreter's, so nobody waits for it with the interpreter's in hand. Recursive: a
// solver in Python may drop another world.
class Turn {
 public:
  Turn() {
    if (lock().try_lock()) return;
    std::optional<py::gil_scoped_release> free;
    if (PyGILState_Check()) free.emplace();
    lock().lock();
  }
  ~Turn() { lock().unlock(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static std::recursive_mutex& lock() {
    static std::recursive_mutex one;
    return one;
  }
};

class WorldObject {
 public:
  WorldObject(const Scene& scene, const StepOptions& options, double h, int threads, bool contacts)
      : scene_(scene), h_(h > 0 ? h : scene.step), threads_(threads), watched_(contacts) {
    build(options);
  }
  ~WorldObject() {
    const Turn turn;
    drives_.reset();
    inside_.reset();
    world_.reset();
  }
  WorldObject(const WorldObject&) = delete;
  WorldObject& operator=(const WorldObject&) = delete;

  void reset(const std::optional<Scene>& scene) {
    const Turn turn;
    between_steps();
    const StepOptions options = world_->options();
    if (scene && scene->bodies.size() != scene_.bodies.size())
      throw io::InputError("the scene has another number of bodies; make a new World");
    if (scene) scene_ = *scene;
    forces_->setZero();
    drives_.reset();
    inside_.reset();
    world_.reset();
    broadphase_ = std::make_unique<btDbvtBroadphase>();
    dispatcher_.reset();
    build(options);
  }

  void step(long count) {
    if (count < 0) throw std::invalid_argument("step: " + std::to_string(count) + " is negative");
    Interrupts interrupts;
    std::string message;
    {
      const py::gil_scoped_release free;
      for (long i = 0; i < count && !interrupts.raised() && message.empty(); ++i) {
        // Ctrl-C within a step: it is undone.
        const bool long_step = slow_ || in_python();
        std::optional<Snapshot> before;
        Rows6 pushed;
        const Turn turn;
        between_steps();
        expect_finite_forces();
        if (long_step) before = world_->save();
        if (long_step) pushed = *forces_;
        if (long_step) world_->options().solve.cancelled = [&] { return interrupts.raised(); };
        pull();
        make_step();
        world_->options().solve.cancelled = nullptr;
        slow_ = world_->report().total_seconds > kSlow;
        if (world_->report().status == Status::stopped) {
          if (before) {
            world_->restore(*before);
            inside_->set_steps(steps_);
            *forces_ = pushed;
          } else {
            message = world_->report().message;
          }
        } else {
          ++steps_;
        }
      }
    }
    {
      const Turn turn;
      copy_state();
    }
    interrupts.check();
    if (!message.empty()) throw std::runtime_error(message);
  }

  Frame next_frame() {
    const Turn turn;
    const py::gil_scoped_release free;
    return world_->frame(h_);
  }

  Snapshot save() const {
    const Turn turn;
    Snapshot s = world_->save();
    s.scene = scene_.name;
    s.step = steps_;
    s.h = h_;
    return s;
  }
  void restore(const Snapshot& s) {
    const Turn turn;
    between_steps();
    if (const std::string why = world_->restore(s); !why.empty()) throw io::InputError(why);
    steps_ = s.step;
    inside_->set_steps(steps_);
    copy_state();
  }
  void set_state(const VectorXd& positions, const VectorXd& quaternions,
                 const VectorXd& velocities) {
    const Index n = static_cast<Index>(scene_.bodies.size());
    const auto expect = [&](const VectorXd& v, Index width, const char* what) {
      if (v.size() != n * width)
        throw std::invalid_argument(std::string(what) + " has " + std::to_string(v.size()) +
                                    " numbers, expected " + std::to_string(n * width));
      if (!v.allFinite()) throw std::invalid_argument(std::string(what) + " is not finite");
      for (Index i = 0; width == 4 && i < n; ++i)
        if (moves(i) && !(v.segment(4 * i, 4).norm() > 0))
          throw std::invalid_argument("quaternions row " + std::to_string(i) + " is 0");
    };
    expect(positions, 3, "positions");
    expect(quaternions, 4, "quaternions");
    expect(velocities, 6, "velocities");
    const Turn turn;
    between_steps();
    // The quaternions are those of the shapes; Bullet's bodies lie along principal axes.
    for (Index i = 0; i < n; ++i) {
      if (!moves(i)) continue;
      btRigidBody& body = inside_->body(static_cast<std::size_t>(i));
      const double* q = quaternions.data() + 4 * i;
      const btQuaternion shape = btQuaternion(q[1], q[2], q[3], q[0]).normalized();
      btTransform pose(shape * turned_[static_cast<std::size_t>(i)],
                       {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]});
      body.setCenterOfMassTransform(pose);
      const double* v = velocities.data() + 6 * i;
      body.setLinearVelocity({v[0], v[1], v[2]});
      body.setAngularVelocity({v[3], v[4], v[5]});
    }
    copy_state();
  }

  py::dict report() const {
    const Turn turn;
    const StepReport& r = world_->report();
    py::dict all;
    all["status"] = std::string(name(r.status));
    all["message"] = r.message;
    all["contacts"] = r.contacts;
    all["joint_rows"] = r.joint_rows;
    all["islands"] = r.islands;
    all["unconverged"] = r.unconverged;
    all["iterations"] = r.iterations;
    all["sweeps"] = r.sweeps;
    all["paths"] = r.paths;
    all["errors"] = errors(r.errors);
    all["notes"] = r.notes;
    py::dict seconds;
    seconds["collision"] = r.collision_seconds;
    seconds["formulation"] = r.formulation_seconds;
    seconds["solver"] = r.solver_seconds;
    seconds["correction"] = r.correction_seconds;
    seconds["total"] = r.total_seconds;
    all["seconds"] = seconds;
    return all;
  }

  // Columns of the contacts of the last step.
  py::dict contacts() const {
    const Turn turn;
    need_watch();
    const std::vector<ContactForce> found =
        contact_forces(problem_, [&](std::int64_t id) { return place_.at(id); });
    const auto m = static_cast<py::ssize_t>(found.size());
    py::array_t<std::int64_t> bodies({m, py::ssize_t{2}});
    py::array_t<double> points({m, py::ssize_t{3}}), normals({m, py::ssize_t{3}}),
        forces({m, py::ssize_t{3}}), mu(m), gap(m), error(m);
    py::array_t<std::int8_t> mode(m);
    for (py::ssize_t i = 0; i < m; ++i) {
      const ContactForce& c = found[static_cast<std::size_t>(i)];
      bodies.mutable_at(i, 0) = c.first;
      bodies.mutable_at(i, 1) = c.second;
      for (py::ssize_t k = 0; k < 3; ++k) {
        points.mutable_at(i, k) = c.point[k];
        normals.mutable_at(i, k) = c.normal[k];
        forces.mutable_at(i, k) = c.force[k];
      }
      mu.mutable_at(i) = c.mu;
      gap.mutable_at(i) = c.gap;
      error.mutable_at(i) = c.error;
      mode.mutable_at(i) = c.mode;
    }
    py::dict all;
    all["bodies"] = bodies;
    all["points"] = points;
    all["normals"] = normals;
    all["forces"] = forces;
    all["mu"] = mu;
    all["gap"] = gap;
    all["error"] = error;
    all["mode"] = mode;
    return all;
  }

  // The problem of the last step with its answer.
  std::shared_ptr<FrameObject> frame() const {
    const Turn turn;
    need_watch();
    auto frame = std::make_shared<FrameObject>();
    *frame->record = recorded_step(static_cast<double>(steps_ - 1) * h_, problem_, report_);
    frame->where = scene_.name + ": step " + std::to_string(steps_);
    return frame;
  }

  std::string hash() const {
    const Turn turn;
    return hexadecimal(inside_->hash());
  }
  long steps() const { return steps_; }
  double h() const { return h_; }
  const Scene& scene() const { return scene_; }
  StepOptions& options() { return world_->options(); }
  double penetration() {
    const Turn turn;
    const py::gil_scoped_release free;
    return world_->penetration();
  }
  SceneDrives& joints() { return *drives_; }
  // A joint by its name or its number; `axis` has to be one of it.
  Index joint(const py::object& which, int axis) const {
    Index found = -1;
    if (py::isinstance<py::str>(which))
      found = drives_->find(which.cast<std::string>());
    else if (py::isinstance<py::int_>(which) || PyIndex_Check(which.ptr()))
      found = expect<Index>("joint", which);
    if (found < 0 || found >= static_cast<Index>(scene_.joints.size()))
      throw py::key_error(scene_.name + " has no joint " + std::string(py::repr(which)));
    const auto axes = free_axes(scene_.joints[static_cast<std::size_t>(found)].type);
    const bool known = axis < 0 ? axes.size() == 1
                                : std::find(axes.begin(), axes.end(),
                                            static_cast<std::size_t>(axis)) != axes.end();
    if (!known)
      throw py::key_error(
          "joint " + std::string(py::repr(which)) + " has " +
          (axis < 0 ? "several axes or none: name one" : "no axis " + std::to_string(axis)));
    return found;
  }
  const std::shared_ptr<State>& state() const { return state_; }
  const std::shared_ptr<Rows6>& forces() const { return forces_; }

 private:
  static constexpr double kSlow = 0.02;  // s: steps that Ctrl-C has to interrupt

  // Whether Ctrl-C may be raised within the solver.
  bool in_python() const {
    const SolverInfo* solver = solver_named(world_->options().solver);
    return solver && solver->origin == "Python";
  }

  void need_watch() const {
    if (!watched_) throw std::invalid_argument("make the world with contacts=True");
    if (problem_.frame.step == 0) throw std::invalid_argument("no step was made yet");
  }

  bool moves(Index body) const { return scene_.bodies[static_cast<std::size_t>(body)].mass > 0; }

  void expect_finite_forces() const {
    for (Index i = 0; i < forces_->rows(); ++i)
      if (moves(i) && !forces_->row(i).allFinite())
        throw std::invalid_argument("forces row " + std::to_string(i) + " is not finite");
  }

  // A solver in Python must not change the world whose step it solves.
  void between_steps() const {
    if (stepping_) throw std::invalid_argument("this world is in the middle of a step");
  }

  void make_step() {
    stepping_ = true;
    const std::unique_ptr<bool, void (*)(bool*)> end(&stepping_, [](bool* on) { *on = false; });
    inside_->step();
  }

  void build(const StepOptions& options) {
    const Turn turn;
    const py::gil_scoped_release free;
    dispatcher_ = std::make_unique<btCollisionDispatcher>(&configuration_);
    world_ = std::make_unique<DynamicsWorld>(dispatcher_.get(), broadphase_.get(), &solver_,
                                             &configuration_);
    world_->options() = options;
    pool_ = std::make_unique<ThreadPool>(threads_);
    world_->set_executor(*pool_);
    inside_ = std::make_unique<bullet::SceneInWorld>(scene_, h_, *world_);
    place_.clear();
    turned_.clear();
    const State start = inside_->state();
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      btRigidBody& body = inside_->body(i);
      if (scene_.bodies[i].id) world_->set_id(&body, *scene_.bodies[i].id);
      place_[world_->id(&body)] = static_cast<std::uint32_t>(i);
      const auto q = start.quaternions.row(static_cast<Index>(i));
      turned_.push_back(btQuaternion(q[1], q[2], q[3], q[0]).inverse() * body.getOrientation());
    }
    for (std::size_t i = 0; i < scene_.joints.size(); ++i)
      if (scene_.joints[i].id) world_->set_id(&inside_->joint(i), *scene_.joints[i].id);
    drives_ = std::make_unique<SceneDrives>(scene_, *inside_, *world_);
    if (watched_)
      world_->on_step([this](const StepProblem& problem, const StepReport& report) {
        if (report.status == Status::stopped) return;
        problem_ = problem;
        report_ = report;
      });
    steps_ = 0;
    slow_ = true;
    problem_ = {};
    if (!state_) {
      state_ = std::make_shared<State>(start);
      forces_ = std::make_shared<Rows6>(Rows6::Zero(start.positions.rows(), 6));
    }
    copy_state();
  }

  // Into the same memory: arrays look into it.
  void copy_state() {
    const State now = inside_->state();
    state_->time = static_cast<double>(steps_) * h_;
    std::copy_n(now.positions.data(), now.positions.size(), state_->positions.data());
    std::copy_n(now.quaternions.data(), now.quaternions.size(), state_->quaternions.data());
    std::copy_n(now.velocities.data(), now.velocities.size(), state_->velocities.data());
  }

  // Forces and torques of the next step, which are then forgotten.
  void pull() {
    if (forces_->isZero(0)) return;
    for (Index i = 0; i < forces_->rows(); ++i) {
      if (!moves(i)) continue;
      const auto f = forces_->row(i);
      btRigidBody& body = inside_->body(static_cast<std::size_t>(i));
      body.applyCentralForce({f[0], f[1], f[2]});
      body.applyTorque({f[3], f[4], f[5]});
    }
    forces_->setZero();
  }

  Scene scene_;
  double h_;
  int threads_;
  bool watched_, slow_ = true, stepping_ = false;
  btDefaultCollisionConfiguration configuration_;
  std::unique_ptr<btCollisionDispatcher> dispatcher_;
  std::unique_ptr<btDbvtBroadphase> broadphase_ = std::make_unique<btDbvtBroadphase>();
  btSequentialImpulseConstraintSolver solver_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<DynamicsWorld> world_;
  std::unique_ptr<bullet::SceneInWorld> inside_;
  std::unique_ptr<SceneDrives> drives_;
  std::map<std::int64_t, std::uint32_t> place_;  // of ids in the scene
  std::vector<btQuaternion> turned_;             // from a shape's axes to Bullet's
  std::shared_ptr<State> state_;
  std::shared_ptr<Rows6> forces_;
  StepProblem problem_;
  StepReport report_;
  long steps_ = 0;
};

void set_drive(WorldObject& world, const py::object& which, int axis, const py::kwargs& given) {
  const Index joint = world.joint(which, axis);
  const Turn turn;
  Joint::Drive drive = world.joints().drive(joint, axis);
  for (const auto& [key, value] : given) {
    const std::string name = py::str(key);
    const DriveField* found = nullptr;
    std::string known;
    for (const DriveField& field : drive_fields()) {
      if (field.name == name) found = &field;
      known.append(known.empty() ? "" : ", ").append(field.name);
    }
    if (!found) throw py::type_error("a drive has no '" + name + "'; choose one of: " + known);
    drive.*(found->member) = expect<double>(name, value);
  }
  if (!world.joints().set(joint, drive, axis))
    throw std::invalid_argument("this drive cannot be: " + invalid(drive));
}

// Options of a step by name: its own, then those of solve().
StepOptions step_options(const py::kwargs& given) {
  StepOptions options;
  if (given.contains("solver")) options.solver = py::str(given["solver"]);
  const SolverInfo* solver = solver_named(options.solver);
  if (!solver) throw std::invalid_argument("unknown solver '" + options.solver + "'");
  for (const auto& [key, value] : given) {
    const std::string name = py::str(key);
    const std::string word = py::str(value);
    if (name == "solver") {
      continue;
    } else if (name == "correct") {
      options.correct = expect<int>(name, value);
      if (options.correct < 0) throw std::invalid_argument("correct: must not be negative");
    } else if (name == "max_push") {
      options.max_push = expect<double>(name, value);
      if (!(options.max_push >= 0)) throw std::invalid_argument("max_push: must not be negative");
    } else if (name == "warm") {
      options.warm = expect<bool>(name, value);
    } else if (name == "stepper") {
      if (word != "st" && word != "ap") throw std::invalid_argument("stepper: expected st or ap");
      options.stepper = word == "ap" ? Stepper::ap : Stepper::st;
    } else if (name == "effort") {
      const auto effort = effort_named(word);
      if (!effort) throw std::invalid_argument("effort: exact, real-time or a number of sweeps");
      options.effort = *effort;
    } else if (!set_option(options.solve, *solver, name, value, false)) {
      throw py::type_error("World() has no option '" + name + "' with " + options.solver +
                           "; choose one of: h, threads, contacts, solver, correct, max_push, "
                           "warm, stepper, effort, " +
                           option_names(*solver, false));
    }
  }
  if (const std::string why = invalid(options.solve, *solver); !why.empty())
    throw io::InputError(options.solver + ": " + why);
  return options;
}

}  // namespace

void bind_sim(py::module_& m) {
  py::class_<Scene>(m, "_Scene")
      .def_readonly("name", &Scene::name)
      .def_readonly("title", &Scene::title)
      .def_readonly("step", &Scene::step)
      .def_readonly("steps", &Scene::steps)
      .def_property_readonly("bodies",
                             [](const Scene& s) {
                               std::vector<std::string> names;
                               for (const Body& body : s.bodies) names.push_back(body.name);
                               return names;
                             })
      .def_property_readonly("joints",
                             [](const Scene& s) {
                               std::vector<std::string> names;
                               for (const Joint& joint : s.joints) names.push_back(joint.name);
                               return names;
                             })
      .def("to_json", [](const Scene& s) { return io::to_json(s); })
      .def(
          "write",
          [](const Scene& s, const std::filesystem::path& path) { io::write_scene(s, path); },
          py::arg("path"))
      .def("first_frame", [](const Scene& s) {
        auto frame = std::make_shared<FrameObject>();
        frame->record->frame = first_frame(s);
        frame->where = s.name;
        return frame;
      });
  m.def("_scene_named", &named_scene, py::arg("name"), py::arg("seed") = 1);
  m.def(
      "_read_scene", [](const std::filesystem::path& path) { return io::read_scene(path); },
      py::arg("path"));
  m.def("_scene_from_json", [](const std::string& text, const std::string& where) {
    return io::scene_from_json(text, where);
  });
  m.def(
      "scenes",
      [] {
        py::list all;
        for (const SceneInfo& info : scenes()) all.append(py::make_tuple(info.name, info.title));
        return all;
      },
      "Name and title of the built-in scenes.");
  py::class_<Snapshot>(m, "Snapshot", "The whole state of a world between two steps.")
      .def_readonly("scene", &Snapshot::scene, "the scene's name")
      .def_readonly("step", &Snapshot::step, "steps made until then")
      .def(
          "write",
          [](const Snapshot& s, const std::filesystem::path& path) { io::write_snapshot(s, path); },
          py::arg("path"), "As JSON (docs/snapshot.md); read_snapshot() reads it.")
      .def("__repr__",
           [](const Snapshot& s) {
             return "<Snapshot of " + s.scene + ": step " + std::to_string(s.step) + ">";
           })
      .def(py::pickle(
          [](const Snapshot& s) { return io::to_json(s); },
          [](const std::string& text) { return io::snapshot_from_json(text, "snapshot"); }));
  m.def(
      "read_snapshot", [](const std::filesystem::path& path) { return io::read_snapshot(path); },
      py::arg("path"), "What Snapshot.write() has written.");

  py::class_<WorldObject>(m, "_World")
      .def(py::init([](const Scene& scene, double h, int threads, bool contacts,
                       const py::kwargs& options) {
             if (const std::string why = invalid(scene); !why.empty()) throw io::InputError(why);
             if (threads < 1 || threads > 1024) throw std::invalid_argument("threads: 1 to 1024");
             if (!(h >= 0) || !std::isfinite(h))
               throw std::invalid_argument("h: expected a positive number of seconds");
             return std::make_unique<WorldObject>(scene, step_options(options), h, threads,
                                                  contacts);
           }),
           py::arg("scene"), py::arg("h") = 0.0, py::arg("threads") = 1,
           py::arg("contacts") = false)
      .def("_step", &WorldObject::step, py::arg("count"))
      .def("_reset", &WorldObject::reset)
      .def("save", &WorldObject::save)
      .def("restore", &WorldObject::restore, py::arg("snapshot"))
      .def("_set_state",
           [](WorldObject& w, py::handle p, py::handle q, py::handle v) {
             w.set_state(vector(p, "positions", 3), vector(q, "quaternions", 4),
                         vector(v, "velocities", 6));
           })
      .def(
          "joint",
          [](WorldObject& w, const py::object& which, int axis) {
            const Turn turn;
            const JointReading r = w.joints().read(w.joint(which, axis), axis);
            py::dict all;
            all["coordinate"] = r.coordinate;
            all["speed"] = r.speed;
            all["force"] = r.force;
            return all;
          },
          py::arg("joint"), py::arg("axis") = -1,
          "Coordinate, speed and the drive's force of a joint, by name or number.")
      .def(
          "drive",
          [](WorldObject& w, const py::object& which, int axis) {
            const Turn turn;
            const Joint::Drive d = w.joints().drive(w.joint(which, axis), axis);
            py::dict all;
            for (const DriveField& field : drive_fields())
              all[py::str(std::string(field.name))] = d.*(field.member);
            return all;
          },
          py::arg("joint"), py::arg("axis") = -1)
      .def("set_drive", &set_drive, py::arg("joint"), py::arg("axis") = -1,
           "Changes fields of a joint's drive (docs/scene.md), from the next step on.")
      .def_property_readonly("contacts", &WorldObject::contacts)
      .def_property_readonly("frame", &WorldObject::frame)
      .def("next_frame",
           [](WorldObject& w) {
             auto frame = std::make_shared<FrameObject>();
             frame->record->frame = w.next_frame();
             frame->where = w.scene().name;
             return frame;
           })
      .def_property_readonly("report", &WorldObject::report)
      .def_property_readonly("hash", &WorldObject::hash)
      .def_property_readonly("steps", &WorldObject::steps)
      .def_property_readonly("h", &WorldObject::h)
      .def_property_readonly("time", [](const WorldObject& w) { return w.state()->time; })
      .def_property_readonly("_scene", &WorldObject::scene)
      .def_property_readonly("penetration", &WorldObject::penetration)
      .def_property(
          "effort", [](WorldObject& w) { return name(w.options().effort); },
          [](WorldObject& w, const py::object& effort) {
            const auto found = effort_named(py::str(effort));
            if (!found)
              throw std::invalid_argument("effort: exact, real-time or a number of sweeps");
            w.options().effort = *found;
          })
      .def_property_readonly(
          "positions",
          [](const WorldObject& w) { return read_only(look(w.state()->positions, w.state())); })
      .def_property_readonly(
          "quaternions",
          [](const WorldObject& w) { return read_only(look(w.state()->quaternions, w.state())); })
      .def_property_readonly(
          "velocities",
          [](const WorldObject& w) { return read_only(look(w.state()->velocities, w.state())); })
      .def_property_readonly("forces",
                             [](const WorldObject& w) { return look(*w.forces(), w.forces()); });
}

}  // namespace perpend::python
