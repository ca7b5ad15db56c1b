// The cone problem in units that fit each other: D A D, D b, with D^2 the effective masses.
//
// x = D^-1 lambda and u = D (A lambda + b) have the same unit, the square root of an energy, and
// the diagonal blocks of D A D have a mean eigenvalue of 1. The three rows of a contact share one
// d, so a cone stays the same cone. In these units the problem is
//   K contains x  perp  u + s n in the dual of K,   s = mu |u_T|   (de Saxce, Feng 1998)
//   lower/d <= x <= upper/d, complementary to u, in joint rows
#pragma once

#include "perpend/measure.hpp"
#include "perpend/system.hpp"

namespace perpend {

// velocity_error (m/s) at impulses x and velocities u in these units.
double scaled_residual(const VectorXd& mu, const VectorXd& d, const VectorXd& lower,
                       const VectorXd& upper, const VectorXd& x, const VectorXd& u);

class ScaledCone {
 public:
  explicit ScaledCone(const System&);

  Index rows() const { return d_.size(); }
  const VectorXd& d() const { return d_; }
  VectorXd scaled(const Impulses& lambda) const { return lambda.cwiseQuotient(d_); }
  Impulses impulses(const VectorXd& x) const { return x.cwiseProduct(d_); }
  // D (A D x + b)
  VectorXd velocity(const VectorXd& x) const;

  // x <- the nearest point of cones and bounds
  void project(VectorXd& x) const;
  // s of every contact at u
  void sliding(const VectorXd& u, VectorXd& s) const;
  // u += s n
  void lift(const VectorXd& s, VectorXd& u) const;
  // velocity_error (m/s) of x, u being its velocity.
  double residual(const VectorXd& x, const VectorXd& u) const;
  // The largest row of a difference of velocities, m/s.
  double speed(const VectorXd& du) const { return du.cwiseQuotient(d_).lpNorm<Eigen::Infinity>(); }

 private:
  const System& s_;
  VectorXd d_, lower_, upper_;
};

}  // namespace perpend
