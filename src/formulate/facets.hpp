// The contact law of lcp and mlcp: friction cones cut into n_d directions, groups, joint bounds.
//
// It is kept as matrices, so that it does not matter whether y comes from impulses (lcp) or from
// velocities (mlcp):
//   lambda = R z + lambda0,      w = L y + K z + k,      lower <= z <= upper complementary to w.
// Rows, for the p contacts that push (ordinary ones, and face u of each group):
//   pn     0 <= pn  perp  y_n >= 0                                  (Lu et al. 2013, eq. 1, over h)
//   pf     0 <= alpha_k  perp  d_k . y_f + s >= 0,  k = 1 .. n_d       (Lu et al. 2013, eq. 10)
//   s      0 <= s  perp  mu pn - sum alpha_k >= 0                      (Lu et al. 2013, eq. 11)
// with d_k = (cos, sin)((k - 1) 2 pi/n_d) in the plane of t and o (Lu et al. 2013, eq. 9),
// lambda_n = pn and lambda_f = sum alpha_k d_k. Then for every group of faces 1 .. n, gamma = c/h:
//   gamma  0 <= gamma_k  perp  gamma_k - y_n,k + gamma_(k-1) + .. + gamma_2 + y_n,1 >= 0
// for k = 2 .. n,
// and the normal row of its face u is gamma_n + .. + gamma_2 + y_n,1 instead  (Nguyen and Trinkle
// 2010, eq. 20). y_n is already the predicted gap over h, so both sides are m/s.
//
// Where the engine fixed the bounds f_t, f_o of friction (Model::engine), the row of s is
// f - sum alpha_k with f = max(f_t, f_o) and the directions are stretched to the ellipse of the
// two; a direction whose bound is 0 while the other follows mu lambda_n gets no friction.
//
// Joint rows (law: lower <= lambda <= upper, y = 0 inside, >= 0 at lower, <= 0 at upper):
//   Joints::bounded   x = lambda with its bounds, w = y                (mlcp)
//   Joints::one_sided bilateral rows are left out, the rest is turned  (lcp)
//     lower finite    0 <= x = lambda - lower  perp  y >= 0
//     upper finite    0 <= x = upper - lambda  perp  -y >= 0
//     both finite     0 <= x = lambda - lower  perp  y + eta >= 0
//                     0 <= eta  perp  upper - lower - x >= 0
#pragma once

#include <string>

#include "perpend/formulate.hpp"

namespace perpend {

struct FacetLaw {
  enum class Joints { bounded, one_sided };

  FacetLaw(const System&, Index facets, Joints);

  // Unknowns from impulses: everything that is read from lambda alone (pn, pf, x).
  void set_impulses(const Impulses& lambda, VectorXd& z) const;
  // Everything that follows from y (s, gamma, eta).
  void set_speeds(const VectorXd& y, VectorXd& z) const;

  Index size() const { return lower.size(); }

  std::vector<Index> pushing;      // contacts of the system that carry an impulse
  Index facets;                    // n_d
  Index pn, pf, s, gamma, x, eta;  // first row of each kind
  Index first_joint;               // first joint row among the rows of the system
  std::vector<Group> groups;
  std::vector<Index> bounded_rows;  // joint row of each x
  std::vector<Index> eta_of;        // of each eta: its x
  Rows<2> stretch;                  // (p) of the directions along t and o; 1, 1 unless fixed

  SparseMatrix R, L, K;
  VectorXd lambda0, k, lower, upper;
  RowScale rows;

 private:
  Eigen::Vector2d direction(Index pushing_index, Index facet) const;
};

// Why friction bounds fixed by an engine cannot be held by facets; empty when they can.
std::string unfit_for_facets(const System&);

std::unique_ptr<Problem> make_lcp(const System&, Index facets);
std::unique_ptr<Problem> make_mlcp(const System&, Index facets);

}  // namespace perpend
