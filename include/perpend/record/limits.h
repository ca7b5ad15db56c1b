/* What the numbers of a frame may be: the rules of docs/format.md that the writer (check.h) and the
 * readers of files (src/frame/frame.cpp, src/io/) share. C99 or C++.
 */
#ifndef PERPEND_RECORD_LIMITS_H
#define PERPEND_RECORD_LIMITS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Beyond these, squares and their products leave the range of numbers, and errors vanish or become
 * infinite. The messages below repeat them. */
#define PERPEND_RECORD_LIGHTEST 1e-140 /* kg, kg m^2 */
#define PERPEND_RECORD_HEAVIEST 1e140
#define PERPEND_RECORD_LONGEST 1e70 /* m */
/* Of unit vectors, of quaternions and of the symmetry of an inertia. */
#define PERPEND_RECORD_TOLERANCE 1e-6

static inline double perpend_record_dot(const double* a, const double* b, int size) {
  double sum = 0;
  int i;
  for (i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

/* False for NaN, as everything here. */
static inline int perpend_record_is_unit(const double* v, int size) {
  return fabs(sqrt(perpend_record_dot(v, v, size)) - 1) <= PERPEND_RECORD_TOLERANCE;
}

static inline int perpend_record_is_within(const double* v, int size, double limit) {
  int i;
  for (i = 0; i < size; ++i)
    if (!(fabs(v[i]) <= limit)) return 0;
  return 1;
}

/* Lowest and highest impulse of a joint row. */
static inline int perpend_record_is_range(const double* bound) {
  return bound[0] <= bound[1] && bound[0] < HUGE_VAL && bound[1] > -HUGE_VAL;
}

/* Numbers of rows that add up to the total. They may be hostile: no sum of them is computed. */
static inline int perpend_record_add_up(const int64_t* rows, int64_t count, int64_t total) {
  int64_t i;
  for (i = 0; i < count; ++i) {
    if (rows[i] < 0 || rows[i] > total) return 0;
    total -= rows[i];
  }
  return total == 0;
}

/* The following return what is wrong, or NULL. */

static inline const char* perpend_record_wrong_mass(double mass) {
  if (!isfinite(mass)) return "is not finite";
  if (mass < 0) return "is negative";
  return mass == 0 || (mass >= PERPEND_RECORD_LIGHTEST && mass <= PERPEND_RECORD_HEAVIEST)
             ? NULL
             : "is outside 1e-140 to 1e140 kg";
}

/* m: 3x3. By the pivots of its Cholesky factors. */
static inline const char* perpend_record_wrong_inertia(const double* m) {
  const char* indefinite = "is not symmetric positive definite";
  double largest = 0, pivot[3], l10, l20, l21;
  int i;
  for (i = 0; i < 9; ++i) {
    if (!isfinite(m[i])) return indefinite;
    if (fabs(m[i]) > largest) largest = fabs(m[i]);
  }
  if (!(fabs(m[1] - m[3]) <= PERPEND_RECORD_TOLERANCE * largest &&
        fabs(m[2] - m[6]) <= PERPEND_RECORD_TOLERANCE * largest &&
        fabs(m[5] - m[7]) <= PERPEND_RECORD_TOLERANCE * largest))
    return indefinite;
  pivot[0] = m[0];
  l10 = m[3] / pivot[0];
  l20 = m[6] / pivot[0];
  pivot[1] = m[4] - l10 * m[3];
  l21 = (m[7] - l20 * m[3]) / pivot[1];
  pivot[2] = m[8] - l20 * m[6] - l21 * l21 * pivot[1];
  for (i = 0; i < 3; ++i)
    if (!(pivot[i] > 0)) return indefinite;
  for (i = 0; i < 3; ++i)
    if (!(pivot[i] >= PERPEND_RECORD_LIGHTEST && largest <= PERPEND_RECORD_HEAVIEST))
      return "is outside 1e-140 to 1e140 kg m^2";
  return NULL;
}

/* t and o beside the normal. */
static inline const char* perpend_record_wrong_tangents(const double* n, const double* t) {
  const double* o = t + 3;
  const double wrong[5] = {perpend_record_dot(t, t, 3) - 1, perpend_record_dot(o, o, 3) - 1,
                           perpend_record_dot(t, o, 3), perpend_record_dot(t, n, 3),
                           perpend_record_dot(o, n, 3)};
  return perpend_record_is_within(wrong, 5, PERPEND_RECORD_TOLERANCE)
             ? NULL
             : "is not orthonormal to the normal";
}

static inline const char* perpend_record_wrong_lever(const double* r) {
  return perpend_record_is_within(r, 3, PERPEND_RECORD_LONGEST)
             ? NULL
             : "is farther than 1e70 m from the centre of mass";
}

static inline const char* perpend_record_wrong_jacobian(const double* row) {
  return perpend_record_is_within(row, 12, PERPEND_RECORD_LONGEST) ? NULL
                                                                   : "has an entry above 1e70";
}

#endif
