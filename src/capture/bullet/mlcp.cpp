#include "capture/bullet/mlcp.hpp"

#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <limits>

#include "perpend/capture/bullet.hpp"

namespace perpend::capture::from_bullet {
namespace {

// What a btDantzigSolver holds after a call. Its bounds are in the order its pivots left them in,
// which p tells: place -> row.
struct Dantzig : btDantzigSolver {
  static const btAlignedObjectArray<btScalar>& bounds(const btDantzigSolver& solver) {
    return solver.*(&Dantzig::m_hi);
  }
  static const btAlignedObjectArray<int>& order(const btDantzigSolver& solver) {
    return (solver.*(&Dantzig::m_scratchMemory)).p;
  }
};

}  // namespace

void MlcpListener::listen_to(btMLCPSolverInterface* method) {
  method_ = method;
  asked_ = false;
  bounds_.clear();
}

const char* MlcpListener::name() const {
  if (dynamic_cast<const btDantzigSolver*>(method_)) return kDantzig;
  if (dynamic_cast<const btLemkeSolver*>(method_)) return kLemke;
  if (dynamic_cast<const btSolveProjectedGaussSeidel*>(method_)) return kSweeps;
  return kMixed;
}

bool MlcpListener::solveMLCP(const btMatrixXu& A, const btVectorXu& b, btVectorXu& x,
                             const btVectorXu& lo, const btVectorXu& hi,
                             const btAlignedObjectArray<int>& normal_row, int iterations,
                             bool use_sparsity) {
  const bool solved = method_->solveMLCP(A, b, x, lo, hi, normal_row, iterations, use_sparsity);
  if (asked_) return solved;  // a second problem, of the split impulse: it moves positions only
  asked_ = true;
  const auto n = static_cast<std::size_t>(b.rows());
  bounds_.assign(n, std::numeric_limits<double>::infinity());
  const auto keep = [&](int row, double bound) {
    if (normal_row[row] >= 0) bounds_[static_cast<std::size_t>(row)] = bound;
  };
  if (const auto* dantzig = dynamic_cast<const btDantzigSolver*>(method_); dantzig && solved)
    for (int k = 0; k < b.rows(); ++k)
      keep(Dantzig::order(*dantzig)[k], Dantzig::bounds(*dantzig)[k]);
  if (const auto* lemke = dynamic_cast<const btLemkeSolver*>(method_);
      lemke && lemke->m_useLoHighBounds)
    for (int row = 0; row < b.rows(); ++row) keep(row, hi[row]);
  return solved;
}

}  // namespace perpend::capture::from_bullet
