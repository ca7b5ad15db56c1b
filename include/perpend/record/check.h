/* Checks the data passed to perpend_record.h. Part of its implementation.
 *
 * The rules are those of docs/format.md: a frame that passes can be assembled and solved.
 */
#ifndef PERPEND_RECORD_CHECK_H
#define PERPEND_RECORD_CHECK_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perpend/record/columns.h"
#include "perpend/record/limits.h"

/* Ids whose names the file has, sorted: of bodies, and of joints. */
typedef struct perpend_record_ids {
  int64_t* sorted;
  int64_t count;
} perpend_record_ids;

/* The counts of a checked frame, and the columns made for it. */
typedef struct perpend_record_given {
  int64_t counts[PERPEND_RECORD_ALL_COUNTS];
  const int64_t* ids;     /* the frame's, or made_ids */
  const double* tangents; /* the frame's, or made_tangents; NULL: none */
  int64_t* made_ids;      /* NULL, or memory to free */
  double* made_tangents;
  int has_system;
  /* By count, of names and shapes: 1 for each row that is written; NULL: all of them. */
  char* kept[PERPEND_RECORD_ALL_COUNTS];
  int64_t offsets[2 * PERPEND_RECORD_FRAME_COUNTS];
  int64_t system_offsets[2 * PERPEND_RECORD_SYSTEM_COUNTS];
} perpend_record_given;

typedef struct perpend_record_complaint {
  char* why;
  size_t size;
  int code;
} perpend_record_complaint;

static void perpend_record_say(perpend_record_complaint* c, int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (!c->code) vsnprintf(c->why, c->size, format, arguments);
  if (!c->code) c->code = code;
  va_end(arguments);
}

static void perpend_record_wrong(perpend_record_complaint* c, const char* name, int64_t row,
                                 const char* what) {
  if (what) perpend_record_say(c, PERPEND_RECORD_INVALID, "%s row %ld %s", name, (long)row, what);
}

static void perpend_record_check_numbers(perpend_record_complaint* c,
                                         const perpend_record_column* column, const double* x,
                                         int64_t rows) {
  const int64_t per_row =
      (column->width ? column->width : 1) * (column->width2 ? column->width2 : 1);
  int64_t i;
  for (i = 0; !c->code && i < rows * per_row; ++i) {
    if (column->values == PERPEND_RECORD_BOUND) {
      if (!(x[i] >= 0)) perpend_record_wrong(c, column->name, i / per_row, "is negative or NaN");
    } else if (!isfinite(x[i])) {
      perpend_record_wrong(c, column->name, i / per_row, "is not finite");
    } else if (column->values != PERPEND_RECORD_FINITE && x[i] < 0) {
      perpend_record_wrong(c, column->name, i / per_row, "is negative");
    } else if (column->values == PERPEND_RECORD_SHARE && x[i] > 1) {
      perpend_record_wrong(c, column->name, i / per_row, "is above 1");
    }
  }
}

/* Checks that mandatory columns are there, and the numbers of all columns. */
static void perpend_record_check_columns(perpend_record_complaint* c,
                                         const perpend_record_frame* frame,
                                         const perpend_record_given* given) {
  int index;
  for (index = 0; !c->code && index < PERPEND_RECORD_SYSTEM_OFFSETS; ++index) {
    const perpend_record_column* column = &perpend_record_columns[index];
    const char* member = (const char*)frame + column->member;
    const void* rows = member;
    int64_t count = 1;
    if (column->optional == 'm' || column->optional == 'o') memcpy(&rows, member, sizeof rows);
    if (column->counted_by != PERPEND_RECORD_FRAME) count = given->counts[column->counted_by];
    if (count < 0)
      perpend_record_say(c, PERPEND_RECORD_INVALID, "%s: its count is negative", column->name);
    else if (count > 0 && !rows && column->optional == 'm' &&
             column->member != PERPEND_RECORD_AT(bodies.ids))
      perpend_record_say(c, PERPEND_RECORD_INVALID, "%s is NULL, expected %ld rows", column->name,
                         (long)count);
    else if (rows && column->type == 'd' && column->values != PERPEND_RECORD_ANY)
      perpend_record_check_numbers(c, column, (const double*)rows, count);
  }
}

