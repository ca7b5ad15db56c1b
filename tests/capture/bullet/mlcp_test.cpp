// Bullet's MLCP solvers: what they answer is the answer to the recorded problem, by methods of
// ours.
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "capture/bullet/methods.hpp"
#include "capture/bullet/runs.hpp"

namespace perpend::capture::from_bullet {
namespace mlcp_test {

using StepMethod = std::function<Impulses(const System&, const BulletStep&)>;

double gap(const BulletStep& step, const StepMethod& method) {
  return reproduction_gap(
      step.record, [&](const System& system, const io::Record&) { return method(system, step); });
}

struct Found {
  int answered = 0;                    // frames that the solver answered itself
  double worst = 0, swept = 0;         // of those, and of those it handed over: reproduced to
  double momentum = 0, own_error = 0;  // m/s, of those it answered
};

using Prepare = std::function<void(btDiscreteDynamicsWorld&)>;
template <class Mlcp>
Found recorded(
    const Scene& scene, int steps, const StepMethod& method,
    const Prepare& prepare = [](btDiscreteDynamicsWorld&) {}) {
  Found out;
  BulletRecorder recorder([&](BulletStep& step) {
    EXPECT_EQ(invalid(step.record.frame), "");
    out.momentum = worse(out.momentum, momentum_gap(step.record));
    double& found = step.fell_back ? out.swept : out.worst;
    found = worse(found, gap(step, method));
    if (step.fell_back) return;
    ++out.answered;
    out.own_error = worse(out.own_error, step.record.answer.errors[Measure::own_error]);
  });
  Mlcp mlcp, plain_mlcp;
  Recording<btMLCPSolver> solver(recorder, &mlcp);
  btMLCPSolver plain(&plain_mlcp);
  EXPECT_EQ(run(solver, scene, steps, prepare), run(plain, scene, steps, prepare));
  std::cout << scene.name << ": " << out.answered << " of " << steps << " frames, own error "
            << out.own_error << " m/s, reproduced to " << out.worst << "; those handed over to "
            << out.swept << "; momentum closes to " << out.momentum << "\n";
  EXPECT_LT(out.momentum, 1e-12);
  EXPECT_LT(out.swept, 1e-10);
  return out;
}

// `wall` makes dense problems of 2,500 rows: a second for a step's ten sweeps, 20 by Dantzig.
std::vector<SceneRun> with_small_wall() {
  std::vector<SceneRun> out = bullet_runs();
  for (SceneRun& one : out)
    if (one.scene == "wall") one = {"wall:4", 60};
  return out;
}

class RecordedDantzig : public testing::TestWithParam<SceneRun> {};

// In `hose` Dantzig's pivots leave up to 1e-9 m/s of their own problem; elsewhere it is 1e-11.
TEST_P(RecordedDantzig, BoxWithItsFrozenBoundsGivesItsVelocities) {
  const Found found =
      recorded<btDantzigSolver>(scene_of(GetParam().scene), GetParam().steps, as_pivoting);
  EXPECT_LT(found.worst, 1e-9);
}
INSTANTIATE_TEST_SUITE_P(Bullet, RecordedDantzig, testing::ValuesIn(with_small_wall()), test_name);

class RecordedMlcpSweeps : public testing::TestWithParam<SceneRun> {};

TEST_P(RecordedMlcpSweeps, TenSweepsGiveItsVelocities) {
  const Found found = recorded<btSolveProjectedGaussSeidel>(scene_of(GetParam().scene),
                                                            GetParam().steps, as_mlcp_sweeps);
  EXPECT_EQ(found.answered, GetParam().steps);
  EXPECT_LT(found.worst, 1e-10);
}
INSTANTIATE_TEST_SUITE_P(Bullet, RecordedMlcpSweeps, testing::ValuesIn(with_small_wall()),
                         test_name);

// By Dantzig's pivots and by sweeps.
void expect_reproduced(const char* scene, int steps, const Prepare& prepare) {
  const Found pivots = recorded<btDantzigSolver>(scene_of(scene), steps, as_pivoting, prepare);
  EXPECT_GT(pivots.answered, 5) << scene;
  EXPECT_LT(pivots.worst, 1e-10) << scene;
  const Found sweeps =
      recorded<btSolveProjectedGaussSeidel>(scene_of(scene), steps, as_mlcp_sweeps, prepare);
  EXPECT_LT(sweeps.worst, 1e-10) << scene;
}

// One compliance for all rows, friction included, which the rows of sequential impulses do not
// have.
TEST(BulletMlcp, GlobalCfmIsOnTheDiagonalOfEveryRow) {
  const auto soft = [](btDiscreteDynamicsWorld& world) {
    world.getSolverInfo().m_globalCfm = 0.01;
  };
  for (const char* scene : {"stack:3", "snake"}) expect_reproduced(scene, 30, soft);
}

// Pivots change the order of rows: bounds along t and o must not be mixed up.
TEST(BulletMlcp, TwoFrictionDirectionsHaveBoundsOfTheirOwn) {
  const auto two = [](btDiscreteDynamicsWorld& world) {
    world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  };
  for (const char* scene : {"yaw", "spheres"}) expect_reproduced(scene, 90, two);
}

// In some of a step's groups Dantzig's method answers, in others it gives up.
TEST(BulletMlcp, GroupsAreAnsweredEachByItsOwn) {
  const auto alone = [](btDiscreteDynamicsWorld& world) {
    world.getSolverInfo().m_minimumSolverBatchSize = 1;
  };
  int mixed = 0;
  const auto counted = [&](const System& system, const BulletStep& step) {
    const auto given_up = std::count_if(step.groups.begin(), step.groups.end(),
                                        [](const BulletGroup& group) { return group.fell_back; });
    mixed += given_up > 0 && given_up < static_cast<std::ptrdiff_t>(step.groups.size());
    return as_pivoting(system, step);
  };
  const Found found = recorded<btDantzigSolver>(scene_of("ragdolls"), 60, counted, alone);
  EXPECT_LT(found.worst, 1e-10);
  EXPECT_GT(mixed, 0);
}

TEST(BulletMlcp, FramesTellTheMethodAndItsBounds) {
  const auto first_answer = [](btMLCPSolverInterface& method) {
    std::optional<BulletStep> out;
    BulletRecorder recorder([&](BulletStep& step) {
      if (!step.fell_back && !out) out = step;
    });
    Recording<btMLCPSolver> solver(recorder, &method);
    run(solver, scene_of("creep"), 10);
    return out.value();
  };
  btSolveProjectedGaussSeidel sweeps;
  const BulletStep swept = first_answer(sweeps);
  EXPECT_EQ(swept.record.answer.answered, "MLCP by projected Gauss-Seidel");
  EXPECT_TRUE(std::isinf(swept.record.frame.contacts.friction_bounds(0, 0)));

  btLemkeSolver lemke;
  const BulletStep by_lemke = first_answer(lemke);
  EXPECT_EQ(by_lemke.record.answer.answered, "MLCP by Lemke");
  EXPECT_EQ(by_lemke.record.frame.contacts.friction_bounds(0, 0),
            by_lemke.record.frame.contacts.mu[0]);

  btDantzigSolver dantzig;
  const BulletStep frozen = first_answer(dantzig);
  EXPECT_EQ(frozen.record.answer.answered, "MLCP by Dantzig");
  const Rows<2>& bounds = frozen.record.frame.contacts.friction_bounds;
  EXPECT_GT(bounds.col(0).maxCoeff(), 0);
  EXPECT_LT(bounds.col(0).maxCoeff(), 1);
}

// Lemke's method, and how far its answer moves when the last bit of A's diagonal does.
class Shaken : public btLemkeSolver {
 public:
  bool solveMLCP(const btMatrixXu& A, const btVectorXu& b, btVectorXu& x, const btVectorXu& lo,
                 const btVectorXu& hi, const btAlignedObjectArray<int>& normal_row, int iterations,
                 bool use_sparsity) override {
    btVectorXu other = x;
    const bool solved =
        btLemkeSolver::solveMLCP(A, b, x, lo, hi, normal_row, iterations, use_sparsity);
    if (asked || !solved || A.rows() == 0) return solved;
    asked = true;
    const int n = A.rows();
    Eigen::MatrixXd matrix(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) matrix(i, j) = A(i, j);
    const VectorXd eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
            .eigenvalues();
    condition = eigenvalues[n - 1] / std::max(eigenvalues[0], 1e-300);
    btMatrixXu bit = A;
    for (int i = 0; i < n; ++i) bit.setElem(i, i, std::nextafter(A(i, i), 2 * A(i, i)));
    btLemkeSolver::solveMLCP(bit, b, other, lo, hi, normal_row, iterations, use_sparsity);
    VectorXd moved(n);
    for (int i = 0; i < n; ++i) moved[i] = other[i] - x[i];
    change = (matrix * moved).cwiseAbs().maxCoeff();
    return solved;
  }
  bool asked = false;
  double condition = 1, change = 0;  // of A; of the rows' velocities, m/s
};

// Its problem is the box whose friction is bounded by mu N s, whatever presses. It inverts A by
// elimination: where A is regular its answer is that of the box, to rounding times the condition
// of A; where A is singular (a face on four contacts) it is what rounding made of it, and one last
// bit changes it as much.
class RecordedLemke : public testing::TestWithParam<SceneRun> {};

TEST_P(RecordedLemke, BoxGivesItsVelocitiesWhereItsMatrixHasAnInverse) {
  constexpr double kRegular = 1e8;
  int regular = 0, singular = 0;
  double worst = 0, over_rounding = 0, missed = 0, by_one_bit = 0, swept = 0;
  Shaken lemke;
  BulletRecorder recorder(
      [&](BulletStep& step) {
        const double found = gap(step, as_pivoting);
        if (step.fell_back) {
          swept = worse(swept, found);
        } else if (lemke.condition < kRegular) {
          ++regular;
          worst = worse(worst, found);
          over_rounding = worse(over_rounding, found / lemke.condition / 2.2e-16);
        } else {
          ++singular;
          missed = worse(missed, found);
          by_one_bit = worse(by_one_bit, lemke.change);
        }
        EXPECT_LT(momentum_gap(step.record), 1e-12);
        lemke.asked = false;
        lemke.condition = 1;
        lemke.change = 0;
      },
      false);
  Recording<btMLCPSolver> solver(recorder, &lemke);
  btLemkeSolver plain_lemke;
  btMLCPSolver plain(&plain_lemke);
  const Scene scene = scene_of(GetParam().scene);
  EXPECT_EQ(run(solver, scene, GetParam().steps), run(plain, scene, GetParam().steps));
  std::cout << scene.name << ": " << regular << " regular frames reproduced to " << worst << " ("
            << over_rounding << " of rounding times condition); " << singular
            << " singular ones missed by " << missed << ", one bit moves them by " << by_one_bit
            << " m/s; " << GetParam().steps - regular - singular << " handed over, to " << swept
            << "\n";
  EXPECT_GT(regular + singular, 0);
  EXPECT_LT(worst, 1e-8);
  EXPECT_LT(over_rounding, 100);
  EXPECT_LT(swept, 1e-10);
  EXPECT_LE(missed, 10 * by_one_bit);
}
INSTANTIATE_TEST_SUITE_P(Bullet, RecordedLemke,
                         testing::Values(SceneRun{"snake", 120}, SceneRun{"spheres", 82},
                                         SceneRun{"arch", 24}, SceneRun{"creep", 60},
                                         SceneRun{"stack:1", 60}),
                         test_name);

}  // namespace mlcp_test
}  // namespace perpend::capture::from_bullet
