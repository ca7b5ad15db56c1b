// Convex quadratic programs over the rows of a system, by a proximal semismooth Newton method.
//
//   minimize 1/2 x' A x + b' x   over   lower <= x <= upper   in normal and joint rows,
//                                       |x_T - centre| <= radius   in the tangents of a contact
// A set of one point (lower = upper, radius = 0) holds its rows: with the tangents held it is the
// problem of normal impulses, with the normals held that of friction in disks mu lambda_n. Nothing
// but these sets changes from one program to the next, so the graph of bodies and its elimination
// order are analysed once.
//
// Outer loop (proximal point, an augmented Lagrangian of the program in velocities: Rockafellar
// 1976): with the centre x and the penalty r = rho m, m the effective mass of the row,
//   p(u) = P(x - r u),   x <- p
// Inner loop: Newton's method (Qi, Sun 1993) for the motion w that its own impulses make, over one
// of the two spaces of newton_space.hpp; the function is convex, the matrix M + J^T G J symmetric
// and the line search exact. The penalty grows while outer steps gain little and inner ones are
// easy, and shrinks when they fail. A compliance C on the diagonal of A is met inside the
// projection, as in prox_cone.hpp.
#pragma once

#include <functional>

#include "solve/kit/newton_space.hpp"

namespace perpend {

struct QpSets {
  VectorXd normal_lower, normal_upper;  // (m)
  Rows<2> centre;                       // (m) of the disk of tangential impulses
  VectorXd radius;                      // (m)
  VectorXd joint_lower, joint_upper;    // (r)
};

enum class QpEnd {
  solved,
  stopped,   // by `observe`
  stalled,   // no gain, or no bounded solution
  breakdown  // no factor, or not a number
};

template <class Space>
class Qp {
 public:
  // False when the system has no such space.
  bool prepare(const System&);
  // From x to a point whose largest residual |x - P(x - m y)|/m, y = A x + b, is below `tolerance`
  // (m/s), or to the best one met. `observe` is called after each Newton step with its impulses
  // and their residual; false stops.
  QpEnd solve(const QpSets&, double tolerance, VectorXd& x,
              const std::function<bool(const VectorXd& x, double residual)>& observe);
  long factorizations() const { return factorizations_; }

 private:
  // One set: an interval (one row) or a disk (two).
  struct Projected {
    double factor;  // of the distance to the centre; 1 inside
    bool inside;
  };
  void penalize(double rho);
  void project(const VectorXd& u);
  double along(const VectorXd& u, const VectorXd& du, double a) const;
  void linearize();
  double residual(const VectorXd& p, const VectorXd& u) const;
  bool step();
  Eigen::Vector2d tangents(Index contact, const VectorXd& u) const;
  Projected disk(Index contact, const Eigen::Vector2d& z) const;
  double interval(Index row, double z) const {
    return std::min(std::max(z, lower_[row]), upper_[row]);
  }

  const System* system_ = nullptr;
  Space space_;
  const QpSets* sets_ = nullptr;
  VectorXd mass_, compliance_;  // (rows)
  VectorXd kappa_, keep_;       // (rows) compliance + 1/r, and what of x is kept
  VectorXd lower_, upper_;      // (rows) of intervals; tangents are not read
  VectorXd x_, p_;              // centre, proximal impulses
  VectorXd w_, u_, w_p_, u_p_, e_, d_, du_, weight_;
  RowSlopes slopes_;
  double rho_ = 0;
  long factorizations_ = 0;
};

}  // namespace perpend
