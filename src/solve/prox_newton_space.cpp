// The two spaces of the proximal Newton method (prox_newton.hpp).
#include <algorithm>

#include "solve/prox_newton.hpp"

namespace perpend {
namespace {

using Block = Eigen::Matrix<double, 6, 6>;
using Row6 = Eigen::Matrix<double, 1, 6>;

Eigen::Map<const Vector6> body(const VectorXd& w, int i) {
  return Eigen::Map<const Vector6>(w.data() + 6 * i);
}
Eigen::Map<Vector6> body(VectorXd& w, int i) { return Eigen::Map<Vector6>(w.data() + 6 * i); }

// block += a' b, both (count x 6)
template <class Rows>
void add_product(Block& block, const Rows& a, const Rows& b, int count) {
  for (int k = 0; k < count; ++k)
    for (int c = 0; c < 6; ++c) block.col(c) += a.row(k).transpose() * b(k, c);
}

}  // namespace

bool BodyNewtonSpace::prepare(const System& s) {
  a_ = std::get_if<BodySpace>(&s.A);
  if (!a_ || !s.dynamics || s.dynamics->body_column.empty()) return false;
  system_ = &s;
  const Dynamics& d = *s.dynamics;
  moving_.assign(d.body_column.size(), -1);
  for (std::size_t i = 0; i < moving_.size(); ++i)
    if (d.body_column[i] >= 0) moving_[i] = static_cast<int>(d.body_column[i] / 6);
  mass_.assign(static_cast<std::size_t>(d.mass.rows() / 6), Block::Zero());
  for (Index row = 0; row < d.mass.outerSize(); ++row)
    for (SparseMatrix::InnerIterator it(d.mass, row); it; ++it)
      if (it.col() / 6 == row / 6)
        mass_[static_cast<std::size_t>(row / 6)](row % 6, it.col() % 6) = it.value();
  connect();
  return true;
}

void BodyNewtonSpace::connect() {
  bodies_.clear();
  const auto put = [&](Index first, Index second) {
    bodies_.emplace_back(moving_[static_cast<std::size_t>(first)],
                         moving_[static_cast<std::size_t>(second)]);
  };
  for (const BodySpace::Contact& c : a_->contacts) put(c.first, c.second);
  for (const BodySpace::JointRow& q : a_->joints) put(q.first, q.second);
  const int n = static_cast<int>(mass_.size());
  if (bodies_ == previous_ && hessian_.pattern().rows() == n) return;
  previous_ = bodies_;

  std::vector<linear::BlockPattern::Edge> edges;
  for (const auto& [i, j] : bodies_)
    if (i >= 0 && j >= 0 && i != j) edges.push_back(std::minmax(i, j));
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  hessian_.analyze(n, edges);
  pairs_.clear();
  for (const auto& [i, j] : bodies_) {
    Pair pair{i, j, 0, false, i == j};
    if (i >= 0 && j >= 0 && i != j) {
      const linear::BlockPattern::Edge edge = std::minmax(i, j);
      pair.edge = static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), edge) -
                                           edges.begin());
      pair.upper = hessian_.upper(pair.edge) == (i < j);
    }
    pairs_.push_back(pair);
  }
}

void BodyNewtonSpace::respond(const VectorXd& impulses, VectorXd& w) const {
  w.setZero(6 * static_cast<Index>(mass_.size()));
  const std::size_t m = a_->contacts.size();
  for (std::size_t i = 0; i < m; ++i) {
    const Vector3d l = impulses.segment<3>(3 * static_cast<Index>(i));
    const BodySpace::Contact& c = a_->contacts[i];
    if (const int k = pairs_[i].first; k >= 0)
      for (int row = 0; row < 3; ++row) body(w, k) += l[row] * c.w1.row(row).transpose();
    if (const int k = pairs_[i].second; k >= 0)
      for (int row = 0; row < 3; ++row) body(w, k) += l[row] * c.w2.row(row).transpose();
  }
  for (std::size_t j = 0; j < a_->joints.size(); ++j) {
    const double l = impulses[static_cast<Index>(3 * m + j)];
    const Pair& pair = pairs_[m + j];
    if (pair.first >= 0) body(w, pair.first) += l * a_->joints[j].w1;
    if (pair.second >= 0) body(w, pair.second) += l * a_->joints[j].w2;
  }
}

void BodyNewtonSpace::differential(const VectorXd& w, VectorXd& u) const {
  u.resize(system_->rows());
  const std::size_t m = a_->contacts.size();
  for (std::size_t i = 0; i < m; ++i) {
    const BodySpace::Contact& c = a_->contacts[i];
    Vector3d y = Vector3d::Zero();
    if (const int k = pairs_[i].first; k >= 0) y.noalias() += c.j1 * body(w, k);
    if (const int k = pairs_[i].second; k >= 0) y.noalias() += c.j2 * body(w, k);
    u.segment<3>(3 * static_cast<Index>(i)) = y;
  }
  for (std::size_t j = 0; j < a_->joints.size(); ++j) {
    const Pair& pair = pairs_[m + j];
    double y = 0;
    if (pair.first >= 0) y += a_->joints[j].j1.dot(body(w, pair.first));
    if (pair.second >= 0) y += a_->joints[j].j2.dot(body(w, pair.second));
    u[static_cast<Index>(3 * m + j)] = y;
  }
}

