// Every shape of Bullet that lies stably on every ground stays there, and gains no energy.
//
// PERPEND_PLACEMENTS=200 runs the pairs 200 times, each turned, shifted and dropped otherwise;
// PERPEND_ONLY="cone on mesh" runs the pairs with these words.
#include <BulletCollision/CollisionShapes/btBox2dShape.h>
#include <BulletCollision/CollisionShapes/btConvex2dShape.h>
#include <BulletCollision/CollisionShapes/btConvexPointCloudShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btMinkowskiSumShape.h>
#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <random>

#include "perpend/sim/world.hpp"
#include "sim/contact_finder.hpp"
#include "sim/contact_pair.hpp"
#include "sim/contact_things.hpp"
#include "sim/hull_cache.hpp"

namespace perpend {
namespace lying_test {

using sim::kPi;
using Turn = Eigen::Quaterniond;

// A user's own shapes, known by their support functions alone.
class Own : public btConvexInternalShape {
 public:
  explicit Own(std::function<btVector3(const btVector3&)> support) : support_(std::move(support)) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    setMargin(0);
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
    return support_(d.fuzzyZero() ? btVector3(1, 0, 0) : d.normalized());
  }
  btVector3 localGetSupportingVertex(const btVector3& d) const override {
    return localGetSupportingVertexWithoutMargin(d);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* d, btVector3* out,
                                                         int count) const override {
    for (int i = 0; i < count; ++i) out[i] = localGetSupportingVertexWithoutMargin(d[i]);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "Own"; }

 private:
  std::function<btVector3(const btVector3&)> support_;
};

btVector3 ellipsoid(const btVector3& d) {
  const btVector3 half(0.3, 0.25, 0.15);
  return half * (half * d).normalized() * 1;
}
btVector3 lens(const btVector3& d) {  // a can with a bulge below and above
  const btVector3 across(d.x(), d.y(), 0);
  const btScalar r = across.length(), z = d.z();
  const btVector3 out = r > 1e-12 ? across / r : btVector3(1, 0, 0);
  return std::abs(z) > 0.9
             ? 0.5 * d - btVector3(0, 0, z < 0 ? -0.3 : 0.3)
             : out * (0.5 * std::sqrt(1 - 0.81)) + btVector3(0, 0, z < 0 ? -0.15 : 0.15);
}
btVector3 octagon(const btVector3& d) {  // a prism
  const btScalar angle = std::round(std::atan2(d.y(), d.x()) / (kPi / 4)) * kPi / 4;
  return btVector3(0.3 * std::cos(angle), 0.3 * std::sin(angle), d.z() < 0 ? -0.1 : 0.1);
}

// Keeps what Bullet's shapes point to.
class Shapes {
 public:
  template <class Shape, class... Arguments>
  Shape* make(Arguments&&... arguments) {
    auto made = std::make_shared<Shape>(std::forward<Arguments>(arguments)...);
    kept_.push_back(made);
    return made.get();
  }

