#include "capture/ode/geoms.hpp"

#include <map>

namespace perpend::capture::from_ode {
namespace {

void place(dGeomID geom, const Pose& pose, dBodyID body) {
  const Eigen::Quaterniond q = pose.orientation.normalized();
  const dQuaternion turn{q.w(), q.x(), q.y(), q.z()};
  const Vector3d& p = pose.position;
  if (body) {
    dGeomSetBody(geom, body);
    dGeomSetOffsetPosition(geom, p.x(), p.y(), p.z());
    dGeomSetOffsetQuaternion(geom, turn);
  } else {
    dGeomSetPosition(geom, p.x(), p.y(), p.z());
    dGeomSetQuaternion(geom, turn);
  }
}

}  // namespace

Geoms::~Geoms() {
  for (const Triangles& mesh : meshes_) dGeomTriMeshDataDestroy(mesh.data);
  for (const dHeightfieldDataID field : fields_) dGeomHeightfieldDataDestroy(field);
}

// A polyhedron of triangles over the corners of the hull; points inside it are left out.
dGeomID Geoms::hull(const Shape& shape) {
  Polyhedron& made = polyhedra_.emplace_back();
  std::map<Index, unsigned int> corners;
  for (const auto& triangle : hull_triangles(shape.points)) {
    made.polygons.push_back(3);
    for (const Index corner : triangle) {
      const auto [at, added] = corners.emplace(corner, static_cast<unsigned int>(corners.size()));
      if (added)
        for (const double x : shape.points[static_cast<std::size_t>(corner)])
          made.points.push_back(x);
      made.polygons.push_back(at->second);
    }
    const auto point = [&](int k) {
      return shape.points[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])];
    };
    const Vector3d n = (point(1) - point(0)).cross(point(2) - point(0)).normalized();
    made.planes.insert(made.planes.end(), {n.x(), n.y(), n.z(), n.dot(point(0))});
  }
  return dCreateConvex(space_, made.planes.data(), static_cast<unsigned>(made.planes.size() / 4),
                       made.points.data(), static_cast<unsigned>(corners.size()),
                       made.polygons.data());
}

dGeomID Geoms::mesh(const Shape& shape) {
  Triangles& made = meshes_.emplace_back();
  for (const Vector3d& point : shape.points)
    made.points.insert(made.points.end(), {point.x(), point.y(), point.z()});
  for (const auto& triangle : shape.triangles)
    for (const Index corner : triangle) made.corners.push_back(static_cast<dTriIndex>(corner));
  made.data = dGeomTriMeshDataCreate();
  dGeomTriMeshDataBuildDouble(made.data, made.points.data(), 3 * sizeof(double),
                              static_cast<int>(shape.points.size()), made.corners.data(),
                              static_cast<int>(made.corners.size()), 3 * sizeof(dTriIndex));
  // Hulls on a mesh abort without it.
  dGeomTriMeshDataPreprocess2(made.data, 1U << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, nullptr);
  return dCreateTriMesh(space_, made.data, nullptr, nullptr, nullptr);
}

// ODE's height is along y and its rows run along z: turned about x, and the rows backwards.
dGeomID Geoms::height_field(const Shape& shape) {
  std::vector<double> heights;
  for (Index row = shape.rows - 1; row >= 0; --row)
    for (Index column = 0; column < shape.columns; ++column)
      heights.push_back(shape.heights[static_cast<std::size_t>(row * shape.columns + column)]);
  fields_.push_back(dGeomHeightfieldDataCreate());
  dGeomHeightfieldDataBuildDouble(
      fields_.back(), heights.data(), 1, shape.spacing * static_cast<double>(shape.columns - 1),
      shape.spacing * static_cast<double>(shape.rows - 1), static_cast<int>(shape.columns),
      static_cast<int>(shape.rows), 1, 0, 1, 0);
  return dCreateHeightfield(space_, fields_.back(), 1);
}

void Geoms::make(const Shape& shape, const Pose& pose, dBodyID body, void* data) {
  dGeomID geom = nullptr;
  Pose placed = pose;
  switch (shape.type) {
    case Shape::Type::box:
      geom = dCreateBox(space_, 2 * shape.half_extents.x(), 2 * shape.half_extents.y(),
                        2 * shape.half_extents.z());
      break;
    case Shape::Type::sphere:
      geom = dCreateSphere(space_, shape.radius);
      break;
    case Shape::Type::cylinder:
      geom = dCreateCylinder(space_, shape.radius, shape.height);
      break;
    case Shape::Type::capsule:
      geom = dCreateCapsule(space_, shape.radius, shape.height);
      break;
    case Shape::Type::hull:
      geom = hull(shape);
      break;
    case Shape::Type::compound:
      for (const Part& part : shape.parts)
        make(part.shape,
             {pose.position + pose.orientation * part.pose.position,
              pose.orientation * part.pose.orientation},
             body, data);
      return;
    case Shape::Type::mesh:
      geom = mesh(shape);
      break;
    case Shape::Type::height_field:
      geom = height_field(shape);
      placed.orientation =
          pose.orientation * Eigen::Quaterniond(Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()));
      break;
    case Shape::Type::plane: {
      const Vector3d n = pose.orientation * Vector3d::UnitZ();
      geom = dCreatePlane(space_, n.x(), n.y(), n.z(), n.dot(pose.position));
      dGeomSetData(geom, data);
      return;  // it has no pose
    }
    case Shape::Type::cone:  // ODE has none
      return;
  }
  place(geom, placed, body);
  dGeomSetData(geom, data);
}

}  // namespace perpend::capture::from_ode