void BodyNewtonSpace::velocity(const VectorXd& w, VectorXd& u) const {
  differential(w, u);
  u += system_->b;
}

void BodyNewtonSpace::multiply_mass(const VectorXd& w, VectorXd& out) const {
  out.resize(w.size());
  for (std::size_t i = 0; i < mass_.size(); ++i)
    body(out, static_cast<int>(i)).noalias() = mass_[i] * body(w, static_cast<int>(i));
}

void BodyNewtonSpace::weigh(const VectorXd& dw, const VectorXd&, VectorXd& weight) const {
  multiply_mass(dw, weight);
}

bool BodyNewtonSpace::factorize(const ProxCone& cone) {
  hessian_.clear();
  for (std::size_t i = 0; i < mass_.size(); ++i) hessian_.diagonal(static_cast<int>(i)) = mass_[i];
  const auto add = [&](const Pair& pair, const Matrix36& one, const Matrix36& two, int count) {
    if (pair.same_body && pair.first >= 0) {
      const Matrix36 both = one + two;
      add_product(hessian_.diagonal(pair.first), both, both, count);
      return;
    }
    if (pair.first >= 0) add_product(hessian_.diagonal(pair.first), one, one, count);
    if (pair.second >= 0) add_product(hessian_.diagonal(pair.second), two, two, count);
    if (pair.first < 0 || pair.second < 0) return;
    if (pair.upper)
      add_product(hessian_.edge(pair.edge), one, two, count);
    else
      add_product(hessian_.edge(pair.edge), two, one, count);
  };
  const std::size_t m = a_->contacts.size();
  for (std::size_t i = 0; i < m; ++i) {
    const ProxCone::Curvature k = cone.curvature(static_cast<Index>(i));
    if (k.count == 0) continue;
    const BodySpace::Contact& c = a_->contacts[i];
    if (k.count == 3)
      add(pairs_[i], k.rows(0, 0) * c.j1, k.rows(0, 0) * c.j2, 3);
    else
      add(pairs_[i], k.rows * c.j1, k.rows * c.j2, 2);
  }
  for (std::size_t j = 0; j < a_->joints.size(); ++j) {
    const double weight = std::sqrt(cone.joint_curvature(static_cast<Index>(j)));
    if (weight == 0) continue;
    Matrix36 one, two;
    one.row(0) = weight * a_->joints[j].j1.transpose();
    two.row(0) = weight * a_->joints[j].j2.transpose();
    if (pairs_[m + j].same_body) one.bottomRows<2>().setZero(), two.bottomRows<2>().setZero();
    add(pairs_[m + j], one, two, 1);
  }
  return hessian_.factorize();
}

void BodyNewtonSpace::step(const ProxCone&, const VectorXd& e, VectorXd& d) {
  multiply_mass(e, d);
  d = -d;
  hessian_.solve(d);
}

bool ImpulseNewtonSpace::prepare(const System& s) {
  system_ = &s;
  A_ = to_sparse(s);
  return true;
}

void ImpulseNewtonSpace::differential(const VectorXd& dw, VectorXd& du) const {
  du.noalias() = A_ * dw;
}

void ImpulseNewtonSpace::velocity(const VectorXd& w, VectorXd& u) const {
  differential(w, u);
  u += system_->b;
}

bool ImpulseNewtonSpace::factorize(const ProxCone& cone) {
  // 1 + (dp/du) A, row block by row block.
  const Index m = system_->contacts();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(2 * A_.nonZeros() + A_.rows()));
  for (Index i = 0; i < A_.rows(); ++i)
    entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
  for (Index i = 0; i < m; ++i) {
    const ProxCone::Curvature k = cone.curvature(i);
    if (k.count == 0) continue;
    const auto rows = k.rows.topRows(k.count);
    const Matrix3d g = rows.transpose() * rows;
    for (Index q = 0; q < 3; ++q)
      for (SparseMatrix::InnerIterator it(A_, 3 * i + q); it; ++it)
        for (Index p = 0; p < 3; ++p)
          if (g(p, q) != 0)
            entries.emplace_back(static_cast<int>(3 * i + p), static_cast<int>(it.col()),
                                 g(p, q) * it.value());
  }
  for (Index row = 3 * m; row < A_.rows(); ++row) {
    const double g = cone.joint_curvature(row - 3 * m);
    for (SparseMatrix::InnerIterator it(A_, row); it && g != 0; ++it)
      entries.emplace_back(static_cast<int>(row), static_cast<int>(it.col()), g * it.value());
  }
  SparseMatrix matrix(A_.rows(), A_.rows());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return lu_.factorize(matrix);
}

void ImpulseNewtonSpace::step(const ProxCone&, const VectorXd& e, VectorXd& d) {
  d = -e;
  lu_.solve(d);
}

}  // namespace perpend
