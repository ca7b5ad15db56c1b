#include "measure/rounding.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "measure/exact.hpp"
#include "measure/tangential.hpp"
#include "measure/units.hpp"
#include "system/blocks.hpp"

#define PERPEND_ALWAYS __attribute__((always_inline))
#define PERPEND_INLINE inline PERPEND_ALWAYS

namespace perpend {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLastSums = 12;  // six columns of each body

double gamma(double k) {
  const double ke = k * kEpsilon;
  return ke < 1 ? ke / (1 - ke) : kInfinity;
}

// What is off where `sum` in all is off by gamma_k of its magnitudes.
VectorXd off(const RowMagnitudes& a, const VectorXd& b, Sums sums) {
  VectorXd delta(b.size());
  for (Index i = 0; i < b.size(); ++i) {
    const double k = a.terms[i] + kLastSums, size = a.size[i] + b[i];
    const double g = gamma(k);
    delta[i] = (sums == Sums::plain ? g : kEpsilon / 2 + 4 * g * g) * size;
  }
  return delta;
}

// By bodies: |W| |lambda|, and the number of its terms where there are any.
struct BodySums {
  explicit BodySums(const BodySpace& a) : w(Rows6::Zero(a.bodies, 6)), terms(a.bodies) {
    terms.setZero();
  }
  template <class Six>
  void add(Index body, const Six& six, double count) {
    w.row(body) += six;
    terms[body] += count;
  }
  double at(Index first, Index second) const {
    const auto count = [&](Index body) {
      return (w.row(body).array() != 0).any() ? terms[body] : 0;
    };
    return std::max(count(first), count(second));
  }
  Rows6 w;
  VectorXd terms;
};

RowMagnitudes magnitudes(const BodySpace& a, const Impulses& lambda) {
  const Index contacts = static_cast<Index>(a.contacts.size());
  const Index rows = static_cast<Index>(a.joints.size());
  BodySums sums(a);
  for (Index i = 0; i < contacts; ++i) {
    const BodySpace::Contact& c = a.contacts[static_cast<std::size_t>(i)];
    const Eigen::RowVector3d size = lambda.segment<3>(3 * i).cwiseAbs();
    sums.add(c.first, (size * c.w1.cwiseAbs()).eval(), 3);
    sums.add(c.second, (size * c.w2.cwiseAbs()).eval(), 3);
  }
  for (Index j = 0; j < rows; ++j) {
    const double size = std::abs(lambda[3 * contacts + j]);
    for (const BodySpace::JointRow* q = &a.joints[static_cast<std::size_t>(j)]; q;
         q = a.other(*q)) {
      sums.add(q->first, (size * q->w1.cwiseAbs().transpose()).eval(), 1);
      sums.add(q->second, (size * q->w2.cwiseAbs().transpose()).eval(), 1);
    }
  }
  RowMagnitudes out{VectorXd(lambda.size()), VectorXd(lambda.size())};
  for (Index i = 0; i < contacts; ++i) {
    const BodySpace::Contact& c = a.contacts[static_cast<std::size_t>(i)];
    out.size.segment<3>(3 * i) = c.j1.cwiseAbs() * sums.w.row(c.first).transpose() +
                                 c.j2.cwiseAbs() * sums.w.row(c.second).transpose();
    out.terms.segment<3>(3 * i).setConstant(sums.at(c.first, c.second));
  }
  for (Index j = 0; j < rows; ++j) {
    double &size = out.size[3 * contacts + j], &terms = out.terms[3 * contacts + j];
    size = terms = 0;
    for (const BodySpace::JointRow* q = &a.joints[static_cast<std::size_t>(j)]; q;
         q = a.other(*q)) {
      size +=
          sums.w.row(q->first).dot(q->j1.cwiseAbs()) + sums.w.row(q->second).dot(q->j2.cwiseAbs());
      terms = std::max(terms, sums.at(q->first, q->second));
    }
  }
  if (a.cfm.size()) out.size += a.cfm.cwiseProduct(lambda.cwiseAbs());
  return out;
}

// Calls entry(row, column, value) for what is stored.
template <class Entry>
void for_each_entry(const Blocks& a, Entry entry) {
  for_each_block(a, [&](Index i, Index j, const double* v) {
    for (Index r = 0; r < a.dimension(i); ++r)
      for (Index c = 0; c < a.dimension(j); ++c)
        entry(a.first_row(i) + r, a.first_row(j) + c, v[r * a.dimension(j) + c]);
  });
}
template <class Entry>
void for_each_entry(const SparseMatrix& a, Entry entry) {
  for (Index i = 0; i < a.outerSize(); ++i)
    for (SparseMatrix::InnerIterator it(a, i); it; ++it) entry(i, it.col(), it.value());
}

template <class Explicit>
RowMagnitudes magnitudes(const Explicit& a, const VectorXd& x, Index rows) {
  RowMagnitudes out{VectorXd::Zero(rows), VectorXd::Zero(rows)};
  for_each_entry(a, [&](Index row, Index column, double value) {
    out.size[row] += std::abs(value * x[column]);
    ++out.terms[row];
  });
  return out;
}
RowMagnitudes magnitudes(const Blocks& a, const Impulses& lambda) {
  return magnitudes(a, lambda, lambda.size());
}

template <class Explicit>
VectorXd compensated(const Explicit& a, const VectorXd& x, const VectorXd& b) {
  std::vector<CompensatedSum> sums;
  sums.reserve(static_cast<std::size_t>(b.size()));
  for (const double start : b) sums.emplace_back(start);
  for_each_entry(a, [&](Index row, Index column, double value) {
    sums[static_cast<std::size_t>(row)].add_product(value, x[column]);
  });
  VectorXd y(b.size());
  for (Index i = 0; i < b.size(); ++i) y[i] = sums[static_cast<std::size_t>(i)].value();
  return y;
}

// The product of two numbers without loss, by splitting them and by a fused multiply-add: the same
// two numbers.
struct BySplitting {
  static PERPEND_INLINE Exact product(double x, double y) { return two_product(x, y); }
};
struct ByFusing {
  static PERPEND_INLINE Exact product(double x, double y) {
    const double rounded = x * y;
    return {rounded, __builtin_fma(x, y, -rounded)};
  }
};

template <class By>
PERPEND_INLINE VectorXd compensated_by(const BodySpace& a, const Impulses& lambda,
                                       const VectorXd& b) {
  const Index contacts = static_cast<Index>(a.contacts.size());
  const Index rows = static_cast<Index>(a.joints.size());
  std::vector<std::array<CompensatedSum, 6>> w(static_cast<std::size_t>(a.bodies));
  const auto push = [&](Index body, const auto& six, double impulse) PERPEND_ALWAYS {
    if (impulse == 0) return;
    for (Index k = 0; k < 6; ++k)
      if (six[k] != 0)
        w[static_cast<std::size_t>(body)][static_cast<std::size_t>(k)].add(
            By::product(six[k], impulse));
  };
  for (Index i = 0; i < contacts; ++i) {
    const BodySpace::Contact& c = a.contacts[static_cast<std::size_t>(i)];
    for (Index r = 0; r < 3; ++r) {
      push(c.first, c.w1.row(r), lambda[3 * i + r]);
      push(c.second, c.w2.row(r), lambda[3 * i + r]);
    }
  }
  for (Index j = 0; j < rows; ++j) {
    const double impulse = lambda[3 * contacts + j];
    for (const BodySpace::JointRow* q = &a.joints[static_cast<std::size_t>(j)]; q;
         q = a.other(*q)) {
      push(q->first, q->w1, impulse);
      push(q->second, q->w2, impulse);
    }
  }
  VectorXd y(b.size());
  const auto add = [&](CompensatedSum& sum, Index first, Index second, const auto& j1,
                       const auto& j2) PERPEND_ALWAYS {
    for (Index k = 0; k < 6; ++k) {
      const auto column = static_cast<std::size_t>(k);
      const CompensatedSum &w1 = w[static_cast<std::size_t>(first)][column],
                           &w2 = w[static_cast<std::size_t>(second)][column];
      if (j1[k] != 0) sum.add(By::product(j1[k], w1.high()), j1[k] * w1.low());
      if (j2[k] != 0) sum.add(By::product(j2[k], w2.high()), j2[k] * w2.low());
    }
  };
  const auto finish = [&](CompensatedSum& sum, Index row) PERPEND_ALWAYS {
    if (a.cfm.size()) sum.add(By::product(a.cfm[row], lambda[row]));
    y[row] = sum.value();
  };
  for (Index i = 0; i < contacts; ++i) {
    const BodySpace::Contact& c = a.contacts[static_cast<std::size_t>(i)];
    for (Index r = 0; r < 3; ++r) {
      CompensatedSum sum(b[3 * i + r]);
      add(sum, c.first, c.second, c.j1.row(r), c.j2.row(r));
      finish(sum, 3 * i + r);
    }
  }
  for (Index j = 0; j < rows; ++j) {
    CompensatedSum sum(b[3 * contacts + j]);
    for (const BodySpace::JointRow* q = &a.joints[static_cast<std::size_t>(j)]; q; q = a.other(*q))
      add(sum, q->first, q->second, q->j1, q->j2);
    finish(sum, 3 * contacts + j);
  }
  return y;
}

#if defined(__x86_64__)
__attribute__((target("fma"))) VectorXd compensated_fused(const BodySpace& a,
                                                          const Impulses& lambda,
                                                          const VectorXd& b) {
  return compensated_by<ByFusing>(a, lambda, b);
}
#endif

VectorXd compensated(const BodySpace& a, const Impulses& lambda, const VectorXd& b) {
#if defined(__x86_64__)
  static const bool fused = __builtin_cpu_supports("fma");
  if (fused) return compensated_fused(a, lambda, b);
#endif
  return compensated_by<BySplitting>(a, lambda, b);
}

// What b was summed from: |J| (|v| + h M^-1 |f|) + |c|, by |h M^-1 f| <= |v_free| + |v|, and what
// fixed bodies carry.
VectorXd terms_of_b(const System& s) {
  VectorXd size = s.b.cwiseAbs();
  if (s.c.size() == s.rows()) size += s.c.cwiseAbs();
  if (s.carried.size() == s.rows()) size += s.carried.cwiseAbs();
  if (!s.dynamics) return size;
  const Dynamics& d = *s.dynamics;
  VectorXd speed = d.free_velocity.cwiseAbs();
  if (d.velocity.size() == speed.size()) speed += 2 * d.velocity.cwiseAbs();
  const BodySpace* a = std::get_if<BodySpace>(&s.A);
  if (!a) {
    if (d.generalized_jacobian.rows() == s.rows())
      size += d.generalized_jacobian.cwiseAbs() * speed;
    return size;
  }
  const auto of = [&](Index body, const auto& six) -> double {
    const Index at = d.body_column[static_cast<std::size_t>(body)];
    return at < 0 ? 0 : six.dot(speed.segment<6>(at));
  };
  const Index contacts = s.contacts();
  for (Index i = 0; i < contacts; ++i) {
    const BodySpace::Contact& c = a->contacts[static_cast<std::size_t>(i)];
    for (Index r = 0; r < 3; ++r)
      size[3 * i + r] += of(c.first, c.j1.row(r).cwiseAbs().transpose()) +
                         of(c.second, c.j2.row(r).cwiseAbs().transpose());
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const BodySpace::JointRow* q = &a->joints[static_cast<std::size_t>(j)];
    for (; q; q = a->other(*q))
      size[3 * contacts + j] += of(q->first, q->j1.cwiseAbs()) + of(q->second, q->j2.cwiseAbs());
  }
  return size;
}

}  // namespace