static int perpend_record_by_id(const void* a, const void* b) {
  const int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
  return (x > y) - (x < y);
}

/* Ids with their rows, sorted, to look up pairs. NULL: no memory, or no bodies. */
static int64_t* perpend_record_sorted(const int64_t* ids, int64_t count) {
  int64_t i, *sorted = (int64_t*)malloc((size_t)(2 * count) * sizeof *sorted);
  for (i = 0; sorted && i < count; ++i) {
    sorted[2 * i] = ids[i];
    sorted[2 * i + 1] = i;
  }
  if (sorted) qsort(sorted, (size_t)count, 2 * sizeof *sorted, perpend_record_by_id);
  return sorted;
}

/* The row of a body that the frame has. */
static int64_t perpend_record_row_of(int64_t id, const int64_t* sorted, int64_t bodies) {
  const int64_t* found = (const int64_t*)bsearch(&id, sorted, (size_t)bodies, 2 * sizeof *sorted,
                                                 perpend_record_by_id);
  return found ? found[1] : -1;
}

static void perpend_record_check_pairs(perpend_record_complaint* c,
                                       const perpend_record_frame* frame, const char* name,
                                       const int64_t* pairs, int64_t count, const int64_t* sorted) {
  int64_t i, row;
  int side;
  for (i = 0; !c->code && i < count; ++i) {
    int fixed = 0;
    for (side = 0; side < 2; ++side) {
      row = perpend_record_row_of(pairs[2 * i + side], sorted, frame->bodies.count);
      if (row < 0) {
        perpend_record_say(c, PERPEND_RECORD_INVALID,
                           "%s row %ld names body id %ld, which the frame does not have", name,
                           (long)i, (long)pairs[2 * i + side]);
        return;
      }
      fixed += frame->bodies.masses[row] == 0;
    }
    if (pairs[2 * i] == pairs[2 * i + 1])
      perpend_record_wrong(c, name, i, "names the same body twice");
    else if (fixed == 2)
      perpend_record_wrong(c, name, i, "names two fixed bodies");
  }
}

static void perpend_record_check_bodies(perpend_record_complaint* c,
                                        const perpend_record_frame* frame, const int64_t* sorted) {
  int64_t i;
  int k;
  for (i = 0; !c->code && i < frame->bodies.count; ++i) {
    if (i > 0 && sorted[2 * i] == sorted[2 * i - 2])
      perpend_record_say(c, PERPEND_RECORD_INVALID, "bodies/ids has %ld twice",
                         (long)sorted[2 * i]);
    if (!perpend_record_is_unit(frame->bodies.quaternions + 4 * i, 4))
      perpend_record_wrong(c, "bodies/quaternions", i, "is not a unit quaternion");
    if (frame->bodies.masses[i] == 0) continue;
    perpend_record_wrong(c, "bodies/masses", i, perpend_record_wrong_mass(frame->bodies.masses[i]));
    perpend_record_wrong(c, "bodies/inertia", i,
                         perpend_record_wrong_inertia(frame->bodies.inertia + 9 * i));
    for (k = 0; k < 6; ++k)
      if (!isfinite(frame->bodies.forces[6 * i + k]))
        perpend_record_wrong(c, "bodies/forces", i, "is not finite");
  }
}

/* r2 is given, or r2 = x1 + r1 + psi n - x2. */
static void perpend_record_check_levers(perpend_record_complaint* c,
                                        const perpend_record_frame* frame, int64_t i,
                                        const int64_t* sorted) {
  const int64_t* pair = frame->contacts.pairs + 2 * i;
  const double* r1 = frame->contacts.points + 3 * i;
  const double* n = frame->contacts.normals + 3 * i;
  const double* x[2];
  double r2[3];
  int k;
  perpend_record_wrong(c, "contacts/points", i, perpend_record_wrong_lever(r1));
  if (frame->contacts.points2) {
    perpend_record_wrong(c, "contacts/points2", i,
                         perpend_record_wrong_lever(frame->contacts.points2 + 3 * i));
    return;
  }
  for (k = 0; k < 2; ++k)
    x[k] =
        frame->bodies.positions + 3 * perpend_record_row_of(pair[k], sorted, frame->bodies.count);
  for (k = 0; k < 3; ++k) r2[k] = x[0][k] + r1[k] + frame->contacts.gap[i] * n[k] - x[1][k];
  perpend_record_wrong(c, "contacts/points", i, perpend_record_wrong_lever(r2));
}

