// The box law as equations: one Fischer-Burmeister function per row, its derivatives, and the
// residual of the law.
//
// With the functions of contact_function.hpp, rho the effective mass of the row and y its velocity,
//   normal     Phi = phi(lambda/rho, y)
//   bounded    Phi = phi((lambda - l)/rho, -phi((u - lambda)/rho, -y))      (Billups 1995)
//              for friction -l = u = mu max(0, lambda_n), which couples the row to its normal one;
//              an infinite bound drops out, and Phi = y where both are
// or, with the natural map,
//              Phi = (lambda - clamp(lambda - rho y, l, u))/rho
// so that every Phi is a velocity and zero exactly where the row obeys its law (Silcowitz-Hansen et
// al. 2010, eq. 7). The velocity is that of a proximal problem, y = v + C lambda + (lambda - x)/(r
// rho): v is the velocity without compliance C, x the centre and r the penalty.
#pragma once

#include "solve/kit/contact_function.hpp"
#include "solve/kit/row_slopes.hpp"

namespace perpend {

class BoxLaw {
 public:
  enum class Map { fischer, natural };

  void prepare(const System&);
  void set_map(Map map) { map_ = map; }
  void penalize(double r);
  void centre(const VectorXd& x) { x_ = x; }

  // Phi at lambda and v; its square weighed with the masses of the rows, and its largest row.
  void evaluate(const VectorXd& lambda, const VectorXd& v);
  const VectorXd& phi() const { return phi_; }
  double merit() const;  // 1/2 sum rho Phi^2
  double largest() const { return phi_.size() ? phi_.lpNorm<Eigen::Infinity>() : 0; }

  // The same with derivatives: with P = dPhi/dlambda + dPhi/dy (C + 1/(r rho)),
  //   Phi + P dlambda + dPhi/dy dv = 0  is  dlambda = -(first + G dv),
  // first = P^-1 Phi, G = P^-1 dPhi/dy.
  void linearize(const VectorXd& lambda, const VectorXd& v);
  const RowSlopes& slopes() const { return slopes_; }
  const VectorXd& first() const { return first_; }
  // -(first + G dv)
  void step(const VectorXd& dv, VectorXd& dlambda) const;

  // The nearest lambda within its bounds, those of friction at the new normal impulses.
  void project(VectorXd& lambda) const;
  // own_error of the box problem at lambda, v as above.
  double residual(const VectorXd& lambda, const VectorXd& v) const;

 private:
  RowFunction bounded(double lambda, double y, double rho, double lower, double upper) const;
  template <class Visit>
  void visit(const VectorXd& lambda, const VectorXd& v, const Visit& visit);

  const System* system_ = nullptr;
  Map map_ = Map::fischer;
  VectorXd rho_, compliance_, shift_, x_;  // by row; shift: C + 1/(r rho)
  VectorXd phi_, first_;
  RowSlopes slopes_;
};

}  // namespace perpend
