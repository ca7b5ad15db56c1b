/* The datasets that perpend_record.h writes, in the order of src/io/columns.cpp, from which
 * scripts/columns.py makes them. A part of its implementation. */
#ifndef PERPEND_RECORD_COLUMNS_H
#define PERPEND_RECORD_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "perpend_record.h"

/* What the rows of a dataset count. The first four are in /frames/offsets, the next seven in
 * /system/offsets. */
enum {
  PERPEND_RECORD_BODY,
  PERPEND_RECORD_JOINT,
  PERPEND_RECORD_JOINT_ROW,
  PERPEND_RECORD_CONTACT,
  PERPEND_RECORD_COORDINATE,
  PERPEND_RECORD_SYSTEM_ROW,
  PERPEND_RECORD_SYSTEM_CONTACT,
  PERPEND_RECORD_SYSTEM_JOINT_ROW,
  PERPEND_RECORD_M_ENTRY,
  PERPEND_RECORD_J_ENTRY,
  PERPEND_RECORD_A_ENTRY,
  PERPEND_RECORD_FRAME,
  /* Of the file: rows are added, not offset. */
  PERPEND_RECORD_MODEL_BODY,
  PERPEND_RECORD_SHAPE,
  PERPEND_RECORD_VERTEX,
  PERPEND_RECORD_TRIANGLE,
  PERPEND_RECORD_MODEL_JOINT,
  PERPEND_RECORD_ALL_COUNTS,
  PERPEND_RECORD_FRAME_COUNTS = 4,
  PERPEND_RECORD_SYSTEM_COUNTS = 7,
  PERPEND_RECORD_COUNTS = 11
};

enum { PERPEND_RECORD_NAME_BYTES = 64 };

/* Allowed values of a column: any number; finite; finite and not negative; 0 to 1; not negative,
 * maybe infinite. Integers are not checked here. */
enum {
  PERPEND_RECORD_ANY,
  PERPEND_RECORD_FINITE,
  PERPEND_RECORD_SIZE,
  PERPEND_RECORD_SHARE,
  PERPEND_RECORD_BOUND
};

typedef struct perpend_record_column {
  const char* name;
  char type;     /* d double, i int64, b int8, s text of NAME_BYTES */
  char optional; /* 'o'; 'm' mandatory; 'v' a double in the frame itself, 't' one that may be 0 */
  int counted_by;
  int width, width2; /* of a row: 0, 0 one number; 3, 0; 3, 3 */
  int values;        /* the allowed values, see above */
  size_t member;     /* offset of its pointer in the frame */
} perpend_record_column;

#define PERPEND_RECORD_AT(member) offsetof(perpend_record_frame, member)
#define PERPEND_RECORD_ROW(name, type, optional, count, width, width2, values)             \
  {                                                                                        \
#name, type, optional, PERPEND_RECORD_##count, width, width2, PERPEND_RECORD_##values, \
        PERPEND_RECORD_AT(name)                                                            \
  }
#define PERPEND_RECORD_PART(group, name, type, optional, count, width, width2, values) \
  {                                                                                    \
#group "/" #name, type, optional, PERPEND_RECORD_##count, width, width2,           \
        PERPEND_RECORD_##values, PERPEND_RECORD_AT(group.name)                         \
  }

