// A recording of Siconos is what Siconos computed: nothing changes by being recorded, momentum
// closes from the recorded numbers alone, and its problem solved by a method of ours gives its
// velocities.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/proof.hpp"
#include "perpend/capture/siconos/engine.hpp"
#include "perpend/solve.hpp"

namespace perpend::capture {
namespace {

class SiconosScenes : public testing::TestWithParam<SceneRun> {
 protected:
  const Engine engine = siconos_engine();
  const Scene scene = scene_of(GetParam().scene);
  const int steps = GetParam().steps;
};

// Rounding: a body's balance is a sum of a few hundred terms at most, each known to a few 1e-16.
TEST_P(SiconosScenes, MomentumClosesInEveryFrameAndNoBitIsChanged) {
  Task task = task_of(engine, scene);
  double worst = 0;
  Index contacts = 0;
  int not_applied = 0;
  const std::uint64_t with = run_scene(engine, task, steps, [&](const io::Record& record) {
    EXPECT_EQ(invalid(record.frame), "");
    contacts = std::max(contacts, record.frame.contacts.count());
    if (record.answer.answered == "FC3D_NSGS, not applied") {
      ++not_applied;
    } else {
      EXPECT_EQ(record.answer.answered, "FC3D_NSGS");
      worst = std::max(worst, momentum_gap(record));
    }
  });
  std::cout << scene.name << ": momentum closes to " << worst << ", at most " << contacts
            << " contacts, reactions not applied in " << not_applied << " of " << steps
            << " frames\n";
  EXPECT_LE(not_applied, steps / 10);
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(contacts, 0);
  task.recorded = false;
  EXPECT_EQ(with, run_scene(engine, task, steps));
}

// Enough steps that things have hit each other.
INSTANTIATE_TEST_SUITE_P(All, SiconosScenes,
                         testing::Values(SceneRun{"stack", 20}, SceneRun{"stack:10", 40},
                                         SceneRun{"heavy-top", 20}, SceneRun{"wall", 3},
                                         SceneRun{"spheres", 50}, SceneRun{"logs", 40},
                                         SceneRun{"mass-ratio:100", 40}, SceneRun{"creep", 60}),
                         test_name);

// v+ of the moving bodies from reactions along Siconos' own rows.
VectorXd velocities(const io::Record& record, const VectorXd& reactions) {
  const Bodies& b = record.frame.bodies;
  VectorXd momentum = VectorXd::Zero(record.system.v.size());
  std::size_t entry = 0;
  for (Index row = 0; row < reactions.size(); ++row)
    for (std::int64_t k = 0; k < record.system.J.rows[static_cast<std::size_t>(row)]; ++k, ++entry)
      momentum[record.system.J.columns[entry]] +=
          record.system.J.values[static_cast<Index>(entry)] * reactions[row];
  VectorXd out(momentum.size());
  for (Index i = 0; 6 * i < out.size(); ++i) {
    const Matrix3d inertia = b.inertia.row(i).reshaped<Eigen::RowMajor>(3, 3);
    const Vector6 impulse =
        momentum.segment<6>(6 * i) + record.frame.step * b.forces.row(i).transpose();
    out.segment<3>(6 * i) =
        b.velocities.row(i).head<3>().transpose() + impulse.head<3>() / b.masses[i];
    out.segment<3>(6 * i + 3) =
        b.velocities.row(i).tail<3>().transpose() + inertia.inverse() * impulse.tail<3>();
  }
  return out;
}

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
        if (!(record.answer.errors[Measure::own_error] < 1e-11)) return;
        if (record.answer.answered != "FC3D_NSGS") return;
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
  const auto refusal = [&](const std::string& scene) -> std::string {
    try {
      engine.make(task_of(engine, scene_of(scene)));
    } catch (const io::InputError& why) {
      return why.what();
    }
    return {};
  };
  for (const char* jointed : {"snake", "arch", "hose", "ragdolls"})
    EXPECT_THAT(refusal(jointed), testing::HasSubstr("siconos: joint '"));
}

}  // namespace
}  // namespace perpend::capture
