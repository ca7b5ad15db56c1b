// See facets.hpp.
#include "formulate/facets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "formulate/scales.hpp"
#include "linear/interrupt.hpp"
#include "linear/sparse_rows.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Entries {
 public:
  void add(Index row, Index column, double value) {
    if (value != 0) list_.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  }
  SparseMatrix matrix(Index rows, Index columns) const {
    return linear::from_triplets(rows, columns, list_);
  }

 private:
  linear::Triplets list_;
};

bool fixed_friction(const System& s, Index contact) {
  return s.friction_bounds.rows() && s.friction_bounds.row(contact).allFinite();
}

Rows<2> stretches(const System& s, const std::vector<Index>& pushing) {
  Rows<2> stretch = Rows<2>::Ones(static_cast<Index>(pushing.size()), 2);
  if (!s.friction_bounds.rows()) return stretch;
  for (Index i = 0; i < stretch.rows(); ++i) {
    const auto bounds = s.friction_bounds.row(pushing[static_cast<std::size_t>(i)]);
    if (bounds.allFinite()) {
      if (bounds.maxCoeff() > 0) stretch.row(i) = bounds / bounds.maxCoeff();
    } else {
      for (Index axis = 0; axis < 2; ++axis)
        if (bounds[axis] == 0) stretch(i, axis) = 0;
    }
  }
  return stretch;
}

}  // namespace

std::string unfit_for_facets(const System& s) {
  for (Index i = 0; i < s.friction_bounds.rows(); ++i) {
    const auto bounds = s.friction_bounds.row(i);
    const bool mixed = std::isfinite(bounds[0]) != std::isfinite(bounds[1]);
    if (mixed && bounds.minCoeff() > 0)
      return "contact " + std::to_string(i) +
             " has one fixed friction bound and one of mu lambda_n; lcp and mlcp need two of "
             "the same kind";
  }
  return {};
}

Eigen::Vector2d FacetLaw::direction(Index i, Index facet) const {
  // Quarter turns come out exact: four facets are the axes, not the axes plus 1e-17.
  if (4 * facet % facets == 0) {
    constexpr double kCos[] = {1, 0, -1, 0}, kSin[] = {0, 1, 0, -1};
    const Index quarter = 4 * facet / facets;
    return {kCos[quarter] * stretch(i, 0), kSin[quarter] * stretch(i, 1)};
  }
  const double angle =
      2 * std::numbers::pi * static_cast<double>(facet) / static_cast<double>(facets);
  return {std::cos(angle) * stretch(i, 0), std::sin(angle) * stretch(i, 1)};
}

FacetLaw::FacetLaw(const System& system, Index n_d, Joints joints)
    : facets(n_d), groups(system.groups) {
  std::vector<Index> group_of(static_cast<std::size_t>(system.contacts()), -1);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const Index face : groups[g].faces)
      group_of[static_cast<std::size_t>(face)] = static_cast<Index>(g);
  for (Index i = 0; i < system.contacts(); ++i) {
    const Index g = group_of[static_cast<std::size_t>(i)];
    if (g < 0 || groups[static_cast<std::size_t>(g)].u == i) pushing.push_back(i);
  }
  stretch = stretches(system, pushing);

  const Index p = static_cast<Index>(pushing.size());
  first_joint = 3 * system.contacts();
  for (Index j = 0; j < system.joint_rows(); ++j) {
    const bool below = std::isfinite(system.lower[j]), above = std::isfinite(system.upper[j]);
    if (joints == Joints::one_sided && !below && !above) continue;
    if (joints == Joints::one_sided && below && above)
      eta_of.push_back(static_cast<Index>(bounded_rows.size()));
    bounded_rows.push_back(j);
  }
  const Index joint_count = static_cast<Index>(bounded_rows.size());
  Index gammas = 0;
  for (const Group& group : groups) gammas += static_cast<Index>(group.faces.size()) - 1;

  // mlcp names the joints before the contacts, lcp after them.
  x = 0;
  pn = joints == Joints::bounded ? joint_count : 0;
  pf = pn + p;
  s = pf + p * facets;
  gamma = s + p;
  if (joints == Joints::one_sided) x = gamma + gammas;
  eta = joints == Joints::one_sided ? x + joint_count : gamma + gammas;
  const Index n = eta + static_cast<Index>(eta_of.size());

  lower = VectorXd::Zero(n);
  upper = VectorXd::Constant(n, kInfinity);
  k = VectorXd::Zero(n);
  lambda0 = VectorXd::Zero(system.rows());
  rows.scale = VectorXd::Ones(n);
  rows.weight = VectorXd::Ones(n);
  Entries to_lambda, to_w, own;

  const VectorXd rho = contact_scales(system);
  for (Index i = 0; i < p; ++i) {
    const Index contact = pushing[static_cast<std::size_t>(i)];
    to_lambda.add(3 * contact, pn + i, 1);
    if (group_of[static_cast<std::size_t>(contact)] < 0) to_w.add(pn + i, 3 * contact, 1);
    for (Index facet = 0; facet < facets; ++facet) {
      const Index row = pf + i * facets + facet;
      const Eigen::Vector2d d = direction(i, facet);
      for (Index axis = 0; axis < 2; ++axis) {
        to_lambda.add(3 * contact + 1 + axis, row, d[axis]);
        to_w.add(row, 3 * contact + 1 + axis, d[axis]);
      }
      own.add(row, s + i, 1);
      own.add(s + i, row, -1);
    }
    if (fixed_friction(system, contact))
      k[s + i] = system.friction_bounds.row(contact).maxCoeff();
    else
      own.add(s + i, pn + i, system.mu[contact]);
    rows.scale[pn + i] = rho[contact];
    rows.scale.segment(pf + i * facets, facets).setConstant(rho[contact]);
    rows.weight[pn + i] = 1 / rho[contact];
    rows.weight.segment(pf + i * facets, facets).setConstant(1 / rho[contact]);
    rows.scale[s + i] = 1 / rho[contact];
    linear::Interrupt::after(40 * static_cast<double>(facets));
  }

  // Nguyen and Trinkle 2010, eq. 20.
  Index first = gamma;
  for (const Group& group : groups) {
    const Index count = static_cast<Index>(group.faces.size()) - 1;
    const Index u =
        pn + (std::lower_bound(pushing.begin(), pushing.end(), group.u) - pushing.begin());
    to_w.add(u, 3 * group.faces[0], 1);
    for (Index f = 0; f < count; ++f) {
      to_w.add(first + f, 3 * group.faces[static_cast<std::size_t>(f) + 1], -1);
      to_w.add(first + f, 3 * group.faces[0], 1);
      for (Index before = 0; before <= f; ++before) own.add(first + f, first + before, 1);
      own.add(u, first + f, 1);
    }
    first += count;
  }

  const VectorXd joint_rho = joint_scales(system);
  for (Index a = 0; a < joint_count; ++a) {
    const Index j = bounded_rows[static_cast<std::size_t>(a)];
    rows.scale[x + a] = joint_rho[j];
    rows.weight[x + a] = 1 / joint_rho[j];
    double sign = 1;
    if (joints == Joints::bounded) {
      lower[x + a] = system.lower[j];
      upper[x + a] = system.upper[j];
    } else if (std::isfinite(system.lower[j])) {
      lambda0[first_joint + j] = system.lower[j];
    } else {
      lambda0[first_joint + j] = system.upper[j];
      sign = -1;
    }
    to_lambda.add(first_joint + j, x + a, sign);
    to_w.add(x + a, first_joint + j, sign);
  }
  for (Index e = 0; e < static_cast<Index>(eta_of.size()); ++e) {
    const Index a = eta_of[static_cast<std::size_t>(e)];
    const Index j = bounded_rows[static_cast<std::size_t>(a)];
    own.add(x + a, eta + e, 1);
    own.add(eta + e, x + a, -1);
    k[eta + e] = system.upper[j] - system.lower[j];
    rows.scale[eta + e] = 1 / joint_rho[j];
  }
  R = to_lambda.matrix(system.rows(), n);
  L = to_w.matrix(n, system.rows());
  K = own.matrix(n, n);
}

