// The inner loops of WideSweep: four contacts at a time. `Lanes` is one of wide.hpp.
#pragma once

#include <limits>

#include "solve/kit/wide_sweep.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace perpend {

// Four contacts. Lanes without one are zero, but for S, which is one: they are open.
struct WideSweep::Visit {
  using Stored = wide::Stored;
  Stored h1[3][6], h2[3][6];  // rows n, t, o of J C
  Stored b[3];
  Stored inverse_nn, v[2], s[2], inverse_s[2], mu;
  Stored weight;  // 1/rho
  Stored slide;   // a of the last sliding solve; 0: none
  Stored y[3], x[3], p[3];
};

namespace wide {

template <class Lanes>
struct Three {
  Lanes n, t, o;

  static PERPEND_INLINE Three load(const Stored (&s)[3]) {
    return {Lanes::load(s[0]), Lanes::load(s[1]), Lanes::load(s[2])};
  }
  PERPEND_INLINE void store(Stored (&s)[3]) const {
    n.store(s[0]);
    t.store(s[1]);
    o.store(s[2]);
  }
  PERPEND_INLINE Three operator+(const Three& b) const { return {n + b.n, t + b.t, o + b.o}; }
  PERPEND_INLINE Three operator-(const Three& b) const { return {n - b.n, t - b.t, o - b.o}; }
  PERPEND_INLINE Three operator*(const Lanes& b) const { return {n * b, t * b, o * b}; }
  PERPEND_INLINE Lanes dot(const Three& b) const { return n * b.n + (t * b.t + o * b.o); }
  static PERPEND_INLINE Three choose(const typename Lanes::Mask& where, const Three& yes,
                                     const Three& no) {
    return {Lanes::choose(where, yes.n, no.n), Lanes::choose(where, yes.t, no.t),
            Lanes::choose(where, yes.o, no.o)};
  }
};

// Newton steps for a sliding contact: from the a of its last visit, and from a guess. What they
// leave is mended at the next visit; the answer is on the cone in any case.
inline constexpr int kWarmSteps = 1, kColdSteps = 4;
inline constexpr int kProjections = 12;

// Exact Coulomb at x with the velocity u (wide_sweep.hpp).
template <class Lanes>
PERPEND_INLINE Three<Lanes> coulomb(WideSweep::Visit& k, const Three<Lanes>& x,
                                    const Three<Lanes>& u) {
  using Mask = typename Lanes::Mask;
  const Lanes zero = Lanes::all(0), one = Lanes::all(1);
  const Lanes v0 = Lanes::load(k.v[0]), v1 = Lanes::load(k.v[1]), mu = Lanes::load(k.mu);
  const Lanes c0 = u.t - v0 * u.n, c1 = u.o - v1 * u.n;
  const Lanes base = (x.n + (v0 * x.t + v1 * x.o)) - u.n * Lanes::load(k.inverse_nn);
  const Mask closed = base > zero;
  Three<Lanes> y;
  y.t = x.t - c0 * Lanes::load(k.inverse_s[0]);
  y.o = x.o - c1 * Lanes::load(k.inverse_s[1]);
  y.n = base - (v0 * y.t + v1 * y.o);
  const Lanes most = mu * y.n, square = y.t * y.t + y.o * y.o;
  const Mask slides = closed & ~((most >= zero) & (square <= most * most));
  if (slides.any()) {
    // |t(a)| = mu n(a), t(a) = -c/(S + a), n(a) = base - v.t(a): Newton on 1 - mu n/|t|, which is
    // nearly linear in a.
    const Lanes s0 = Lanes::load(k.s[0]), s1 = Lanes::load(k.s[1]), last = Lanes::load(k.slide);
    const Lanes full0 = c0 - s0 * x.t, full1 = c1 - s1 * x.o;
    const Mask rubs = slides & (mu > zero);
    Lanes a = last;
    int steps = kWarmSteps;
    if ((rubs & (last <= zero)).any()) {
      // As if S were a number: exact where it is.
      const Lanes mean = Lanes::all(0.5) * (s0 + s1);
      const Lanes guess = mean * (square.root() / most - one);
      a = Lanes::choose(last > zero, last,
                        Lanes::choose((most > zero) & (guess > zero), guess, mean));
      steps = kColdSteps;
    }
    for (int i = 0; i < steps; ++i) {
      const Lanes r0 = one / (s0 + a), r1 = one / (s1 + a);
      const Lanes t = -full0 * r0, o = -full1 * r1;
      const Lanes n = base - (v0 * t + v1 * o);
      const Lanes dt = -t * r0, d_o = -o * r1;
      const Lanes dn = -(v0 * dt + v1 * d_o);
      const Lanes length2 = t * t + o * o;
      const Lanes slope = mu * (n * (t * dt + o * d_o) - dn * length2);
      const Lanes next = a - (length2.root() - mu * n) * length2 / slope;
      // Not below zero, and not far beyond what was tried: also where next is no number.
      const Lanes far = Lanes::all(8) * (a + s0 + s1);
      a = Lanes::choose((next > zero) & (next < far), next,
                        Lanes::choose(length2.root() > mu * n, far, Lanes::all(0.125) * a));
    }
    Lanes::choose(rubs, a, last).store(k.slide);
    Three<Lanes> z;
    z.t = Lanes::choose(rubs, -full0 / (s0 + a), zero);
    z.o = Lanes::choose(rubs, -full1 / (s1 + a), zero);
    z.n = larger(base - (v0 * z.t + v1 * z.o), zero);
    // On the cone to the last bits: the direction from x_T(a), the length from x_N.
    const Lanes scale = mu * z.n / larger((z.t * z.t + z.o * z.o).root(), Lanes::all(1e-300));
    z.t = z.t * scale;
    z.o = z.o * scale;
    y = Three<Lanes>::choose(slides, z, y);
  }
  return Three<Lanes>::choose(closed, y, {zero, zero, zero});
}

// Associated cone with de Saxce's term of this visit, as LocalContact::associated; the step is one
// over the largest sum of a row, a bound of the largest eigenvalue.
template <class Lanes>
PERPEND_INLINE Three<Lanes> associated(const WideSweep::Visit& k, const Three<Lanes>& x,
                                       const Three<Lanes>& u) {
  using Mask = typename Lanes::Mask;
  const Lanes zero = Lanes::all(0), one = Lanes::all(1);
  const Lanes v0 = Lanes::load(k.v[0]), v1 = Lanes::load(k.v[1]), mu = Lanes::load(k.mu);
  const Lanes s0 = Lanes::load(k.s[0]), s1 = Lanes::load(k.s[1]);
  const Lanes inverse = Lanes::load(k.inverse_nn);
  const Mask real = inverse > zero;
  const Lanes nn = Lanes::choose(real, one / Lanes::choose(real, inverse, one), zero);
  const Lanes w0 = v0 * nn, w1 = v1 * nn;
  const Lanes cross = (v0 * w1).magnitude();
  const Lanes row_n = nn + w0.magnitude() + w1.magnitude();
  const Lanes row_t = s0 + v0 * w0 + cross + w0.magnitude();
  const Lanes row_o = s1 + v1 * w1 + cross + w1.magnitude();
  const Lanes step = one / larger(row_n, larger(row_t, row_o));
  const Lanes lift = mu * (u.t * u.t + u.o * u.o).root();
  const Lanes cone = one + mu * mu;
  Three<Lanes> y = x;
  Mask active = real;
  for (int i = 0; i < kProjections && active.any(); ++i) {
    const Three<Lanes> d = y - x;
    const Lanes change = nn * (d.n + (v0 * d.t + v1 * d.o));
    Three<Lanes> z;
    z.n = y.n - step * (u.n + lift + change);
    z.t = y.t - step * (u.t + (s0 * d.t + v0 * change));
    z.o = y.o - step * (u.o + (s1 * d.o + v1 * change));
    const Lanes length = (z.t * z.t + z.o * z.o).root();
    const Mask inside = length <= mu * z.n, polar = mu * length <= -z.n;
    const Lanes on_cone = (z.n + mu * length) / cone;
    const Lanes shrink = mu * on_cone / larger(length, Lanes::all(1e-300));
    const Three<Lanes> projected{on_cone, z.t * shrink, z.o * shrink};
    z = Three<Lanes>::choose(inside, z, Three<Lanes>::choose(polar, {zero, zero, zero}, projected));
    const Three<Lanes> moved = z - y;
    y = Three<Lanes>::choose(active, z, y);
    active = active & ~(moved.dot(moved) <= Lanes::all(1e-20) * z.dot(z));
  }
  return y;
}

// z of four bodies.
template <class Lanes>
PERPEND_INLINE void gather(const double* z, const std::int32_t* slots, Lanes (&out)[6]) {
  const double *a = z + 8 * slots[0], *b = z + 8 * slots[1], *c = z + 8 * slots[2],
               *d = z + 8 * slots[3];
  for (int k = 0; k < 6; ++k) out[k] = Lanes::of(a[k], b[k], c[k], d[k]);
}
template <class Lanes>
PERPEND_INLINE void scatter(double* z, const std::int32_t* slots, const Lanes (&in)[6]) {
  for (int lane = 0; lane < kLanes; ++lane) {
    double* to = z + 8 * slots[lane];
    for (int k = 0; k < 6; ++k) to[k] = in[k][lane];
  }
}

// z += H' d
template <class Lanes>
PERPEND_INLINE void push(const Stored (&h)[3][6], const Three<Lanes>& d, Lanes (&z)[6]) {
  for (int c = 0; c < 6; ++c)
    z[c] = z[c] +
           ((Lanes::load(h[0][c]) * d.n + Lanes::load(h[1][c]) * d.t) + Lanes::load(h[2][c]) * d.o);
}

struct ChunkOfQuads {
  const ColouredPairs::Quad *begin, *end;
  const std::int32_t *first, *second;  // slots of z, four to a quad
  WideSweep::Visit* visits;
  double* z;
};

template <class Lanes, bool kStep, bool kCoulomb>
PERPEND_INLINE WideSweep::Sums sweep_quads(const ChunkOfQuads& chunk, const WideSweep::Step& with) {
  const Lanes beta = Lanes::all(with.beta), keep = Lanes::all(with.keep);
  Lanes worst = Lanes::all(0), norm2 = worst, work = worst;
  const std::int32_t *first = chunk.first, *second = chunk.second;
  for (const ColouredPairs::Quad* q = chunk.begin; q != chunk.end;
       ++q, first += kLanes, second += kLanes) {
    Lanes z1[6], z2[6];
    gather(chunk.z, first, z1);
    gather(chunk.z, second, z2);
    for (std::int32_t i = q->begin; i < q->end; ++i) {
      WideSweep::Visit& k = chunk.visits[i];
      Three<Lanes> x = Three<Lanes>::load(k.y);
      if constexpr (kStep) {
        const Three<Lanes> e = Three<Lanes>::load(k.p) * beta;
        (e + (x - Three<Lanes>::load(k.x)) * keep).store(k.p);
        x = x + e;
      }
      x.store(k.x);
      Lanes u[3];
      for (int r = 0; r < 3; ++r) {
        Lanes one = Lanes::load(k.h1[r][0]) * z1[0], two = Lanes::load(k.h2[r][0]) * z2[0];
        for (int c = 1; c < 6; ++c) {
          one = one + Lanes::load(k.h1[r][c]) * z1[c];
          two = two + Lanes::load(k.h2[r][c]) * z2[c];
        }
        u[r] = Lanes::load(k.b[r]) + (one + two);
      }
      const Three<Lanes> at{u[0], u[1], u[2]};
      const Three<Lanes> y = kCoulomb ? coulomb(k, x, at) : associated(k, x, at);
      y.store(k.y);
      const Three<Lanes> d = y - x;
      push(k.h1, d, z1);
      push(k.h2, d, z2);
      const Three<Lanes> moved = d * Lanes::load(k.weight);
      worst = larger(moved.dot(moved), worst);
      norm2 = norm2 + d.dot(moved);
      work = work + y.dot(Three<Lanes>::load(k.b));
    }
    scatter(chunk.z, first, z1);
    scatter(chunk.z, second, z2);
  }
  return {std::sqrt(largest(worst)), sum(norm2), sum(work)};
}

template <class Lanes>
PERPEND_INLINE WideSweep::Sums sweep_quads(const ChunkOfQuads& chunk, const WideSweep::Step& with,
                                           bool steps, Local local) {
  if (local == Local::coulomb)
    return steps ? sweep_quads<Lanes, true, true>(chunk, with)
                 : sweep_quads<Lanes, false, true>(chunk, with);
  return steps ? sweep_quads<Lanes, true, false>(chunk, with)
               : sweep_quads<Lanes, false, false>(chunk, with);
}

}  // namespace wide
}  // namespace perpend

#pragma GCC diagnostic pop
