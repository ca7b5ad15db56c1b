// The natural map of one row, (lambda - P(lambda - rho w))/rho in m/s, without cancellation.
//
// Written as it stands the difference loses what is below eps lambda/rho: impulses that grow hide
// every error. Here it is a function of the velocity and of the distance of lambda from the
// boundary of its set, each computed to its own last bits. With a = lambda/rho,
// uhat = (u_n + mu |u_T|, u_T) and z = a - uhat:
//   sigma = (mu^2 lambda_n^2 - |lambda_T|^2)/(mu lambda_n + |lambda_T|)      what friction is left
//   d     = (|u_T|^2 - 2 a_T.u_T)/(|z_T| + |a_T|) - sigma/rho + mu uhat_n    = |z_T| - mu z_n
//   stick (z_n >= 0, d <= 0)    uhat
//   open (mu |z_T| <= -z_n)     a
//   slide                       (uhat_n - mu k, u_T + k z_T/|z_T|),  k = d/(1 + mu^2)
// The numerator of sigma is formed in twice the precision where its two terms are close. The error
// is at most 64 eps (|uhat| + |result|).
#pragma once

#include "perpend/system.hpp"

namespace perpend {

// Where z is: inside the cone, inside its polar, or between them.
enum class ConeRegion { stick, open, slide };

// Of a contact; leaves the region in `region` where one is given.
Vector3d coulomb_residual(const Vector3d& lambda, const Vector3d& u, double mu, double rho,
                          ConeRegion* region = nullptr);
// Its length.
double coulomb_error(const Vector3d& lambda, const Vector3d& u, double mu, double rho);

// Of a row with bounds: the median of w, (lambda - upper)/rho and (lambda - lower)/rho.
inline double bounded_residual(double lambda, double w, double rho, double lower, double upper) {
  const double least = (lambda - upper) / rho, most = (lambda - lower) / rho;
  return w < least ? least : w > most ? most : w;
}

}  // namespace perpend