static void perpend_record_check_contacts(perpend_record_complaint* c,
                                          const perpend_record_frame* frame,
                                          const int64_t* sorted) {
  const int8_t* state = frame->solution.slide_or_stick;
  int64_t i;
  for (i = 0; !c->code && i < frame->contacts.count; ++i) {
    const double* n = frame->contacts.normals + 3 * i;
    if (!perpend_record_is_unit(n, 3))
      perpend_record_wrong(c, "contacts/normals", i, "is not a unit vector");
    if (frame->contacts.tangents)
      perpend_record_wrong(c, "contacts/tangents", i,
                           perpend_record_wrong_tangents(n, frame->contacts.tangents + 6 * i));
    perpend_record_check_levers(c, frame, i, sorted);
    if (frame->contacts.group && frame->contacts.group[i] < -1)
      perpend_record_wrong(c, "contacts/group", i, "is below -1");
    if (state && (state[i] < 0 || state[i] > 2))
      perpend_record_wrong(c, "solution/slide_or_stick", i, "is not 0, 1 or 2");
  }
}

static void perpend_record_check_joints(perpend_record_complaint* c,
                                        const perpend_record_frame* frame) {
  const int64_t* given = frame->constraints.rows;
  uint64_t sum = 0;
  int64_t i;
  for (i = 0; !c->code && i < frame->constraints.count; ++i) {
    sum += (uint64_t)given[i];
    if (given[i] < 0) perpend_record_wrong(c, "constraints/rows", i, "is negative");
  }
  if (!perpend_record_add_up(given, frame->constraints.count, frame->constraints.row_count))
    perpend_record_say(c, PERPEND_RECORD_INVALID,
                       "constraints/rows add up to %lu, but there are %ld joint rows",
                       (unsigned long)sum, (long)frame->constraints.row_count);
  for (i = 0; !c->code && i < frame->constraints.row_count; ++i) {
    perpend_record_wrong(c, "constraints/jacobian", i,
                         perpend_record_wrong_jacobian(frame->constraints.jacobian + 12 * i));
    if (frame->constraints.jacobian2)
      perpend_record_wrong(c, "constraints/jacobian2", i,
                           perpend_record_wrong_jacobian(frame->constraints.jacobian2 + 12 * i));
    if (!perpend_record_is_range(frame->constraints.bounds + 2 * i))
      perpend_record_wrong(c, "constraints/bounds", i, "is not a range");
  }
}

static void perpend_record_check_matrix(perpend_record_complaint* c, const char* letter,
                                        const int64_t* rows, int64_t row_count,
                                        const int64_t* columns, const double* values,
                                        int64_t entries, int64_t column_count) {
  int64_t i;
  if (!rows && entries == 0) return;
  if (!rows || (entries > 0 && (!columns || !values))) {
    perpend_record_say(c, PERPEND_RECORD_INVALID, "system/%s: one of its columns is NULL", letter);
    return;
  }
  if (!perpend_record_add_up(rows, row_count, entries))
    perpend_record_say(c, PERPEND_RECORD_INVALID,
                       "system/%s_rows do not add up to the %ld entries there are", letter,
                       (long)entries);
  for (i = 0; !c->code && i < entries; ++i)
    if (columns[i] < 0 || columns[i] >= column_count)
      perpend_record_say(c, PERPEND_RECORD_INVALID, "system/%s_columns row %ld is out of range",
                         letter, (long)i);
}

