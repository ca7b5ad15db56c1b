#include "solve/kit/newton_space.hpp"

#include <algorithm>

namespace perpend {
namespace {

using Block = Eigen::Matrix<double, 6, 6>;
using Row6 = Eigen::Matrix<double, 1, 6>;

Eigen::Map<const Vector6> body(const VectorXd& w, int i) {
  return Eigen::Map<const Vector6>(w.data() + 6 * i);
}
Eigen::Map<Vector6> body(VectorXd& w, int i) { return Eigen::Map<Vector6>(w.data() + 6 * i); }

// block += a' b, both of six columns
template <class Rows>
void add_product(Block& block, const Rows& a, const Rows& b) {
  for (int c = 0; c < 6; ++c) {
    Vector6 column = block.col(c);
    for (int k = 0; k < Rows::RowsAtCompileTime; ++k) column += a.row(k).transpose() * b(k, c);
    block.col(c) = column;
  }
}

constexpr std::size_t kOfOther = 5;  // entries of `pairs_`

// Calls add(pair, J_1, J_2, G J_1, G J_2) for every contact and joint row that resists, and `cross`
// likewise for one body of each pair of a row that has two.
template <class Pairs, class Add, class Cross>
void for_each_row(const BodySpace& a, const RowSlopes& slopes, const Pairs& pairs, const Add& add,
                  const Cross& cross) {
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    const BodySpace::Contact& c = a.contacts[i];
    const Matrix3d& g = slopes.contact[i];
    if (RowSlopes::open(g)) continue;
    if (g == g(0, 0) * Matrix3d::Identity())
      add(pairs[i], c.j1, c.j2, Matrix36(g(0, 0) * c.j1), Matrix36(g(0, 0) * c.j2));
    else
      add(pairs[i], c.j1, c.j2, Matrix36(g * c.j1), Matrix36(g * c.j2));
  }
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const double g = slopes.joint[j];
    if (g == 0) continue;
    const BodySpace::JointRow& q = a.joints[j];
    const Row6 one = q.j1.transpose(), two = q.j2.transpose();
    add(pairs[a.contacts.size() + j], one, two, Row6(g * one), Row6(g * two));
    const BodySpace::JointRow* other = a.other(q);
    if (!other) continue;
    auto pair = pairs.begin() + static_cast<std::ptrdiff_t>(a.contacts.size() + a.joints.size()) +
                static_cast<std::ptrdiff_t>(kOfOther) * q.other;
    const Row6 three = other->j1.transpose(), four = other->j2.transpose();
    add(*pair, three, four, Row6(g * three), Row6(g * four));
    for (const Row6& left : {one, two})
      for (const Row6& right : {three, four})
        cross(*++pair, left, right, Row6(g * left), Row6(g * right));
  }
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
  for (const BodySpace::JointRow& q : a_->joints) {
    const BodySpace::JointRow* other = a_->other(q);
    if (!other) continue;
    put(other->first, other->second);
    for (const Index left : {q.first, q.second})
      for (const Index right : {other->first, other->second}) put(left, right);
  }
  const int n = static_cast<int>(mass_.size());
  if (bodies_ == previous_ && cholesky_.pattern().rows() == n) return;
  previous_.clear();  // until it is done: a limit may end the analysis

  std::vector<linear::BlockPattern::Edge> edges;
  for (const auto& [i, j] : bodies_)
    if (i >= 0 && j >= 0 && i != j) edges.push_back(std::minmax(i, j));
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  cholesky_.analyze(n, edges);
  pairs_.clear();
  for (const auto& [i, j] : bodies_) {
    Pair pair{i, j, 0, false};
    if (i >= 0 && j >= 0 && i != j) {
      const linear::BlockPattern::Edge edge = std::minmax(i, j);
      pair.edge = static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), edge) -
                                           edges.begin());
      pair.upper = cholesky_.upper(pair.edge) == (i < j);
    }
    pairs_.push_back(pair);
  }
  previous_ = bodies_;
}

