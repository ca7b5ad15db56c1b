// Between btMLCPSolver and the method it was given: every call is forwarded as it is, and what that
// method let friction be is kept.
//
// A btMLCPSolver hands its method bounds of friction per unit of the normal impulse (mu), and which
// normal row each belongs to. What becomes of them is the method's own: Dantzig's solves the rows
// without friction first and freezes mu times the normal impulses it has then; Lemke's knows of no
// such dependence and takes mu itself for a bound in N s; sweeps bound by the newest normal
// impulse.
#pragma once

#include <BulletDynamics/MLCPSolvers/btMLCPSolverInterface.h>

#include <vector>

namespace perpend::capture::from_bullet {

class MlcpListener : public btMLCPSolverInterface {
 public:
  // For the calls of one group.
  void listen_to(btMLCPSolverInterface* method);
  bool solveMLCP(const btMatrixXu& A, const btVectorXu& b, btVectorXu& x, const btVectorXu& lo,
                 const btVectorXu& hi, const btAlignedObjectArray<int>& normal_row, int iterations,
                 bool use_sparsity) override;
  const char* name() const;  // of the method, as the frames tell it
  // The bound of each row of the problem, N s; infinite: mu times the newest normal impulse, or no
  // row of friction.
  const std::vector<double>& bounds() const { return bounds_; }

 private:
  btMLCPSolverInterface* method_ = nullptr;
  bool asked_ = false;
  std::vector<double> bounds_;
};

}  // namespace perpend::capture::from_bullet