static void perpend_record_check_system(perpend_record_complaint* c,
                                        const perpend_record_frame* frame, int64_t rows) {
  int64_t i;
  if (rows > 0 && !frame->system.b)
    perpend_record_say(c, PERPEND_RECORD_INVALID, "system/b is NULL, expected %ld rows",
                       (long)rows);
  if ((frame->system.contacts > 0 && !frame->system.mu) ||
      (frame->system.joint_rows > 0 && !frame->system.bounds))
    perpend_record_say(c, PERPEND_RECORD_INVALID, "system/%s is NULL",
                       frame->system.mu ? "bounds" : "mu");
  if (!frame->system.A_rows && !(frame->system.M_rows && frame->system.J_rows && frame->system.v))
    perpend_record_say(c, PERPEND_RECORD_INVALID, "system: neither A nor M, J and v are given");
  if (frame->system.coordinates > 0 && !frame->system.v)
    perpend_record_say(c, PERPEND_RECORD_INVALID, "system/v is NULL, expected %ld rows",
                       (long)frame->system.coordinates);
  for (i = 0; !c->code && i < frame->system.joint_rows; ++i)
    if (!perpend_record_is_range(frame->system.bounds + 2 * i))
      perpend_record_wrong(c, "system/bounds", i, "is not a range");
  if (c->code) return;
  perpend_record_check_matrix(c, "M", frame->system.M_rows, frame->system.coordinates,
                              frame->system.M_columns, frame->system.M_values,
                              frame->system.M_entries, frame->system.coordinates);
  perpend_record_check_matrix(c, "J", frame->system.J_rows, rows, frame->system.J_columns,
                              frame->system.J_values, frame->system.J_entries,
                              frame->system.coordinates);
  perpend_record_check_matrix(c, "A", frame->system.A_rows, rows, frame->system.A_columns,
                              frame->system.A_values, frame->system.A_entries, rows);
}

static void perpend_record_check_shape(perpend_record_complaint* c,
                                       const perpend_record_frame* frame, int64_t i) {
  const double* q = frame->model.shape_poses + 7 * i + 3;
  const int64_t* mesh = frame->model.shape_meshes + 4 * i;
  int64_t t, body;
  for (body = 0; body < frame->model.body_count; ++body)
    if (frame->model.body_ids[body] == frame->model.shape_bodies[i]) break;
  if (body == frame->model.body_count)
    perpend_record_wrong(c, "model/shape_bodies", i, "names none of model/body_ids");
  if (frame->model.shape_kinds[i] < 0 || frame->model.shape_kinds[i] > 7)
    perpend_record_wrong(c, "model/shape_kinds", i, "is not 0 to 7");
  if (!perpend_record_is_unit(q, 4))
    perpend_record_wrong(c, "model/shape_poses", i, "has no unit quaternion");
  if (mesh[0] < 0 || mesh[1] < 0 || mesh[0] > frame->model.vertex_count ||
      mesh[1] > frame->model.vertex_count - mesh[0] || mesh[2] < 0 || mesh[3] < 0 ||
      mesh[2] > frame->model.triangle_count || mesh[3] > frame->model.triangle_count - mesh[2]) {
    perpend_record_wrong(c, "model/shape_meshes", i, "names more than there is");
    return;
  }
  for (t = 3 * mesh[2]; !c->code && t < 3 * (mesh[2] + mesh[3]); ++t)
    if (frame->model.triangles[t] < 0 || frame->model.triangles[t] >= mesh[1])
      perpend_record_wrong(c, "model/triangles", t / 3,
                           "names a vertex that its shape does not have");
}

/* Names that the file has are left out: `kept` has a 1 for each new id. */
static void perpend_record_keep_new(perpend_record_complaint* c, perpend_record_given* given,
                                    int by, const char* name, const int64_t* ids,
                                    const perpend_record_ids* known) {
  const int64_t count = given->counts[by];
  int64_t i, *sorted = count > 0 ? perpend_record_sorted(ids, count) : NULL;
  char* kept = count > 0 ? (char*)malloc((size_t)count) : NULL;
  if (count > 0 && (!sorted || !kept))
    perpend_record_say(c, PERPEND_RECORD_MEMORY, "no memory for %s", name);
  for (i = 1; !c->code && i < count; ++i)
    if (sorted[2 * i] == sorted[2 * i - 2])
      perpend_record_say(c, PERPEND_RECORD_INVALID, "%s has %ld twice", name, (long)sorted[2 * i]);
  for (i = 0; !c->code && i < count; ++i) {
    kept[i] = !known->count || !bsearch(&ids[i], known->sorted, (size_t)known->count,
                                        sizeof *known->sorted, perpend_record_by_id);
    given->counts[by] -= !kept[i];
  }
  free(sorted);
  given->kept[by] = kept;
}

