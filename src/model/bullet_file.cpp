// Worlds that Bullet saved, with Bullet's own importer. They have no lines: what is lost has a
// name.
#include <BulletWorldImporter/btBulletWorldImporter.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "model/readers.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"

namespace perpend::model {
namespace {

using Kind = Loss::Kind;

Vector3d vector(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
Pose pose_of(const btTransform& t) {
  const btQuaternion q = t.getRotation();
  return {vector(t.getOrigin()), Eigen::Quaterniond(q.w(), q.x(), q.y(), q.z()).normalized()};
}
// From the axis that a shape of Bullet has (0, 1, 2) to z, where ours have theirs.
Pose axis_of(int up) {
  Pose out;
  if (up != 2) out.orientation = towards(Vector3d::Unit(up));
  return out;
}

class Worlds {
 public:
  Worlds()
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {}
  btDiscreteDynamicsWorld& world() { return world_; }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
};

class BulletFile {
 public:
  BulletFile(const std::string& bytes, const std::string& path, const Options& options,
             Report& report)
      : path_(path), options_(options), report_(report), importer_(&worlds_.world()) {
    std::string copy = bytes;  // it is swapped and patched in place
    importer_.setVerboseMode(0);
    if (!importer_.loadFileFromMemory(copy.data(), static_cast<int>(copy.size())))
      throw io::InputError(path + ": Bullet cannot read it");
    if (importer_.getNumRigidBodies() == 0) throw io::InputError(path + ": has no rigid bodies");
  }

  Assembly read() {
    out_.name = std::filesystem::path(path_).stem().string();
    out_.gravity = vector(worlds_.world().getGravity());
    for (int i = 0; i < importer_.getNumRigidBodies(); ++i)
      if (const btRigidBody* body = btRigidBody::upcast(importer_.getRigidBodyByIndex(i)))
        link(*body, i);
    for (int i = 0; i < importer_.getNumConstraints(); ++i)
      joint(*importer_.getConstraintByIndex(i), i);
    return std::move(out_);
  }

 private:
  std::string called(const void* thing, const std::string& kind, int i) {
    const char* name = importer_.getNameForPointer(thing);
    return name && *name ? name : kind + " " + std::to_string(i);
  }

  void link(const btRigidBody& body, int i) {
    Link link;
    link.name = called(&body, "body", i);
    link.place = {path_, 0};
    link.pose = pose_of(body.getWorldTransform());
    link.fixed = !(body.getInvMass() > 0);
    if (!link.fixed) {
      link.mass = 1 / body.getInvMass();
      const Vector3d inverse = vector(body.getInvInertiaDiagLocal());
      if (inverse.minCoeff() > 0)
        link.inertia = Matrix3d(inverse.cwiseInverse().asDiagonal());
      else
        link.shape_inertia = true;
      link.velocity << vector(body.getLinearVelocity()), vector(body.getAngularVelocity());
    }
    LinkShape one;
    one.mu = body.getFriction();
    one.restitution = std::clamp(body.getRestitution(), 0.0, 1.0);
    one.place = link.place;
    one.tag = link.name;
    if (body.getRollingFriction() > 0 || body.getSpinningFriction() > 0)
      report_.lose(link.place, link.name, Kind::physics, "rolling and spinning friction");
    if (body.getLinearDamping() > 0 || body.getAngularDamping() > 0)
      report_.lose(link.place, link.name, Kind::physics, "damping of a body");
    shapes(*body.getCollisionShape(), Pose(), one, link);
    links_[&body] = static_cast<Index>(out_.links.size());
    out_.links.push_back(std::move(link));
  }

  void shapes(const btCollisionShape& given, const Pose& pose, LinkShape one, Link& link) {
    const auto add = [&](const Pose& where) {
      one.pose = pose * where;
      link.shapes.push_back(one);
    };
    Shape& shape = one.shape;
    switch (given.getShapeType()) {
      case BOX_SHAPE_PROXYTYPE:
        shape.half_extents =
            vector(static_cast<const btBoxShape&>(given).getHalfExtentsWithMargin());
        return add(Pose());
      case SPHERE_SHAPE_PROXYTYPE:
        shape.type = Shape::Type::sphere;
        shape.radius = static_cast<const btSphereShape&>(given).getRadius();
        return add(Pose());
      case CAPSULE_SHAPE_PROXYTYPE: {
        const auto& capsule = static_cast<const btCapsuleShape&>(given);
        shape.type = Shape::Type::capsule;
        shape.radius = capsule.getRadius();
        shape.height = 2 * capsule.getHalfHeight();
        return add(axis_of(capsule.getUpAxis()));
      }
      case CYLINDER_SHAPE_PROXYTYPE: {
        const auto& cylinder = static_cast<const btCylinderShape&>(given);
        shape.type = Shape::Type::cylinder;
        shape.radius = cylinder.getRadius();
        shape.height = 2 * cylinder.getHalfExtentsWithMargin()[cylinder.getUpAxis()];
        return add(axis_of(cylinder.getUpAxis()));
      }
      case CONE_SHAPE_PROXYTYPE: {
        const auto& cone = static_cast<const btConeShape&>(given);
        shape.type = Shape::Type::cone;
        shape.radius = cone.getRadius();
        shape.height = cone.getHeight();
        return add(axis_of(cone.getConeUpIndex()));
      }
      case CONVEX_HULL_SHAPE_PROXYTYPE: {
        const auto& hull = static_cast<const btConvexHullShape&>(given);
        Mesh points;
        for (int i = 0; i < hull.getNumPoints(); ++i)
          points.points.push_back(vector(hull.getScaledPoint(i)));
        double off = 0;
        shape.type = Shape::Type::hull;
        shape.points = hull_corners(points.points, options_.hull_points, off);
        if (shape.points.empty())
          return report_.lose(link.place, link.name, Kind::physics, "its hull is flat");
        return add(Pose());
      }
      case STATIC_PLANE_PROXYTYPE: {
        const auto& plane = static_cast<const btStaticPlaneShape&>(given);
        shape.type = Shape::Type::plane;
        Pose where;
        where.orientation = towards(vector(plane.getPlaneNormal()).normalized());
        where.position = plane.getPlaneConstant() * vector(plane.getPlaneNormal());
        return add(where);
      }
      case COMPOUND_SHAPE_PROXYTYPE: {
        const auto& compound = static_cast<const btCompoundShape&>(given);
        for (int i = 0; i < compound.getNumChildShapes(); ++i)
          shapes(*compound.getChildShape(i), pose * pose_of(compound.getChildTransform(i)), one,
                 link);
        return;
      }
      case TRIANGLE_MESH_SHAPE_PROXYTYPE:
        return triangles(static_cast<const btBvhTriangleMeshShape&>(given), pose, one, link);
      default:
        report_.lose(link.place, link.name, Kind::physics,
                     std::string("its shape, a ") + given.getName());
    }
  }

  void triangles(const btBvhTriangleMeshShape& given, const Pose& pose, LinkShape one, Link& link) {
    struct Collect : btTriangleCallback {
      Mesh mesh;
      void processTriangle(btVector3* corners, int, int) override {
        const auto first = static_cast<Index>(mesh.points.size());
        for (int k = 0; k < 3; ++k) mesh.points.push_back(vector(corners[k]));
        mesh.triangles.push_back({first, first + 1, first + 2});
      }
    } collect;
    const btVector3 all(1e18, 1e18, 1e18);
    given.processAllTriangles(&collect, -all, all);
    one.pose = pose;
    for (const Shape& shape :
         shapes_of(collect.mesh, Vector3d::Ones(), link.fixed, options_, link.place, report_)) {
      one.shape = shape;
      link.shapes.push_back(one);
    }
  }

  Index link_of(const btRigidBody& body) const {
    const auto found = links_.find(&body);
    return found == links_.end() || out_.links[static_cast<std::size_t>(found->second)].fixed
               ? -1
               : found->second;
  }

  void joint(btTypedConstraint& given, int i) {
    LinkJoint joint;
    joint.name = called(&given, "joint", i);
    joint.place = {path_, 0};
    joint.first = link_of(given.getRigidBodyA());
    joint.second = link_of(given.getRigidBodyB());
    if (joint.first < 0 && joint.second < 0) return;
    const auto in_world = [&](const btTransform& frame) {
      return pose_of(given.getRigidBodyA().getWorldTransform() * frame);
    };
    switch (given.getConstraintType()) {
      case POINT2POINT_CONSTRAINT_TYPE:
        joint.type = Joint::Type::point;
        joint.frame.position = vector(given.getRigidBodyA().getWorldTransform() *
                                      static_cast<btPoint2PointConstraint&>(given).getPivotInA());
        break;
      case HINGE_CONSTRAINT_TYPE: {
        auto& hinge = static_cast<btHingeConstraint&>(given);
        joint.frame = in_world(hinge.getAFrame());
        const double q = hinge.getHingeAngle();
        // Bullet counts the angle of the first body relative to the second, unless it is told.
        const bool ours = hinge.getUseReferenceFrameA();
        if (hinge.hasLimit()) {
          const double lower = hinge.getLowerLimit() - q, upper = hinge.getUpperLimit() - q;
          joint.limits[5] = ours ? Joint::Limit{lower, upper} : Joint::Limit{-upper, -lower};
        }
        if (hinge.getEnableAngularMotor())
          joint.motors[5] = {
              true, ours ? hinge.getMotorTargetVelocity() : -hinge.getMotorTargetVelocity(),
              hinge.getMaxMotorImpulse() / out_.step};
        break;
      }
      case SLIDER_CONSTRAINT_TYPE: {
        auto& slider = static_cast<btSliderConstraint&>(given);
        joint.type = Joint::Type::slider;
        joint.frame = in_world(slider.getFrameOffsetA());
        // Bullet slides along x.
        joint.frame.orientation = joint.frame.orientation * towards(Vector3d::UnitX());
        if (slider.getLowerLinLimit() <= slider.getUpperLinLimit())
          joint.limits[2] = {slider.getLowerLinLimit(), slider.getUpperLinLimit()};
        if (slider.getLowerAngLimit() != 0 || slider.getUpperAngLimit() != 0)
          report_.lose(joint.place, joint.name, Kind::physics, "a slider that also turns");
        break;
      }
      case FIXED_CONSTRAINT_TYPE:
        joint.type = Joint::Type::fixed;
        joint.frame = pose_of(given.getRigidBodyB().getWorldTransform());
        break;
      default:
        report_.lose(joint.place, joint.name, Kind::physics,
                     "a joint of Bullet's type " + std::to_string(given.getConstraintType()));
        return;
    }
    out_.joints.push_back(joint);
  }

  std::string path_;
  const Options& options_;
  Report& report_;
  Worlds worlds_;
  btBulletWorldImporter importer_;
  std::map<const btRigidBody*, Index> links_;
  Assembly out_;
};

}  // namespace

Assembly read_bullet(const std::string& bytes, const std::string& path, const Options& options,
                     Report& report) {
  return BulletFile(bytes, path, options, report).read();
}

}  // namespace perpend::model
