/* A small engine that records itself with perpend_record.h: a cube slides over a floor and comes to
 * rest.
 *
 *   cc -std=c99 box.c -o box $(pkg-config --cflags --libs hdf5) -lm
 *   ./box run.h5 && perpend info run.h5 && perpend solve run.h5 --solver ncp/auto --frames 0-9
 */
#define PERPEND_RECORD_IMPLEMENTATION
#include <math.h>
#include <perpend_record.h>
#include <stdio.h>

enum { kCorners = 4, kSteps = 100, kSweeps = 100 };
static const double kStep = 0.01, kMass = 2, kEdge = 1, kMu = 0.3, kGravity = 9.81;

typedef struct box {
  double x[3], q[4], v[6]; /* centre, orientation (w, x, y, z), velocity */
} box;
typedef struct contacts {
  double r[kCorners][3], gap[kCorners], impulse[kCorners][3]; /* along n = z, t = x, o = y */
} contacts;

static void cross(const double* a, const double* b, double* out) {
  for (int i = 0; i < 3; ++i)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* The lower corners against the floor z = 0. */
static void find_contacts(const box* b, contacts* c) {
  for (int i = 0; i < kCorners; ++i) {
    const double corner[3] = {i & 1 ? kEdge / 2 : -kEdge / 2, i & 2 ? kEdge / 2 : -kEdge / 2,
                              -kEdge / 2};
    double once[3], twice[3]; /* q r q* = r + 2 w (u x r) + 2 u x (u x r) */
    cross(b->q + 1, corner, once);
    cross(b->q + 1, once, twice);
    for (int k = 0; k < 3; ++k) c->r[i][k] = corner[k] + 2 * (b->q[0] * once[k] + twice[k]);
    c->gap[i] = b->x[2] + c->r[i][2];
  }
}

/* The engine: one time step by projected Gauss-Seidel, friction as a box. */
static void step(box* b, contacts* c) {
  const double inertia = kMass * kEdge * kEdge / 6;
  const double axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  b->v[2] -= kStep * kGravity;
  for (int i = 0; i < 3 * kCorners; ++i) c->impulse[i / 3][i % 3] = 0;
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int i = 0; i < 3 * kCorners; ++i) {
      const double *d = axes[i % 3], *r = c->r[i / 3];
      double *z = c->impulse[i / 3], arm[3], speed = i % 3 ? 0 : c->gap[i / 3] / kStep,
             A = 1 / kMass;
      cross(r, d, arm);
      for (int k = 0; k < 3; ++k) {
        speed += d[k] * b->v[k] + arm[k] * b->v[3 + k];
        A += arm[k] * arm[k] / inertia;
      }
      const double bound = kMu * z[0], wanted = z[i % 3] - speed / A;
      const double z_new = i % 3 ? fmin(fmax(wanted, -bound), bound) : fmax(wanted, 0);
      for (int k = 0; k < 3; ++k) {
        b->v[k] += (z_new - z[i % 3]) * d[k] / kMass;
        b->v[3 + k] += (z_new - z[i % 3]) * arm[k] / inertia;
      }
      z[i % 3] = z_new;
    }
  const double *w = b->v + 3, q[4] = {b->q[0], b->q[1], b->q[2], b->q[3]};
  double turned[3], length = 0;
  cross(w, q + 1, turned);
  b->q[0] -= kStep / 2 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
  for (int k = 0; k < 3; ++k) {
    b->x[k] += kStep * b->v[k];
    b->q[1 + k] += kStep / 2 * (w[k] * q[0] + turned[k]);
  }
  for (int k = 0; k < 4; ++k) length += b->q[k] * b->q[k];
  for (int k = 0; k < 4; ++k) b->q[k] /= sqrt(length);
}

/* One frame: the floor (id 0, fixed) and the cube (id 1) before the step, the answer after it. */
static int record(perpend_record* file, const box* before, const box* after, const contacts* c,
                  double time) {
  const double inertia = kMass * kEdge * kEdge / 6, *x = before->x, *q = before->q;
  const int64_t pairs[2 * kCorners] = {0, 1, 0, 1, 0, 1, 0, 1}, sweeps = kSweeps;
  const double masses[2] = {0, kMass};
  const double inertias[18] = {1,       0, 0, 0, 1,       0, 0, 0, 1, /* of the floor: not read */
                               inertia, 0, 0, 0, inertia, 0, 0, 0, inertia};
  const double positions[6] = {0, 0, 0, x[0], x[1], x[2]};
  const double quaternions[8] = {1, 0, 0, 0, q[0], q[1], q[2], q[3]};
  const double forces[12] = {0, 0, 0, 0, 0, 0, 0, 0, -kMass * kGravity, 0, 0, 0};
  double velocities[12] = {0}, velocities_plus[12] = {0};
  double normals[3 * kCorners] = {0}, tangents[6 * kCorners] = {0}, points[3 * kCorners] = {0};
  double mu[kCorners];
  for (int k = 0; k < 6; ++k) {
    velocities[6 + k] = before->v[k];
    velocities_plus[6 + k] = after->v[k];
  }
  for (int i = 0; i < kCorners; ++i) {
    normals[3 * i + 2] = tangents[6 * i] = tangents[6 * i + 4] = 1; /* n = z, t = x, o = y */
    points[3 * i] = x[0] + c->r[i][0]; /* on the floor, below the corner */
    points[3 * i + 1] = x[1] + c->r[i][1];
    mu[i] = kMu;
  }
  perpend_record_frame frame = {0};
  frame.step = kStep;
  frame.time = time;
  frame.bodies.count = 2;
  frame.bodies.masses = masses;
  frame.bodies.inertia = inertias;
  frame.bodies.positions = positions;
  frame.bodies.quaternions = quaternions;
  frame.bodies.velocities = velocities;
  frame.bodies.forces = forces;
  frame.bodies.velocities_plus = velocities_plus;
  frame.contacts.count = kCorners;
  frame.contacts.pairs = pairs;
  frame.contacts.normals = normals;
  frame.contacts.tangents = tangents;
  frame.contacts.points = points;
  frame.contacts.gap = c->gap;
  frame.contacts.mu = mu;
  frame.solution.z = &c->impulse[0][0];
  frame.solution.iterations = &sweeps;
  return perpend_record_add(file, &frame);
}

int main(int argc, char** argv) {
  box cube = {{0, 0, 0.5}, {1, 0, 0, 0}, {1, 0.5, 0, 0, 0, 0}};
  contacts found;
  perpend_record file;
  perpend_record_header header = {0};
  int failed = 0;
  if (argc != 2) {
    fprintf(stderr, "usage: %s FILE.h5\n", argv[0]);
    return 2;
  }
  header.engine = "twenty lines of C";
  header.engine_version = "1";
  header.scene = "a cube slides over a floor";
  header.friction_model = "box";
  failed = perpend_record_open(&file, argv[1], &header);
  for (int i = 0; !failed && i < kSteps; ++i) {
    const box before = cube;
    find_contacts(&before, &found);
    step(&cube, &found);
    failed = record(&file, &before, &cube, &found, i * kStep);
  }
  if (!failed) failed = perpend_record_close(&file);
  if (failed) {
    fprintf(stderr, "%s\n", file.message);
    perpend_record_close(&file);
    return 2;
  }
  double force = 0;
  for (int i = 0; i < kCorners; ++i) force += found.impulse[i][0] / kStep;
  printf("%d steps, contact force %.4f N, weight %.4f N, slid %.4f m\n", kSteps, force,
         kMass * kGravity, cube.x[0]);
  return 0;
}