/* Of bodies that are left out the shapes are, too. */
static void perpend_record_keep_shapes(perpend_record_complaint* c,
                                       const perpend_record_frame* frame,
                                       perpend_record_given* given) {
  const char* bodies = given->kept[PERPEND_RECORD_MODEL_BODY];
  const int64_t count = frame->model.shape_count;
  char* kept = !c->code && count > 0 ? (char*)malloc((size_t)count) : NULL;
  int64_t i, body;
  if (count > 0 && !kept) perpend_record_say(c, PERPEND_RECORD_MEMORY, "no memory for shapes");
  for (i = 0; !c->code && i < count; ++i) {
    for (body = 0; frame->model.body_ids[body] != frame->model.shape_bodies[i];) ++body;
    kept[i] = bodies[body];
    given->counts[PERPEND_RECORD_SHAPE] -= !kept[i];
  }
  given->kept[PERPEND_RECORD_SHAPE] = kept;
  if (given->counts[PERPEND_RECORD_SHAPE] == 0)
    given->counts[PERPEND_RECORD_VERTEX] = given->counts[PERPEND_RECORD_TRIANGLE] = 0;
}

/* Names and shapes are given whole: each of their columns has its rows. */
static void perpend_record_check_model(perpend_record_complaint* c,
                                       const perpend_record_frame* frame,
                                       const perpend_record_ids* known,
                                       perpend_record_given* given) {
  int64_t i;
  int index;
  for (index = 0; !c->code && index < PERPEND_RECORD_SYSTEM_OFFSETS; ++index) {
    const perpend_record_column* column = &perpend_record_columns[index];
    const void* rows;
    if (column->counted_by < PERPEND_RECORD_MODEL_BODY) continue;
    memcpy(&rows, (const char*)frame + column->member, sizeof rows);
    if (given->counts[column->counted_by] > 0 && !rows)
      perpend_record_say(c, PERPEND_RECORD_INVALID, "%s is NULL, expected %ld rows", column->name,
                         (long)given->counts[column->counted_by]);
  }
  for (i = 0; !c->code && i < frame->model.shape_count; ++i)
    perpend_record_check_shape(c, frame, i);
  if (c->code) return;
  perpend_record_keep_new(c, given, PERPEND_RECORD_MODEL_BODY, "model/body_ids",
                          frame->model.body_ids, &known[0]);
  perpend_record_keep_new(c, given, PERPEND_RECORD_MODEL_JOINT, "model/joint_ids",
                          frame->model.joint_ids, &known[1]);
  perpend_record_keep_shapes(c, frame, given);
}

/* Tangents by the rule of docs/format.md. Impulses need them: they are along n, t, o. */
static double* perpend_record_make_tangents(const double* normals, int64_t count) {
  double* made = (double*)malloc((size_t)(6 * count) * sizeof *made);
  int64_t i;
  for (i = 0; made && i < count; ++i) {
    const double* n = normals + 3 * i;
    double *t = made + 6 * i, *o = t + 3, length;
    int axis, k = 0;
    for (axis = 1; axis < 3; ++axis)
      if (fabs(n[axis]) < fabs(n[k])) k = axis;
    for (axis = 0; axis < 3; ++axis) t[axis] = (axis == k ? 1 : 0) - n[k] * n[axis];
    length = sqrt(perpend_record_dot(t, t, 3));
    for (axis = 0; axis < 3; ++axis) t[axis] /= length;
    o[0] = n[1] * t[2] - n[2] * t[1];
    o[1] = n[2] * t[0] - n[0] * t[2];
    o[2] = n[0] * t[1] - n[1] * t[0];
  }
  return made;
}

