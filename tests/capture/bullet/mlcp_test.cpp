// Bullet's MLCP solvers: what they answer is the answer to the recorded problem, by methods of
// ours.
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>
#include <gtest/gtest.h>

#include "capture/bullet/runs.hpp"
#include "measure/box_sweep.hpp"
#include "perpend/solve.hpp"

namespace perpend::capture {
namespace {

struct Found {
  double worst = 0;  // reproduction_gap
  int answered = 0;  // frames that the solver answered itself
};

// Frames in which the solver did not hand over to sequential impulses.
using StepMethod = std::function<Impulses(const System&, const BulletStep&)>;
template <class Mlcp>
Found reproduced(const std::string& scene, int steps, const StepMethod& method) {
  Found out;
  BulletRecorder recorder(
      [&](BulletStep& step) {
        if (step.fell_back) return;
        ++out.answered;
        out.worst = std::max(
            out.worst, reproduction_gap(step.record, [&](const System& system, const io::Record&) {
              return method(system, step);
            }));
      },
      false);
  Mlcp mlcp;
  Recording<btMLCPSolver> solver(recorder, &mlcp);
  run(solver, scene_of(scene), steps);
  std::cout << scene << ": " << out.answered << " of " << steps << " frames, reproduced to "
            << out.worst << "\n";
  return out;
}

Impulses boxed(const Frame& frame) {
  Options options;
  options.tolerance = 1e-13;
  return solve(assemble(frame, Model::engine), "box/path", options).impulses;
}

// Dantzig's method, after ODE's: normals and joints first; what friction may be is frozen at mu
// times those normal impulses; then the boxed LCP.
Impulses as_dantzig(const System&, const BulletStep& step) {
  Frame frame = step.record.frame;
  Rows<2>& bounds = frame.contacts.friction_bounds;
  const Rows<2> recorded = bounds;
  bounds.setZero();
  const Impulses first = boxed(frame);
  for (Index i = 0; i < bounds.rows(); ++i)
    for (Index d = 0; d < 2; ++d)
      bounds(i, d) = std::min(recorded(i, d), frame.contacts.mu[i] * first[3 * i]);
  return boxed(frame);
}

// Ten sweeps over joints, normals, friction, each row clamped by the newest normal impulse.
Impulses as_mlcp_sweeps(const System& system, const BulletStep& step) {
  const VectorXd diagonal = row_diagonal(system);
  return with_state(system, [&](auto& state) -> VectorXd {
    state.set(step.start);
    const VectorXd& lambda = state.lambda();
    const auto row = [&](Index i, Index d, double lower, double upper) {
      const double x = lambda[3 * i + d] - state.u(i, d) / diagonal[3 * i + d];
      state.push(i, d, std::clamp(x, lower, upper) - lambda[3 * i + d]);
    };
    for (int sweep = 0; sweep < 10; ++sweep) {
      for (Index i = 0; i < system.contacts(); ++i)
        row(i, 0, 0, std::numeric_limits<double>::infinity());
      for (Index i = 0; i < system.contacts(); ++i) {
        const Eigen::Vector2d limits = friction_limits(system, i, lambda[3 * i]);
        for (Index d = 1; d < 3; ++d) row(i, d, -limits[d - 1], limits[d - 1]);
      }
    }
    return lambda;
  });
}

// On a slope with one box. Where a face rests on four contacts and friction is at its bound, the
// bounds depend on which of many normal impulses the pivots came to first, which Bullet keeps to
// itself: `stack:3` and `mass-ratio:100` are not reproduced (docs/capture.md).
TEST(BulletMlcp, DantzigsAnswersAreThoseOfABoxWhoseBoundsAreFrozen) {
  const Found found = reproduced<btDantzigSolver>("creep", 60, as_dantzig);
  EXPECT_GT(found.answered, 50);
  EXPECT_LT(found.worst, 1e-12);
}

TEST(BulletMlcp, ProjectedGaussSeidelIsTenSweepsOfTheBox) {
  for (const char* scene : {"stack:3", "stack:10", "creep", "mass-ratio:100"}) {
    const Found found = reproduced<btSolveProjectedGaussSeidel>(scene, 60, as_mlcp_sweeps);
    EXPECT_EQ(found.answered, 60) << scene;
    EXPECT_LT(found.worst, 1e-10) << scene;
  }
}

}  // namespace
}  // namespace perpend::capture
