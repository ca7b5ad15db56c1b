// A proximal semismooth Newton method for the cone problem, over two spaces.
//
// Outer loop (proximal point, augmented Lagrangian): x <- the proximal impulses p, s <- |y_T|.
// Inner loop: with x and s held, the body motion w with w = M^-1 J^T p(w) minimizes a convex, once
// differentiable, piecewise smooth function; Newton's method with an exact line search finds it.
//   body space     E = M (w - M^-1 J^T p),  Hessian M + sum J^T (dp/du) J   (6x6 blocks, Cholesky)
//   impulse space  w = lambda, E = lambda - p,  matrix 1 + (dp/du) A        (explicit A, sparse LU)
// The penalty rho grows while outer steps gain little and inner ones are easy, and shrinks when
// they fail.
#pragma once

#include <cmath>

#include "linear/block_cholesky.hpp"
#include "linear/sparse_lu.hpp"
#include "perpend/solve.hpp"
#include "solve/prox_cone.hpp"

namespace perpend {

// w: velocity change of the moving bodies that impulses make.
class BodyNewtonSpace {
 public:
  // False when the system has no body space.
  bool prepare(const System&);
  // w and u = b + J w that impulses make.
  void respond(const VectorXd& impulses, VectorXd& w) const;
  void velocity(const VectorXd& w, VectorXd& u) const;
  void differential(const VectorXd& dw, VectorXd& du) const;  // J dw
  // weight(dw, du): the vector whose product with w - w(p) is the slope of the function along dw.
  void weigh(const VectorXd& dw, const VectorXd& du, VectorXd& weight) const;
  bool factorize(const ProxCone&);
  // d = -(Hessian)^-1 E for the defect e = w - w(p).
  void step(const ProxCone&, const VectorXd& e, VectorXd& d);

 private:
  struct Pair {
    int first, second;      // moving bodies, -1 fixed
    std::size_t edge;       // of the graph, when both move
    bool upper, same_body;  // which triangle the graph's block is
  };
  void connect();
  void multiply_mass(const VectorXd& w, VectorXd& out) const;

  const System* system_ = nullptr;
  const BodySpace* a_ = nullptr;
  std::vector<Eigen::Matrix<double, 6, 6>, Eigen::aligned_allocator<Eigen::Matrix<double, 6, 6>>>
      mass_;
  std::vector<int> moving_;  // of each body: its place among the moving ones, -1 fixed
  std::vector<Pair> pairs_;  // of each contact, then of each joint row
  std::vector<std::pair<int, int>> bodies_, previous_;
  linear::BlockCholesky hessian_;
};

// w: the impulses themselves.
class ImpulseNewtonSpace {
 public:
  bool prepare(const System&);
  void respond(const VectorXd& impulses, VectorXd& w) const { w = impulses; }
  void velocity(const VectorXd& w, VectorXd& u) const;
  void differential(const VectorXd& dw, VectorXd& du) const;
  void weigh(const VectorXd&, const VectorXd& du, VectorXd& weight) const { weight = du; }
  bool factorize(const ProxCone&);
  void step(const ProxCone&, const VectorXd& e, VectorXd& d);

 private:
  const System* system_ = nullptr;
  SparseMatrix A_;
  linear::SparseLu lu_;
};

struct NewtonLimits {
  long iterations = 0;  // Newton steps; 0: none but those of Progress
  // Steps that may pass without halving the smallest residual.
  long patience = 60;
};

enum class NewtonEnd {
  finished,  // Progress said so
  stalled,   // no gain within the patience
  limit,     // of NewtonLimits
  breakdown  // no factor, or not a number
};

template <class Space>
class ProxNewton {
 public:
  // Precondition: space().prepare(system) was true.
  Space& space() { return space_; }
  NewtonEnd run(const System&, const VectorXd& start, const NewtonLimits&, Progress&);
  // Best impulses met, and their residual (m/s).
  const VectorXd& best() const { return best_; }
  double best_residual() const { return best_residual_; }

 private:
  double judge(const VectorXd& impulses);
  double line_search() const;

  Space space_;
  ProxCone cone_;
  VectorXd w_, u_, w_p_, u_p_, e_, d_, du_, weight_;
  VectorXd best_, best_speed_;
  double best_residual_ = 0;
};

}  // namespace perpend
