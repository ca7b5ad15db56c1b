// The proximal step of every row, its derivative, and the residual of Coulomb's law.
//
// For given body motion the velocity of contact i without its compliance C is u. With the centre x
// and kappa = max C + 1/r let z = ((kappa - C) x - u)/kappa. The proximal impulse p is
//   coulomb      p_n = max(z_n, 0),  p_T = z_T, shortened to mu p_n       (Alart, Curnier 1991)
//   associated   p = P_K(z - mu s n/kappa), s = |y_T| held                 (de Saxce, Feng 1998)
// Both are Coulomb's law when p = x and s = |y_T|, whatever r is. The first is exact in every step,
// but its derivative is not symmetric where something slides; the second is the gradient of a
// convex function. Joint rows are clamped to their bounds. r is the penalty rho times the effective
// mass of the row, so that rho has no unit.
#pragma once

#include "solve/kit/row_slopes.hpp"

namespace perpend {

class ProxCone {
 public:
  enum class Law { associated, coulomb };

  void prepare(const System&);
  void set_law(Law law) { law_ = law; }
  Law law() const { return law_; }
  void penalize(double rho);
  // The centre x, and s of every contact.
  void centre(const VectorXd& x, const VectorXd& speed);
  const VectorXd& centre() const { return x_; }
  // Kinds as the centre has them, whatever moves: a contact on the surface of its cone slides
  // against its friction. True when one does.
  bool sort_by_centre();

  // p at u. True when the derivative is another one than before: a row went from open, sticking or
  // sliding to another, or something slides.
  bool project(const VectorXd& u);
  // At the last projection a row went from open, sticking or sliding to another.
  bool regrouped() const { return regrouped_; }
  const VectorXd& p() const { return p_; }
  // du . p at u + a du; leaves p alone.
  double along(const VectorXd& u, const VectorXd& du, double a) const;
  // p(u) by the derivative at the last projection, for a centre or penalty that changed since.
  void extrapolate(const VectorXd& u, VectorXd& p) const;

  // -dp/du at the last projection, by contact and by joint row.
  void linearize();
  const RowSlopes& slopes() const { return slopes_; }

  // Largest residual of the natural map at given impulses, m/s (measure: velocity_error); u is the
  // velocity that they make without compliance. Leaves |y_T| of every contact in `speed`.
  double residual(const VectorXd& impulses, const VectorXd& u);
  const VectorXd& speed() const { return speed_; }

 private:
  enum class Kind : std::int8_t { open, stick, slide };  // joint rows: open at a bound, else stick
  struct Contact {
    double mu, mass, kappa, scale;  // scale = 1/(1 + mu^2)
    Vector3d compliance, keep;      // C, (kappa - C)/kappa
    Kind kind;
    double t, o, across;  // direction of sliding, derivative of p across it
  };
  struct Joint {
    double mass, kappa, compliance, keep, lower, upper;
    Kind kind;
  };
  struct Projection {
    double normal, factor;  // p = (normal, factor z_T)
    Kind kind;
  };
  Projection project(const Contact&, double normal, double tangent) const;
  Vector3d centred(const Contact&, Index i, const Vector3d& u) const;
  double centred(const Joint&, Index row, double u) const;
  Matrix3d slope_of(const Contact&) const;
  Index first_joint() const { return 3 * static_cast<Index>(contacts_.size()); }

  Law law_ = Law::coulomb;
  std::vector<Contact> contacts_;
  std::vector<Joint> joints_;
  VectorXd x_, centre_speed_, z_, p_, speed_;
  RowSlopes slopes_;
  bool slides_ = false, regrouped_ = true;
};

}  // namespace perpend