static const perpend_record_column perpend_record_columns[] = {
    /* clang-format off */
    PERPEND_RECORD_PART(bodies, forces, 'd', 'm', BODY, 6, 0, ANY),
    PERPEND_RECORD_PART(bodies, ids, 'i', 'm', BODY, 0, 0, ANY),
    PERPEND_RECORD_PART(bodies, inertia, 'd', 'm', BODY, 3, 3, ANY),
    PERPEND_RECORD_PART(bodies, masses, 'd', 'm', BODY, 0, 0, SIZE),
    PERPEND_RECORD_PART(bodies, positions, 'd', 'm', BODY, 3, 0, FINITE),
    PERPEND_RECORD_PART(bodies, quaternions, 'd', 'm', BODY, 4, 0, FINITE),
    PERPEND_RECORD_PART(bodies, velocities, 'd', 'm', BODY, 6, 0, FINITE),
    PERPEND_RECORD_PART(bodies, velocities_plus, 'd', 'o', BODY, 6, 0, FINITE),
    PERPEND_RECORD_PART(constraints, jacobian, 'd', 'm', JOINT_ROW, 12, 0, FINITE),
    PERPEND_RECORD_PART(constraints, bounds, 'd', 'm', JOINT_ROW, 2, 0, ANY),
    PERPEND_RECORD_PART(constraints, pairs, 'i', 'm', JOINT, 2, 0, ANY),
    PERPEND_RECORD_PART(constraints, rows, 'i', 'm', JOINT, 0, 0, ANY),
    PERPEND_RECORD_PART(constraints, violation, 'd', 'm', JOINT_ROW, 0, 0, FINITE),
    PERPEND_RECORD_PART(constraints, rate, 'd', 'o', JOINT_ROW, 0, 0, FINITE),
    PERPEND_RECORD_PART(constraints, compliance, 'd', 'o', JOINT_ROW, 0, 0, SIZE),
    PERPEND_RECORD_PART(constraints, cfm, 'd', 'o', JOINT_ROW, 0, 0, SIZE),
    PERPEND_RECORD_PART(constraints, bias, 'd', 'o', JOINT_ROW, 0, 0, FINITE),
    PERPEND_RECORD_PART(constraints, ids, 'i', 'o', JOINT, 0, 0, ANY),
    PERPEND_RECORD_PART(constraints, pairs2, 'i', 'o', JOINT, 2, 0, ANY),
    PERPEND_RECORD_PART(constraints, jacobian2, 'd', 'o', JOINT_ROW, 12, 0, FINITE),
    PERPEND_RECORD_PART(contacts, gap, 'd', 'm', CONTACT, 0, 0, FINITE),
    PERPEND_RECORD_PART(contacts, mu, 'd', 'm', CONTACT, 0, 0, SIZE),
    PERPEND_RECORD_PART(contacts, normals, 'd', 'm', CONTACT, 3, 0, FINITE),
    PERPEND_RECORD_PART(contacts, pairs, 'i', 'm', CONTACT, 2, 0, ANY),
    PERPEND_RECORD_PART(contacts, points, 'd', 'm', CONTACT, 3, 0, FINITE),
    PERPEND_RECORD_PART(contacts, points2, 'd', 'o', CONTACT, 3, 0, FINITE),
    PERPEND_RECORD_PART(contacts, tangents, 'd', 'o', CONTACT, 6, 0, FINITE),
    PERPEND_RECORD_PART(contacts, restitution, 'd', 'o', CONTACT, 0, 0, SHARE),
    PERPEND_RECORD_PART(contacts, cfm, 'd', 'o', CONTACT, 3, 0, SIZE),
    PERPEND_RECORD_PART(contacts, bias, 'd', 'o', CONTACT, 3, 0, FINITE),
    PERPEND_RECORD_PART(contacts, friction_bounds, 'd', 'o', CONTACT, 2, 0, BOUND),
    PERPEND_RECORD_PART(contacts, ids, 'i', 'o', CONTACT, 0, 0, ANY),
    PERPEND_RECORD_PART(contacts, group, 'i', 'o', CONTACT, 0, 0, ANY),
    PERPEND_RECORD_PART(contacts, rolling_mu, 'd', 'o', CONTACT, 0, 0, SIZE),
    PERPEND_RECORD_PART(contacts, torsional_mu, 'd', 'o', CONTACT, 0, 0, SIZE),
    PERPEND_RECORD_PART(contacts, push, 'd', 'o', CONTACT, 0, 0, FINITE),
    PERPEND_RECORD_PART(contacts, surface_velocity, 'd', 'o', CONTACT, 3, 0, FINITE),
    PERPEND_RECORD_PART(solution, z, 'd', 'o', CONTACT, 3, 0, FINITE),
    PERPEND_RECORD_PART(solution, z_joints, 'd', 'o', JOINT_ROW, 0, 0, FINITE),
    PERPEND_RECORD_PART(solution, slide_or_stick, 'b', 'o', CONTACT, 0, 0, ANY),
    PERPEND_RECORD_PART(solution, iterations, 'i', 'o', FRAME, 0, 0, ANY),
    PERPEND_RECORD_PART(solution, answered, 'i', 'o', FRAME, 0, 0, ANY),
    PERPEND_RECORD_PART(timing, collision, 'd', 't', FRAME, 0, 0, ANY),
    PERPEND_RECORD_PART(timing, formulation, 'd', 't', FRAME, 0, 0, ANY),
    PERPEND_RECORD_PART(timing, solver, 'd', 't', FRAME, 0, 0, ANY),
    PERPEND_RECORD_PART(timing, total, 'd', 't', FRAME, 0, 0, ANY),
    PERPEND_RECORD_ROW(step, 'd', 'v', FRAME, 0, 0, ANY),
    PERPEND_RECORD_ROW(time, 'd', 'v', FRAME, 0, 0, FINITE),
    PERPEND_RECORD_PART(system, M_rows, 'i', 'o', COORDINATE, 0, 0, ANY),
    PERPEND_RECORD_PART(system, M_columns, 'i', 'o', M_ENTRY, 0, 0, ANY),
    PERPEND_RECORD_PART(system, M_values, 'd', 'o', M_ENTRY, 0, 0, FINITE),
    PERPEND_RECORD_PART(system, J_rows, 'i', 'o', SYSTEM_ROW, 0, 0, ANY),
    PERPEND_RECORD_PART(system, J_columns, 'i', 'o', J_ENTRY, 0, 0, ANY),
    PERPEND_RECORD_PART(system, J_values, 'd', 'o', J_ENTRY, 0, 0, FINITE),
    PERPEND_RECORD_PART(system, A_rows, 'i', 'o', SYSTEM_ROW, 0, 0, ANY),
    PERPEND_RECORD_PART(system, A_columns, 'i', 'o', A_ENTRY, 0, 0, ANY),
    PERPEND_RECORD_PART(system, A_values, 'd', 'o', A_ENTRY, 0, 0, FINITE),
    PERPEND_RECORD_PART(system, v, 'd', 'o', COORDINATE, 0, 0, FINITE),
    PERPEND_RECORD_PART(system, f, 'd', 'o', COORDINATE, 0, 0, FINITE),
    PERPEND_RECORD_PART(system, b, 'd', 'o', SYSTEM_ROW, 0, 0, FINITE),
    PERPEND_RECORD_PART(system, mu, 'd', 'o', SYSTEM_CONTACT, 0, 0, SIZE),
    PERPEND_RECORD_PART(system, bounds, 'd', 'o', SYSTEM_JOINT_ROW, 2, 0, ANY),
    PERPEND_RECORD_PART(model, body_ids, 'i', 'o', MODEL_BODY, 0, 0, ANY),
    PERPEND_RECORD_PART(model, body_names, 's', 'o', MODEL_BODY, 0, 0, ANY),
    PERPEND_RECORD_PART(model, vertices, 'd', 'o', VERTEX, 3, 0, FINITE),
    PERPEND_RECORD_PART(model, triangles, 'i', 'o', TRIANGLE, 3, 0, ANY),
    PERPEND_RECORD_PART(model, shape_bodies, 'i', 'o', SHAPE, 0, 0, ANY),
    PERPEND_RECORD_PART(model, shape_kinds, 'b', 'o', SHAPE, 0, 0, ANY),
    PERPEND_RECORD_PART(model, shape_poses, 'd', 'o', SHAPE, 7, 0, FINITE),
    PERPEND_RECORD_PART(model, shape_sizes, 'd', 'o', SHAPE, 3, 0, SIZE),
    PERPEND_RECORD_PART(model, shape_meshes, 'i', 'o', SHAPE, 4, 0, ANY),
    PERPEND_RECORD_PART(model, joint_ids, 'i', 'o', MODEL_JOINT, 0, 0, ANY),
    PERPEND_RECORD_PART(model, joint_names, 's', 'o', MODEL_JOINT, 0, 0, ANY),
    /* clang-format on */
    /* Offsets: written by the recorder itself. */
    {"system/offsets", 'i', 'o', PERPEND_RECORD_FRAME, 14, 0, PERPEND_RECORD_ANY, 0},
    {"frames/offsets", 'i', 'm', PERPEND_RECORD_FRAME, 8, 0, PERPEND_RECORD_ANY, 0},
};
#undef PERPEND_RECORD_ROW
#undef PERPEND_RECORD_PART
enum {
  PERPEND_RECORD_COLUMNS = sizeof perpend_record_columns / sizeof perpend_record_columns[0],
  PERPEND_RECORD_OFFSETS = PERPEND_RECORD_COLUMNS - 1,
  PERPEND_RECORD_SYSTEM_OFFSETS = PERPEND_RECORD_COLUMNS - 2
};

#endif
