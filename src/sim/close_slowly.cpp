#include "sim/close_slowly.hpp"

#include <algorithm>
#include <cmath>

#include "perpend/measure/response.hpp"

namespace perpend::sim {
namespace {

// By how much a step may add to the kinetic energy in any case.
constexpr double kGain = 1e-3;
// Compliances, in parts of a row's own: of rows that close softly, and of all where holding fails.
constexpr double kSoft = 0.1, kLastResort = 1e-3;
// Of max_push: when less is asked for, rows close as usual again. With a limited effort errors of
// this size are usual.
constexpr double kSmall = 0.1, kUsual = 2;
// How exactly rows close softly, of max_push, and iterations for it.
constexpr double kRoughly = 0.01;
constexpr long kRough = 100;

// c of a joint row that closes it; else 0.
double closing(const JointRow& row, double c) {
  if (!(row.position || row.limit()) || row.compliance != 0) return 0;
  if (row.bilateral()) return c;
  return row.lower == 0 ? std::min(0.0, c) : row.upper == 0 ? std::max(0.0, c) : 0;
}

// Calls visit(row, c) for all rows of the system; c is 0 in those that do not close.
template <class Visit>
void for_closing(const Island& island, const System& s, const HeldJoints& joints, Visit visit) {
  for (Index i = 0; i < s.contacts(); ++i)
    visit(3 * i, s.gap[i] < 0 ? std::min(0.0, s.c[3 * i]) : 0);
  for (Index r = 0; r < s.joint_rows(); ++r) {
    const Index at = island.joint_rows[static_cast<std::size_t>(r)], row = 3 * s.contacts() + r;
    visit(row, closing(joints.rows[static_cast<std::size_t>(at)], s.c[row]));
  }
}

double allowed(const System& s, double max_push) {
  const Dynamics& d = *s.dynamics;
  double mass = 0;
  for (const Index column : d.body_column)
    if (column >= 0) mass += d.mass.valuePtr()[d.mass.outerIndexPtr()[column]];
  return mass * max_push * max_push / 4;
}

double kinetic(const Dynamics& d, const VectorXd& v) { return v.dot(d.mass * v) / 2; }

// J v of a joint row, of moving bodies with these velocities.
double speed(const System& s, Index row, const VectorXd& v) {
  const auto& a = std::get<BodySpace>(s.A);
  const auto of = [&](Index body, const Vector6& jacobian) {
    const Index at = s.dynamics->body_column[static_cast<std::size_t>(body)];
    return at < 0 ? 0.0 : jacobian.dot(v.segment<6>(at));
  };
  double sum = 0;
  for (const BodySpace::JointRow* pair = &a.joints[static_cast<std::size_t>(row)]; pair;
       pair = a.other(*pair))
    sum += of(pair->first, pair->j1) + of(pair->second, pair->j2);
  return sum;
}

void soften(System& s, const VectorXd& compliance) {
  VectorXd& cfm = std::get<BodySpace>(s.A).cfm;
  cfm = cfm.size() ? (cfm + compliance).eval() : compliance;
}

// Openings over h, in all joint rows together at most `most`; overlaps as the step has them.
VectorXd soft_closing(const Island& island, const System& s, const HeldJoints& joints,
                      double most) {
  VectorXd c = VectorXd::Zero(s.rows());
  double worst = 0;
  for_closing(island, s, joints, [&](Index row, double asked) {
    if (const Index r = row - 3 * s.contacts(); r >= 0 && asked != 0) {
      const Index at = island.joint_rows[static_cast<std::size_t>(r)];
      asked = joints.rows[static_cast<std::size_t>(at)].violation / s.step;
      worst = std::max(worst, std::abs(asked));
    }
    c[row] = asked;
  });
  if (worst > most) c.tail(s.joint_rows()) *= most / worst;
  return c;
}

// The largest part of the way from one velocity to another on which the energy stays below `most`.
double part_below(const Dynamics& d, const VectorXd& from, const VectorXd& to, double most) {
  const VectorXd way = to - from, turned = d.mass * way;
  const double a = way.dot(turned) / 2, b = from.dot(turned), left = most - kinetic(d, from);
  if (!(left > 0)) return 0;
  if (a + b <= left) return 1;
  return std::clamp((-b + std::sqrt(b * b + 4 * a * left)) / (2 * a), 0.0, 1.0);
}

void add_work(Result& sum, const Result& more) {
  sum.iterations += more.iterations;
  sum.sweeps += more.sweeps;
  for (std::size_t w = 0; w < kWorks; ++w) sum.work[w] += more.work[w];
}

}  // namespace

bool makes_energy(const Island& island, const System& s, const Impulses& lambda,
                  const VectorXd& change, const Solving& with) {
  double most = 0;
  for_closing(island, s, *with.joints,
              [&](Index row, double c) { most += std::abs(lambda[row] * c); });
  const double least = allowed(s, with.max_push);
  if (most <= kGain / 2 * least) return false;  // it cannot be both below
  const Dynamics& d = *s.dynamics;
  const double before = kinetic(d, d.free_velocity);
  const VectorXd middle = d.free_velocity + change / 2;
  double gain = change.dot(d.mass * middle) + lambda.dot(s.carried);
  for (Index r = 0; r < s.joint_rows(); ++r) {
    const Index row = 3 * s.contacts() + r;
    const Index at = island.joint_rows[static_cast<std::size_t>(r)];
    const JointRow& one = with.joints->rows[static_cast<std::size_t>(at)];
    if (!one.position || one.compliance != 0)
      gain -= lambda[row] * (speed(s, r, middle) + s.carried[row]);
  }
  return gain > kGain * before && before + gain > least;
}

bool usually_short(const Island& island, const Solving& with) {
  return with.account && with.account->limited() && !island.contacts.empty();
}

double opening(const Island& island, double h, const Solving& with) {
  const bool limited = usually_short(island, with);
  double worst = 0;
  for (const Index r : island.joint_rows) {
    const JointRow& row = with.joints->rows[static_cast<std::size_t>(r)];
    const auto& j = row.jacobian;
    if (limited && j.segment<3>(0).isZero(0) && j.segment<3>(6).isZero(0)) continue;
    worst = std::max(worst, std::abs(closing(row, row.violation / h)));
  }
  return worst;
}

bool still_open(const Island& island, const System& s, const Solving& with) {
  double worst = opening(island, s.step, with);
  for (Index i = 0; i < s.contacts(); ++i)
    if (s.gap[i] < 0) worst = std::max(worst, -s.c[3 * i]);
  return worst > (usually_short(island, with) ? kUsual : kSmall) * with.max_push;
}

IslandAnswer close_slowly(const Island& island, const std::function<IslandProblem()>& problem,
                          int worker, const Solving& given, Executor* within,
                          const IslandAnswer* first) {
  Solving with = given;
  with.joints = nullptr;
  if (with.account && with.account->limited() && !large(island)) {  // a debt, but seldom
    with.account = nullptr;
    with.most_iterations = kRough;
  }
  const auto solve = [&](const IslandProblem& one) {
    return solve_island(island, std::make_unique<IslandProblem>(one), worker, with, nullptr,
                        within);
  };
  const auto good = [&](const IslandAnswer& one) {
    return one.result.status == Status::converged ||
           one.result.errors[Measure::own_error] <= kRoughly * given.max_push;
  };
  IslandProblem own = problem();
  System& s = own.system;
  const VectorXd slow = soft_closing(island, s, *given.joints, given.max_push);
  for_closing(island, s, *given.joints, [&](Index row, double c) {
    s.b[row] -= c;
    s.c[row] -= c;
  });
  if (first && first->result.status != Status::converged &&
      first->result.impulses.size() == s.rows())
    own.start = first->result.impulses;
  const VectorXd masses = effective_masses(s);
  IslandAnswer hold = solve(own);
  if (first) add_work(hold.result, first->result);
  hold.held = true;
  if (hold.result.impulses.size() != s.rows()) return hold;
  const Impulses held = own.start = hold.result.impulses;
  if (!good(hold)) {
    soften(s, kLastResort * masses.cwiseInverse());
    IslandAnswer soft = solve(own);
    add_work(soft.result, hold.result);
    soft.held = true;
    return soft.result.impulses.size() == s.rows() ? std::move(soft) : std::move(hold);
  }
  if (slow.isZero(0)) return hold;
  const Dynamics& d = *s.dynamics;
  const VectorXd resting = d.free_velocity + response(s, held).change;
  const double most =
      allowed(s, given.max_push) + std::max(kinetic(d, d.free_velocity), kinetic(d, resting));
  VectorXd compliance = VectorXd::Zero(s.rows());
  for (Index row = 0; row < s.rows(); ++row)
    if (slow[row] != 0) compliance[row] = kSoft / masses[row];
  soften(s, compliance);
  const VectorXd c = slow - compliance.cwiseProduct(held);
  s.b += c;
  s.c += c;
  with.most_iterations = kRough;
  IslandAnswer soft = solve(own);
  soft.result.status = hold.result.status;
  add_work(soft.result, hold.result);
  if (!good(soft)) {
    hold.result.iterations = soft.result.iterations;
    return hold;
  }
  soft.held = true;
  const VectorXd closes = d.free_velocity + response(s, soft.result.impulses).change;
  const double part = part_below(d, resting, closes, most);
  if (part == 1) return soft;
  const auto blend = [&](auto& to, const auto& from) { to = (from + part * (to - from)).eval(); };
  blend(soft.result.impulses, held);
  blend(soft.contacts, hold.contacts);
  blend(soft.joints, hold.joints);
  blend(soft.velocities_plus, hold.velocities_plus);
  return soft;
}

}  // namespace perpend::sim
