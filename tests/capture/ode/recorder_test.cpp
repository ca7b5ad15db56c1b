// A recording of ODE is what ODE computed: nothing changes by being recorded, momentum closes from
// the recorded numbers alone, and solving the recorded problem gives ODE's velocities.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "capture/ode/answerers.hpp"
#include "capture/ode/runs.hpp"
#include "capture/robots.hpp"
#include "measure/box_sweep.hpp"

namespace perpend::capture::from_ode {
namespace recorder_test {

class OdeScenes : public testing::TestWithParam<SceneRun> {
 protected:
  const Scene scene = scene_of(GetParam().scene);
  const int steps = GetParam().steps;

  void is_recorded(OdeMethod method) const {
    const Momentum found = momentum_of(ode_engine(), task_of(scene, method), steps);
    for (const auto& [who, count] : found.answered)
      std::cout << "  " << who << ": " << count << " steps\n";
    // Rounding: a body's balance is a sum of a few hundred terms, each known to a few 1e-16.
    EXPECT_LT(found.worst, 1e-12);
    EXPECT_GT(found.contacts + found.joint_rows, 0);
    expect_same_trajectory(ode_engine(), task_of(scene, method), steps);
  }
};

TEST_P(OdeScenes, StepIsRecordedAndKeepsItsBits) { is_recorded(OdeMethod::step); }

// ODE's own answer solves the boxed problem up to what redundant contacts with a compliance of
// 1e-10/h make of rounding. What it broke off is not solved, and not compared.
TEST_P(OdeScenes, BoxedProblemSolvedByUsGivesTheVelocitiesOfStep) {
  double worst = 0;
  int compared = 0;
  run_scene(ode_engine(), task_of(scene, OdeMethod::step), steps, [&](const io::Record& record) {
    if (record.answer.answered == kGaveUp) return;
    worst = std::max(worst, reproduction_gap(record, boxed));
    ++compared;
  });
  std::cout << scene.name << ": velocities of dWorldStep reproduced to " << worst << " in "
            << compared << " of " << steps << " steps\n";
  EXPECT_LT(worst, 1e-8);
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Ode, OdeScenes, testing::ValuesIn(scene_runs()), test_name);

// QuickStep sweeps island by island with over-relaxation: eight times over the rows in their order,
// those that are bounded by others last, then every eight sweeps in a new random order of all.
class QuickSweeps {
 public:
  QuickSweeps(const OdeStep& step, const System& system, const std::vector<dBodyID>& newest_first)
      : step_(step), system_(system), diagonal_(row_diagonal(system)) {
    number_rows();
    find_islands(newest_first);
  }

  Impulses run(int sweeps, double over) const {
    const unsigned long seed = dRandGetSeed();
    dRandSetSeed(step_.seed);
    const Index m = system_.contacts();
    const Impulses z = with_state(system_, [&](auto& state) -> Impulses {
      state.set(Impulses::Zero(system_.rows()));
      const VectorXd& lambda = state.lambda();
      for (Rows island : islands_)
        for (int k = 0; k < sweeps; ++k) {
          if (k > 0 && k % 8 == 0) shuffle(island);
          for (const Index row : island) {
            if (row >= 3 * m) {
              const Index j = row - 3 * m;
              const double x = lambda[row] - over * state.u_joint(j) / diagonal_[row];
              state.push_joint(j, std::clamp(x, system_.lower[j], system_.upper[j]) - lambda[row]);
              continue;
            }
            const Index i = row / 3, d = row % 3;
            const double x = lambda[row] - over * state.u(i, d) / diagonal_[row];
            const double limit = d ? friction_limits(system_, i, lambda[3 * i])[d - 1] : 0;
            state.push(i, d, (d ? std::clamp(x, -limit, limit) : std::max(0.0, x)) - lambda[row]);
          }
        }
      return lambda;
    });
    dRandSetSeed(seed);
    return z;
  }

 private:
  using Rows = std::vector<Index>;

  // Rows of the system that each of ODE's joints has, in its order.
  void number_rows() {
    const Contacts& k = step_.record.frame.contacts;
    for (Index i = 0; i < k.count(); ++i)
      for (Index row = 0; row < 3; ++row)
        if (row == 0 || k.friction_bounds(i, row - 1) > 0)
          rows_[step_.contacts[static_cast<std::size_t>(i)]].push_back(3 * i + row);
    Index next = 3 * k.count();
    for (std::size_t j = 0; j < step_.joints.size(); ++j)
      for (std::int64_t r = 0; r < step_.record.frame.joints.rows[j]; ++r)
        rows_[step_.joints[j]].push_back(next++);
  }

  void find_islands(const std::vector<dBodyID>& newest_first) {
    std::set<dBodyID> met;
    std::set<dJointID> taken;
    for (const dBodyID start : newest_first) {
      if (!met.insert(start).second) continue;
      Rows head, tail;  // not bounded by other rows, and bounded
      std::vector<dBodyID> stack{start};
      while (!stack.empty()) {
        const dBodyID body = stack.back();
        stack.pop_back();
        for (int i = 0; i < dBodyGetNumJoints(body); ++i) {
          const dJointID joint = dBodyGetJoint(body, i);
          if (!taken.insert(joint).second) continue;
          if (const auto rows = rows_.find(joint); rows != rows_.end())
            for (const Index row : rows->second)
              (row < 3 * system_.contacts() && row % 3 ? tail : head).push_back(row);
          for (const int side : {0, 1})
            if (const dBodyID other = dJointGetBody(joint, side); other && met.insert(other).second)
              stack.push_back(other);
        }
      }
      head.insert(head.end(), tail.begin(), tail.end());
      islands_.push_back(std::move(head));
    }
  }

  static void shuffle(Rows& rows) {
    for (std::size_t i = 1; i < rows.size(); ++i)
      std::swap(rows[i], rows[static_cast<std::size_t>(dRandInt(static_cast<int>(i) + 1))]);
  }

  const OdeStep& step_;
  const System& system_;
  const VectorXd diagonal_;
  std::map<dJointID, Rows> rows_;
  std::vector<Rows> islands_;
};

class OdeQuickScenes : public OdeScenes {};

TEST_P(OdeQuickScenes, QuickStepIsRecordedAndKeepsItsBits) { is_recorded(OdeMethod::quick_step); }

TEST_P(OdeQuickScenes, SweepsInItsRandomOrderGiveTheVelocitiesOfQuickStep) {
  double worst = 0;
  std::vector<dBodyID> newest_first;
  int sweeps = 0;
  double over = 0;
  watch(
      scene, OdeMethod::quick_step, steps,
      [&](OdeStep& step) {
        const auto method = [&](const System& system, const io::Record&) {
          return QuickSweeps(step, system, newest_first).run(sweeps, over);
        };
        worst = std::max(worst, reproduction_gap(step.record, method));
      },
      [&](OdeScene& inside) {
        for (std::size_t i = scene.bodies.size(); i-- > 0;)
          if (inside.body(i)) newest_first.push_back(inside.body(i));
        sweeps = dWorldGetQuickStepNumIterations(inside.world());
        over = dWorldGetQuickStepW(inside.world());
      });
  std::cout << scene.name << ": velocities of QuickStep reproduced to " << worst << "\n";
  EXPECT_LT(worst, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Ode, OdeQuickScenes, testing::ValuesIn(scene_runs()), test_name);

TEST(OdeRecorder, JointsOfASceneHaveItsIds) {
  for (const char* scene : {"snake", "ragdolls"}) expect_joint_ids(ode_engine(), scene);
}

}  // namespace recorder_test
}  // namespace perpend::capture::from_ode
