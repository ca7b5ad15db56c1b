#include "sim/triangles.hpp"

#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>

#include <algorithm>

#include "sim/bullet_types.hpp"
#include "sim/contact_finder.hpp"

namespace perpend::sim {
namespace {

struct Field : btHeightfieldTerrainShape {
  static int up_axis(const btHeightfieldTerrainShape& shape) { return shape.*&Field::m_upAxis; }
};

class Collector : public btTriangleCallback {
 public:
  // `up`: all fronts look that way; zero: corners are counter-clockwise seen from the front, or
  // clockwise in a mirrored mesh.
  Collector(const Placement& place, const Vector3d& up, bool mirrored)
      : place_(place), up_(up), mirrored_(mirrored) {}

  void processTriangle(btVector3* corners, int part, int index) override {
    Triangle t;
    for (std::size_t k = 0; k < 3; ++k) t.corners[k] = from_bullet(corners[k]);
    Vector3d twice = (t.corners[1] - t.corners[0]).cross(t.corners[2] - t.corners[0]);
    if (twice.norm() == 0) return;
    if (mirrored_ || twice.dot(up_) < 0) {
      std::swap(t.corners[1], t.corners[2]);
      twice = -twice;
    }
    for (Vector3d& x : t.corners) x = place_(x);
    t.normal = place_.rotation * twice.normalized();
    t.id = static_cast<std::uint64_t>(static_cast<std::uint32_t>(part)) << 32 |
           static_cast<std::uint32_t>(index);
    triangles.push_back(t);
  }

  std::vector<Triangle> triangles;

 private:
  Placement place_;
  Vector3d up_;
  bool mirrored_;
};

std::vector<Triangle> collected(const btCollisionShape& mesh, const Placement& place,
                                const btVector3& low, const btVector3& high) {
  const bool field = mesh.getShapeType() == TERRAIN_SHAPE_PROXYTYPE;
  const bool mirrored = !field && from_bullet(mesh.getLocalScaling()).prod() < 0;
  Collector collector(place, field ? up_of_field(mesh) : Vector3d::Zero(), mirrored);
  static_cast<const btConcaveShape&>(mesh).processAllTriangles(&collector, low, high);
  std::stable_sort(collector.triangles.begin(), collector.triangles.end(),
                   [](const Triangle& a, const Triangle& b) { return a.id < b.id; });
  return std::move(collector.triangles);
}

}  // namespace

Vector3d up_of_field(const btCollisionShape& shape) {
  return Vector3d::Unit(Field::up_axis(static_cast<const btHeightfieldTerrainShape&>(shape)));
}

std::vector<Triangle> triangles_near(const btCollisionShape& mesh, const Placement& place,
                                     const btCollisionShape& piece, const Placement& of_piece,
                                     double reach) {
  const Matrix3d to_mesh = place.rotation.transpose();
  const Box box = box_around(piece, Placement{to_mesh * of_piece.rotation,
                                              to_mesh * (of_piece.position - place.position)});
  const Vector3d more = Vector3d::Constant(reach);
  return collected(mesh, place, to_bullet(Vector3d(box.low - more)),
                   to_bullet(Vector3d(box.high + more)));
}

std::vector<Triangle> triangles_on_line(const btCollisionShape& mesh, const Placement& place,
                                        const Vector3d& x, const Vector3d& direction) {
  constexpr double kFar = 1e6;  // m
  const Matrix3d to_mesh = place.rotation.transpose();
  const Vector3d from = to_mesh * (x - place.position);
  const Vector3d by = kFar * (to_mesh * direction).cwiseAbs();
  return collected(mesh, place, to_bullet(Vector3d(from - by)), to_bullet(Vector3d(from + by)));
}

}  // namespace perpend::sim
