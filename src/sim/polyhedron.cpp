#include "sim/polyhedron.hpp"

#include <algorithm>
#include <limits>

namespace perpend::sim {
namespace {

// Faces, loops and normals are there; finds the edges from them.
void add_edges(Polyhedron& p) {
  for (int f = 0; f < static_cast<int>(p.faces.size()); ++f) {
    const Polyhedron::Face face = p.faces[static_cast<std::size_t>(f)];
    for (int i = 0; i < face.count; ++i) {
      const int from = p.loop[static_cast<std::size_t>(face.begin + i)];
      const int to = p.loop[static_cast<std::size_t>(face.begin + (i + 1) % face.count)];
      const auto twin = std::find_if(p.edges.begin(), p.edges.end(), [&](const auto& e) {
        return e.from == to && e.to == from && e.right < 0;
      });
      if (twin != p.edges.end())
        twin->right = f;
      else
        p.edges.push_back({from, to, f, -1});
    }
  }
}

Polyhedron make_cube() {
  Polyhedron p;
  for (int k = 0; k < 8; ++k)
    p.vertices.emplace_back(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side ? 0 : 1 << axis;
      p.faces.push_back({static_cast<int>(p.loop.size()), 4});
      if (side)
        p.loop.insert(p.loop.end(), {base, base + v, base + u + v, base + u});
      else
        p.loop.insert(p.loop.end(), {base, base + u, base + u + v, base + v});
      p.normals.push_back((side ? -1 : 1) * Vector3d::Unit(axis));
    }
  add_edges(p);
  return p;
}

Polyhedron make_triangle() {
  Polyhedron p;
  p.vertices = {Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitY()};
  p.normals = {Vector3d::UnitZ(), -Vector3d::UnitZ()};
  p.faces = {{0, 3}, {3, 3}};
  p.loop = {0, 1, 2, 0, 2, 1};
  add_edges(p);
  return p;
}

const Polyhedron& triangle() {
  static const Polyhedron kTriangle = make_triangle();
  return kTriangle;
}

// The hull as triangles, point by point: what a new point sees is removed, and its rim joined to
// the point. What is seen is found by spreading over neighbours from one face, so that the surface
// stays closed whatever rounding says of the others. Points within a tolerance of a face are in it,
// which the exact hull_triangles of a scene does not want.
class Triangulation {
 public:
  struct Triangle {
    std::array<int, 3> v;
    std::array<int, 3> next;  // across the edge v[i], v[i + 1]
    Vector3d normal;
    double offset, area;
    bool alive = true;
  };

  Triangulation(const std::vector<Vector3d>& points, double tolerance)
      : points_(points), tolerance_(tolerance) {}

  // Four points in general position, or fewer: 1 a point, 2 a line, 3 a plane.
  std::vector<int> simplex() const {
    std::vector<int> s{0};
    s.push_back(farthest([&](const Vector3d& x) { return (x - at(0)).norm(); }));
    if ((at(s[1]) - at(s[0])).norm() <= tolerance_) return {0};
    const Vector3d line = (at(s[1]) - at(s[0])).normalized();
    const auto off_line = [&](const Vector3d& x) { return line.cross(x - at(0)).norm(); };
    s.push_back(farthest(off_line));
    if (off_line(at(s[2])) <= tolerance_) return {s[0], s[1]};
    const Vector3d normal = line.cross(at(s[2]) - at(0)).normalized();
    const auto off_plane = [&](const Vector3d& x) { return std::abs(normal.dot(x - at(0))); };
    s.push_back(farthest(off_plane));
    if (off_plane(at(s[3])) <= tolerance_) s.pop_back();
    return s;
  }

  void build(const std::vector<int>& s) {
    std::array<int, 4> v{s[0], s[1], s[2], s[3]};
    const Vector3d normal = (at(v[1]) - at(v[0])).cross(at(v[2]) - at(v[0]));
    if (normal.dot(at(v[3]) - at(v[0])) > 0) std::swap(v[1], v[2]);
    add({v[0], v[1], v[2]}, {1, 2, 3});
    add({v[1], v[0], v[3]}, {0, 3, 2});
    add({v[2], v[1], v[3]}, {0, 1, 3});
    add({v[0], v[2], v[3]}, {0, 2, 1});
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) insert(i);
  }

