#include "draw/stage.hpp"

#include <cmath>
#include <numbers>

#include "draw/raster.hpp"

namespace perpend::draw {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

Colour linear(int hex) {
  Colour out;
  for (int k = 0; k < 3; ++k) {
    const float s = static_cast<float>((hex >> (16 - 8 * k)) & 0xff) / 255.0f;
    out[k] = s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
  }
  return out;
}

// Bodies take these in turn: neighbours in a scene differ, and a body keeps its colour.
const std::array<Colour, 8>& palette() {
  static const std::array<Colour, 8> kColours{linear(0x3f86c6), linear(0xea8b3a), linear(0x4fae74),
                                              linear(0xd4564f), linear(0x8f70c0), linear(0xe0bb45),
                                              linear(0x46adba), linear(0xc26a94)};
  return kColours;
}
Colour fixed_colour() { return linear(0xd3d5d8); }

bool is_moving(const Body& body) { return body.mass > 0; }

bool drawable(const State& state, Index row) {
  return state.positions.row(row).allFinite() && state.quaternions.row(row).allFinite();
}

// Of the shape's frame; states tell that of the centre of mass.
Pose pose_of(const Body& body, const State& state, Index row) {
  const auto q = state.quaternions.row(row);
  Pose pose;
  pose.orientation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
  pose.position = Vector3d(state.positions.row(row)) - pose.orientation * centre_of_mass(body);
  return pose;
}

// The spacing of a grid with some ten lines over this length: 1, 2 or 5 times a power of ten.
double nice(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(length / 10)));
  const double digit = length / 10 / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

// A flat face that looks up and reaches beyond what the picture is about.
bool is_ground(const Solid& solid, const Pose& pose, const Vector3d& up, double radius) {
  if (solid.type == Shape::Type::plane) return true;
  if (solid.type != Shape::Type::box) return false;
  for (const Corner3& triangle : solid.triangles) {
    const Vector3d normal = pose.orientation * triangle.normals[0];
    if (normal.dot(up) < 0.5) continue;
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k)
      shortest = std::min(shortest, (triangle.points[(k + 1) % 3] - triangle.points[k]).norm());
    if (shortest > 1.6 * radius) return true;
  }
  return false;
}

// Points of a body that reach as far as it does.
std::vector<Vector3d> outline(const Body& body) {
  const double coarse = is_moving(body) ? radius(body) / 20 : 0.05;
  std::vector<Vector3d> points;
  for (const Solid& solid : solids(body.shape, coarse, Vector3d::Zero(), 1))
    for (const Corner3& triangle : solid.triangles)
      points.insert(points.end(), triangle.points.begin(), triangle.points.end());
  return points;
}

void add(Bounds& bounds, const Body& body, std::size_t place, const std::vector<Vector3d>& points,
         const State& state, const Matrix3d& axes) {
  const auto row = static_cast<Index>(place);
  if (!drawable(state, row)) return;
  const Pose pose = pose_of(body, state, row);
  for (const Vector3d& point : points)
    bounds.add(axes * (pose.position + pose.orientation * point));
}

// The solids of a body; a plane lies around the camera's centre.
std::vector<Solid> placed_solids(const Body& body, const State& state, std::size_t place,
                                 const Camera& camera, double chord, double reach) {
  const auto row = static_cast<Index>(place);
  if (!drawable(state, row)) return solids(body.shape, chord, Vector3d::Zero(), 3 * reach);
  const Pose pose = pose_of(body, state, row);
  return solids(body.shape, chord, pose.orientation.conjugate() * (camera.centre - pose.position),
                3 * reach);
}

}  // namespace

Matrix3d view_axes(const Scene& scene, const View& view) {
  const double speed = scene.gravity.norm();
  const Vector3d up = speed > 0 ? Vector3d(-scene.gravity / speed) : Vector3d::UnitZ();
  // The world's x, turned with up, is where the azimuth counts from.
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), up);
  const double a = view.azimuth * kDegree, e = view.elevation * kDegree;
  const Vector3d towards =
      turn * Vector3d(std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e));
  const Vector3d right = turn * Vector3d(-std::sin(a), std::cos(a), 0);
  Matrix3d axes;
  axes.row(0) = right;
  axes.row(1) = towards.cross(right);
  axes.row(2) = towards;
  return axes;
}

