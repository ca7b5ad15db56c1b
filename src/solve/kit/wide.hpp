// Four doubles at once, with the compiler's own vectors: as one vector, for functions compiled for
// AVX2, and as two, which base x86-64 has registers for. Every operation rounds once and lane by
// lane, and nothing is fused (-ffp-contract=off): both give the bits of scalar code.
#pragma once

#include <Eigen/Core>  // brings the intrinsics of SSE2 where there are any
#include <cmath>
#include <cstdint>

// Vectors are passed within one translation unit only, by functions that are inlined.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

#define PERPEND_INLINE inline __attribute__((always_inline))

namespace perpend::wide {

inline constexpr int kLanes = 4;

// What is kept in memory.
struct alignas(32) Stored {
  double lane[kLanes];
};

using Two = double __attribute__((vector_size(16)));
using TwoBits = std::int64_t __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));
using FourBits = std::int64_t __attribute__((vector_size(32)));

PERPEND_INLINE Two root(const Two& a) {
#ifdef EIGEN_VECTORIZE_SSE2
  return _mm_sqrt_pd(a);  // without the check for errno
#else
  return Two{std::sqrt(a[0]), std::sqrt(a[1])};
#endif
}
PERPEND_INLINE Two choose(const TwoBits& where, const Two& yes, const Two& no) {
  return reinterpret_cast<Two>((reinterpret_cast<TwoBits>(yes) & where) |
                               (reinterpret_cast<TwoBits>(no) & ~where));
}
PERPEND_INLINE Four choose(const FourBits& where, const Four& yes, const Four& no) {
  return reinterpret_cast<Four>((reinterpret_cast<FourBits>(yes) & where) |
                                (reinterpret_cast<FourBits>(no) & ~where));
}
PERPEND_INLINE bool any(const TwoBits& m) {
#ifdef EIGEN_VECTORIZE_SSE2
  return _mm_movemask_pd(reinterpret_cast<Two>(m)) != 0;
#else
  return (m[0] | m[1]) != 0;
#endif
}

// As one vector.
struct One4 {
  struct Mask {
    FourBits m;
    PERPEND_INLINE Mask operator&(const Mask& b) const { return {m & b.m}; }
    PERPEND_INLINE Mask operator~() const { return {~m}; }
    PERPEND_INLINE bool any() const { return wide::any(TwoBits{m[0], m[1]} | TwoBits{m[2], m[3]}); }
  };
  Four v;

  static PERPEND_INLINE One4 all(double x) { return {Four{x, x, x, x}}; }
  static PERPEND_INLINE One4 of(double a, double b, double c, double d) {
    return {Four{a, b, c, d}};
  }
  static PERPEND_INLINE One4 load(const Stored& s) {
    return {*reinterpret_cast<const Four*>(s.lane)};
  }
  PERPEND_INLINE void store(Stored& s) const { *reinterpret_cast<Four*>(s.lane) = v; }
  PERPEND_INLINE double operator[](int lane) const { return v[lane]; }
  PERPEND_INLINE One4 operator+(const One4& b) const { return {v + b.v}; }
  PERPEND_INLINE One4 operator-(const One4& b) const { return {v - b.v}; }
  PERPEND_INLINE One4 operator*(const One4& b) const { return {v * b.v}; }
  PERPEND_INLINE One4 operator/(const One4& b) const { return {v / b.v}; }
  PERPEND_INLINE One4 operator-() const { return {-v}; }
  PERPEND_INLINE Mask operator<(const One4& b) const { return {v < b.v}; }
  PERPEND_INLINE Mask operator>(const One4& b) const { return {v > b.v}; }
  PERPEND_INLINE Mask operator<=(const One4& b) const { return {v <= b.v}; }
  PERPEND_INLINE Mask operator>=(const One4& b) const { return {v >= b.v}; }
  static PERPEND_INLINE One4 choose(const Mask& where, const One4& yes, const One4& no) {
    return {wide::choose(where.m, yes.v, no.v)};
  }
  PERPEND_INLINE One4 root() const {
    const Two low = wide::root(Two{v[0], v[1]}), high = wide::root(Two{v[2], v[3]});
    return {Four{low[0], low[1], high[0], high[1]}};
  }
  PERPEND_INLINE One4 magnitude() const {
    return {reinterpret_cast<Four>(reinterpret_cast<FourBits>(v) & INT64_MAX)};
  }
};