template <class Function>
void BodyNewtonSpace::each_pair(std::size_t joint, const Function& f) const {
  const BodySpace::JointRow& q = a_->joints[joint];
  const std::size_t m = a_->contacts.size();
  f(pairs_[m + joint], q);
  if (const BodySpace::JointRow* other = a_->other(q))
    f(pairs_[m + a_->joints.size() + kOfOther * static_cast<std::size_t>(q.other)], *other);
}

void BodyNewtonSpace::respond(const VectorXd& impulses, VectorXd& w) const {
  w.setZero(6 * static_cast<Index>(mass_.size()));
  const std::size_t m = a_->contacts.size();
  for (std::size_t i = 0; i < m; ++i) {
    const Vector3d l = impulses.segment<3>(3 * static_cast<Index>(i));
    const BodySpace::Contact& c = a_->contacts[i];
    const auto push = [&](int k, const Matrix36& of_body) {
      if (k < 0) return;
      Vector6 sum = body(w, k);
      for (int row = 0; row < 3; ++row) sum += l[row] * of_body.row(row).transpose();
      body(w, k) = sum;
    };
    push(pairs_[i].first, c.w1);
    push(pairs_[i].second, c.w2);
  }
  for (std::size_t j = 0; j < a_->joints.size(); ++j) {
    const double l = impulses[static_cast<Index>(3 * m + j)];
    each_pair(j, [&](const Pair& pair, const BodySpace::JointRow& q) {
      if (pair.first >= 0) body(w, pair.first) += l * q.w1;
      if (pair.second >= 0) body(w, pair.second) += l * q.w2;
    });
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
    double y = 0;
    each_pair(j, [&](const Pair& pair, const BodySpace::JointRow& q) {
      if (pair.first >= 0) y += q.j1.dot(body(w, pair.first));
      if (pair.second >= 0) y += q.j2.dot(body(w, pair.second));
    });
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

double BodyNewtonSpace::norm2(const VectorXd& e) {
  multiply_mass(e, momentum_);
  return momentum_.dot(e);
}

bool BodyNewtonSpace::factorize(const RowSlopes& slopes) {
  symmetric_ = slopes.symmetric;
  return symmetric_ ? cholesky(slopes) : lu(slopes);
}

template <class Factor, class OffDiagonal>
void BodyNewtonSpace::fill(Factor& factor, const RowSlopes& slopes, const OffDiagonal& add_off) {
  factor.clear();
  for (std::size_t i = 0; i < mass_.size(); ++i) factor.diagonal(static_cast<int>(i)) = mass_[i];
  // One body in both pairs of a row: its terms are all in the second.
  const auto off = [&](const Pair& pair, const auto& one, const auto& two, const auto& g_one,
                       const auto& g_two) {
    if (pair.first >= 0 && pair.second >= 0 && pair.first != pair.second)
      add_off(pair, one, two, g_one, g_two);
  };
  for_each_row(
      *a_, slopes, pairs_,
      [&](const Pair& pair, const auto& one, const auto& two, const auto& g_one,
          const auto& g_two) {
        if (pair.first >= 0) add_product(factor.diagonal(pair.first), one, g_one);
        if (pair.second >= 0) add_product(factor.diagonal(pair.second), two, g_two);
        off(pair, one, two, g_one, g_two);
      },
      off);
}

bool BodyNewtonSpace::cholesky(const RowSlopes& slopes) {
  fill(cholesky_, slopes,
       [&](const Pair& pair, const auto& one, const auto& two, const auto& g_one,
           const auto& g_two) {
         if (pair.upper)
           add_product(cholesky_.edge(pair.edge), one, g_two);
         else
           add_product(cholesky_.edge(pair.edge), two, g_one);
       });
  return cholesky_.factorize();
}

bool BodyNewtonSpace::lu(const RowSlopes& slopes) {
  lu_.analyze(cholesky_.pattern());
  fill(lu_, slopes,
       [&](const Pair& pair, const auto& one, const auto& two, const auto& g_one,
           const auto& g_two) {
         add_product(lu_.off_diagonal(pair.edge, pair.first, pair.second), one, g_two);
         add_product(lu_.off_diagonal(pair.edge, pair.second, pair.first), two, g_one);
       });
  return lu_.factorize();
}

void BodyNewtonSpace::step(const VectorXd& e, VectorXd& d) {
  multiply_mass(e, d);
  d = -d;
  solve(d);
}

void BodyNewtonSpace::step_against(const VectorXd& impulses, VectorXd& d) {
  d.setZero(6 * static_cast<Index>(mass_.size()));
  const std::size_t m = a_->contacts.size();
  for (std::size_t i = 0; i < m; ++i) {
    const Vector3d l = impulses.segment<3>(3 * static_cast<Index>(i));
    const auto push = [&](int k, const Matrix36& j) {
      if (k < 0) return;
      Vector6 sum = body(d, k);
      for (int row = 0; row < 3; ++row) sum -= l[row] * j.row(row).transpose();
      body(d, k) = sum;
    };
    push(pairs_[i].first, a_->contacts[i].j1);
    push(pairs_[i].second, a_->contacts[i].j2);
  }
  for (std::size_t j = 0; j < a_->joints.size(); ++j) {
    const double l = impulses[static_cast<Index>(3 * m + j)];
    each_pair(j, [&](const Pair& pair, const BodySpace::JointRow& q) {
      if (pair.first >= 0) body(d, pair.first) -= l * q.j1;
      if (pair.second >= 0) body(d, pair.second) -= l * q.j2;
    });
  }
  solve(d);
}

void BodyNewtonSpace::solve(VectorXd& d) {
  if (symmetric_)
    cholesky_.solve(d);
  else
    lu_.solve(d);
}

// A contact's visit in a sweep costs about as much as its part of the matrix and of two solves, and
// as a product of two 6x6 blocks (measured: 0.25 us each).
double BodyNewtonSpace::sweeps_per_factorization() const {
  const linear::BlockPattern& pattern = cholesky_.pattern();
  double products = 0;
  for (int k = 0; k < pattern.rows(); ++k) {
    const double blocks = pattern.start(k + 1) - pattern.start(k);
    products += blocks * blocks;
  }
  const double rows =
      static_cast<double>(a_->contacts.size()) + static_cast<double>(a_->joints.size()) / 3;
  return 2 + products / std::max(1.0, rows);
}

bool ImpulseNewtonSpace::prepare(const System& s) {
  system_ = &s;
  A_ = to_sparse(s);
  inverse_mass_ = effective_masses(s).cwiseInverse();
  return true;
}

void ImpulseNewtonSpace::differential(const VectorXd& dw, VectorXd& du) const {
  du.noalias() = A_ * dw;
}

void ImpulseNewtonSpace::velocity(const VectorXd& w, VectorXd& u) const {
  differential(w, u);
  u += system_->b;
}

bool ImpulseNewtonSpace::factorize(const RowSlopes& slopes) {
  return lu_.factorize(A_, system_->contacts(), slopes);
}

void ImpulseNewtonSpace::step(const VectorXd& e, VectorXd& d) {
  d = -e;
  lu_.solve(d);
}

// A general sparse LU fills up. Measured on recorded problems of 25 to 570 contacts: 20 to 150.
double ImpulseNewtonSpace::sweeps_per_factorization(const System& s) {
  return 5 + static_cast<double>(s.contacts()) / 3;
}

VectorXd body_compliance(const System& s) {
  const BodySpace* a = std::get_if<BodySpace>(&s.A);
  return a && a->cfm.size() ? a->cfm : VectorXd::Zero(s.rows()).eval();
}

}  // namespace perpend
