// The proximal step of every row, its derivative, and the residual of Coulomb's law.
//
// For given body motion the velocity of contact i without its compliance C is u. With the centre x,
// the de Saxce lift mu s and kappa = max C + 1/r the proximal point of the cone is
//   p = P_K(z),  z = ((kappa - C) x - u - mu s n)/kappa,
// because p minimizes 1/2 p'(C + D)p + p'(u + mu s n) - p'D x over K with D = kappa - C >= 1/r. At
// p = x, s = |y_T| this is Coulomb's law at y = u + C x, whatever r is. Joint rows are clamped in
// place of projected. r is the penalty rho times the effective mass, so that rho has no unit.
#pragma once

#include <array>

#include "perpend/system.hpp"

namespace perpend {

class ProxCone {
 public:
  enum class Kind : std::int8_t { open, stick, slide };  // joint rows: open at a bound, else stick

  void prepare(const System&);
  Index rows() const { return x.size(); }
  void penalize(double rho);

  // p at u: kinds, directions and p follow. True when a kind changed, or something slides: the
  // derivative is then another one.
  bool project(const VectorXd& u);
  // The same at u + alpha du, without remembering kinds; returns du . p.
  double along(const VectorXd& u, const VectorXd& du, double alpha) const;

  // dp/du = -sum of row row' over `count` rows (0 to 3): what a contact adds to the Hessian.
  struct Curvature {
    int count = 0;
    Matrix3d rows;  // the first `count`
  };
  Curvature curvature(Index contact) const;
  double joint_curvature(Index joint_row) const;

  // Largest residual of the natural map at p, m/s (measure: velocity_error); u is the velocity that
  // p makes without compliance. Leaves |y_T| of every contact in `speed`.
  double residual(const VectorXd& p, const VectorXd& u);

  VectorXd x, lift_speed;  // centre, s
  VectorXd p, speed;

 private:
  struct Contact {
    double mu, mass, kappa, scale;  // scale = 1/(1 + mu^2)
    Vector3d compliance, keep;      // C, (kappa - C)/kappa
    Kind kind;
    double t, o, beta;  // sliding direction, curvature across it
  };
  struct Joint {
    double mass, kappa, compliance, keep, lower, upper;
    Kind kind;
  };
  Vector3d centred(const Contact&, Index i, const Vector3d& u) const;

  std::vector<Contact> contacts_;
  std::vector<Joint> joints_;
};

}  // namespace perpend