 private:
  std::vector<std::shared_ptr<void>> kept_;
};

struct Case {
  std::string name;
  btCollisionShape* shape;
  std::vector<Vector3d> downs;  // directions that may look to the ground; empty: normals of faces
};

double lowest(const btCollisionShape& shape, const sim::Placement& place, const Vector3d& down) {
  if (const auto* compound = dynamic_cast<const btCompoundShape*>(&shape)) {
    double most = -1e300;
    for (int i = 0; i < compound->getNumChildShapes(); ++i)
      most = std::max(most, lowest(*compound->getChildShape(i),
                                   place * sim::placement(compound->getChildTransform(i)), down));
    return most;
  }
  sim::HullCache hulls;
  sim::PlacedPolyhedron placed;
  return sim::make_solid(static_cast<const btConvexShape&>(shape), place, hulls, placed)
      .highest(down);
}

// Faces over which the origin is by some margin.
std::vector<Vector3d> stable_faces(const btCollisionShape& shape) {
  sim::HullCache hulls;
  sim::PlacedPolyhedron placed;
  const sim::Solid solid =
      sim::make_solid(static_cast<const btConvexShape&>(shape), {}, hulls, placed);
  EXPECT_EQ(solid.kind, sim::Solid::Kind::polyhedron);
  std::vector<Vector3d> found;
  for (int f = 0; f < placed.face_count(); ++f) {
    const sim::Outline outline(placed, f, nullptr);
    if (outline.outside(outline.level * outline.normal) < -1e-3) found.push_back(outline.normal);
  }
  EXPECT_FALSE(found.empty());
  return found;
}

std::vector<Case> moving(Shapes& s) {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const btVector3 offsets[] = {{0.3, 0, 0}, {-0.3, 0, 0}, {0, 0.3, 0}, {0, -0.3, 0}};
  const btScalar same[] = {0.15, 0.15, 0.15, 0.15}, other[] = {0.2, 0.15, 0.1, 0.15};
  const btVector3 above(0, 0, 0.05);
  auto* gem = s.make<btConvexHullShape>();
  auto* cloud_points = s.make<std::vector<btVector3>>();
  auto* mesh = s.make<btTriangleMesh>();
  for (int i = 0; i < 5; ++i)
    for (double h : {-0.2, 0.2}) {
      const double r = h < 0 ? 0.35 : 0.2;
      const btVector3 p(r * std::cos(2 * kPi * i / 5), r * std::sin(2 * kPi * i / 5), h);
      gem->addPoint(p);
      cloud_points->push_back(p);
    }
  const auto& p = *cloud_points;
  for (std::size_t i = 0; i < 5; ++i)
    mesh->addTriangle(p[2 * i], p[(2 * i + 2) % 10], p[(2 * i + 5) % 10]);
  mesh->addTriangle(p[1], p[5], p[7]);
  auto* cone = s.make<btConeShapeZ>(0.3, 0.4);
  const Vector3d generator = Vector3d(0.4, 0, 0.3).normalized();
  auto* table = s.make<btCompoundShape>();
  auto* spheres = s.make<btMultiSphereShape>(offsets, same, 4);
  const auto at = [](double px, double py, double pz) {
    return btTransform(btQuaternion::getIdentity(), btVector3(px, py, pz));
  };
  table->addChildShape(at(0, 0, 0.1), s.make<btBoxShape>(btVector3(0.3, 0.3, 0.05)));
  for (double u : {-0.25, 0.25})
    for (double v : {-0.25, 0.25})
      table->addChildShape(at(u, v, -0.1), s.make<btCylinderShapeZ>(btVector3(0.04, 0.04, 0.15)));
  auto* cluster = s.make<btCompoundShape>();
  cluster->addChildShape(at(0.5, 0, 0), spheres);
  cluster->addChildShape(at(-0.5, 0, 0), spheres);
  auto* stretched = s.make<btMultiSphereShape>(offsets, other, 4);
  stretched->setLocalScaling(btVector3(1, 0.8, 0.6));
  auto* scaled_hull = s.make<btConvexHullShape>(*gem);
  scaled_hull->setLocalScaling(btVector3(0.7, 1.2, 0.5));
  auto* scaled_can = s.make<btCylinderShapeX>(btVector3(0.3, 0.2, 0.2));
  scaled_can->setLocalScaling(btVector3(1.5, 0.7, 0.7));
  auto* scaled_own = s.make<btUniformScalingShape>(s.make<Own>(octagon), 1.3);
  return {
      {"box", s.make<btBoxShape>(btVector3(0.3, 0.2, 0.1)), {}},
      {"sphere", s.make<btSphereShape>(0.25), {x, y, z, Vector3d(1, 2, 3).normalized()}},
      {"capsule", s.make<btCapsuleShape>(0.2, 0.5), {x, z}},
      {"cylinder x", s.make<btCylinderShapeX>(btVector3(0.4, 0.2, 0.2)), {y, z, x}},
      {"cylinder y", s.make<btCylinderShape>(btVector3(0.2, 0.4, 0.2)), {x, z, y}},
      {"cylinder z", s.make<btCylinderShapeZ>(btVector3(0.2, 0.2, 0.4)), {x, y, z}},
      {"cone", cone, {-z, generator}},
      {"hull", gem, {}},
      {"point cloud",
       s.make<btConvexPointCloudShape>(cloud_points->data(), 10, btVector3(1, 1, 1)),
       {}},
      {"convex mesh", s.make<btConvexTriangleMeshShape>(mesh), {}},
      {"triangle",
       s.make<btTriangleShape>(btVector3(0.4, 0, 0), btVector3(-0.2, 0.4, 0),
                               btVector3(-0.2, -0.4, 0)),
       {z, -z}},
      {"tetrahedron",
       s.make<btBU_Simplex1to4>(btVector3(0.3, 0, -0.1), btVector3(-0.2, 0.3, -0.1),
                                btVector3(-0.2, -0.3, -0.1), btVector3(0, 0, 0.3)),
       {}},
      {"one sphere", s.make<btMultiSphereShape>(&above, same, 1), {-z}},
      {"two spheres", s.make<btMultiSphereShape>(offsets, same, 2), {y, z}},
      {"two unequal spheres", s.make<btMultiSphereShape>(offsets, other, 2), {}},
      {"four spheres", spheres, {}},
      {"four stretched spheres", stretched, {}},
      {"scaled box",
       s.make<btUniformScalingShape>(s.make<btBoxShape>(btVector3(0.3, 0.2, 0.1)), 0.7),
       {}},
      {"scaled cylinder", s.make<btUniformScalingShape>(scaled_can, 1.2), {y, z}},
      {"scaled hull", s.make<btUniformScalingShape>(scaled_hull, 0.9), {}},
      {"rounded box",
       s.make<btMinkowskiSumShape>(s.make<btBoxShape>(btVector3(0.3, 0.2, 0.1)),
                                   s.make<btSphereShape>(0.05)),
       {}},
      {"box 2d", s.make<btBox2dShape>(btVector3(0.4, 0.3, 0.1)), {}},
      {"convex 2d", s.make<btConvex2dShape>(gem), {}},
      {"ellipsoid", s.make<Own>(ellipsoid), {}},
      {"lens", s.make<Own>(lens), {}},
      {"octagon", s.make<Own>(octagon), {}},
      {"scaled octagon", scaled_own, {}},
      {"table", table, {-z, z}},
      {"cluster", cluster, {z, -z}},
  };
}

struct Ground {
  std::string name;
  btCollisionShape* shape;
  double top;        // m, above the origin
  double mass = 0;   // kg; 0: fixed
  double depth = 0;  // m, of a plane that it then stands on
};

// A flat mesh: squares of uneven size, cut along either diagonal.
btTriangleMesh* flat_mesh(Shapes& s, unsigned seed) {
  constexpr int kCells = 9;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uneven(-0.15, 0.15);
  auto* mesh = s.make<btTriangleMesh>();
  std::vector<btVector3> corners;
  for (int i = 0; i <= kCells; ++i)
    for (int j = 0; j <= kCells; ++j)
      corners.emplace_back(0.6 * (i - kCells / 2.0) + uneven(random),
                           0.6 * (j - kCells / 2.0) + uneven(random), 0);
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j) {
      const auto at = [&](int di, int dj) {
        return corners[static_cast<std::size_t>((i + di) * (kCells + 1) + j + dj)];
      };
      if (random() % 2) {
        mesh->addTriangle(at(0, 0), at(1, 0), at(1, 1));
        mesh->addTriangle(at(0, 0), at(1, 1), at(0, 1));
      } else {
        mesh->addTriangle(at(0, 0), at(1, 0), at(0, 1));
        mesh->addTriangle(at(1, 0), at(1, 1), at(0, 1));
      }
    }
  return mesh;
}