  const std::vector<Triangle>& triangles() const { return triangles_; }

 private:
  const Vector3d& at(int i) const { return points_[static_cast<std::size_t>(i)]; }
  Triangle& tri(int i) { return triangles_[static_cast<std::size_t>(i)]; }

  template <class Measure>
  int farthest(Measure measure) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i)
      if (measure(at(i)) > measure(at(best))) best = i;
    return best;
  }

  int add(const std::array<int, 3>& v, const std::array<int, 3>& next) {
    const Vector3d twice = (at(v[1]) - at(v[0])).cross(at(v[2]) - at(v[0]));
    const double area = twice.norm();
    const Vector3d normal = area > 0 ? Vector3d(twice / area) : Vector3d::Zero();
    triangles_.push_back({v, next, normal, normal.dot(at(v[0])), area});
    return static_cast<int>(triangles_.size()) - 1;
  }

  void insert(int point) {
    int start = -1;
    double most = tolerance_;
    for (int i = 0; i < static_cast<int>(triangles_.size()); ++i) {
      const double d = tri(i).normal.dot(at(point)) - tri(i).offset;
      if (tri(i).alive && d > most) {
        most = d;
        start = i;
      }
    }
    if (start < 0) return;
    // (triangle beyond the rim, its edge index there), in order around the rim by vertex.
    std::vector<std::array<int, 4>> rim;  // from, to, outside triangle, -
    std::vector<int> stack{start};
    tri(start).alive = false;
    while (!stack.empty()) {
      const int seen = stack.back();
      stack.pop_back();
      for (std::size_t i = 0; i < 3; ++i) {
        const int neighbour = tri(seen).next[i];
        if (!tri(neighbour).alive) continue;
        if (tri(neighbour).normal.dot(at(point)) - tri(neighbour).offset > tolerance_ / 2) {
          tri(neighbour).alive = false;
          stack.push_back(neighbour);
        }
      }
    }
    // What was seen is exactly what died now: its edges to the living are the rim.
    for (int i = 0; i < static_cast<int>(triangles_.size()); ++i) {
      if (!tri(i).alive) continue;
      for (std::size_t k = 0; k < 3; ++k)
        if (!tri(tri(i).next[k]).alive)
          rim.push_back({tri(i).v[(k + 1) % 3], tri(i).v[k], i, static_cast<int>(k)});
    }
    const int first = static_cast<int>(triangles_.size());
    for (const auto& [from, to, outside, k] : rim) {
      const int made = add({from, to, point}, {outside, -1, -1});
      tri(outside).next[static_cast<std::size_t>(k)] = made;
    }
    for (int i = first; i < static_cast<int>(triangles_.size()); ++i)
      for (int j = first; j < static_cast<int>(triangles_.size()); ++j)
        if (tri(i).v[1] == tri(j).v[0]) {
          tri(i).next[1] = j;
          tri(j).next[2] = i;
        }
  }

  const std::vector<Vector3d>& points_;
  double tolerance_;
  std::vector<Triangle> triangles_;
};

// Newell's normal of a loop.
Vector3d loop_normal(const std::vector<Vector3d>& points, const std::vector<int>& loop) {
  Vector3d sum = Vector3d::Zero();
  const Vector3d& origin = points[static_cast<std::size_t>(loop[0])];
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    sum += (points[static_cast<std::size_t>(loop[i])] - origin)
               .cross(points[static_cast<std::size_t>(loop[i + 1])] - origin);
  return sum.normalized();
}

