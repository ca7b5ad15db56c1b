/* perpend_record.h: writes Perpend's standard file (docs/format.md) from any engine.
 *
 * C99 or C++. You need this header, the folder perpend/record beside it, and HDF5's C library (1.10
 * or newer). In one source file write
 *
 *     #define PERPEND_RECORD_IMPLEMENTATION
 *     #include <perpend_record.h>
 *
 * and link hdf5. In other files include it without the macro; that does not include HDF5. Then
 *
 *     perpend_record file;
 *     perpend_record_header header = {0};
 *     header.engine = "my engine";
 *     if (perpend_record_open(&file, "run.h5", &header)) complain(file.message);
 *     ...
 *     perpend_record_frame frame = {0};          once per step, after the engine has solved it
 *     frame.step = h;
 *     frame.bodies.count = n;
 *     frame.bodies.masses = masses;  ...         what stays NULL is absent
 *     if (perpend_record_add(&file, &frame)) complain(file.message);
 *     ...
 *     if (perpend_record_close(&file)) complain(file.message);
 *
 * World coordinates, SI units, row-major arrays. The normal points away from the surface of the
 * first body, towards the second. Impulses push the second body along n, t, o and the first the
 * other way. If the normals of your engine point the other way, negate normals and tangents and
 * keep the impulses.
 *
 * If your program is killed, or (on POSIX systems) the disk is full, the file has all frames except
 * those of the last second. `perpend repair FILE` makes it a normal file. HDF5 is not thread-safe:
 * call these functions from one thread at a time.
 */
#ifndef PERPEND_RECORD_H
#define PERPEND_RECORD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What every function returns. The message names the file, the frame and the field: "run.h5: frame
 * 12: contacts/normals row 3 is not a unit vector". */
enum {
  PERPEND_RECORD_OK = 0,
  PERPEND_RECORD_INVALID = 1, /* bad input; this frame is not written, you can go on */
  PERPEND_RECORD_FILE = 2,    /* the file cannot be written; the frames so far are safe */
  PERPEND_RECORD_MEMORY = 3   /* out of memory; this frame is not written, you can go on */
};

/* NULL means an empty text. */
typedef struct perpend_record_header {
  const char *engine, *engine_version;
  const char* scene;
  const char* friction_model; /* NULL: "coulomb" */
  const char* omitted;        /* what your engine cannot record */
  const char* stepper;        /* "st" or "ap"; NULL: "st" (docs/format.md) */
  int64_t scalar_bytes;       /* 4 or 8, precision of the engine; 0: 8 */
  const char* answerers;      /* solvers that may have answered a frame, one per line */
  int64_t format_version;     /* that its columns need (docs/format.md); 0: 1 */
} perpend_record_header;

/* One time step. Sizes are in brackets. Columns after "optional" may be NULL, the others only if
 * their count is 0. docs/format.md describes each column under the same name. If bodies.ids is
 * NULL, ids are 0, 1, 2, ...; if there is z but no tangents, they are made by the rule of that
 * page. perpend_record_add copies everything. scripts/columns.py writes these members. */
