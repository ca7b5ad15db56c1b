// DART's two methods on a recorded problem, as the tests of its recorder solve it again.
//
// A group of skeletons that touch each other is a problem of its own. Where Dantzig's method
// answered, friction has fixed bounds: a boxed LCP with a positive definite matrix, which any
// method must answer in the same way. Where projected Gauss-Seidel did, its sweeps are made again,
// on the matrix that is left when joints without a bound are eliminated: in DART they are no rows.
#pragma once

#include <Eigen/Dense>
#include <numeric>

#include "perpend/capture.hpp"
#include "perpend/solve.hpp"

namespace perpend::capture::from_dart {

// Which rows of the system hang together by bodies that move: a number for each row.
inline std::vector<Index> groups_of(const Frame& frame, const System& system) {
  std::vector<Index> root(static_cast<std::size_t>(frame.bodies.count()));
  std::iota(root.begin(), root.end(), Index{0});
  const auto find = [&](Index i) {
    while (root[static_cast<std::size_t>(i)] != i) i = root[static_cast<std::size_t>(i)];
    return i;
  };
  const auto unite = [&](Index a, Index b) {
    if (!frame.bodies.fixed(a) && !frame.bodies.fixed(b))
      root[static_cast<std::size_t>(find(a))] = find(b);
  };
  const auto moving = [&](Index a, Index b) { return frame.bodies.fixed(a) ? b : a; };
  for (Index i = 0; i < frame.contacts.count(); ++i)
    unite(frame.contacts.pairs(i, 0), frame.contacts.pairs(i, 1));
  for (Index k = 0; k < frame.joints.count(); ++k)
    unite(frame.joints.pairs(k, 0), frame.joints.pairs(k, 1));
  std::vector<Index> out;
  for (Index i = 0; i < system.contacts(); ++i)
    out.insert(out.end(), 3, find(moving(frame.contacts.pairs(i, 0), frame.contacts.pairs(i, 1))));
  for (Index k = 0; k < frame.joints.count(); ++k)
    out.insert(out.end(), static_cast<std::size_t>(frame.joints.rows[static_cast<std::size_t>(k)]),
               find(moving(frame.joints.pairs(k, 0), frame.joints.pairs(k, 1))));
  return out;
}

// One group's rows, those of joints without bounds eliminated.
struct Reduced {
  std::vector<Index> rows, joints;  // of the system: kept, eliminated
  Eigen::MatrixXd A, back;          // joints: lambda = shift - back * (lambda of the rows)
  VectorXd b, shift;
};
inline Reduced reduced(const System& system, const Eigen::MatrixXd& A,
                       const std::vector<Index>& groups, Index group) {
  Reduced out;
  for (Index row = 0; row < system.rows(); ++row) {
    if (groups[static_cast<std::size_t>(row)] != group) continue;
    const Index joint = row - 3 * system.contacts();
    const bool free =
        joint >= 0 && std::isinf(system.lower[joint]) && std::isinf(system.upper[joint]);
    (free ? out.joints : out.rows).push_back(row);
  }
  const Eigen::MatrixXd crossed = A(out.joints, out.rows);
  const VectorXd b = system.b(out.joints);
  out.A = A(out.rows, out.rows);
  out.b = system.b(out.rows);
  if (out.joints.empty()) return out;
  const Eigen::LDLT<Eigen::MatrixXd> inverse(A(out.joints, out.joints));
  out.back = inverse.solve(crossed);
  out.shift = -inverse.solve(b);
  out.A -= A(out.rows, out.joints) * out.back;
  out.b += A(out.rows, out.joints) * out.shift;
  return out;
}

// DART's projected Gauss-Seidel: thirty sweeps at most, rows in their order, from zero; it ends
// when the first sweep changed nothing by more than 1e-6, or a later one nothing by more than a
// thousandth.
inline VectorXd as_dart_sweeps(const System& system, const Reduced& problem) {
  const auto n = static_cast<Index>(problem.rows.size());
  VectorXd x = VectorXd::Zero(n);
  for (int sweep = 0; sweep < 30; ++sweep) {
    bool still = true;
    for (Index i = 0; i < n; ++i) {
      const double before = x[i];
      x[i] = 0;
      const double wanted = -(problem.b[i] + problem.A.row(i).dot(x)) / problem.A(i, i);
      const Index row = problem.rows[static_cast<std::size_t>(i)];
      const Index contact = row / 3, joint = row - 3 * system.contacts();
      double lower = 0, upper = std::numeric_limits<double>::infinity();
      if (joint >= 0) {
        lower = system.lower[joint];
        upper = system.upper[joint];
      } else if (row % 3 != 0) {
        upper = system.mu[contact] * x[i - row % 3];
        lower = -upper;
      }
      x[i] = std::clamp(wanted, lower, upper);
      const double change = std::abs(x[i] - before);
      if (sweep == 0)
        still = still && change <= 1e-6;
      else if (std::abs(x[i]) > 1e-9)
        still = still && change / std::abs(x[i]) <= 1e-3;
    }
    if (still) break;
  }
  return x;
}

// Impulses of all rows, each group by the method that answered it.
inline Impulses as_dart(const System& system, const io::Record& record) {
  const Frame& frame = record.frame;
  const std::vector<Index> groups = groups_of(frame, system);
  std::vector<bool> swept(groups.size(), false);
  for (Index i = 0; i < frame.contacts.count(); ++i)
    for (Index k = 0; k < 3; ++k)
      swept[static_cast<std::size_t>(3 * i + k)] = std::isinf(frame.contacts.friction_bounds(i, 0));
  const bool any_swept = std::find(swept.begin(), swept.end(), true) != swept.end();
  const bool all_swept =
      record.answer.answered == "projected Gauss-Seidel" ||
      (system.contacts() > 0 && std::find(swept.begin(), swept.begin() + 3 * system.contacts(),
                                          false) == swept.begin() + 3 * system.contacts());
  Impulses out = Impulses::Zero(system.rows());
  if (!all_swept && system.rows() > 0) {
    Options options;
    options.tolerance = 1e-13;
    out = solve(system, "box/path", options).impulses;
  }
  if (!any_swept) return out;
  const Eigen::MatrixXd A = to_sparse(system);
  std::vector<Index> done;
  for (std::size_t row = 0; row < groups.size(); ++row) {
    if (!swept[row] || std::find(done.begin(), done.end(), groups[row]) != done.end()) continue;
    done.push_back(groups[row]);
    const Reduced problem = reduced(system, A, groups, groups[row]);
    const VectorXd x = as_dart_sweeps(system, problem);
    for (std::size_t i = 0; i < problem.rows.size(); ++i)
      out[problem.rows[i]] = x[static_cast<Index>(i)];
    const VectorXd held =
        problem.joints.empty() ? VectorXd() : VectorXd(problem.shift - problem.back * x);
    for (std::size_t i = 0; i < problem.joints.size(); ++i)
      out[problem.joints[i]] = held[static_cast<Index>(i)];
  }
  return out;
}

}  // namespace perpend::capture::from_dart
