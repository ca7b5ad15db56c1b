// Bullet's solvers behind btMLCPSolverInterface: A x = b' + w with b' = -b, lo <= x <= hi; the
// bounds of a row with a limit dependency are multiplied with the x of that row.
//
// btSolveProjectedGaussSeidel does the sweeps it is told to. btDantzigSolver ignores x at the
// start, and reads dependencies once, after the rows without: friction bounds stay those of a
// problem whose friction was not known yet. btLemkeSolver inverts A and ignores dependencies;
// infinite bounds turn into NaN there, so that they are replaced by a number beyond any impulse.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <cmath>
#include <limits>

#include "peers/program/hosts.hpp"

namespace perpend::peers {
namespace {

constexpr double kFar = 1e6;  // N s, or without unit when scaled

btVectorXu to_bullet(const VectorXd& from, double infinite = SIMD_INFINITY) {
  btVectorXu to(static_cast<int>(from.size()));
  for (Index i = 0; i < from.size(); ++i)
    to[static_cast<int>(i)] = std::clamp(from[i], -infinite, infinite);
  return to;
}

class BulletHost final : public Host {
 public:
  explicit BulletHost(const Task& task) : name_(task.peer), bound_by_(task.bound_by) {
    const int n = static_cast<int>(task.A.rows());
    A_.resize(n, n);
    A_.setZero();
    for (Index row = 0; row < task.A.outerSize(); ++row)
      for (SparseMatrix::InnerIterator it(task.A, row); it; ++it)
        A_.setElem(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
  }

  Answer solve(const Call& call) override {
    const bool lemke = name_ == "box/bullet-lemke";
    const int n = A_.rows();
    btVectorXu x = to_bullet(call.start);
    const btVectorXu b = to_bullet(-call.b),
                     lower = to_bullet(call.lower, lemke ? kFar : SIMD_INFINITY),
                     upper = to_bullet(call.upper, lemke ? kFar : SIMD_INFINITY);
    btAlignedObjectArray<int> depends;
    for (int i = 0; i < n; ++i)
      depends.push_back(call.coupled ? static_cast<int>(bound_by_[static_cast<std::size_t>(i)])
                                     : -1);

    btDantzigSolver dantzig;
    btLemkeSolver lemke_solver;
    lemke_solver.m_maxValue = kFar;
    lemke_solver.m_maxLoops = static_cast<int>(call.iterations);
    btSolveProjectedGaussSeidel sweeps;
    btMLCPSolverInterface* solver = &sweeps;
    if (lemke) solver = &lemke_solver;
    if (name_ == "box/bullet-dantzig") solver = &dantzig;
    // Dantzig's check of its answer reads x as it was before.
    if (solver != &sweeps) x.setZero();

    Answer answer;
    answer.seconds = seconds_of([&] {
      answer.solved =
          solver->solveMLCP(A_, b, x, lower, upper, depends, static_cast<int>(call.iterations));
    });
    answer.x.resize(n);
    for (int i = 0; i < n; ++i) answer.x[i] = x[i];
    answer.error = std::numeric_limits<double>::quiet_NaN();
    if (solver == &sweeps) {
      answer.iterations = call.iterations;
      answer.error = std::sqrt(sweeps.m_leastSquaresResidual);
    }
    return answer;
  }

 private:
  std::string name_;
  std::vector<Index> bound_by_;
  btMatrixXu A_;
};

}  // namespace

std::unique_ptr<Host> bullet_host(const Task& task) {
  if (task.peer != "box/bullet-pgs" && task.peer != "box/bullet-dantzig" &&
      task.peer != "box/bullet-lemke")
    return nullptr;
  return std::make_unique<BulletHost>(task);
}

}  // namespace perpend::peers