static void perpend_record_complete(perpend_record_complaint* c, const perpend_record_frame* frame,
                                    perpend_record_given* given) {
  int64_t i;
  given->ids = frame->bodies.ids;
  given->tangents = frame->contacts.tangents;
  if (!given->ids && frame->bodies.count > 0) {
    given->made_ids = (int64_t*)malloc((size_t)frame->bodies.count * sizeof *given->made_ids);
    if (!given->made_ids) perpend_record_say(c, PERPEND_RECORD_MEMORY, "no memory for bodies/ids");
    for (i = 0; given->made_ids && i < frame->bodies.count; ++i) given->made_ids[i] = i;
    given->ids = given->made_ids;
  }
  if (!given->tangents && frame->solution.z && frame->contacts.count > 0) {
    given->made_tangents =
        perpend_record_make_tangents(frame->contacts.normals, frame->contacts.count);
    if (!given->made_tangents)
      perpend_record_say(c, PERPEND_RECORD_MEMORY, "no memory for contacts/tangents");
    given->tangents = given->made_tangents;
  }
}

static int perpend_record_check(const perpend_record_frame* frame, const perpend_record_ids* known,
                                perpend_record_given* given, char* why, size_t size) {
  /* Hostile counts are refused as negative: their sums are not computed. */
  const int64_t most = INT64_MAX / 8, system_contacts = frame->system.contacts,
                system_joint_rows = frame->system.joint_rows;
  const int64_t system_rows = system_contacts < 0 || system_contacts > most ||
                                      system_joint_rows < 0 || system_joint_rows > most
                                  ? -1
                                  : 3 * system_contacts + system_joint_rows;
  const int64_t counts[PERPEND_RECORD_ALL_COUNTS] = {
      frame->bodies.count,         frame->constraints.count,  frame->constraints.row_count,
      frame->contacts.count,       frame->system.coordinates, system_rows,
      frame->system.contacts,      frame->system.joint_rows,  frame->system.M_entries,
      frame->system.J_entries,     frame->system.A_entries,   0,
      frame->model.body_count,     frame->model.shape_count,  frame->model.vertex_count,
      frame->model.triangle_count, frame->model.joint_count};
  perpend_record_complaint c;
  int64_t* sorted = NULL;
  c.why = why;
  c.size = size;
  c.code = PERPEND_RECORD_OK;
  memset(given, 0, sizeof *given);
  memcpy(given->counts, counts, sizeof counts);
  given->has_system = system_rows > 0 || frame->system.coordinates > 0 ||
                      frame->system.M_entries > 0 || frame->system.J_entries > 0 ||
                      frame->system.A_entries > 0;
  perpend_record_check_columns(&c, frame, given);
  /* A system without bodies may leave out the step. */
  if (!isfinite(frame->step) || frame->step < 0 ||
      (frame->step == 0 && !(given->has_system && frame->bodies.count == 0)))
    perpend_record_say(&c, PERPEND_RECORD_INVALID, "step is not a positive number");
  if (!c.code) perpend_record_complete(&c, frame, given);
  if (!c.code && frame->bodies.count > 0) {
    sorted = perpend_record_sorted(given->ids, frame->bodies.count);
    if (!sorted) perpend_record_say(&c, PERPEND_RECORD_MEMORY, "no memory for bodies/ids");
  }
  if (!c.code) perpend_record_check_bodies(&c, frame, sorted);
  if (!c.code && (frame->contacts.count > 0 || frame->constraints.count > 0) && !sorted)
    perpend_record_say(&c, PERPEND_RECORD_INVALID, "bodies/ids: there are none");
  if (!c.code)
    perpend_record_check_pairs(&c, frame, "contacts/pairs", frame->contacts.pairs,
                               frame->contacts.count, sorted);
  if (!c.code)
    perpend_record_check_pairs(&c, frame, "constraints/pairs", frame->constraints.pairs,
                               frame->constraints.count, sorted);
  if (!c.code && !frame->constraints.pairs2 != !frame->constraints.jacobian2)
    perpend_record_say(&c, PERPEND_RECORD_INVALID,
                       "constraints/pairs2 and constraints/jacobian2 need each other");
  if (!c.code && frame->constraints.pairs2)
    perpend_record_check_pairs(&c, frame, "constraints/pairs2", frame->constraints.pairs2,
                               frame->constraints.count, sorted);
  if (!c.code) perpend_record_check_contacts(&c, frame, sorted);
  if (!c.code) perpend_record_check_joints(&c, frame);
  if (!c.code && given->has_system) perpend_record_check_system(&c, frame, system_rows);
  if (!c.code) perpend_record_check_model(&c, frame, known, given);
  free(sorted);
  return c.code;
}

#endif