double RowMagnitudes::least() const {
  double most = 0;
  for (Index i = 0; i < size.size(); ++i)
    most = std::max(most, gamma(terms[i] + kLastSums) * size[i]);
  return most;
}

RowMagnitudes row_magnitudes(const System& s, const Impulses& lambda) {
  return std::visit([&](const auto& a) { return magnitudes(a, lambda); }, s.A);
}

VectorXd velocity_rounding(const System& s, const RowMagnitudes& sizes, Sums sums) {
  return off(sizes, sums == Sums::plain ? terms_of_b(s) : s.b.cwiseAbs().eval(), sums);
}

VectorXd velocity_rounding(const System& s, const Impulses& lambda, Sums sums) {
  return velocity_rounding(s, row_magnitudes(s, lambda), sums);
}

RoundedVelocity rounded_velocity(const System& s, const Impulses& lambda, Sums sums) {
  VectorXd y = sums == Sums::plain
                   ? relative_velocity(s, lambda)
                   : std::visit([&](const auto& a) { return compensated(a, lambda, s.b); }, s.A);
  return {std::move(y), velocity_rounding(s, lambda, sums)};
}

RoundedVelocity rounded_product(const SparseMatrix& A, const VectorXd& z, const VectorXd& b,
                                Sums sums) {
  VectorXd w = sums == Sums::plain ? VectorXd(A * z + b) : compensated(A, z, b);
  return {std::move(w), off(magnitudes(A, z, b.size()), b.cwiseAbs(), sums)};
}

