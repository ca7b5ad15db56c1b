#include "solve/effort.hpp"

#include <algorithm>

#include "solve/kit/wide_sweep.hpp"

namespace perpend {
namespace {

// Operations of each kind of work. Of a sweep: u(i), the local problem, push(i); of a product: J w
// and M^-1 J^T x; of a factorization: the slopes G, J^T G J and the two solves of a Newton step,
// while the elimination itself is counted as it happens.
struct Operations {
  double contact, joint_row;
};
constexpr Operations kSweep{400, 80}, kProduct{160, 60}, kFactorization{1600, 300};
// An operation of an elimination in blocks beside one of a sweep, by time. A step of the interior
// point took 4, 17, 13 and 24 sweeps of ncp/nncg on `stack:10`, `crates:8`, `wall` and `pyramid:20`
// (processor time of runs with more steps less that of runs with fewer); the table says 5, 15, 15
// and 13.
constexpr double kElimination = 1.2;
// A sweep that visits four contacts at once (wide_sweep.hpp), by time: 40 to 50 ns a contact with
// what ncp/nncg does beside it, where one by one takes 200 to 240.
constexpr double kWide = 0.25;
// An explicit block is read in a sweep and in a product.
constexpr double kEntry = 2;

double operations(const Operations& each, Index contacts, Index joint_rows) {
  return each.contact * static_cast<double>(contacts) +
         each.joint_row * static_cast<double>(joint_rows);
}

double operations(const Operations& each, const System& s) {
  double sum = operations(each, s.contacts(), s.joint_rows());
  if (const Blocks* blocks = std::get_if<Blocks>(&s.A))
    sum += kEntry * static_cast<double>(blocks->values.size());
  return std::max(sum, 1.0);
}

WorkCosts costs(double sweep, double product, double factorization, double rows) {
  WorkCosts out;
  const auto at = [&](Work work) -> double& { return out.sweeps[static_cast<std::size_t>(work)]; };
  at(Work::sweep) = 1;
  at(Work::product) = product / sweep;
  at(Work::factorization) = factorization / sweep;
  // A row and a column of a basis are exchanged.
  at(Work::pivot) = 2 * rows * rows * kElimination / sweep;
  out.operation = kElimination / sweep;
  return out;
}

}  // namespace

double sweep_price(const System& s) {
  const BodySpace* a = std::get_if<BodySpace>(&s.A);
  const bool wide = a && s.dynamics && !a->cfm.size() && a->others.empty() &&
                    s.contacts() >= WideSweep::kLeastContacts;
  return wide ? kWide : 1;
}

double sweep_operations(Index contacts, Index joint_rows) {
  return operations(kSweep, contacts, joint_rows);
}

WorkCosts work_costs(const System& s) {
  return costs(sweep_price(s) * operations(kSweep, s), operations(kProduct, s),
               operations(kFactorization, s), static_cast<double>(s.rows()));
}

WorkCosts work_costs(Index unknowns) {
  const double n = std::max(1.0, static_cast<double>(unknowns)), entries = 2 * n * n;
  return costs(entries, entries, entries, n);
}

}  // namespace perpend