std::vector<Ground> grounds(Shapes& s) {
  auto* hull = s.make<btConvexHullShape>();
  for (int i = 0; i < 7; ++i)
    for (double h : {-0.5, 0.0})
      hull->addPoint(
          btVector3((2 - h) * std::cos(2 * kPi * i / 7), (2 - h) * std::sin(2 * kPi * i / 7), h));
  auto* heights = s.make<std::vector<double>>(15 * 15, 0.25);
  auto* field =
      s.make<btHeightfieldTerrainShape>(15, 15, heights->data(), 1, 0, 0.5, 2, PHY_DOUBLE, false);
  field->setLocalScaling(btVector3(0.4, 0.35, 1));
  auto* large = s.make<btTriangleMesh>();
  large->addTriangle(btVector3(-30, -30, 0), btVector3(30, -30, 0), btVector3(30, 30, 0));
  large->addTriangle(btVector3(-30, -30, 0), btVector3(30, 30, 0), btVector3(-30, 30, 0));
  auto* scaled = s.make<btScaledBvhTriangleMeshShape>(
      s.make<btBvhTriangleMeshShape>(flat_mesh(s, 3), true), btVector3(-0.8, 1.1, 2));
  auto* impact = s.make<btGImpactMeshShape>(flat_mesh(s, 4));
  impact->updateBound();
  const btVector3 corners[] = {{2, 2, -0.2}, {-2, 2, -0.2}, {2, -2, -0.2}, {-2, -2, -0.2}};
  const btScalar radii[] = {0.2, 0.2, 0.2, 0.2};
  const btVector3 feet[] = {{0.9, 0.9, 0}, {-0.9, 0.9, 0}, {0.9, -0.9, 0}, {-0.9, -0.9, 0}};
  return {
      {"plane", s.make<btStaticPlaneShape>(btVector3(0, 0, 1), 0), 0},
      {"box", s.make<btBoxShape>(btVector3(2, 2, 0.5)), 0.5},
      {"hull", hull, 0},
      {"two triangles", s.make<btBvhTriangleMeshShape>(large, true), 0},
      {"mesh", s.make<btBvhTriangleMeshShape>(flat_mesh(s, 1), true), 0},
      {"other mesh", s.make<btBvhTriangleMeshShape>(flat_mesh(s, 2), true), 0},
      {"mirrored mesh", scaled, 0},
      {"gimpact mesh", impact, 0},
      {"height field", field, 0},
      {"disc", s.make<btCylinderShapeZ>(btVector3(2, 2, 0.2)), 0.2},
      {"multi-sphere", s.make<btMultiSphereShape>(corners, radii, 4), 0},
      {"scaled box", s.make<btUniformScalingShape>(s.make<btBoxShape>(btVector3(1, 1, 0.25)), 2),
       0.5},
      {"crate", s.make<btBoxShape>(btVector3(0.9, 0.9, 0.25)), 0.25, 2, 0.25},
      {"drum", s.make<btCylinderShapeZ>(btVector3(0.9, 0.9, 0.3)), 0.3, 2, 0.3},
      {"pedestal", s.make<btMultiSphereShape>(feet, radii, 4), 0.2, 2, 0.2},
  };
}

