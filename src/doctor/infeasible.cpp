// Is there any motion that contacts, limits and joints allow? With a small compliance eps on every
// row the problem always has a solution, and eps lambda is by how much each row is broken. Without
// a motion it does not vanish with eps, and lambda is the certificate (Farkas): J' lambda = 0, no
// body feels it, while lambda' c < 0.
#include <algorithm>
#include <cmath>

#include "doctor/examination.hpp"

namespace perpend::doctor {
namespace {

constexpr double kSoft = 1e-4, kHard = 1e-6;  // of the diagonal

System softened(const System& rigid, double part) {
  System soft = rigid;
  soft.mu.setZero();  // friction can forbid nothing
  auto& space = std::get<BodySpace>(soft.A);
  VectorXd cfm = VectorXd::Zero(soft.rows());
  for (Index i = 0; i < soft.contacts(); ++i) cfm[3 * i] = part * contact_block(rigid, i)(0, 0);
  for (Index j = 0; j < soft.joint_rows(); ++j)
    cfm[3 * soft.contacts() + j] = part * joint_diagonal(rigid, j);
  space.cfm = cfm;
  return soft;
}

VectorXd broken(const System& rigid, double part, Impulses& start) {
  const System soft = softened(rigid, part);
  const Result answer = solved(soft, "ncp/auto", 1e-9, 400, start);
  start = answer.impulses;
  const VectorXd& cfm = std::get<BodySpace>(soft.A).cfm;
  VectorXd out(rigid.contacts() + rigid.joint_rows());
  for (Index i = 0; i < rigid.contacts(); ++i) out[i] = cfm[3 * i] * start[3 * i];
  for (Index j = 0; j < rigid.joint_rows(); ++j) {
    const Index row = 3 * rigid.contacts() + j;
    out[rigid.contacts() + j] = cfm[row] * start[row];
  }
  return out;
}

}  // namespace

Infeasible infeasible(const System& rigid) {
  Infeasible out;
  if (!std::holds_alternative<BodySpace>(rigid.A) || !rigid.groups.empty() || rigid.rows() == 0)
    return out;
  Impulses lambda;
  const VectorXd soft = broken(rigid, kSoft, lambda), hard = broken(rigid, kHard, lambda);
  out.violation = hard;
  out.worst = hard.size() > 0 ? hard.cwiseAbs().maxCoeff() : 0;
  double apart = 0;
  for (Index i = 0; i < rigid.contacts(); ++i)
    apart += contact_block(rigid, i)(0, 0) * lambda[3 * i] * lambda[3 * i];
  for (Index j = 0; j < rigid.joint_rows(); ++j) {
    const double l = lambda[3 * rigid.contacts() + j];
    apart += joint_diagonal(rigid, j) * l * l;
  }
  System plain = rigid;
  std::get<BodySpace>(plain.A).cfm.resize(0);
  const double together = std::max(0.0, lambda.dot(apply(plain, lambda)));
  out.imbalance = apart > 0 ? std::sqrt(together / apart) : 1;
  const bool stays = out.worst > 0.5 * soft.cwiseAbs().maxCoeff();
  out.certain = stays && out.imbalance < 1e-2 && lambda.dot(rigid.b) < 0;
  return out;
}

}  // namespace perpend::doctor
