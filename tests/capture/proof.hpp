// Tools of the tests of all recorders: scenes to run, and the three proofs of a recording. They use
// the engine through its public interface (perpend/capture.hpp), whichever it is.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "perpend/capture.hpp"

namespace perpend::capture {

inline Scene scene_of(const std::string& name) {
  std::string why;
  return scene_named(name, 1, why).value();
}

// The name of a solver of the engine; empty: its default.
inline Task task_of(const Engine& engine, const Scene& scene, const std::string& solver = {}) {
  Task out;
  out.scene = scene;
  out.h = scene.step;
  out.solver = solver.empty() ? engine.solvers.front().name : solver;
  return out;
}

// The larger; what is not a number is the largest, so that no proof passes by it.
inline double worse(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

struct SceneRun {
  std::string scene;
  int steps;
};
inline std::ostream& operator<<(std::ostream& out, const SceneRun& run) { return out << run.scene; }

// What every engine runs, where it can express it; enough steps that things have hit each other:
// `spheres` fall until step 30, the wall until 20, the ragdolls until 50.
inline std::vector<SceneRun> scene_runs() {
  return {{"stack", 60},     {"stack:10", 120}, {"heavy-top", 60},       {"snake", 120},
          {"arch", 60},      {"wall", 30},      {"spheres", 120},        {"hose", 120},
          {"ragdolls", 120}, {"logs", 60},      {"mass-ratio:100", 120}, {"creep", 60}};
}
// Those, with some of them replaced.
inline std::vector<SceneRun> scene_runs_with(const std::map<std::string, SceneRun>& others) {
  std::vector<SceneRun> runs = scene_runs();
  for (SceneRun& run : runs)
    if (const auto other = others.find(run.scene); other != others.end()) run = other->second;
  return runs;
}
// "stack:10" as a part of a test's name.
inline std::string test_name(const testing::TestParamInfo<SceneRun>& info) {
  std::string name = info.param.scene;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

// A test of one engine on one of those scenes.
template <Engine (*make)()>
class SceneTest : public testing::TestWithParam<SceneRun> {
 protected:
  const Engine engine = make();
  const Scene scene = scene_of(GetParam().scene);
  const Task task = task_of(engine, scene);
  const int steps = GetParam().steps;
};

// A box in free fall that turns about no axis of symmetry.
inline Scene spinning_box() {
  Scene scene = scene_of("stack:1");
  scene.bodies[1].shape.half_extents = Vector3d(0.1, 0.3, 0.5);
  scene.bodies[1].pose.position.z() = 10;
  scene.bodies[1].velocity << 0, 0, 0, 3, 2, 1;
  return scene;
}
// Its weight acts, and a gyroscopic torque.
inline void expect_gyroscopic_torque(const io::Record& record, double momentum) {
  const Bodies& b = record.frame.bodies;
  ASSERT_EQ(b.count(), 1);  // the floor is not there: nothing touches it
  EXPECT_NEAR(b.forces(0, 2), -9.81, 1e-12);
  EXPECT_GT(b.forces.row(0).tail<3>().norm(), 0.01);
  EXPECT_LT(momentum_gap(record), momentum);
}

// A ball of restitution 0.5 that touches the floor at 2 m/s.
inline Scene bouncing_ball() {
  Scene scene = scene_of("stack:1");
  for (Body& body : scene.bodies) body.restitution = 0.5;
  scene.bodies[1].shape.type = Shape::Type::sphere;
  scene.bodies[1].pose.position.z() -= 1e-6;
  scene.bodies[1].velocity << 0, 0, -2, 0, 0, 0;
  return scene;
}

inline std::string temporary_path(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) / name).string();
}

// A file of that engine with so many frames, 1/60 s apart, that says what it has left out.
inline void expect_sound_file(const std::string& path, const std::string& engine,
                              const std::string& friction, const std::string& omitted,
                              Index frames) {
  EXPECT_EQ(io::validate(path), std::vector<std::string>{});
  const io::FrameReader reader(path);
  ASSERT_EQ(reader.frames(), frames);
  EXPECT_EQ(reader.header().engine, engine);
  EXPECT_EQ(reader.header().scalar_bytes, 8);
  EXPECT_EQ(reader.header().friction_model, friction);
  EXPECT_NE(reader.header().omitted.find(omitted), std::string::npos);
  for (Index k = 0; k < frames; ++k)
    EXPECT_NEAR(reader.read(k).frame.time, static_cast<double>(k) / 60, 1e-12);
}

// So many steps; every record goes to `see`. Returns the hash of the state at the end.
inline std::uint64_t run_scene(const Engine& engine, const Task& task, int steps,
                               const std::function<void(const io::Record&)>& see = {}) {
  const std::unique_ptr<Run> run = engine.make(task);
  for (int k = 0; k < steps; ++k) {
    const RecordedStep made = run->step();
    if (see) see(record_of(*made.record));
  }
  return run->hash();
}

inline std::vector<io::Record> records_of(const Engine& engine, const Task& task, int steps) {
  std::vector<io::Record> out;
  run_scene(engine, task, steps, [&](const io::Record& record) { out.push_back(record); });
  return out;
}

// Proof 1: recording changes no bit of the trajectory.
inline void expect_same_trajectory(const Engine& engine, Task task, int steps) {
  task.recorded = true;
  const std::uint64_t with = run_scene(engine, task, steps);
  task.recorded = false;
  EXPECT_EQ(with, run_scene(engine, task, steps));
}

// Proof 2: momentum closes from the recorded numbers alone.
struct Momentum {
  double worst = 0;
  Index contacts = 0, joint_rows = 0;  // at most
  std::map<std::string, int> answered;
};
inline Momentum momentum_of(const Engine& engine, const Task& task, int steps) {
  Momentum out;
  int frame = 0;
  run_scene(engine, task, steps, [&](const io::Record& record) {
    EXPECT_EQ(invalid(record.frame), "") << "frame " << frame;
    const double gap = momentum_gap(record);
    EXPECT_FALSE(std::isnan(gap)) << "frame " << frame;
    out.worst = worse(out.worst, gap);
    out.contacts = std::max(out.contacts, record.frame.contacts.count());
    out.joint_rows = std::max(out.joint_rows, record.frame.joints.row_count());
    ++out.answered[record.answer.answered];
    ++frame;
  });
  std::cout << task.scene.name << ": momentum closes to " << out.worst << ", at most "
            << out.contacts << " contacts, " << out.joint_rows << " joint rows\n";
  return out;
}

// Proof 3: a method of ours on the recorded problem gives the engine's velocities. The largest
// difference, over the largest speed of the frame (at least 1 m/s).
using Method = std::function<Impulses(const System&, const io::Record&)>;
inline double reproduction_gap(const io::Record& record, const Method& method) {
  const auto largest = [](const Rows6& v) {
    if (v.hasNaN()) return std::numeric_limits<double>::quiet_NaN();
    return v.size() ? v.cwiseAbs().maxCoeff() : 0;
  };
  const System system = assemble(record.frame, Model::engine);
  const Rows6 plus = velocity_plus(record.frame, system, method(system, record));
  return largest(plus - record.answer.velocities_plus) / std::max(1.0, largest(plus));
}
inline double reproduction_of(const Engine& engine, const Task& task, int steps,
                              const Method& method) {
  double worst = 0;
  run_scene(engine, task, steps, [&](const io::Record& record) {
    worst = worse(worst, reproduction_gap(record, method));
  });
  std::cout << task.scene.name << ": velocities reproduced to " << worst << "\n";
  return worst;
}

}  // namespace perpend::capture