struct Outcome {
  double drift = 0;   // m, from one second after it came to rest
  double gained = 0;  // J, in one step at most
  double sunk = 0;    // m
};

Outcome drop(const Case& what, const Ground& ground, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  const std::vector<Vector3d> downs = what.downs.empty() ? stable_faces(*what.shape) : what.downs;
  const Vector3d down = downs[random() % downs.size()];
  const Turn yaw(Eigen::AngleAxisd(kPi * unit(random), Vector3d::UnitZ()));
  const Turn all =
      random() % 2 ? Turn(Eigen::AngleAxisd(kPi * unit(random),
                                            Vector3d(unit(random), unit(random), 1).normalized()))
                   : Turn::Identity();
  const Turn lying = yaw * Turn::FromTwoVectors(down, -Vector3d::UnitZ());
  const double height =
      lowest(*what.shape, {lying.toRotationMatrix(), Vector3d::Zero()}, -Vector3d::UnitZ());
  const double above = random() % 2 ? 1e-4 : 0.7;
  const Vector3d start(0.4 * unit(random), 0.4 * unit(random), ground.top + height + above);

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver unused;
  DynamicsWorld world(&dispatcher, &broadphase, &unused, &configuration);
  const Vector3d up = all * Vector3d::UnitZ();
  const auto vector = [](const Vector3d& v) { return btVector3(v[0], v[1], v[2]); };
  const auto body = [&](double mass, btCollisionShape* shape, const Vector3d& x, const Turn& q) {
    btVector3 low, high;
    shape->getAabb(btTransform::getIdentity(), low, high);
    const btVector3 size = shape->isConcave() ? btVector3(1, 1, 1) : high - low;
    btVector3 inertia(0, 0, 0);
    for (int k = 0; mass > 0 && k < 3; ++k)
      inertia[k] = mass / 12 * (size.length2() - size[k] * size[k]);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    const Vector3d p = all * x;
    const Turn r = all * q;
    info.m_startWorldTransform = btTransform(btQuaternion(r.x(), r.y(), r.z(), r.w()), vector(p));
    return std::make_unique<btRigidBody>(info);
  };
  btStaticPlaneShape plane(btVector3(0, 0, 1), -ground.depth);
  const auto lowest_of_all = body(0, &plane, Vector3d::Zero(), Turn::Identity());
  const auto below = body(ground.mass, ground.shape, Vector3d::Zero(), Turn::Identity());
  const auto falling = body(1, what.shape, start, lying);
  for (btRigidBody* b : {below.get(), falling.get()})
    if (b->getMass() > 0) b->setActivationState(DISABLE_DEACTIVATION);
  world.setGravity(vector(-9.81 * up));
  if (ground.mass > 0) world.addRigidBody(lowest_of_all.get());
  world.addRigidBody(below.get());
  world.addRigidBody(falling.get());

  Outcome outcome;
  const auto energy = [&] {
    double sum = 0;
    for (const btRigidBody* b : {below.get(), falling.get()}) {
      if (b->getMass() == 0) continue;
      const btVector3 w = b->getAngularVelocity();
      sum += 0.5 * b->getMass() * b->getLinearVelocity().length2() +
             0.5 * w.dot(b->getInvInertiaTensorWorld().inverse() * w) +
             9.81 * b->getMass() * vector(up).dot(b->getWorldTransform().getOrigin());
    }
    return sum;
  };
  double before = energy();
  btTransform rest = btTransform::getIdentity();
  constexpr int kSettle = 120, kSteps = 420;
  for (int step = 0; step < kSteps; ++step) {
    world.stepSimulation(1.0 / 60, 0);
    const double now = energy();
    outcome.gained = std::max(outcome.gained, now - before);
    before = now;
    if (step == kSettle) rest = falling->getWorldTransform();
  }
  const btTransform end = falling->getWorldTransform();
  outcome.drift =
      (end.getOrigin() - rest.getOrigin()).length() +
      (end.getBasis() * rest.getBasis().transpose() - btMatrix3x3::getIdentity())[0].length();
  outcome.sunk = world.penetration();
  world.removeRigidBody(falling.get());
  world.removeRigidBody(below.get());
  world.removeRigidBody(lowest_of_all.get());
  return outcome;
}

