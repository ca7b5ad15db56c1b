// A recording of Siconos is what Siconos computed: nothing changes by being recorded, momentum
// closes from the recorded numbers alone, and its problem solved by a method of ours gives its
// velocities.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/proof.hpp"
#include "capture/siconos/own_rows.hpp"
#include "capture/siconos/record.hpp"
#include "perpend/solve.hpp"

namespace perpend::capture::from_siconos {
namespace recorder_test {

class SiconosScenes : public SceneTest<siconos_engine> {};

// Rounding: a body's balance is a sum of a few hundred terms at most, each known to a few 1e-16.
TEST_P(SiconosScenes, MomentumClosesInEveryFrameAndNoBitIsChanged) {
  Task shortened = task;
  if (scene.name == "wall") shortened.iterations = 30;  // its own 1,000 take seconds a step
  const Momentum momentum = momentum_of(engine, shortened, steps);
  EXPECT_LT(momentum.worst, 1e-12);
  EXPECT_GT(momentum.contacts + momentum.joint_rows, 0);
  const std::string solver = scene.joints.empty() ? "FC3D_NSGS" : "GMP_NSGS";
  for (const auto& [who, frames] : momentum.answered) {
    EXPECT_THAT(who, testing::StartsWith(solver));
    std::cout << "  " << who << ": " << frames << " frames\n";
  }
  expect_same_trajectory(engine, shortened, steps);
}

// Enough steps that things have hit each other.
INSTANTIATE_TEST_SUITE_P(All, SiconosScenes,
                         testing::Values(SceneRun{"stack", 20}, SceneRun{"stack:10", 40},
                                         SceneRun{"heavy-top", 20}, SceneRun{"wall", 20},
                                         SceneRun{"spheres", 50}, SceneRun{"logs", 40},
                                         SceneRun{"mass-ratio:100", 40}, SceneRun{"creep", 60},
                                         SceneRun{"snake", 120}, SceneRun{"arch", 60},
                                         SceneRun{"ragdolls", 28}, SceneRun{"hose", 10}),
                         test_name);

class SiconosProblem : public testing::TestWithParam<SceneRun> {};

// Siconos is told to go on to 1e-13; where it stops before, its own error says how far its answer
// can be trusted.
TEST_P(SiconosProblem, SolvedByAMethodOfOursGivesItsVelocities) {
  const Engine engine = siconos_engine();
  double worst = 0;
  int compared = 0, frames = 0;
  run_scene(
      engine, task_of(engine, scene_of(GetParam().scene), "nsgs-exact"), GetParam().steps,
      [&](const io::Record& record) {
        if (record.system.b.size() == 0) return;
        ++frames;
        io::Record measured = record;
        measure_siconos(measured);
        if (!(measured.answer.errors[Measure::own_error] < 1e-11)) return;
        Options options;
        options.tolerance = 1e-13;
        const System system = io::system_of(record, "siconos");
        const Result ours = solve(system, "ncp/auto", options);
        const VectorXd plus = record.answer.velocities_plus.topRows(record.system.v.size() / 6)
                                  .reshaped<Eigen::RowMajor>();
        worst = std::max(worst, (velocities(record, ours.impulses) - plus).cwiseAbs().maxCoeff());
        ++compared;
      });
  std::cout << GetParam().scene << ": velocities reproduced to " << worst << " in " << compared
            << " of " << frames << " frames with contacts\n";
  EXPECT_LT(worst, 1e-10);
  EXPECT_GT(compared, frames / 2);
}
INSTANTIATE_TEST_SUITE_P(All, SiconosProblem,
                         testing::Values(SceneRun{"creep", 60}, SceneRun{"stack:10", 8},
                                         SceneRun{"mass-ratio:100", 8}, SceneRun{"spheres", 50}),
                         test_name);

// Where two answers of a problem have own errors r1 and r2 (m/s), their velocities differ by
//   dv^T M dv = dl^T A dl = dl . dy <= (r1 + r2) sum |dl|
// as far as the problem is monotone, which friction makes it only nearly. Nearly redundant rows let
// impulses differ much, so that velocities are known to the root of the errors only.
// Problems that its sweeps seldom finish. With `from_answer` ours begins where Siconos ended:
// Coulomb's problem may have several solutions, and in `stack` it has (from zero ours finds one at
// 5e-2 m/s from Siconos', both to 1e-13).
struct HardRun {
  SceneRun run;
  bool from_answer;
};
std::ostream& operator<<(std::ostream& out, const HardRun& hard) { return out << hard.run; }

class SiconosHardProblem : public testing::TestWithParam<HardRun> {};
TEST_P(SiconosHardProblem, SolvedByAMethodOfOursGivesItsVelocities) {
  const SceneRun& run = GetParam().run;
  const Engine engine = siconos_engine();
  Task task = task_of(engine, scene_of(run.scene), "nsgs-exact");
  task.iterations = 4000;
  double worst = 0, worst_converged = 0, worst_ratio = 0;
  int compared = 0, converged = 0, frames = 0;
  run_scene(engine, task, run.steps, [&](const io::Record& record) {
    if (record.system.b.size() == 0) return;
    io::Record measured = record;
    measure_siconos(measured);
    const double own = measured.answer.errors[Measure::own_error];
    ++frames;
    if (!(own < 1e-6)) return;
    Options options;
    options.tolerance = 1e-13;
    VectorXd theirs(3 * record.answer.z.rows() + record.answer.z_joints.size());
    theirs << record.answer.z.reshaped<Eigen::RowMajor>(), record.answer.z_joints;
    if (GetParam().from_answer) options.warm_start = theirs;
    const Result ours = solve(io::system_of(record, "siconos"),
                              GetParam().from_answer ? "ncp/newton" : "ncp/auto", options);
    const VectorXd apart = velocities(record, ours.impulses) -
                           record.answer.velocities_plus.topRows(record.system.v.size() / 6)
                               .reshaped<Eigen::RowMajor>();
    const double known =
        (ours.errors[Measure::velocity_error] + own) * (theirs - ours.impulses).cwiseAbs().sum();
    const double energy = squared_norm(record, apart);
    if (energy > 1e-24) worst_ratio = std::max(worst_ratio, std::sqrt(energy / known));
    worst = std::max(worst, apart.cwiseAbs().maxCoeff());
    ++compared;
    if (record.answer.iterations == task.iterations) return;
    worst_converged = std::max(worst_converged, apart.cwiseAbs().maxCoeff());
    ++converged;
  });
  std::cout << run.scene << ": velocities reproduced to " << worst_converged << " in " << converged
            << " frames where it converged to 1e-13, to " << worst << " in " << compared << " of "
            << frames << " frames with own_error below 1e-6, at most " << worst_ratio
            << " of what the errors allow\n";
  EXPECT_LT(worst_converged, 1e-9);
  EXPECT_LT(worst_ratio, 4);
  EXPECT_GT(compared, 2);
}
std::string hard_name(const testing::TestParamInfo<HardRun>& info) {
  return test_name({info.param.run, info.index});
}
INSTANTIATE_TEST_SUITE_P(All, SiconosHardProblem,
                         testing::Values(HardRun{{"snake", 40}, false},
                                         HardRun{{"arch", 20}, false},
                                         HardRun{{"ragdolls", 28}, false},
                                         HardRun{{"hose", 8}, false}, HardRun{{"stack", 8}, true},
                                         HardRun{{"heavy-top", 8}, true}),
                         hard_name);

// Its other solvers, at their own tolerances.
using OtherSolver = std::tuple<std::string, std::string>;  // solver, scene
class SiconosSolvers : public testing::TestWithParam<OtherSolver> {};
TEST_P(SiconosSolvers, AreRecordedAsExactly) {
  const Engine engine = siconos_engine();
  const std::string &solver = std::get<0>(GetParam()), &scene = std::get<1>(GetParam());
  const Task task = task_of(engine, scene_of(scene), solver);
  double worst = 0, own = 0;
  int solved = 0;
  run_scene(engine, task, 40, [&](const io::Record& record) {
    EXPECT_THAT(record.answer.answered,
                testing::StartsWith(solver == "prox" ? "FC3D_PROX" : "FC3D_NSN_AC"));
    worst = std::max(worst, momentum_gap(record));
    io::Record measured = record;
    measure_siconos(measured);
    own = std::fmax(own, measured.answer.errors[Measure::own_error]);
    if (record.answer.iterations > 0) ++solved;
  });
  std::cout << solver << " on " << scene << ": momentum closes to " << worst
            << ", own_error at most " << own << " m/s\n";
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(own, 0.05);
  EXPECT_GT(solved, 0);
  expect_same_trajectory(engine, task, 40);
}
INSTANTIATE_TEST_SUITE_P(
    All, SiconosSolvers,
    testing::Values(OtherSolver("prox", "stack:3"), OtherSolver("prox", "creep"),
                    OtherSolver("prox", "spheres"), OtherSolver("prox", "mass-ratio:100"),
                    OtherSolver("nsn-ac", "stack:3"), OtherSolver("nsn-ac", "creep"),
                    OtherSolver("nsn-ac", "spheres")));

TEST(SiconosRecorder, ContactForcesOfABoxAtRestAddUpToItsWeight) {
  const Engine engine = siconos_engine();
  const io::Record last =
      records_of(engine, task_of(engine, scene_of("stack:1"), "nsgs-exact"), 60).back();
  const Frame& frame = last.frame;
  Vector3d force = Vector3d::Zero();  // of the floor (id 0) on the box (id 1), N
  for (Index i = 0; i < frame.contacts.count(); ++i) {
    EXPECT_EQ(frame.bodies.ids[static_cast<std::size_t>(frame.contacts.pairs(i, 0))], 0);
    EXPECT_EQ(frame.bodies.ids[static_cast<std::size_t>(frame.contacts.pairs(i, 1))], 1);
    const Vector3d t = frame.contacts.tangents.row(i).head<3>(),
                   o = frame.contacts.tangents.row(i).tail<3>();
    force += (last.answer.z(i, 0) * frame.contacts.normals.row(i).transpose() +
              last.answer.z(i, 1) * t + last.answer.z(i, 2) * o) /
             frame.step;
  }
  // It still turns a little; what is not its weight is m (v+ - v)/h.
  const Index box = frame.contacts.pairs(0, 1);
  const double gained = last.answer.velocities_plus(box, 2) - frame.bodies.velocities(box, 2);
  EXPECT_NEAR(force.z(), 9.81, 1e-3);
  EXPECT_NEAR(force.z(), 9.81 + gained / frame.step, 1e-11);
}

// Newton's law: the bias of an active contact is e times its approaching speed.
TEST(SiconosRecorder, RestitutionIsInTheBias) {
  Scene scene = scene_of("stack:1");
  for (Body& body : scene.bodies) body.restitution = 0.5;
  for (Body& body : scene.bodies)
    if (body.mass > 0) body.velocity[2] = -1;
  const Engine engine = siconos_engine();
  bool bounced = false;
  run_scene(engine, task_of(engine, scene), 5, [&](const io::Record& record) {
    for (Index i = 0; i < record.frame.contacts.count(); ++i) {
      EXPECT_DOUBLE_EQ(record.frame.contacts.restitution[i], 0.5);
      if (record.frame.contacts.bias(i, 0) < -0.4) bounced = true;
    }
    EXPECT_LT(momentum_gap(record), 1e-12);
  });
  EXPECT_TRUE(bounced);
}

TEST(SiconosEngine, NamesWhatItCannotExpress) {
  const Engine engine = siconos_engine();
  const auto refusal = [&](const Scene& scene, const std::string& solver = {}) -> std::string {
    try {
      engine.make(task_of(engine, scene, solver));
    } catch (const io::InputError& why) {
      return why.what();
    }
    return {};
  };
  EXPECT_EQ(
      refusal(scene_of("snake"), "prox"),
      "siconos: joint 'hinge 1': Siconos' GenericMechanical problem has no solver 'prox', only "
      "nsgs");
  Scene scene = scene_of("snake");
  scene.joints[1].type = Joint::Type::generic;  // all axes free
  EXPECT_THAT(refusal(scene), testing::StartsWith("siconos: joint 'hinge 2': "));
  scene = scene_of("stack:1");
  scene.bodies[0].motion.emplace().type = Motion::Type::conveyor;
  EXPECT_THAT(refusal(scene), testing::StartsWith("siconos: body '" + scene.bodies[0].name));
}

}  // namespace recorder_test
}  // namespace perpend::capture::from_siconos
