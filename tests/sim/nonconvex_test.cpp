// The locally non-convex contact model (Nguyen and Trinkle 2010, section 4): its figures, and which
// faces are alternatives.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "perpend/solve.hpp"
#include "sim/contact_alternatives.hpp"
#include "sim/contact_things.hpp"
#include "sim/settle_groups.hpp"

namespace perpend::sim {
namespace nonconvex_test {

constexpr double kStep = 1.0 / 16;

struct Face {
  Vector3d normal;
  double level;
};

// A particle of 1 kg at x with velocity v, without gravity, and the faces of a fixed obstacle; all
// of them one group, or all ordinary contacts.
Frame particle(const Vector3d& x, const Vector3d& v, const std::vector<Face>& faces, bool grouped) {
  const auto m = static_cast<Index>(faces.size());
  Frame f = make_frame(2, m);
  f.step = kStep;
  f.bodies.masses[0] = 0;
  f.bodies.positions.row(1) = x.transpose();
  f.bodies.velocities.row(1).head<3>() = v.transpose();
  Contacts& c = f.contacts;
  c.mu.setZero();
  c.group.assign(faces.size(), grouped ? 0 : -1);
  for (Index i = 0; i < m; ++i) {
    const Face& face = faces[static_cast<std::size_t>(i)];
    c.pairs.row(i) << 0, 1;
    c.normals.row(i) = face.normal.transpose();
    c.gap[i] = face.normal.dot(x) - face.level;
    c.points.row(i) = (x - c.gap[i] * face.normal).transpose();
  }
  return f;
}

Vector3d moved(const Vector3d& x, const Frame& frame, const System& system, const Result& result) {
  const Rows6 plus = velocity_plus(frame, system, result.impulses);
  return x + kStep * plus.row(1).head<3>().transpose();
}

// By trying: where the point ends when it is pushed along n out of all faces of the obstacle.
Vector3d pushed_out(const Vector3d& x, const Vector3d& n, const std::vector<Face>& faces) {
  double part = 1e300;  // the first of the faces to be passed
  for (const Face& face : faces) {
    const double depth = face.level - face.normal.dot(x), rate = face.normal.dot(n);
    if (depth <= 0) return x;
    if (rate > 0) part = std::min(part, depth / rate);
  }
  return x + part * n;
}

const std::vector<Face> kCorner{{Vector3d::UnitZ(), 0}, {Vector3d::UnitX(), 0}};

TEST(Nonconvex, TheParticleOfFigure4aMayPassOnEitherSideOfTheCorner) {
  // From cone I to above the top (II), and to beside the side (IV).
  const Vector3d x(0.25, 0, 0.125);
  for (const Vector3d& v : {Vector3d(-8, 0, 0), Vector3d(0, 0, -8), Vector3d(-8, 0, 1)})
    for (const char* solver : {"ncp/auto", "ncp/pgs", "lcp/lemke", "box/nncg"}) {
      const Frame ours = particle(x, v, kCorner, true);
      const System system = assemble(ours);
      const Result result = solve(system, solver);
      EXPECT_EQ(result.status, Status::converged) << solver;
      EXPECT_LT((moved(x, ours, system, result) - (x + kStep * v)).norm(), 1e-12) << solver;
      // Both faces at once keep the particle in cone I.
      const Frame theirs = particle(x, v, kCorner, false);
      const System both = assemble(theirs);
      const Result held = solve(both, solver);
      EXPECT_NEAR(moved(x, theirs, both, held).minCoeff(), 0, 1e-8) << solver;
    }
}

TEST(Nonconvex, TheFacesOfFigure4bAreFeasibleAsAlternativesAndNotTogether) {
  // A triangular bar: no point is outside of all three faces. The particle is beside one of them.
  std::vector<Face> bar;
  for (int k = 0; k < 3; ++k) {
    const double angle = kPi / 2 + 2 * kPi * k / 3;
    bar.push_back({Vector3d(std::cos(angle), 0, std::sin(angle)), 0.05});
  }
  const Vector3d x(0.01, 0, 0.06), v(0.5, 0, -1);
  for (const char* solver : {"ncp/auto", "ncp/nncg", "lcp/lemke", "box/nncg"}) {
    const Frame ours = particle(x, v, bar, true);
    const System system = assemble(ours);
    const Result result = solve(system, solver);
    EXPECT_EQ(result.status, Status::converged) << solver;
    const Vector3d end = moved(x, ours, system, result);
    EXPECT_LT((end - pushed_out(x + kStep * v, bar[0].normal, bar)).norm(), 1e-8) << solver;
    const Frame theirs = particle(x, v, bar, false);
    Options options;
    options.max_iterations = 2000;
    const Result none = solve(assemble(theirs), solver, options);
    EXPECT_NE(none.status, Status::converged) << solver;
  }
}

TEST(Nonconvex, TheParticleOfFigure5EndsAtP1AtP2OrAtPStar) {
  const Vector3d x(0.25, 0, 0.125), v(-8, 0, -4);  // P' = (-1/4, -1/8)
  const Vector3d inside = x + kStep * v;
  for (const char* solver : {"ncp/auto", "lcp/lemke", "box/nncg"}) {
    const Frame ours = particle(x, v, kCorner, true);
    System system = assemble(ours);
    for (Index u : {0, 1}) {
      system.groups[0].u = u;
      const Vector3d end = moved(x, ours, system, solve(system, solver));
      const Vector3d& along = kCorner[static_cast<std::size_t>(u)].normal;
      EXPECT_LT((end - pushed_out(inside, along, kCorner)).norm(), 1e-8) << solver << u;
      EXPECT_LT((end - (u == 0 ? Vector3d(-0.25, 0, 0) : Vector3d(0, 0, -0.125))).norm(), 1e-8);
    }
    const Frame theirs = particle(x, v, kCorner, false);
    const System both = assemble(theirs);
    EXPECT_LT(moved(x, theirs, both, solve(both, solver)).norm(), 1e-8) << solver;
  }
}

// Where the faces are not orthogonal, a push along one also leads out of the other: eq. 20 stops
// there, an ordinary contact along u goes on to its own plane.
TEST(Nonconvex, EquationTwentyStopsAtTheFirstFaceThatIsPassed) {
  const std::vector<Face> ridge{{Vector3d(0.6, 0, 0.8), 0}, {Vector3d(-0.6, 0, 0.8), 0}};
  const Vector3d x(0.1, 0, 0.2), v(-0.8, 0, -4);  // P' = (0.05, -0.05)
  const Vector3d inside = x + kStep * v;
  const Frame ours = particle(x, v, ridge, true);
  System system = assemble(ours);
  for (Index u : {0, 1}) {
    system.groups[0].u = u;
    const Vector3d& n = ridge[static_cast<std::size_t>(u)].normal;
    const Vector3d by_20 = moved(x, ours, system, solve(system, "lcp/lemke"));
    EXPECT_LT((by_20 - pushed_out(inside, n, ridge)).norm(), 1e-10) << u;
    const Vector3d by_u = moved(x, ours, system, solve(system, "ncp/auto"));
    EXPECT_LT((by_u - (inside - n.dot(inside) * n)).norm(), 1e-8) << u;
  }
}

TEST(Nonconvex, FrictionActsAtTheFaceThatPushes) {
  const Vector3d x(0.25, 0, 0.125), v(-8, 1, -4);
  for (const char* solver : {"ncp/auto", "lcp/lemke", "box/nncg"}) {
    Frame frame = particle(x, v, kCorner, true);
    frame.contacts.mu.setConstant(0.1);
    System system = assemble(frame);
    system.groups[0].u = 1;  // the side, along which y and z are tangents
    const Result result = solve(system, solver);
    const Rows3 z = contact_rows(system, result.impulses);
    EXPECT_NEAR(z(1, 0), 4, 1e-8) << solver;  // 8 m/s come in, 4 lead to the plane in one step
    const double friction = z.row(1).tail<2>().norm();
    if (std::string(solver) == "ncp/auto") {
      EXPECT_NEAR(friction, 0.4, 1e-8);
    }
    EXPECT_GT(friction, 0.36) << solver;
    EXPECT_EQ(z.row(0).norm(), 0) << solver;
  }
}

TEST(GroupSettler, GivesUpAPushThatAnotherFaceMakesNeedless) {
  // The particle lies on a floor (contact 0) and slides slowly towards the side of a tile that is
  // flush with the floor: gravity alone would take it below the tile's top.
  const Vector3d x(-1e-4, 0, 0);
  Frame f = particle(x, {0.01, 0, 0},
                     {{Vector3d::UnitZ(), 0},    // the floor
                      {Vector3d::UnitZ(), 0},    // the tile's top
                      {-Vector3d::UnitX(), 0}},  // and side
                     false);
  f.contacts.group = {-1, 0, 0};
  f.bodies.forces(1, 2) = -9.81;
  System system = assemble(f);
  ASSERT_EQ(system.groups[0].u, 2);  // by the free motion the side is passed last
  Result result = solve(system, "ncp/auto");
  EXPECT_LT(velocity_plus(f, system, result.impulses)(1, 0), 0.002);  // stopped
  GroupSettler settler;
  Impulses start = result.impulses;
  ASSERT_TRUE(settler.settle(system, start));
  EXPECT_EQ(system.groups[0].u, 1);
  result = solve(system, "ncp/auto");
  EXPECT_NEAR(velocity_plus(f, system, result.impulses)(1, 0), 0.01, 1e-9);
  EXPECT_NEAR(velocity_plus(f, system, result.impulses)(1, 2), 0, 1e-7);
  start = result.impulses;
  EXPECT_FALSE(settler.settle(system, start));
}

// The same numbers on every machine.
double noise(std::uint64_t& state) {
  state = mixed(state, 1);
  return static_cast<double>(state >> 11) / 9007199254740992.0 * 2 - 1;
}

// A point may go wherever the faces near it allow: as long as it goes no farther than it is away
// from the others, that is where the whole polyhedron allows it.
TEST(Nonconvex, TheFacesAtTheNearestFeatureSpeakForAllFaces) {
  std::vector<Vector3d> gem;
  std::uint64_t state = 7;
  for (int i = 0; i < 30; ++i)
    gem.push_back(Vector3d(noise(state), noise(state), noise(state)).normalized());
  const Polyhedron hulls[] = {cube(), hull(gem)};
  int beside = 0;
  for (const Polyhedron& shape : hulls) {
    PlacedPolyhedron p;
    p.place(shape, {turned(0.7, {1, 2, 3}).toRotationMatrix(), {0.3, -0.2, 0.1}});
    const auto highest = [&](const Vector3d& x, const auto& faces) {
      double most = -1e300;
      for (int f : faces)
        most = std::max(most, p.normal(f).dot(x - p.vertex(p.corner(p.face(f), 0))));
      return most;
    };
    std::vector<int> all;
    for (int f = 0; f < p.face_count(); ++f) all.push_back(f);
    for (int trial = 0; trial < 400; ++trial) {
      // Near an edge, just outside.
      const auto& edge = p.edges()[static_cast<std::size_t>(trial) % p.edges().size()];
      const double t = 0.5 + 0.4 * noise(state);
      const Vector3d on = p.vertex(edge.from) + t * (p.vertex(edge.to) - p.vertex(edge.from));
      const Vector3d out = (p.normal(edge.left) + p.normal(edge.right)).normalized();
      const Vector3d x =
          on + 1e-3 * out + 3e-4 * Vector3d(noise(state), noise(state), noise(state));
      if (highest(x, all) < 0) continue;
      Few<int> near;
      faces_nearest_to(x, p, near);
      ASSERT_GE(near.size(), 1u);
      beside += near.size() > 1;
      const Vector3d to = x + 2e-3 * Vector3d(noise(state), noise(state), noise(state));
      // With one face only, the edge may be passed unseen: the point is above the face alone.
      if (near.size() > 1) {
        EXPECT_EQ(highest(to, near) >= 0, highest(to, all) >= 0) << trial;
      }
    }
  }
  EXPECT_GT(beside, 200);
}

using Groups = std::map<std::uint64_t, std::vector<ContactPoint>>;
Groups groups_of(const std::vector<ContactPoint>& found) {
  Groups groups;
  for (const ContactPoint& c : found)
    if (c.group != 0) groups[c.group].push_back(c);
  return groups;
}

std::vector<ContactPoint> nonconvex(const Thing& a, const Thing& b, double reach,
                                    const Sweep& sweep = no_sweep()) {
  std::vector<ContactPoint> found;
  find_contacts(a.object, b.object, reach, sweep, found, ContactModel::nonconvex);
  return found;
}

TEST(Alternatives, OfABoxThatFallsPastARimAreTopAndSide) {
  btBoxShape block(btVector3(1, 1, 1)), cube(btVector3(0.2, 0.2, 0.2));
  const Thing rim(block, {0, 0, -1});  // its top is z = 0, its side x = 1
  const Thing box(cube, {1.205, 0.1, 0.25});
  const auto found = nonconvex(rim, box, 0.2, second_moves(box, {0, 0, -0.15}));
  const Groups groups = groups_of(found);
  std::map<double, int> corners;  // by y
  for (const auto& [id, group] : groups) {
    ASSERT_EQ(group.size(), 2u);
    bool top = false, side = false;
    for (const ContactPoint& c : group) {
      if ((c.second - Vector3d(1.005, c.second.y(), 0.05)).norm() > 1e-12) continue;
      top |= (c.normal - Vector3d::UnitZ()).norm() < 1e-12 && std::abs(c.gap - 0.05) < 1e-12;
      side |= (c.normal - Vector3d::UnitX()).norm() < 1e-12 && std::abs(c.gap - 0.005) < 1e-12;
    }
    if (top && side) ++corners[group[0].second.y()];
  }
  EXPECT_EQ(corners, (std::map<double, int>{{-0.1, 1}, {0.30000000000000004, 1}}));
}

TEST(Alternatives, OfABoxThatStandsFlushOnAnotherAreNone) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Thing below(cube, {0, 0, 0}), above(cube, {0, 0, 1});
  for (const auto& sweep : {no_sweep(), second_moves(above, {1e-3, 0, 0})}) {
    const auto found = nonconvex(below, above, 0.01, sweep);
    EXPECT_EQ(found.size(), 4u);
    EXPECT_TRUE(groups_of(found).empty());
  }
}

TEST(Alternatives, OfOppositeFacesOfAThinPlateAreNone) {
  btBoxShape plate(btVector3(1, 1, 0.0001)), cube(btVector3(0.1, 0.1, 0.1));
  const Thing thin(plate, {0, 0, 0});
  const Thing box(cube, {1.05, 0, 0.15}, turned(0.6, {0, 1, 0}));
  for (const auto& [id, group] :
       groups_of(nonconvex(thin, box, 0.3, second_moves(box, {0, 0, -0.3}))))
    for (const ContactPoint& c : group)
      for (const ContactPoint& o : group) EXPECT_GE(c.normal.dot(o.normal), -0.5);
}

TEST(Alternatives, BesideTheRidgeOfAMeshAreItsTwoTriangles) {
  btTriangleMesh mesh;  // a roof along y with a ridge at z = 0
  const btVector3 a(0, -1, 0), b(0, 1, 0);
  mesh.addTriangle(a, btVector3(1, 0, -1), b);
  mesh.addTriangle(b, btVector3(-1, 0, -1), a);
  btBvhTriangleMeshShape roof(&mesh, true);
  roof.setMargin(0);
  btConvexHullShape tip;  // its lowest vertex is its origin
  for (const auto& [x, y] : {std::pair{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}})
    tip.addPoint(btVector3(x, y, 0.5));
  tip.addPoint(btVector3(0, 0, 0));
  tip.setMargin(0);
  const Thing ground(roof, {0, 0, 0}), body(tip, {0.001, 0, 0.01});
  const Groups groups = groups_of(nonconvex(ground, body, 0.05, second_moves(body, {0, 0, -0.03})));
  int of_tip = 0;
  for (const auto& [id, group] : groups) {
    // Whatever touches one triangle near the ridge may pass on the other side of it.
    ASSERT_EQ(group.size(), 2u);
    EXPECT_LT(group[0].normal.x() * group[1].normal.x(), 0);
    if ((group[0].second - Vector3d(0.001, 0, 0.01)).norm() > 1e-12) continue;
    ++of_tip;
    // The planes are x + z = 0 and z - x = 0.
    const double s = std::sqrt(0.5);
    for (const ContactPoint& c : group) {
      EXPECT_NEAR(c.normal.z(), s, 1e-12);
      EXPECT_NEAR(c.gap, c.normal.x() > 0 ? 0.011 * s : 0.009 * s, 1e-12);
    }
  }
  EXPECT_EQ(of_tip, 1);
}

TEST(Alternatives, OfTwoEdgesNearTheirEndAreTheFacesThere) {
  btBoxShape block(btVector3(1, 1, 1)), cube(btVector3(0.2, 0.2, 0.2));
  const Thing rim(block, {0, 0, -1});
  // An upright edge of the cube goes down past the edge x = 1 of the rim.
  const Thing box(cube, {1.005 + 0.2 * std::sqrt(2.0), 0, 0.25}, turned(kPi / 4, {0, 0, 1}));
  bool edges_or_top = false;
  for (const auto& [id, group] :
       groups_of(nonconvex(rim, box, 0.2, second_moves(box, {0, 0, -0.15})))) {
    bool edges = false, top = false;
    for (const ContactPoint& c : group) {
      edges |= (c.normal - Vector3d::UnitX()).norm() < 1e-9 && std::abs(c.gap - 0.005) < 1e-9;
      top |= (c.normal - Vector3d::UnitZ()).norm() < 1e-9 && std::abs(c.gap - 0.05) < 1e-9;
    }
    edges_or_top |= edges && top;
  }
  EXPECT_TRUE(edges_or_top);
}

}  // namespace nonconvex_test
}  // namespace perpend::sim