void Bounds::add(const Vector3d& point) {
  lower = lower.cwiseMin(point);
  upper = upper.cwiseMax(point);
}

Bounds bounds(const Scene& scene, const std::vector<const State*>& states, const Matrix3d& axes) {
  Bounds out;
  for (const bool fixed : {false, true}) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (is_moving(scene.bodies[i]) == fixed) continue;
      const std::vector<Vector3d> points = outline(scene.bodies[i]);
      for (const State* state : states) add(out, scene.bodies[i], i, points, *state, axes);
    }
    if (!out.empty()) break;
  }
  if (out.empty()) out.add(Vector3d::Zero());
  return out;
}

std::vector<Bounds> body_bounds(const Scene& scene, const std::vector<const State*>& states,
                                const Matrix3d& axes) {
  std::vector<Bounds> out;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!is_moving(scene.bodies[i])) continue;
    const std::vector<Vector3d> points = outline(scene.bodies[i]);
    for (const State* state : states) {
      Bounds one;
      add(one, scene.bodies[i], i, points, *state, axes);
      if (!one.empty()) out.push_back(one);
    }
  }
  return out;
}

Cast cast_of(const Scene& scene, const State& state, const Camera& camera, double chord,
             double reach) {
  Cast out;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    out.push_back(placed_solids(scene.bodies[i], state, i, camera, chord, reach));
  return out;
}

Stage stage(const Scene& scene, const std::vector<const State*>& states,
            const std::vector<float>& pale, const Camera& camera, const Bounds& about, double chord,
            double reach, const Cast* cast) {
  Stage out;
  const Matrix3d axes = view_axes(scene, camera.view);
  const Vector3d origin = axes * camera.centre;
  const double speed = scene.gravity.norm();
  const Vector3d up = speed > 0 ? Vector3d(-scene.gravity / speed) : Vector3d::UnitZ();
  out.up = (axes * up).cast<float>();
  out.moving.lower = about.lower - origin;
  out.moving.upper = about.upper - origin;
  out.grid = static_cast<float>(nice(2 * reach));
  std::uint32_t facets = 0;
  for (std::size_t i = 0, coloured = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    const bool moving = is_moving(body);
    const Colour own = moving ? palette()[coloured++ % palette().size()] : fixed_colour();
    const bool moves = moving || body.motion.has_value();
    // The latest first: of two faces in one plane the first is drawn.
    for (std::size_t s = states.size(); s-- > 0;) {
      const auto row = static_cast<Index>(i);
      if (s + 1 < states.size() && !moves) break;
      if (!drawable(*states[s], row)) continue;
      const Pose pose = pose_of(body, *states[s], row);
      std::vector<Solid> made;
      if (!cast) made = placed_solids(body, *states[s], i, camera, chord, reach);
      for (const Solid& solid : cast ? (*cast)[i] : made) {
        Piece piece;
        piece.moving = moving;
        piece.still = !moves;
        piece.closed = solid.closed;
        piece.colour = own + pale[s] * (linear(0xf0f1f3) - own);
        piece.ground = !moving && is_ground(solid, pose, up, about.radius());
        piece.grid_origin = (axes * pose.position - origin).cast<float>();
        piece.grid_x = (axes * (pose.orientation * Vector3d::UnitX())).cast<float>();
        piece.grid_y = (axes * (pose.orientation * Vector3d::UnitY())).cast<float>();
        std::uint32_t most = 0;
        for (const Corner3& one : solid.triangles) {
          StageTriangle triangle;
          triangle.piece = static_cast<std::uint32_t>(out.pieces.size());
          triangle.facet = facets + static_cast<std::uint32_t>(one.facet);
          most = std::max(most, static_cast<std::uint32_t>(one.facet) + 1);
          for (std::size_t k = 0; k < 3; ++k) {
            const Vector3d point = pose.position + pose.orientation * one.points[k];
            triangle.points[k] = (axes * point - origin).cast<float>();
            triangle.normals[k] = (axes * (pose.orientation * one.normals[k])).cast<float>();
          }
          out.triangles.push_back(triangle);
        }
        facets += most;
        out.pieces.push_back(piece);
      }
    }
  }
  return out;
}

