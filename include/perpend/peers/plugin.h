/* Solvers in a shared library: what `perpend --plugin LIB.so` loads.
 *
 * A plugin is a shared library with one function, perpend_plugin, which returns a table of solvers.
 * `perpend new-solver ncp/my-method` writes one that works, `perpend check-solver LIB.so` tests it,
 * and docs/plugins.md explains it. You need only this header. It is plain C, so you can use any
 * language and compiler that can export C functions.
 *
 * Rules: memory belongs to the side that allocated it and stays valid until `run` returns. Do not
 * throw exceptions out of `run`. Several processes may call `run` at once, but never two threads of
 * one process.
 */
#ifndef PERPEND_PLUGIN_H
#define PERPEND_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PERPEND_PLUGIN_ABI 1

/* A sparse matrix by rows: row i has the entries row_start[i] ... row_start[i + 1] - 1. */
typedef struct perpend_matrix {
  int64_t rows, columns;
  const int64_t* row_start; /* (rows + 1), null where the matrix is absent */
  const int64_t* column;
  const double* value;
} perpend_matrix;

/* One problem of a formulation (docs/formulations.md); z has `size` numbers.
 *
 * normal          0 <= z  perp  w = A z + b >= 0
 * box, ncp        z = (n, t, o impulses of each contact, then joint rows); y = A z + b; mu, and
 *                 lower, upper of the joint rows
 * mncp            z = (v, impulses as in ncp); mass (v - free_velocity) = jacobian' impulses;
 *                 A, b, mu, lower, upper as in ncp
 * lcp, mlcp       lower <= z <= upper, w = A z + b complementary to z
 */
typedef struct perpend_problem {
  const char* formulation;
  int64_t size;        /* unknowns */
  int64_t contacts;    /* box, ncp, mncp; else 0 */
  int64_t joint_rows;  /* box, ncp, mncp; else 0 */
  perpend_matrix A;    /* symmetric up to rounding in normal, box, ncp, mncp */
  const double* b;     /* (A.rows) */
  const double* mu;    /* (contacts) */
  const double* lower; /* (joint_rows), or (size) in normal, lcp and mlcp; may be -inf */
  const double* upper; /* the same; may be inf */
  /* (contacts, 2) an engine's fixed bounds of t and o, N s; infinite: mu times the normal impulse;
     null: none is fixed */
  const double* friction_bounds;
  double step; /* h, s; 0 when unknown */
  /* Absent if the source does not have them: */
  perpend_matrix mass;         /* of velocities */
  perpend_matrix jacobian;     /* (3 contacts + joint_rows) x velocities; A is jacobian mass^-1
                                  jacobian' and the compliance of springs on the diagonal */
  const double* free_velocity; /* (velocities) */
} perpend_problem;

enum perpend_status {
  PERPEND_STALLED = 1, /* no further progress */
  PERPEND_INFEASIBLE,  /* there is provably no solution */
  PERPEND_FAILED       /* the method broke down */
};
enum perpend_work { PERPEND_SWEEPS = 0, PERPEND_PRODUCTS, PERPEND_FACTORIZATIONS, PERPEND_PIVOTS };

/* What Perpend offers to a solver. Pass `host` as the first argument of each function. */
typedef struct perpend_host {
  void* host;
  const double* start; /* (size) where to begin: a warm start, or zeros */
  double tolerance;    /* you need not check it: `next` does */
  uint64_t seed;
  /* Call it after each iteration with the iterate. If it returns 0, stop and return. */
  int (*next)(void* host, const double* z);
  /* Call it if your method cannot go on. Never call it to report convergence: `next` finds out. */
  void (*finish)(void* host, int status, const char* why);
  void (*count)(void* host, int work, int64_t times);
  void (*path)(void* host, const char* path); /* if another method gave the answer */
  void (*restarted)(void* host);
  /* The largest row of this formulation's natural map at z, m/s. */
  double (*own_error)(void* host, const double* z);
  /* The value of one of your options: the user's or the default. */
  double (*number)(void* host, const char* option);
  const char* (*choice)(void* host, const char* option);
} perpend_host;

/* An option: a number between lowest and highest, or one of several words. */
typedef struct perpend_option {
  const char* name;
  const char* meaning;
  const char* fallback; /* the default */
  const char* choices;  /* "one,other"; null: a number */
  double lowest, highest;
} perpend_option;

typedef struct perpend_solver {
  const char* name; /* formulation/method, "ncp/my-method" */
  const char* title;
  const char* reference;
  int joints;                    /* 1: it accepts joint rows */
  const perpend_option* options; /* null when there are none */
  int64_t option_count;
  void (*run)(const perpend_problem*, const perpend_host*);
} perpend_solver;

typedef struct perpend_plugin_table {
  int64_t abi; /* PERPEND_PLUGIN_ABI */
  const perpend_solver* solvers;
  int64_t solver_count;
} perpend_plugin_table;

/* The one function of a plugin. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const perpend_plugin_table*
perpend_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
