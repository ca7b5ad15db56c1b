// ODE's geoms for the shapes of a scene, and the arrays they point into.
#pragma once

#include <ode/ode.h>

#include <deque>
#include <memory>
#include <vector>

#include "perpend/scene.hpp"

namespace perpend::capture::from_ode {

// Where a geom is placed: in the world, or on a body as seen from its centre of mass.
class Geoms {
 public:
  explicit Geoms(dSpaceID space) : space_(space) {}
  ~Geoms();
  Geoms(const Geoms&) = delete;
  Geoms& operator=(const Geoms&) = delete;

  // `body` null: it stands where `pose` says. `data` is the geom's.
  void make(const Shape&, const Pose& pose, dBodyID body, void* data);

 private:
  dGeomID hull(const Shape&);
  dGeomID mesh(const Shape&);
  dGeomID height_field(const Shape&);

  dSpaceID space_;
  struct Polyhedron {
    std::vector<dReal> planes, points;
    std::vector<unsigned int> polygons;
  };
  std::deque<Polyhedron> polyhedra_;
  struct Triangles {
    std::vector<double> points;
    std::vector<dTriIndex> corners;
    dTriMeshDataID data = nullptr;
  };
  std::deque<Triangles> meshes_;
  std::vector<dHeightfieldDataID> fields_;
};

}  // namespace perpend::capture::from_ode
