// keep_wrenches: what one body did to another survives a change of the contacts between them.
//
// W = sum J_2' lambda is the impulse and its moment on the second body of a pair. The least change
// d of the pair's impulses with sum J_2' d = W_old - W_carried is d = J_2 (J_2' J_2)^-1 (...), the
// inverse taken of a matrix with a tiny diagonal added, because two points give no moment about
// their line.
#include <Eigen/Cholesky>
#include <map>

#include "perpend/solve.hpp"

namespace perpend {
namespace {

using Pair = std::pair<Index, Index>;

// A pair is left alone when the wrench differs by less than this part of it.
constexpr double kSame = 1e-6;
constexpr double kRegularization = 1e-9;

std::map<Pair, std::vector<Index>> contacts_by_pair(const BodySpace& a) {
  std::map<Pair, std::vector<Index>> pairs;
  for (std::size_t i = 0; i < a.contacts.size(); ++i)
    pairs[{a.contacts[i].first, a.contacts[i].second}].push_back(static_cast<Index>(i));
  return pairs;
}

Vector6 wrench(const BodySpace& a, const std::vector<Index>& contacts, const Impulses& lambda) {
  Vector6 sum = Vector6::Zero();
  for (const Index i : contacts)
    sum += a.contacts[static_cast<std::size_t>(i)].j2.transpose() * lambda.segment<3>(3 * i);
  return sum;
}

}  // namespace

Impulses keep_wrenches(const System& now, const Impulses& carried, const System& before,
                       const Impulses& old) {
  const BodySpace* a = std::get_if<BodySpace>(&now.A);
  const BodySpace* b = std::get_if<BodySpace>(&before.A);
  if (!a || !b || carried.size() != now.rows() || old.size() != before.rows()) return carried;
  const auto old_pairs = contacts_by_pair(*b);
  Impulses out = carried;
  for (const auto& [pair, contacts] : contacts_by_pair(*a)) {
    const auto found = old_pairs.find(pair);
    if (found == old_pairs.end()) continue;
    const Vector6 target = wrench(*b, found->second, old);
    const Vector6 missing = target - wrench(*a, contacts, carried);
    if (!(missing.norm() > kSame * target.norm())) continue;
    Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
    for (const Index i : contacts) {
      const Matrix36& j = a->contacts[static_cast<std::size_t>(i)].j2;
      gram += j.transpose() * j;
    }
    gram.diagonal().array() += kRegularization * gram.trace();
    const Vector6 y = gram.ldlt().solve(missing);
    if (!y.allFinite()) continue;
    for (const Index i : contacts) {
      const Vector3d l =
          carried.segment<3>(3 * i) + a->contacts[static_cast<std::size_t>(i)].j2 * y;
      out.segment<3>(3 * i) = project_cone(l, now.mu[i]);
    }
  }
  return out;
}

}  // namespace perpend