void FacetLaw::set_impulses(const Impulses& lambda, VectorXd& z) const {
  for (Index i = 0; i < static_cast<Index>(pushing.size()); ++i) {
    const Index contact = pushing[static_cast<std::size_t>(i)];
    z[pn + i] = std::max(0.0, lambda[3 * contact]);
    z.segment(pf + i * facets, facets).setZero();
    Eigen::Vector2d f = lambda.segment<2>(3 * contact + 1);
    for (Index axis = 0; axis < 2; ++axis)
      f[axis] = stretch(i, axis) > 0 ? f[axis] / stretch(i, axis) : 0;
    if (f.isZero(0)) continue;
    // The two neighbours that hold f between them: the decomposition with the smallest sum.
    const double sector = 2 * std::numbers::pi / static_cast<double>(facets);
    double angle = std::atan2(f[1], f[0]);
    if (angle < 0) angle += 2 * std::numbers::pi;
    const Index first = std::min(static_cast<Index>(angle / sector), facets - 1);
    const Index second = (first + 1) % facets;
    const double within = angle - sector * static_cast<double>(first);
    const double size = f.norm() / std::sin(sector);
    z[pf + i * facets + first] = std::max(0.0, size * std::sin(sector - within));
    z[pf + i * facets + second] = std::max(0.0, size * std::sin(within));
  }
  for (Index a = 0; a < static_cast<Index>(bounded_rows.size()); ++a) {
    const Index row = first_joint + bounded_rows[static_cast<std::size_t>(a)];
    z[x + a] = R.coeff(row, x + a) * (lambda[row] - lambda0[row]);
    z[x + a] = std::clamp(z[x + a], lower[x + a], upper[x + a]);
  }
  for (Index e = 0; e < static_cast<Index>(eta_of.size()); ++e) {
    double& bounded = z[x + eta_of[static_cast<std::size_t>(e)]];
    bounded = std::min(bounded, k[eta + e]);
  }
}

void FacetLaw::set_speeds(const VectorXd& y, VectorXd& z) const {
  for (Index i = 0; i < static_cast<Index>(pushing.size()); ++i) {
    const Eigen::Vector2d v = y.segment<2>(3 * pushing[static_cast<std::size_t>(i)] + 1);
    double speed = 0;
    for (Index facet = 0; facet < facets; ++facet)
      speed = std::max(speed, -direction(i, facet).dot(v));
    z[s + i] = speed;
  }
  Index next = gamma;
  for (const Group& group : groups) {
    double largest = y[3 * group.faces[0]];
    for (std::size_t f = 1; f < group.faces.size(); ++f) {
      z[next] = std::max(0.0, y[3 * group.faces[f]] - largest);
      largest += z[next++];
    }
  }
  for (Index e = 0; e < static_cast<Index>(eta_of.size()); ++e) {
    const Index a = eta_of[static_cast<std::size_t>(e)];
    z[eta + e] = std::max(0.0, -y[first_joint + bounded_rows[static_cast<std::size_t>(a)]]);
  }
}

}  // namespace perpend
