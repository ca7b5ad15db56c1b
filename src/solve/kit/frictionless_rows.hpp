// Contacts without friction, limits and joints: a convex problem over rows that are held or free.
//
//   0 <= lambda_n  perp  y_n >= 0 of contacts and limits,   y = 0 of joints,   y = A lambda + b
// A primal-dual active set method (Hintermueller, Ito, Kunisch 2002): rows that are held are solved
// as equations by the stiff proximal step of bilateral_rows.hpp; then rows that pull are let go,
// rows that are violated are held, all at once, until none changes. Each round is one
// factorization; the last one is refined. In large problems the matrix has the blocks of those
// contacts alone that were ever held: of contacts that are near and stay open, nothing fills it in.
// Rounds go on while they leave fewer rows wrong; where they stop to, another method must go on.
#pragma once

#include "perpend/solve.hpp"
#include "solve/kit/newton_space.hpp"

namespace perpend {

// No friction, and no row but two-sided ones without bounds and one-sided ones.
bool all_frictionless(const System&);

class FrictionlessRows {
 public:
  // From progress.start(); false when rounds stop helping before Progress says that it is enough.
  // `space` is prepared with this system.
  template <class Space>
  bool run(const System&, Space&, Progress&);

 private:
  enum class Kind : std::int8_t { both_ways, pushes, pulls, never };  // never: a tangent
  void classify(const System&);
  bool wrong(Index row, double tolerance) const;
  void hold(Index row, bool held);
  void gather(const System&, bool in_part);
  void gather(const VectorXd& all, VectorXd& of_part) const;

  std::vector<Kind> kind_;
  // Contacts that take part in the matrix, and the system of these and of all joint rows.
  std::vector<char> chosen_;
  bool more_ = false;  // than `contacts_` are chosen
  std::vector<Index> contacts_;
  System part_;
  BodyNewtonSpace bodies_;
  VectorXd y_part_, slope_part_;
  VectorXd compliance_, kappa_, slope_, x_, w_, y_, d_, change_;
  RowSlopes slopes_;
};

}  // namespace perpend
