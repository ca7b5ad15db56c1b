// A scene at some moments in the coordinates of a camera: x to the right, y up, z towards the eye,
// metres, origin at the camera's centre.
#pragma once

#include <limits>

#include "draw/solids.hpp"
#include "perpend/draw.hpp"

namespace perpend::draw {

using Vector3f = Eigen::Vector3f;

// Rows: right, up, towards the eye.
Matrix3d view_axes(const Scene&, const View&);

struct Bounds {
  Vector3d lower = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d upper = -lower;
  bool empty() const { return !(lower.array() <= upper.array()).all(); }
  void add(const Vector3d& point);
  Vector3d centre() const { return (lower + upper) / 2; }
  double radius() const { return (upper - lower).norm() / 2; }  // m
};
// Of moving bodies (fixed ones where none moves) at all moments, along the axes of the camera.
Bounds bounds(const Scene&, const std::vector<const State*>&, const Matrix3d& axes);
// The same for each moving body at each moment: those that are drawn.
std::vector<Bounds> body_bounds(const Scene&, const std::vector<const State*>&,
                                const Matrix3d& axes);

// Linear light, 0 to 1.
using Colour = Eigen::Vector3f;

struct Piece {
  Colour colour;
  bool moving = false;
  bool still = false;   // where it is, it stays
  bool glass = false;   // drawn see-through, casts no shadow
  bool closed = true;   // its triangles are seen from outside only
  bool ground = false;  // wide and flat: gets a grid
  Vector3f grid_origin = Vector3f::Zero(), grid_x = Vector3f::UnitX(), grid_y = Vector3f::UnitY();
};

struct StageTriangle {
  std::array<Vector3f, 3> points, normals;
  std::uint32_t facet;  // over all pieces
  std::uint32_t piece;
};

struct Stage {
  std::vector<Piece> pieces;
  std::vector<StageTriangle> triangles;
  Bounds moving;  // what the picture is about
  Vector3f up = Vector3f::UnitY();
  float grid = 1;  // m, between lines of the ground
};

// The solids of every body, once for many stages with the same camera; planes lie around its
// centre.
using Cast = std::vector<std::vector<Solid>>;
Cast cast_of(const Scene&, const State&, const Camera&, double chord, double reach);

// `about` is what bounds() gave for the whole picture; `pale` (0: not) takes each state's colours
// towards the ground's. `chord`: how far round surfaces may be off, m. `reach`: how far from the
// centre the picture goes, m.
Stage stage(const Scene&, const std::vector<const State*>&, const std::vector<float>& pale,
            const Camera&, const Bounds& about, double chord, double reach,
            const Cast* cast = nullptr);

// Marks fixed pieces that hide moving ones as glass: `mark[i]` is for piece i, and stays true once
// it is; piece i must mean the same in all stages of a picture.
void find_glass(const Stage&, const Camera&, double aspect, std::vector<bool>& mark);

}  // namespace perpend::draw