// The hull of points in one plane, as a loop.
std::vector<int> flat_hull(const std::vector<Vector3d>& points, const Vector3d& normal,
                           double tolerance) {
  std::vector<int> order(points.size()), loop;
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const Tangents frame = tangents(normal);
  const auto x = [&](int i) { return frame.t.dot(points[static_cast<std::size_t>(i)]); };
  const auto y = [&](int i) { return frame.o.dot(points[static_cast<std::size_t>(i)]); };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return x(a) != x(b) ? x(a) < x(b) : (y(a) != y(b) ? y(a) < y(b) : a < b);
  });
  const auto turns_left = [&](int a, int b, int c) {
    const double ux = x(b) - x(a), uy = y(b) - y(a), vx = x(c) - x(a), vy = y(c) - y(a);
    return ux * vy - uy * vx > tolerance * std::hypot(vx, vy);
  };
  for (int pass = 0; pass < 2; ++pass) {  // lower chain, then upper chain
    const std::size_t base = loop.size();
    for (int i : order) {
      while (loop.size() >= base + 2 && !turns_left(loop[loop.size() - 2], loop.back(), i))
        loop.pop_back();
      loop.push_back(i);
    }
    loop.pop_back();
    std::reverse(order.begin(), order.end());
  }
  return loop;
}

}  // namespace

const Polyhedron& cube() {
  static const Polyhedron kCube = make_cube();
  return kCube;
}

Polyhedron hull(const std::vector<Vector3d>& points) {
  Polyhedron p;
  if (points.empty()) return p;
  double size = 0;
  for (const Vector3d& x : points) size = std::max(size, (x - points[0]).cwiseAbs().maxCoeff());
  const double tolerance = 1e-11 * size;  // closer to a face than this is in it
  const double flat = 1e-8 * size;        // triangles this close to a plane are one face
  Triangulation triangulation(points, tolerance);
  const std::vector<int> simplex = triangulation.simplex();

  std::vector<std::vector<int>> loops;
  if (simplex.size() < 3) {
    for (int i : simplex) p.vertices.push_back(points[static_cast<std::size_t>(i)]);
    return p;
  }
  if (simplex.size() == 3) {
    const std::vector<int> loop =
        flat_hull(points, loop_normal(points, simplex), std::max(tolerance, 1e-300));
    loops = {loop, {loop.rbegin(), loop.rend()}};
  } else {
    triangulation.build(simplex);
    const auto& triangles = triangulation.triangles();
    const auto at = [&](int i) -> const Triangulation::Triangle& {
      return triangles[static_cast<std::size_t>(i)];
    };
    std::vector<int> order, group(triangles.size(), -1);
    for (int i = 0; i < static_cast<int>(triangles.size()); ++i)
      if (at(i).alive) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return at(a).area > at(b).area; });
    int groups = 0;
    for (int seed : order) {
      if (group[static_cast<std::size_t>(seed)] >= 0) continue;
      std::vector<int> stack{seed}, members;
      group[static_cast<std::size_t>(seed)] = groups;
      while (!stack.empty()) {
        const int t = stack.back();
        stack.pop_back();
        members.push_back(t);
        for (int n : at(t).next) {
          if (group[static_cast<std::size_t>(n)] >= 0) continue;
          bool in_plane = true;
          for (int v : at(n).v)
            in_plane &= std::abs(at(seed).normal.dot(points[static_cast<std::size_t>(v)]) -
                                 at(seed).offset) <= flat;
          if (!in_plane) continue;
          group[static_cast<std::size_t>(n)] = groups;
          stack.push_back(n);
        }
      }
      // The edges between this face and others, chained.
      std::vector<std::array<int, 2>> rim;
      for (int t : members)
        for (std::size_t k = 0; k < 3; ++k)
          if (group[static_cast<std::size_t>(at(t).next[k])] != groups)
            rim.push_back({at(t).v[k], at(t).v[(k + 1) % 3]});
      std::vector<int> loop;
      for (int v = rim.empty() ? -1 : rim[0][0]; loop.size() < rim.size();) {
        loop.push_back(v);
        for (const auto& [from, to] : rim)
          if (from == loop.back()) v = to;
      }
      loops.push_back(loop);
      ++groups;
    }
    // A vertex of two faces only lies on their common edge.
    std::vector<int> uses(points.size(), 0);
    for (const auto& loop : loops)
      for (int v : loop) ++uses[static_cast<std::size_t>(v)];
    for (auto& loop : loops)
      loop.erase(std::remove_if(loop.begin(), loop.end(),
                                [&](int v) { return uses[static_cast<std::size_t>(v)] < 3; }),
                 loop.end());
    loops.erase(std::remove_if(loops.begin(), loops.end(),
                               [](const auto& loop) { return loop.size() < 3; }),
                loops.end());
  }

  std::vector<int> renamed(points.size(), -1);
  for (const auto& loop : loops) {
    p.normals.push_back(loop_normal(points, loop));
    p.faces.push_back({static_cast<int>(p.loop.size()), static_cast<int>(loop.size())});
    for (int v : loop) {
      int& name = renamed[static_cast<std::size_t>(v)];
      if (name < 0) {
        name = static_cast<int>(p.vertices.size());
        p.vertices.push_back(points[static_cast<std::size_t>(v)]);
      }
      p.loop.push_back(name);
    }
  }
  add_edges(p);
  return p;
}

