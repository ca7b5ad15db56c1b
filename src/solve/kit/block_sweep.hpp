// Block Gauss-Seidel sweeps with the exact Coulomb cone over an explicit A, without joint rows:
// what ConeSweep (cone_sweep.hpp, with the equations) does over either form, for the one whose time
// is that of 3x3 blocks.
//
// A row is read where it lies. Of a contact's diagonal block the L D L' factor is made at the first
// visit, and what sliding needs when it slides for the first time. The estimate of the error comes
// with the change of a visit, |y - x|/rho, instead of a projection.
#pragma once

#include <span>
#include <vector>

#include "perpend/system.hpp"

namespace perpend {

// The local problem K ∋ x ⊥ A_ii x + b + mu |u_T| n ∈ K*, for one symmetric 3x3 block.
class LocalBlock {
 public:
  LocalBlock(const double* block, double mu);  // row-major; its symmetric part is taken

  double rho() const { return rho_; }  // 3/tr A_ii; 0: nothing moves
  // x, from b = u - A_ii x of the x before.
  void solve(const double* u, double* x);

 private:
  void prepare_sliding();
  void slide(double b_n, double c_t, double c_o, double* x);

  double mu_, rho_ = 0;
  double nn_, nt_, no_, tt_, to_, oo_;        // A_ii
  double r_n_ = 0;                            // 1/A_nn
  double r_t_ = 0, r_o_ = 0, l_ = 0;          // S = A_TT - w w'/A_nn = L D L'
  double s_tt_ = 0, s_to_ = 0, s_oo_ = 0;     // S
  bool sliding_ = false;                      // what follows is there
  double c_ = 1, s_ = 0, e_0_ = 0, e_1_ = 0;  // eigenvectors (c, s), (-s, c) and eigenvalues of S
  double w_0_ = 0, w_1_ = 0;                  // coupling A_TN in them
  double a_ = 0;                              // of the last sliding solve; 0: none
};

class BlockSweep {
 public:
  // Precondition: A is explicit and has no joint rows.
  explicit BlockSweep(const System&);

  void set(const VectorXd& lambda);
  // y of the last sweep, never extrapolated.
  const VectorXd& lambda() const { return lambda_; }

  struct Change {
    double norm2 = 0;  // |g|^2 in the metric of D A D
    double worst = 0;  // largest |g|/rho, about velocity_error, m/s
  };
  // y = sweep(x) over these contacts; g = y - x is kept for the next step.
  Change sweep(std::span<const Index> contacts);
  // x = y + beta p, p = beta p + g; the first time p is zero.
  void extrapolate(std::span<const Index> contacts, double beta);
  // p = 0
  void restart(std::span<const Index> contacts);
  // velocity_error of these contacts at lambda(), m/s
  double error(std::span<const Index> contacts) const;

 private:
  void velocity(Index contact, double* u) const;

  const System& s_;
  const Blocks& a_;
  std::vector<LocalBlock> contacts_;
  VectorXd lambda_, g_, p_;
};

}  // namespace perpend
