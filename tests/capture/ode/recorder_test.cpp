// A recording of ODE is what ODE computed: nothing changes by being recorded, momentum closes from
// the recorded numbers alone, and solving the recorded problem gives ODE's velocities.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "capture/ode_runs.hpp"
#include "measure/box_sweep.hpp"
#include "perpend/capture.hpp"

namespace perpend::capture {
namespace {

double largest(const Rows6& v) { return v.rows() ? v.cwiseAbs().maxCoeff() : 0; }

// Of velocities, over the largest speed (at least 1).
double difference(const OdeStep& step, const System& system, const Impulses& z) {
  const Rows6 plus = velocity_plus(step.record.frame, system, z);
  return largest(plus - step.record.answer.velocities_plus) / std::max(1.0, largest(plus));
}

struct Run {
  std::string scene;
  int steps;
};
std::ostream& operator<<(std::ostream& out, const Run& run) { return out << run.scene; }
std::string scene_name(const testing::TestParamInfo<Run>& one) {
  std::string name = one.param.scene;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

// Enough steps that things have hit each other.
class OdeScenes : public testing::TestWithParam<Run> {
 protected:
  const Scene scene = scene_of(GetParam().scene);
  const int steps = GetParam().steps;

  void is_recorded(OdeMethod method) const {
    double worst = 0;
    Index contacts = 0, joint_rows = 0, failed = 0;
    const std::uint64_t recorded = run(scene, method, steps, [&](OdeStep& step) {
      ASSERT_EQ(invalid(step.record.frame), "");
      EXPECT_EQ(step.opaque, 0);
      worst = std::max(worst, momentum_gap(step.record));
      contacts = std::max(contacts, step.record.frame.contacts.count());
      joint_rows = std::max(joint_rows, step.record.frame.joints.row_count());
      failed += step.gave_up;
    });
    std::cout << GetParam().scene << ": momentum closes to " << worst << ", at most " << contacts
              << " contacts, " << joint_rows << " joint rows; " << failed << " of " << steps
              << " steps broke down\n";
    // Rounding: a body's balance is a sum of a few hundred terms, each known to a few 1e-16.
    EXPECT_LT(worst, 1e-12);
    EXPECT_GT(contacts + joint_rows, 0);
    EXPECT_EQ(recorded, run(scene, method, steps));
  }
};

TEST_P(OdeScenes, StepIsRecordedAndKeepsItsBits) { is_recorded(OdeMethod::step); }

// The boxed LCP with the bounds that ODE froze. ODE's own answer solves it up to what redundant
// contacts with a compliance of 1e-10/h make of rounding; steps that it gave up are not solved.
TEST_P(OdeScenes, BoxedProblemSolvedByUsGivesTheVelocitiesOfStep) {
  double worst = 0;
  int compared = 0;
  run(scene, OdeMethod::step, steps, [&](OdeStep& step) {
    if (step.gave_up) return;
    const System system = assemble(step.record.frame, Model::engine);
    Options options;
    options.tolerance = 1e-11;
    options.measure_all = false;
    const Result result = solve(system, "box/newton", options);
    worst = std::max(worst, difference(step, system, result.impulses));
    ++compared;
  });
  std::cout << GetParam().scene << ": velocities of dWorldStep reproduced to " << worst << " in "
            << compared << " of " << steps << " steps\n";
  EXPECT_LT(worst, 1e-8);
  EXPECT_GT(compared, steps / 2);
}

INSTANTIATE_TEST_SUITE_P(Ode, OdeScenes,
                         testing::Values(Run{"stack", 60}, Run{"stack:10", 120},
                                         Run{"heavy-top", 60}, Run{"snake", 120}, Run{"arch", 60},
                                         Run{"spheres", 120}, Run{"logs", 60}, Run{"hose", 120},
                                         Run{"ragdolls", 120}, Run{"mass-ratio:100", 120},
                                         Run{"creep", 60}),
                         scene_name);

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
    const Impulses z = with_state(system_, [&](auto& state) -> Impulses {
      state.set(Impulses::Zero(system_.rows()));
      for (const Rows& island : islands_) sweep(state, island, sweeps, over);
      return state.lambda();
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

  template <class State>
  void sweep(State& state, Rows island, int sweeps, double over) const {
    const VectorXd& lambda = state.lambda();
    const Index m = system_.contacts();
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
  const Quiet quiet;
  OdeScene inside(scene, scene.step);
  std::vector<dBodyID> newest_first;
  for (std::size_t i = scene.bodies.size(); i-- > 0;)
    if (inside.body(i)) newest_first.push_back(inside.body(i));
  OdeRecorder recorder(
      inside.world(), inside.space(),
      [&](OdeStep& step) {
        const System system = assemble(step.record.frame, Model::engine);
        const QuickSweeps sweeps(step, system, newest_first);
        const Impulses z = sweeps.run(dWorldGetQuickStepNumIterations(inside.world()),
                                      dWorldGetQuickStepW(inside.world()));
        worst = std::max(worst, difference(step, system, z));
      },
      false);
  inside.record(&recorder);
  for (int k = 0; k < steps; ++k) inside.step(OdeMethod::quick_step);
  std::cout << GetParam().scene << ": velocities of dWorldQuickStep reproduced to " << worst
            << "\n";
  EXPECT_LT(worst, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Ode, OdeQuickScenes,
                         testing::Values(Run{"stack", 60}, Run{"stack:10", 120},
                                         Run{"heavy-top", 60}, Run{"snake", 120}, Run{"arch", 60},
                                         Run{"wall", 30}, Run{"spheres", 120}, Run{"logs", 60},
                                         Run{"hose", 120}, Run{"ragdolls", 120},
                                         Run{"mass-ratio:100", 120}, Run{"creep", 60}),
                         scene_name);

}  // namespace
}  // namespace perpend::capture