void PlacedPolyhedron::place(const Polyhedron& p, const Placement& placement) {
  box_ = false;
  shape_ = &p;
  vertex_count_ = static_cast<int>(p.vertices.size());
  many_.resize(p.vertices.size() + p.normals.size());
  for (std::size_t i = 0; i < p.vertices.size(); ++i) many_[i] = placement(p.vertices[i]);
  for (std::size_t i = 0; i < p.normals.size(); ++i)
    many_[p.vertices.size() + i] = placement.rotation * p.normals[i];
  vertices_ = many_.data();
  normals_ = many_.data() + p.vertices.size();
}

void PlacedPolyhedron::place_box(const Vector3d& half, const Placement& placement) {
  shape_ = &cube();
  vertex_count_ = 8;
  box_ = true;
  centre_ = placement.position;
  half_ = half;
  const Matrix3d& r = placement.rotation;
  const Vector3d x = half.x() * r.col(0), y = half.y() * r.col(1), z = half.z() * r.col(2);
  half_axes_ = {x, y, z};
  for (unsigned k = 0; k < 8; ++k)
    few_vertices_[k] = placement.position + (k & 1 ? x : Vector3d(-x)) +
                       (k & 2 ? y : Vector3d(-y)) + (k & 4 ? z : Vector3d(-z));
  for (unsigned i = 0; i < 3; ++i) {
    few_normals_[2 * i] = r.col(i);
    few_normals_[2 * i + 1] = -r.col(i);
  }
  vertices_ = few_vertices_.data();
  normals_ = few_normals_.data();
}

void PlacedPolyhedron::place_shifted(const PlacedPolyhedron& p, const Vector3d& by) {
  box_ = false;
  shape_ = p.shape_;
  vertex_count_ = p.vertex_count_;
  many_.assign(p.vertices_, p.vertices_ + p.vertex_count_);
  for (Vector3d& x : many_) x += by;
  many_.insert(many_.end(), p.normals_, p.normals_ + p.face_count());
  vertices_ = many_.data();
  normals_ = many_.data() + p.vertex_count_;
}

void PlacedPolyhedron::place_triangle(const std::array<Vector3d, 3>& corners) {
  box_ = false;
  shape_ = &triangle();
  vertex_count_ = 3;
  std::copy(corners.begin(), corners.end(), few_vertices_.begin());
  few_normals_[0] = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  few_normals_[1] = -few_normals_[0];
  vertices_ = few_vertices_.data();
  normals_ = few_normals_.data();
}

double PlacedPolyhedron::highest(const Vector3d& n) const {
  if (box_) return n.dot(centre_) + spread(n);
  double most = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < vertex_count_; ++i) most = std::max(most, n.dot(vertices_[i]));
  return most;
}

double PlacedPolyhedron::lowest(const Vector3d& n) const {
  if (box_) return n.dot(centre_) - spread(n);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < vertex_count_; ++i) least = std::min(least, n.dot(vertices_[i]));
  return least;
}

}  // namespace perpend::sim
