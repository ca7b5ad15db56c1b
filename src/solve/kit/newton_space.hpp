// The two spaces in which Newton's methods look for the motion w that impulses make.
//
// G = -dp/du is block diagonal, u = b + J w:
//   body space     w: velocities of the moving bodies, matrix M + J^T G J  (6x6 blocks)
//   impulse space  w: the impulses themselves, matrix 1 + G A              (explicit A)
#pragma once

#include "linear/block_cholesky.hpp"
#include "linear/block_lu.hpp"
#include "solve/kit/impulse_lu.hpp"
#include "solve/kit/row_slopes.hpp"

namespace perpend {

class Progress;

// w: velocity change of the moving bodies that impulses make.
class BodyNewtonSpace {
 public:
  // False when the system has no body space.
  bool prepare(const System&);
  void respond(const VectorXd& impulses, VectorXd& w) const;
  void velocity(const VectorXd& w, VectorXd& u) const;        // b + J w
  void differential(const VectorXd& dw, VectorXd& du) const;  // J dw
  // The vector whose product with w - w(p) is the slope of the convex function along dw.
  void weigh(const VectorXd& dw, const VectorXd& du, VectorXd& weight) const;
  // Square of a defect e = w - w(p): e' M e.
  double norm2(const VectorXd& e);
  bool factorize(const RowSlopes&);
  // d = -(matrix)^-1 M e
  void step(const VectorXd& e, VectorXd& d);
  // The same for the e that impulses make: d = -(matrix)^-1 J^T impulses
  void step_against(const VectorXd& impulses, VectorXd& d);
  // Sweeps over all contacts that cost about as much as an LU with its assembly and its solves, by
  // counts of operations.
  double sweeps_per_factorization() const;

 private:
  using Block = Eigen::Matrix<double, 6, 6>;
  struct Pair {
    int first, second;  // moving bodies, -1 fixed
    std::size_t edge;   // of the graph, when both move
    bool upper;         // the graph's block is that of (first, second)
  };
  void connect();
  // Calls f with the bodies and the terms of a joint row; twice where it has a second pair.
  template <class Function>
  void each_pair(std::size_t joint, const Function& f) const;
  void multiply_mass(const VectorXd& w, VectorXd& out) const;
  // The mass matrix and J^T G J; add_off puts what belongs off the diagonal.
  template <class Factor, class OffDiagonal>
  void fill(Factor&, const RowSlopes&, const OffDiagonal& add_off);
  bool cholesky(const RowSlopes&);
  bool lu(const RowSlopes&);
  void solve(VectorXd& d);

  const System* system_ = nullptr;
  const BodySpace* a_ = nullptr;
  std::vector<Block, Eigen::aligned_allocator<Block>> mass_;
  std::vector<int> moving_;  // of each body: its place among the moving ones, -1 fixed
  // Of each contact, of each joint row, then five for each row with a second pair: that pair, and
  // the four of one body of each.
  std::vector<Pair> pairs_;
  std::vector<std::pair<int, int>> bodies_, previous_;
  linear::BlockCholesky cholesky_;
  linear::BlockLu lu_;
  bool symmetric_ = true;
  VectorXd momentum_;
};

// w: the impulses themselves.
class ImpulseNewtonSpace {
 public:
  bool prepare(const System&);
  void respond(const VectorXd& impulses, VectorXd& w) const { w = impulses; }
  void velocity(const VectorXd& w, VectorXd& u) const;
  void differential(const VectorXd& dw, VectorXd& du) const;
  void weigh(const VectorXd&, const VectorXd& du, VectorXd& weight) const { weight = du; }
  double norm2(const VectorXd& e) { return e.cwiseAbs2().dot(inverse_mass_); }
  bool factorize(const RowSlopes&);
  void step(const VectorXd& e, VectorXd& d);
  void step_against(const VectorXd& impulses, VectorXd& d) { step(impulses, d); }
  double sweeps_per_factorization() const { return sweeps_per_factorization(*system_); }
  static double sweeps_per_factorization(const System&);  // also where it is not prepared

 private:
  const System* system_ = nullptr;
  SparseMatrix A_;
  VectorXd inverse_mass_;  // of each row, effective
  ImpulseLu lu_;
};

// Compliance of every row that is not in J M^-1 J^T; zeros for explicit A, which holds it.
VectorXd body_compliance(const System&);

// A method over the bodies where the system has them, else over its impulses.
template <template <class> class Method>
class EitherSpace {
 public:
  template <class P>
  void run(const P& problem, Progress& progress) {
    with(problem.system(), [&](auto& method) { method.run(problem, progress); });
  }
  // Calls use(method) with the one that is prepared.
  template <class Use>
  void with(const System& system, const Use& use) {
    if (bodies_.prepare(system)) return use(bodies_);
    impulses_.prepare(system);
    use(impulses_);
  }

 private:
  Method<BodyNewtonSpace> bodies_;
  Method<ImpulseNewtonSpace> impulses_;
};

}  // namespace perpend
