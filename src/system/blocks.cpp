// A by its nonzero blocks: formed from body space, from a sparse matrix, or from M and J.
#include "system/blocks.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "linear/interrupt.hpp"
#include "linear/sparse_cholesky.hpp"
#include "linear/sparse_rows.hpp"

namespace perpend {
namespace {

// Starts the blocks of m contacts and r joint rows from the block columns present in each row.
Blocks allocate(Index contacts, Index joint_rows, std::vector<std::vector<Index>> columns) {
  Blocks a;
  a.contacts = contacts;
  a.joint_rows = joint_rows;
  a.row_start.push_back(0);
  Index size = 0;
  for (Index i = 0; i < a.block_rows(); ++i) {
    std::vector<Index>& row = columns[static_cast<std::size_t>(i)];
    row.push_back(i);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (Index j : row) {
      if (i == j) a.diagonal.push_back(static_cast<Index>(a.column.size()));
      a.column.push_back(j);
      a.offset.push_back(size);
      size += a.dimension(i) * a.dimension(j);
    }
    a.row_start.push_back(static_cast<Index>(a.column.size()));
    linear::Interrupt::after(8 * static_cast<double>(row.size()));
  }
  a.values.assign(static_cast<std::size_t>(size), 0.0);
  return a;
}

// J and M^-1 J^T of one block row at one of its bodies.
struct Side {
  Index body;
  Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, 3, 6> j, w;
};

// Of all block rows, one row's after the other's.
struct Sides {
  std::vector<Side> list;
  std::vector<std::size_t> start{0};
  std::size_t size() const { return start.size() - 1; }
  std::span<const Side> operator[](std::size_t row) const {
    return std::span(list).subspan(start[row], start[row + 1] - start[row]);
  }
};

Sides sides_of(const BodySpace& a) {
  Sides sides;
  for (const auto& c : a.contacts) {
    sides.list.insert(sides.list.end(), {{c.first, c.j1, c.w1}, {c.second, c.j2, c.w2}});
    sides.start.push_back(sides.list.size());
  }
  for (const auto& row : a.joints) {
    for (const BodySpace::JointRow* q = &row; q; q = a.other(*q))
      sides.list.insert(sides.list.end(), {{q->first, q->j1.transpose(), q->w1.transpose()},
                                           {q->second, q->j2.transpose(), q->w2.transpose()}});
    sides.start.push_back(sides.list.size());
  }
  return sides;
}

bool moves(const Side& side) { return side.w.size() && side.w.cwiseAbs().maxCoeff() > 0; }

Blocks from_body_space(const BodySpace& a) {
  const Index m = static_cast<Index>(a.contacts.size());
  const Index r = static_cast<Index>(a.joints.size());
  const Sides sides = sides_of(a);
  // Block rows that touch each body; a body that never moves couples nothing.
  std::vector<std::vector<Index>> touching(static_cast<std::size_t>(a.bodies));
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (const Side& side : sides[i])
      if (moves(side))
        touching[static_cast<std::size_t>(side.body)].push_back(static_cast<Index>(i));
  std::vector<std::vector<Index>> columns(sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (const Side& side : sides[i])
      if (side.j.cwiseAbs().maxCoeff() > 0) {
        const auto& others = touching[static_cast<std::size_t>(side.body)];
        columns[i].insert(columns[i].end(), others.begin(), others.end());
        linear::Interrupt::after(static_cast<double>(others.size()));
      }
  Blocks out = allocate(m, r, std::move(columns));
  constexpr double kBlockFlops = 2 * 9 * 6;
  for (Index i = 0; i < out.block_rows(); ++i)
    for (Index e = out.row_start[static_cast<std::size_t>(i)];
         e < out.row_start[static_cast<std::size_t>(i) + 1]; ++e) {
      const Index j = out.column[static_cast<std::size_t>(e)];
      Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> block(
          out.values.data() + out.offset[static_cast<std::size_t>(e)], out.dimension(i),
          out.dimension(j));
      for (const Side& p : sides[static_cast<std::size_t>(i)])
        for (const Side& q : sides[static_cast<std::size_t>(j)])
          if (p.body == q.body) block += p.j * q.w.transpose();
      if (i == j && a.cfm.size())
        block.diagonal() += a.cfm.segment(out.first_row(i), out.dimension(i));
      linear::Interrupt::after(kBlockFlops);
    }
  return out;
}

Blocks from_sparse(const SparseMatrix& A, Index m) {
  const Index r = A.rows() - 3 * m;
  const auto block_of = [&](Index row) { return row < 3 * m ? row / 3 : row - 2 * m; };
  std::vector<std::vector<Index>> columns(static_cast<std::size_t>(m + r));
  for (Index row = 0; row < A.rows(); ++row)
    for (SparseMatrix::InnerIterator it(A, row); it; ++it)
      if (it.value() != 0)
        columns[static_cast<std::size_t>(block_of(row))].push_back(block_of(it.col()));
  Blocks out = allocate(m, r, std::move(columns));
  for (Index row = 0; row < A.rows(); ++row)
    for (SparseMatrix::InnerIterator it(A, row); it; ++it) {
      if (it.value() == 0) continue;
      const Index i = block_of(row), j = block_of(it.col());
      const auto first = out.column.begin() + out.row_start[static_cast<std::size_t>(i)];
      const auto last = out.column.begin() + out.row_start[static_cast<std::size_t>(i) + 1];
      const Index e = std::lower_bound(first, last, j) - out.column.begin();
      const Index at = out.offset[static_cast<std::size_t>(e)] +
                       (row - out.first_row(i)) * out.dimension(j) + it.col() - out.first_row(j);
      out.values[static_cast<std::size_t>(at)] += it.value();
    }
  return out;
}

}  // namespace

Blocks to_blocks(const System& s) {
  if (const Blocks* blocks = std::get_if<Blocks>(&s.A)) return *blocks;
  return from_body_space(std::get<BodySpace>(s.A));
}

SparseMatrix to_sparse(const System& s) {
  if (linear::Interrupt::any()) linear::Interrupt::before(0, sparse_bytes(s));
  const Blocks a = to_blocks(s);
  linear::Triplets entries;
  entries.reserve(a.values.size());
  for_each_block(a, [&](Index i, Index j, const double* v) {
    for (Index p = 0; p < a.dimension(i); ++p)
      for (Index q = 0; q < a.dimension(j); ++q, ++v)
        if (*v != 0)
          entries.emplace_back(static_cast<int>(a.first_row(i) + p),
                               static_cast<int>(a.first_row(j) + q), *v);
    linear::Interrupt::after(static_cast<double>(a.dimension(i) * a.dimension(j)));
  });
  return linear::from_triplets(s.rows(), s.rows(), entries);
}

// Rows meet at a body that moves. Those that share several bodies are counted at each, so that sums
// over all sets of shared bodies are taken off and added in turn.
double coupled(const System& s, std::span<const double> left, std::span<const double> right,
               std::span<const Index> cluster) {
  if (const Blocks* a = std::get_if<Blocks>(&s.A)) {
    double sum = 0;
    for (Index i = 0; i < a->block_rows(); ++i) {
      double row = 0;
      for (Index e = a->row_start[static_cast<std::size_t>(i)];
           e < a->row_start[static_cast<std::size_t>(i) + 1]; ++e)
        row += right[static_cast<std::size_t>(a->column[static_cast<std::size_t>(e)])];
      sum += left[static_cast<std::size_t>(i)] * row;
    }
    return sum;
  }
  struct Coupled {
    double left = 0, right = 0;
  };
  std::map<Index, Coupled> bodies;
  std::map<std::vector<Index>, Coupled> shared;  // by two bodies and more
  double alone = 0;
  const Sides sides = sides_of(std::get<BodySpace>(s.A));
  for (std::size_t i = 0; i < sides.size(); ++i) {
    std::vector<Index> at;
    for (const Side& side : sides[i])
      if (moves(side))
        at.push_back(cluster.empty() ? side.body : cluster[static_cast<std::size_t>(side.body)]);
    if (at.empty()) alone += left[i] * right[i];
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    for (const Index body : at) {
      bodies[body].left += left[i];
      bodies[body].right += right[i];
    }
    for (unsigned chosen = 1; chosen < 1U << at.size(); ++chosen) {
      if (std::popcount(chosen) < 2) continue;
      std::vector<Index> set;
      for (std::size_t k = 0; k < at.size(); ++k)
        if (chosen >> k & 1) set.push_back(at[k]);
      Coupled& all = shared[set];
      all.left += left[i];
      all.right += right[i];
    }
  }
  double sum = alone;
  for (const auto& [body, one] : bodies) sum += one.left * one.right;
  for (const auto& [set, all] : shared)
    sum += (set.size() % 2 == 0 ? -1 : 1) * all.left * all.right;
  return sum;
}

double explicit_values(const System& s) {
  if (const Blocks* blocks = std::get_if<Blocks>(&s.A))
    return static_cast<double>(blocks->values.size());
  std::vector<double> size(static_cast<std::size_t>(s.contacts() + s.joint_rows()), 1);
  std::fill_n(size.begin(), s.contacts(), 3.0);
  return coupled(s, size, size);
}

double sparse_bytes(const System& s) {
  // Blocks, a triplet and its place in the order of rows, the entry itself.
  constexpr double kBytes = 12 + 16 + 8 + 12;
  return kBytes * explicit_values(s);
}

System with_blocks(const System& s) {
  System out = s;
  if (std::holds_alternative<Blocks>(s.A)) return out;
  if (out.dynamics) {
    // J and M^-1 J^T live in body space; without it they are kept as matrices.
    out.dynamics->generalized_jacobian = jacobian(s);
    out.dynamics->generalized_response =
        linear::SparseCholesky(s.dynamics->mass)
            .solve(SparseMatrix(out.dynamics->generalized_jacobian.transpose()));
  }
  out.A = to_blocks(s);
  return out;
}

System assemble(const SparseMatrix& A, const VectorXd& b, const VectorXd& mu, const VectorXd& lower,
                const VectorXd& upper) {
  System s;
  s.A = from_sparse(A, mu.size());
  s.b = b;
  s.mu = mu;
  s.lower = lower;
  s.upper = upper;
  return s;
}

std::optional<System> assemble(const Generalized& g, std::string& why) {
  const Index rows = 3 * g.mu.size() + g.lower.size();
  const Index nv = g.mass.rows();
  const VectorXd& motion = g.free_velocity.size() ? g.free_velocity : g.momentum;
  if (g.mass.cols() != nv || g.jacobian.cols() != nv || motion.size() != nv ||
      g.jacobian.rows() != rows || g.c.size() != rows || g.upper.size() != g.lower.size()) {
    why = "sizes of M, J, v, c and mu do not fit together";
    return std::nullopt;
  }
  const linear::SparseCholesky factor(g.mass);
  if (!factor.ok()) {
    why = "M is not symmetric positive definite";
    return std::nullopt;
  }
  Dynamics d;
  d.mass = g.mass;
  d.free_velocity = g.free_velocity.size() ? g.free_velocity : factor.solve(g.momentum);
  d.velocity = g.velocity.size() ? g.velocity : d.free_velocity;
  d.generalized_jacobian = g.jacobian;
  d.generalized_response = factor.solve(SparseMatrix(g.jacobian.transpose()));

  System s = assemble(SparseMatrix(g.jacobian * d.generalized_response),
                      g.jacobian * d.free_velocity + g.c, g.mu, g.lower, g.upper);
  s.c = g.c;
  s.step = g.step;
  s.dynamics = std::move(d);
  return s;
}

}  // namespace perpend
