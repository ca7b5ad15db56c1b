// Drift, sag, turn, creep, rest and fall of trajectories made by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "perpend/scene.hpp"
#include "scene/build.hpp"

namespace perpend {
namespace trajectory_test {

constexpr double kStep = 1.0 / 60;

Scene column(int count, bool at_rest) {
  Scene scene = scene::start("column", "", "here", kStep);
  scene.at_rest = at_rest;
  scene::add_floor(scene, 0.5, 5, 5);
  for (int i = 0; i < count; ++i)
    scene::add(scene, "box", scene::box(1, 1, 1), 1, 0.5, {0, 0, i + 0.5});
  return scene;
}

State state_of(const Scene& scene, double time = 0) {
  const Index n = static_cast<Index>(scene.bodies.size());
  State state;
  state.time = time;
  state.positions.resize(n, 3);
  state.quaternions.resize(n, 4);
  state.velocities = Rows6::Zero(n, 6);
  for (Index i = 0; i < n; ++i) {
    const Pose& pose = scene.bodies[static_cast<std::size_t>(i)].pose;
    state.positions.row(i) = pose.position;
    state.quaternions.row(i) << pose.orientation.w(), pose.orientation.x(), pose.orientation.y(),
        pose.orientation.z();
  }
  // The floor is not read.
  state.positions.row(0).setConstant(std::nan(""));
  state.velocities.row(0).setConstant(std::nan(""));
  return state;
}

// `change` puts the state of the time t into place.
Trajectory run(const Scene& scene, int steps, const std::function<void(double, State&)>& change) {
  State state = state_of(scene);
  change(0, state);
  Trajectory trajectory(scene, state);
  for (int i = 1; i <= steps; ++i) {
    state = state_of(scene, i * kStep);
    change(state.time, state);
    trajectory.add(state);
  }
  return trajectory;
}

TEST(Trajectory, ABoxThatNeverMovesHasNoDrift) {
  const Trajectory t = run(column(3, true), 60, [](double, State&) {});
  EXPECT_EQ(t.drift(), 0);
  EXPECT_EQ(t.sag(), 0);
  EXPECT_EQ(t.turn(), 0);
  EXPECT_EQ(t.creep(), 0);
  EXPECT_EQ(t.kinetic_energy(), 0);
  EXPECT_FALSE(t.fell());
}

TEST(Trajectory, DriftAndSagAreOrthogonalToAndAlongGravity) {
  Scene scene = column(2, true);
  scene.gravity = Vector3d(0, -9.81, 0);
  const Trajectory t = run(scene, 60, [](double time, State& s) {
    s.positions.row(2) += time * Eigen::RowVector3d(0.03, -0.02, 0.04);
  });
  EXPECT_NEAR(t.drift(), 0.05, 1e-15);
  EXPECT_NEAR(t.sag(), 0.02, 1e-15);
  EXPECT_NEAR(t.creep(), std::sqrt(29.0) / 100, 1e-15);
}

TEST(Trajectory, WithoutGravityEverythingIsDrift) {
  Scene scene = column(1, true);
  scene.gravity.setZero();
  const Trajectory t =
      run(scene, 60, [](double time, State& s) { s.positions(1, 2) += 0.1 * time; });
  EXPECT_NEAR(t.drift(), 0.1, 1e-15);
  EXPECT_EQ(t.sag(), 0);
  EXPECT_FALSE(t.fell());
}

TEST(Trajectory, AnExcursionCountsEvenWhenItComesBack) {
  const Trajectory t = run(column(1, true), 60, [](double time, State& s) {
    s.positions(1, 0) = 0.2 * std::sin(std::numbers::pi * time);
  });
  EXPECT_NEAR(t.drift(), 0.2, 1e-12);
}

TEST(Trajectory, TurnIsTheAngleWhicheverSignTheQuaternionHas) {
  const Trajectory t = run(column(1, true), 60, [](double time, State& s) {
    const Eigen::Quaterniond q = scene::about_x(0.3 * time);
    const double sign = time > 0.5 ? -1 : 1;
    s.quaternions.row(1) << sign * q.w(), sign * q.x(), sign * q.y(), sign * q.z();
  });
  EXPECT_NEAR(t.turn(), 0.3, 1e-12);
}

// Falls by 0.5 m during the first half second, then stays and slides 1 mm.
TEST(Trajectory, ReferenceIsTheFirstMomentOfAQuarterSecondOfQuiet) {
  const Trajectory t = run(column(1, false), 120, [](double time, State& s) {
    const double fallen = std::min(time, 0.5);
    s.positions(1, 2) += 0.5 - fallen;
    s.velocities(1, 2) = time < 0.5 - 1e-9 ? -1 : 0;
    s.positions(1, 0) = time > 1.5 ? 1e-3 : 0;
  });
  EXPECT_NEAR(t.drift(), 1e-3, 1e-15);
  EXPECT_NEAR(t.sag(), 0, 1e-15);
}

TEST(Trajectory, AShortQuietIsNoRest) {
  // Quiet for 0.2 s around every half second: at the top of a bounce, say.
  const Trajectory t = run(column(1, false), 120, [](double time, State& s) {
    s.velocities(1, 2) = std::fmod(time, 0.5) < 0.2 ? 0 : 1;
  });
  EXPECT_TRUE(std::isnan(t.drift()));
  EXPECT_TRUE(std::isnan(t.sag()));
  EXPECT_TRUE(std::isnan(t.turn()));
}

TEST(Trajectory, SpinningInPlaceIsNoRest) {
  // R of the cube is 0.866 m: 0.012 rad/s are just above 1e-2 m/s, 0.011 below.
  for (const double spin : {0.012, 0.011}) {
    const Trajectory t =
        run(column(1, false), 60, [&](double, State& s) { s.velocities(1, 5) = spin; });
    EXPECT_EQ(std::isnan(t.drift()), spin == 0.012);
  }
}

TEST(Trajectory, CreepIsMeasuredOverTheLastHalf) {
  // 1 m in the first half, 3 mm in the second.
  const Trajectory t = run(column(1, true), 600, [](double time, State& s) {
    s.positions(1, 0) = time <= 5 ? 0.2 * time : 1 + 6e-4 * (time - 5);
  });
  EXPECT_NEAR(t.creep(), 6e-4, 1e-15);
}

TEST(Trajectory, CreepOfALongRunNeedsNoStateOfEveryStep) {
  // 5,000 states; the nearest kept one is at most four steps from the middle, where the speed
  // changes by 3 mm/s: 8 steps of 2,500 times that.
  const Trajectory t = run(column(1, true), 5000, [](double time, State& s) {
    const double half = 2500 * kStep;
    s.positions(1, 0) = time <= half ? 0 : 3e-3 * (time - half);
  });
  EXPECT_NEAR(t.creep(), 3e-3, 3e-3 * 8 / 2500);
}

TEST(Trajectory, AColumnAtRestFellWhenABoxLostAQuarterOfItsRadius) {
  for (const double lost : {0.20, 0.23}) {  // R/4 = 0.2165 m
    const Trajectory t = run(column(3, true), 10, [&](double time, State& s) {
      if (time > 0.1) s.positions(3, 2) -= lost;
    });
    EXPECT_EQ(t.fell(), lost == 0.23);
  }
}

TEST(Trajectory, ADroppedTowerFellWhenItsHeightOverTheLowestBoxIsLost) {
  Scene scene = column(3, false);
  scene.stands = true;
  const auto fall = [](double time, State& s) { s.positions.bottomRows(3).col(2).array() -= time; };
  EXPECT_FALSE(run(scene, 60, fall).fell());
  const auto collapse = [&](double time, State& s) {
    fall(time, s);
    if (time > 0.5) s.positions(3, 2) -= 0.5;
  };
  EXPECT_TRUE(run(scene, 60, collapse).fell());
  scene.stands = false;  // a pile may settle
  EXPECT_FALSE(run(scene, 60, collapse).fell());
}

TEST(Trajectory, ABoxGoneToNowhereFell) {
  const Trajectory t = run(column(3, true), 10, [](double time, State& s) {
    if (time > 0.1) s.positions(2, 2) = std::nan("");
  });
  EXPECT_TRUE(t.fell());
}

TEST(Trajectory, EnergyIsThatOfFreeFall) {
  const Trajectory t = run(column(1, false), 60, [](double time, State& s) {
    s.positions(1, 2) = 10 - 9.81 / 2 * time * time;
    s.velocities(1, 2) = -9.81 * time;
  });
  EXPECT_NEAR(t.kinetic_energy(), 9.81 * 9.81 / 2, 1e-12);
  EXPECT_NEAR(t.energy(), 9.81 * 10, 1e-12);
}

TEST(Trajectory, SpinHasTheEnergyOfTheTurnedInertia) {
  // A plank of 2 x 1 x 1 m, 3 kg, turned by 90 degrees about z: its long axis is along y, and the
  // spin of 2 rad/s about y has 1/2 * 3 (1 + 1)/12 * 4 J.
  Scene scene = column(0, false);
  scene::add(scene, "plank", scene::box(2, 1, 1), 3, 0.5, {0, 0, 5},
             scene::about_z(90 * scene::kDegree));
  const Trajectory t = run(scene, 1, [](double, State& s) { s.velocities(1, 4) = 2; });
  EXPECT_NEAR(t.kinetic_energy(), 1, 1e-15);
}

TEST(Trajectory, ARunOfNoStepsHasNoCreep) {
  const Scene scene = column(1, true);
  State state = state_of(scene);
  const Trajectory a(scene, state);
  EXPECT_EQ(a.drift(), 0);
  EXPECT_EQ(a.creep(), 0);  // no step made
}

}  // namespace trajectory_test
}  // namespace perpend