typedef struct perpend_record_frame {
  /* clang-format off */
  double step; /* s, h */
  double time; /* s, at the beginning of the step */
  struct {
    int64_t count;             /* n */
    const int64_t* ids;        /* (n) unique in the frame; `pairs` name bodies by it */
    const double* masses;      /* (n) kg, 0: fixed; its force and inertia are not read */
    const double* inertia;     /* (n, 3, 3) kg m^2, world axes, about the centre of mass */
    const double* positions;   /* (n, 3) m, centre of mass */
    const double* quaternions; /* (n, 4) orientation w, x, y, z; unit */
    const double* velocities;  /* (n, 6) m/s, rad/s, before the step; linear, angular */
    /* (n, 6) N, N m, external force and torque, gravity and gyroscopic terms included */
    const double* forces;
    /* optional */
    const double* velocities_plus; /* (n, 6) m/s, rad/s, after the step: the engine's result */
  } bodies;
  struct {
    int64_t count;         /* m */
    const int64_t* pairs;  /* (m, 2) ids of the first and second body */
    const double* normals; /* (m, 3) n: unit, away from the surface of the first body */
    const double* points;  /* (m, 3) m, r1: from the centre of mass of the first body */
    const double* gap;     /* (m) m, psi: signed distance */
    const double* mu;      /* (m) coefficient of friction */
    /* optional */
    /* (m, 3) m, r2: from the centre of mass of the second body; else r2 = x1 + r1 + psi n - x2 */
    const double* points2;
    const double* tangents;     /* (m, 6) t and o, unit, orthogonal; always there when z is */
    const double* restitution;  /* (m) e, 0 to 1; else 0 */
    const double* cfm;          /* (m, 3) 1/kg, compliance the engine adds to rows n, t, o */
    const double* bias;         /* (m, 3) m/s, the engine's c of rows n, t, o */
    /* (m, 2) N s, the engine's fixed bounds of friction along t and o; inf: mu lambda_n */
    const double* friction_bounds;
    const int64_t* ids;         /* (m) to follow a contact from frame to frame */
    /* (m) contacts that share a group >= 0 are alternatives; negative: ordinary */
    const int64_t* group;
    const double* rolling_mu;   /* (m) m, recorded, not modelled */
    const double* torsional_mu; /* (m) m, recorded, not modelled */
    const double* push;         /* (m) m, the gap that the step was asked for in place of psi */
    /* (m, 3) m/s, s: of the second surface relative to the first, beside the bodies' motion (a
     * belt); else 0 */
    const double* surface_velocity;
  } contacts;
  struct {
    int64_t count;           /* k joints */
    int64_t row_count;       /* r rows of all of them */
    const int64_t* pairs;    /* (k, 2) ids of the first and second body */
    /* (k) number of rows of the joint; joint rows are stored joint by joint */
    const int64_t* rows;
    /* (r, 12) six columns for the first body of the joint, six for the second */
    const double* jacobian;
    /* (r, 2) N s, lowest and highest impulse; -inf, inf bilateral; 0, inf a limit; -tau h, tau h
     * a motor */
    const double* bounds;
    const double* violation; /* (r) m or rad, Phi; for a limit the distance to it */
    /* optional */
    /* (r) m/s or rad/s, dPhi/dt; a motor's target speed is -rate; else 0 */
    const double* rate;
    /* (r) 1/kg or 1/(kg m^2), of springs, dampers and servos: compliance * lambda is part of the
     * row's velocity; else 0 */
    const double* compliance;
    const double* cfm;       /* (r) 1/kg, compliance the engine adds to the diagonal */
    const double* bias;      /* (r) m/s, the engine's c of the row */
    /* (k) which joint it is: one of `/model/joint_ids`; negative: none of them */
    const int64_t* ids;
    /* (k, 2) second pair of bodies, of a joint that follows another; else as in `pairs` */
    const int64_t* pairs2;
    const double* jacobian2; /* (r, 12) of `pairs2`: six columns for each body; else 0 */
  } constraints;
  struct { /* optional: what the engine answered */
    const double* z;              /* (m, 3) N s, impulses along n, t, o on the second body */
    const double* z_joints;       /* (r) N s, impulses of the joint rows */
    const int8_t* slide_or_stick; /* (m) 0 open, 1 stick, 2 slide */
    const int64_t* iterations;    /* (1) of the engine's solver; negative: unknown */
    /* (1) who answered: a line of the root attribute `answerers`, from 0; negative: unknown */
    const int64_t* answered;
  } solution;
  struct { /* optional; 0: unknown */
    double collision;   /* s, finding the contacts */
    double formulation; /* s, building the problem */
    double solver;      /* s, solving it */
    double total;       /* s, the whole step */
  } timing;
  struct { /* optional, in place of bodies and contacts: generalized coordinates; or A, b, mu */
    int64_t coordinates;
    int64_t contacts;
    int64_t joint_rows;
    int64_t M_entries;
    int64_t J_entries;
    int64_t A_entries;
    const int64_t* M_rows;    /* (coordinates) number of entries of each row */
    const int64_t* M_columns; /* (M_entries) column of each entry, from 0 */
    const int64_t* J_rows;    /* (3 contacts + joint_rows) number of entries of each row */
    const int64_t* J_columns; /* (J_entries) column of each entry, from 0 */
    const int64_t* A_rows;    /* (3 contacts + joint_rows) number of entries of each row */
    const int64_t* A_columns; /* (A_entries) column of each entry, from 0 */
    /* (M_entries) kg, kg m^2, mass matrix of the generalized coordinates */
    const double* M_values;
    /* (J_entries) Jacobian: rows n, t, o of each contact, then joint rows */
    const double* J_values;
    const double* A_values;   /* (A_entries) 1/kg, J M^-1 J^T, where M and J are not known */
    const double* v;          /* (coordinates) m/s, rad/s, generalized velocities before the step */
    const double* f;          /* (coordinates) N, N m, generalized forces */
    const double* b;          /* (3 contacts + joint_rows) m/s, y = A lambda + b */
    const double* mu;         /* (contacts) coefficient of friction */
    /* (joint_rows, 2) N s, lowest and highest impulse of the joint rows */
    const double* bounds;
  } system;
  struct { /* optional: names and shapes of bodies and joints; given again, they are left out */
    int64_t body_count;
    int64_t shape_count;
    int64_t vertex_count;
    int64_t triangle_count;
    int64_t joint_count;
    const int64_t* body_ids;        /* (body_count) as in `/bodies/ids` */
    const char* const* body_names;  /* (body_count) of at most 64 bytes */
    /* (vertex_count, 3) m, of hulls and meshes, in the frame of the shape */
    const double* vertices;
    /* (triangle_count, 3) three vertices, from 0 for the first one of the shape; counter-
     * clockwise from outside */
    const int64_t* triangles;
    const int64_t* shape_bodies;    /* (shape_count) id of its body, which may have several */
    /* (shape_count) 0 box, 1 sphere, 2 cylinder, 3 cone, 4 capsule, 5 hull, 6 mesh, 7 plane */
    const int8_t* shape_kinds;
    /* (shape_count, 7) m, position and quaternion w, x, y, z relative to the body's */
    const double* shape_poses;
    /* (shape_count, 3) m, half extents of a box; radius; radius and height, of a capsule between
     * its caps; else 0 */
    const double* shape_sizes;
    /* (shape_count, 4) hull, mesh: first vertex, their number, first triangle, their number;
     * else 0 */
    const int64_t* shape_meshes;
    const int64_t* joint_ids;       /* (joint_count) as in `/constraints/ids` */
    const char* const* joint_names; /* (joint_count) of at most 64 bytes */
  } model;
  /* clang-format on */
} perpend_record_frame;

typedef struct perpend_record {
  char message[512];                   /* why the last call failed, or empty */
  struct perpend_record_state* inside; /* NULL: not open */
} perpend_record;

/* Makes the file. It replaces an existing one, unless that is being written or its writer was
 * killed. */
int perpend_record_open(perpend_record*, const char* path, const perpend_record_header*);
/* Adds one frame. It is safe after the next flush, which happens by itself about every second. */
int perpend_record_add(perpend_record*, const perpend_record_frame*);
int perpend_record_flush(perpend_record*);
/* Flushes, closes and frees memory. The message stays. You may call it if nothing is open. */
int perpend_record_close(perpend_record*);

#ifdef __cplusplus
}
#endif
#endif /* PERPEND_RECORD_H */

#if defined(PERPEND_RECORD_IMPLEMENTATION) && !defined(PERPEND_RECORD_IMPLEMENTED)
#define PERPEND_RECORD_IMPLEMENTED
#include "perpend/record/file.h"
#endif