TEST(Lying, StaysWhereItLiesAndGainsNoEnergy) {
  const char* asked = std::getenv("PERPEND_PLACEMENTS");
  const unsigned placements = asked ? static_cast<unsigned>(std::atoi(asked)) : 1;
  const char* only = std::getenv("PERPEND_ONLY");
  Shapes shapes;
  for (const Case& what : moving(shapes))
    for (const Ground& ground : grounds(shapes)) {
      unsigned failed = 0;
      Outcome worst;
      std::string seeds;
      if (only && (what.name + " on " + ground.name).find(only) == std::string::npos) continue;
      for (unsigned k = 0; k < placements; ++k) {
        const Outcome o = drop(what, ground, 17 * k + 1);
        const bool bad = !(o.drift < 1e-6 && o.gained < 1e-9 && o.sunk < 1e-6);
        failed += bad;
        if (bad && failed < 6) seeds += " " + std::to_string(k);
        worst.drift = std::max(worst.drift, o.drift);
        worst.gained = std::max(worst.gained, o.gained);
        worst.sunk = std::max(worst.sunk, o.sunk);
      }
      EXPECT_EQ(failed, 0u) << what.name << " on " << ground.name << ": of " << placements
                            << ", drift " << worst.drift << " m, gained " << worst.gained
                            << " J, sunk " << worst.sunk << " m, placements" << seeds;
    }
}

}  // namespace lying_test
}  // namespace perpend