// As two.
struct Two4 {
  struct Mask {
    TwoBits low, high;
    PERPEND_INLINE Mask operator&(const Mask& b) const { return {low & b.low, high & b.high}; }
    PERPEND_INLINE Mask operator~() const { return {~low, ~high}; }
    PERPEND_INLINE bool any() const { return wide::any(low | high); }
  };
  Two low, high;

  static PERPEND_INLINE Two4 all(double x) { return {Two{x, x}, Two{x, x}}; }
  static PERPEND_INLINE Two4 of(double a, double b, double c, double d) {
    return {Two{a, b}, Two{c, d}};
  }
  static PERPEND_INLINE Two4 load(const Stored& s) {
    return {*reinterpret_cast<const Two*>(s.lane), *reinterpret_cast<const Two*>(s.lane + 2)};
  }
  PERPEND_INLINE void store(Stored& s) const {
    *reinterpret_cast<Two*>(s.lane) = low;
    *reinterpret_cast<Two*>(s.lane + 2) = high;
  }
  PERPEND_INLINE double operator[](int lane) const { return lane < 2 ? low[lane] : high[lane - 2]; }
  PERPEND_INLINE Two4 operator+(const Two4& b) const { return {low + b.low, high + b.high}; }
  PERPEND_INLINE Two4 operator-(const Two4& b) const { return {low - b.low, high - b.high}; }
  PERPEND_INLINE Two4 operator*(const Two4& b) const { return {low * b.low, high * b.high}; }
  PERPEND_INLINE Two4 operator/(const Two4& b) const { return {low / b.low, high / b.high}; }
  PERPEND_INLINE Two4 operator-() const { return {-low, -high}; }
  PERPEND_INLINE Mask operator<(const Two4& b) const { return {low < b.low, high < b.high}; }
  PERPEND_INLINE Mask operator>(const Two4& b) const { return {low > b.low, high > b.high}; }
  PERPEND_INLINE Mask operator<=(const Two4& b) const { return {low <= b.low, high <= b.high}; }
  PERPEND_INLINE Mask operator>=(const Two4& b) const { return {low >= b.low, high >= b.high}; }
  static PERPEND_INLINE Two4 choose(const Mask& where, const Two4& yes, const Two4& no) {
    return {wide::choose(where.low, yes.low, no.low), wide::choose(where.high, yes.high, no.high)};
  }
  PERPEND_INLINE Two4 root() const { return {wide::root(low), wide::root(high)}; }
  PERPEND_INLINE Two4 magnitude() const {
    return {reinterpret_cast<Two>(reinterpret_cast<TwoBits>(low) & INT64_MAX),
            reinterpret_cast<Two>(reinterpret_cast<TwoBits>(high) & INT64_MAX)};
  }
};

template <class Lanes>
PERPEND_INLINE Lanes larger(const Lanes& a, const Lanes& b) {
  return Lanes::choose(a > b, a, b);
}
// Of a fixed order.
template <class Lanes>
PERPEND_INLINE double sum(const Lanes& a) {
  return (a[0] + a[1]) + (a[2] + a[3]);
}
template <class Lanes>
PERPEND_INLINE double largest(const Lanes& a) {
  const double x = a[0] > a[1] ? a[0] : a[1], y = a[2] > a[3] ? a[2] : a[3];
  return x > y ? x : y;
}

}  // namespace perpend::wide

#pragma GCC diagnostic pop