void find_glass(const Stage& stage, const Camera& camera, double aspect, std::vector<bool>& mark) {
  constexpr int kWidth = 200;
  constexpr double kShare = 0.005;  // of what one sees of moving bodies
  const int height = std::max(1, static_cast<int>(std::lround(kWidth / aspect)));
  const auto half = static_cast<float>(camera.half_width);
  const float scale = kWidth / (2 * half);
  const auto middle_y = static_cast<float>(height) / 2;
  const auto at = [&](const Vector3f& p) {
    return Eigen::Vector2f(kWidth / 2.0f + p.x() * scale, middle_y - p.y() * scale);
  };
  const auto size = static_cast<std::size_t>(kWidth * height);
  const float nothing = -std::numeric_limits<float>::infinity();
  std::vector<float> depth(size, nothing);
  const auto each = [&](bool moving, auto&& put) {
    for (const StageTriangle& t : stage.triangles) {
      if (stage.pieces[t.piece].moving != moving) continue;
      fill(at(t.points[0]), at(t.points[1]), at(t.points[2]), kWidth, height,
           [&](int x, int y, float a, float b, float c) {
             put(t.piece, static_cast<std::size_t>(y * kWidth + x),
                 a * t.points[0].z() + b * t.points[1].z() + c * t.points[2].z());
           });
    }
  };
  each(true, [&](std::uint32_t, std::size_t i, float z) { depth[i] = std::max(depth[i], z); });
  long seen = 0;
  for (float z : depth) seen += z > nothing;
  std::vector<long> hidden(stage.pieces.size(), 0);
  std::vector<std::uint32_t> last(size, static_cast<std::uint32_t>(-1));
  // A body that lies on another is level with it, not behind it.
  const auto clearance = static_cast<float>(1e-3 * camera.half_width);
  each(false, [&](std::uint32_t piece, std::size_t i, float z) {
    if (depth[i] == nothing || z <= depth[i] + clearance || last[i] == piece) return;
    last[i] = piece;  // front and back of it count once
    ++hidden[piece];
  });
  mark.resize(stage.pieces.size(), false);
  for (std::size_t p = 0; p < hidden.size(); ++p) {
    // What has sunk into the ground is not behind it, unless one looks from below.
    if (stage.pieces[p].ground && stage.up.z() > 0) continue;
    if (static_cast<double>(hidden[p]) > kShare * static_cast<double>(seen)) mark[p] = true;
  }
}

std::vector<std::array<float, 3>> body_colours(const Scene& scene) {
  std::vector<std::array<float, 3>> out;
  std::size_t coloured = 0;
  for (const Body& body : scene.bodies) {
    const Colour own = is_moving(body) ? palette()[coloured++ % palette().size()] : fixed_colour();
    out.push_back({own[0], own[1], own[2]});
  }
  return out;
}

std::vector<Mesh> meshes(const Body& body, double plane_half) {
  constexpr double kChord = 0.002;  // of the radius
  const bool moving = is_moving(body);
  const Vector3d centre = centre_of_mass(body);
  std::vector<Mesh> out;
  for (const Solid& solid :
       solids(body.shape, moving ? kChord * radius(body) : 0.005, Vector3d::Zero(), plane_half)) {
    Mesh mesh;
    for (const Corner3& triangle : solid.triangles) {
      mesh.points.push_back(triangle.points);
      for (Vector3d& point : mesh.points.back()) point -= centre;
      mesh.normals.push_back(triangle.normals);
    }
    out.push_back(std::move(mesh));
  }
  return out;
}

}  // namespace perpend::draw