Bounded rounded_row(double w, double delta, double least, double most) {
  const double e = std::abs(w < least ? least : w > most ? most : w);
  // At a bound with room to spare nothing of w is in e.
  if (w + delta <= least || w - delta >= most) return {e, kResidualRounding * e};
  return {e, delta + kResidualRounding * (std::abs(w) + e)};
}

double contact_rounding(double residual, const Vector3d& u, const Vector3d& delta, double mu) {
  const double hat = length({u[0] + mu * tangential(u[1], u[2]), u[1], u[2]});
  return (1 + mu) * length(delta) + kResidualRounding * (hat + residual);
}

namespace {

// `masses`: effective ones of the rows.
Bounded bounded_error(const System& s, const Impulses& lambda, const RoundedVelocity& v,
                      const VectorXd& masses) {
  if (!lambda.allFinite() || !v.y.allFinite()) return {kInfinity, kInfinity};
  Bounded worst;
  const auto take = [&](const Bounded& row) {
    worst.error = std::isnan(row.error) ? kInfinity : std::max(worst.error, row.error);
    worst.rounding = std::isnan(row.rounding) ? kInfinity : std::max(worst.rounding, row.rounding);
  };
  using namespace measure_terms;
  for_each_unit(s, lambda, v.y, [&](const Unit& unit) {
    double normal = 0;
    for (const Index k : unit.faces) normal = std::max(normal, v.delta[3 * k]);
    for_each_face(unit, lambda, v.y, [&](Index i, const Vector3d& impulse, const Vector3d& u) {
      // Nothing pushes and it opens: no rounding can make it close.
      if (impulse.isZero(0) && u[0] > normal) return;
      const Vector3d delta(normal, v.delta[3 * i + 1], v.delta[3 * i + 2]);
      const double e = coulomb_error(impulse, u, s.mu[i], masses[3 * i]);
      take({e, contact_rounding(e, u, delta, s.mu[i])});
    });
  });
  const Index first = 3 * s.contacts();
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const double rho = masses[first + j], l = lambda[first + j];
    take(rounded_row(v.y[first + j], v.delta[first + j], (l - s.upper[j]) / rho,
                     (l - s.lower[j]) / rho));
  }
  return worst;
}

}  // namespace

Bounded bounded_velocity_error(const System& s, const Impulses& lambda, Sums sums) {
  return bounded_error(s, lambda, rounded_velocity(s, lambda, sums), effective_masses(s));
}

Bounded bounded_velocity_error(const System& s, const Impulses& lambda, const RowMagnitudes& sizes,
                               const VectorXd& masses) {
  const auto exact = [&](const auto& a) { return compensated(a, lambda, s.b); };
  return bounded_error(
      s, lambda, {std::visit(exact, s.A), velocity_rounding(s, sizes, Sums::compensated)}, masses);
}

}  // namespace perpend

#undef PERPEND_INLINE
#undef PERPEND_ALWAYS
