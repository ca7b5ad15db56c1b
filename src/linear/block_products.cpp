#include "linear/block_products.hpp"

// Vectors are passed within this translation unit only, by functions that are inlined.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

#define PERPEND_INLINE inline __attribute__((always_inline))

namespace perpend::linear {
namespace {

using Two = double __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));

// Blocks are aligned for single numbers only.
template <class Vector>
PERPEND_INLINE Vector loaded(const double* p) {
  Vector out;
  __builtin_memcpy(&out, p, sizeof out);
  return out;
}
template <class Vector>
PERPEND_INLINE void stored(const Vector& v, double* p) {
  __builtin_memcpy(p, &v, sizeof v);
}

// A column of a block, in the vectors that base x86-64 has.
struct Column222 {
  Two a, b, c;

  static PERPEND_INLINE Column222 load(const double* p) {
    return {loaded<Two>(p), loaded<Two>(p + 2), loaded<Two>(p + 4)};
  }
  PERPEND_INLINE void store(double* p) const {
    stored(a, p);
    stored(b, p + 2);
    stored(c, p + 4);
  }
  PERPEND_INLINE void subtract(const Column222& column, double x) {
    const Two two{x, x};
    a -= column.a * two;
    b -= column.b * two;
    c -= column.c * two;
  }
};

// In those of AVX2.
struct Column42 {
  Four a;
  Two b;

  static PERPEND_INLINE Column42 load(const double* p) {
    return {loaded<Four>(p), loaded<Two>(p + 4)};
  }
  PERPEND_INLINE void store(double* p) const {
    stored(a, p);
    stored(b, p + 4);
  }
  PERPEND_INLINE void subtract(const Column42& column, double x) {
    a -= column.a * Four{x, x, x, x};
    b -= column.b * Two{x, x};
  }
};

template <class Column>
PERPEND_INLINE void subtract_all(Block6* c, const int* target, BlockRun a, BlockRun b, int count) {
  for (int i = 0; i < count; ++i) {
    const double* left = a.first[a.same ? 0 : i].data();
    const double* right = b.first[b.same ? 0 : i].data();
    double* out = c[target[i]].data();
    Column columns[6];
    for (int k = 0; k < 6; ++k) columns[k] = Column::load(left + 6 * k);
    for (int j = 0; j < 6; ++j) {
      Column sum = Column::load(out + 6 * j);
      for (int k = 0; k < 6; ++k) sum.subtract(columns[k], right[6 * j + k]);
      sum.store(out + 6 * j);
    }
  }
}

void subtract_base(Block6* c, const int* target, BlockRun a, BlockRun b, int count) {
  subtract_all<Column222>(c, target, a, b, count);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) void subtract_avx2(Block6* c, const int* target, BlockRun a,
                                                   BlockRun b, int count) {
  subtract_all<Column42>(c, target, a, b, count);
}
#else
constexpr auto subtract_avx2 = subtract_base;
#endif

}  // namespace

BlockKernel best_block_kernel() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") ? BlockKernel::avx2 : BlockKernel::base;
#else
  return BlockKernel::base;
#endif
}

void subtract_products(Block6* c, const int* target, BlockRun a, BlockRun b, int count,
                       BlockKernel kernel) {
  (kernel == BlockKernel::avx2 ? subtract_avx2 : subtract_base)(c, target, a, b, count);
}

}  // namespace perpend::linear

#undef PERPEND_INLINE
#pragma GCC diagnostic pop
