#include "sim/contact_axis.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace perpend::sim {
namespace {

constexpr double kParallel = 1e-6;  // sine of the angle below which two edges have no normal

// The edge between two vertices of a cube.
int cube_edge(int one, int other) {
  static const std::array<std::array<signed char, 8>, 8> kEdges = [] {
    std::array<std::array<signed char, 8>, 8> table{};
    const auto& edges = cube().edges;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto from = static_cast<std::size_t>(edges[e].from);
      const auto to = static_cast<std::size_t>(edges[e].to);
      table[from][to] = table[to][from] = static_cast<signed char>(e);
    }
    return table;
  }();
  return kEdges[static_cast<std::size_t>(one)][static_cast<std::size_t>(other)];
}

// Two boxes a and b with orthonormal axes a_i, b_j and half sizes h: all separations from the
// cosines a_i . b_j. Along a_i a box b reaches sum_j |a_i . b_j| h_j from its middle; along
// a_i x b_j only the other two axes of each count.
class BoxPair {
 public:
  BoxPair(const PlacedPolyhedron& a, const PlacedPolyhedron& b) : a_(a.half()), b_(b.half()) {
    const Vector3d apart = b.centre() - a.centre();
    for (int i = 0; i < 3; ++i) {
      along_a_[i] = apart.dot(a.normal(2 * i));
      along_b_[i] = apart.dot(b.normal(2 * i));
      for (int j = 0; j < 3; ++j) {
        cosine_(i, j) = a.normal(2 * i).dot(b.normal(2 * j));
        size_(i, j) = std::abs(cosine_(i, j));
      }
    }
  }

  // Of face f of a, and of b.
  double face_of_a(int f) const {
    const int i = f / 2;
    return (f % 2 ? -along_a_[i] : along_a_[i]) - a_[i] -
           (size_(i, 0) * b_[0] + size_(i, 1) * b_[1] + size_(i, 2) * b_[2]);
  }
  double face_of_b(int f) const {
    const int j = f / 2;
    return (f % 2 ? along_b_[j] : -along_b_[j]) - b_[j] -
           (size_(0, j) * a_[0] + size_(1, j) * a_[1] + size_(2, j) * a_[2]);
  }
  // Of a_i x b_j, whose length is the sine of their angle: the middle of b along it, times that.
  double sine(int i, int j) const {
    const double x = cosine_(kNext[i], j), y = cosine_(kLast[i], j);
    return std::sqrt(x * x + y * y);
  }
  double middle(int i, int j) const {
    const int k = kNext[i], l = kLast[i];
    return along_a_[l] * cosine_(k, j) - along_a_[k] * cosine_(l, j);
  }
  // Half of both boxes along it, times that.
  double extent(int i, int j) const {
    const int k = kNext[i], l = kLast[i], m = kNext[j], n = kLast[j];
    return a_[k] * size_(l, j) + a_[l] * size_(k, j) + b_[m] * size_(i, n) + b_[n] * size_(i, m);
  }

 private:
  static constexpr int kNext[3] = {1, 2, 0}, kLast[3] = {2, 0, 1};  // the other two axes
  const Vector3d &a_, &b_;
  Vector3d along_a_, along_b_;
  Matrix3d cosine_, size_;
};

}  // namespace

bool meet_on_difference(const PlacedPolyhedron& a, int i, const PlacedPolyhedron& b, int j,
                        Vector3d& n, double& sign) {
  const Polyhedron::Edge& e = a.edges()[static_cast<std::size_t>(i)];
  const Polyhedron::Edge& g = b.edges()[static_cast<std::size_t>(j)];
  const Vector3d da = a.vertex(e.to) - a.vertex(e.from);
  const double c = -b.normal(g.left).dot(da), d = -b.normal(g.right).dot(da);
  if (c * d >= 0) return false;
  const Vector3d db = b.vertex(g.to) - b.vertex(g.from);
  const Vector3d &a1 = a.normal(e.left), &a2 = a.normal(e.right);
  const double x = a1.dot(db), y = a2.dot(db);
  if (x * y >= 0 || c * y <= 0) return false;
  n = da.cross(db);
  const double length = n.norm();
  if (length < kParallel * da.norm() * db.norm()) return false;
  sign = n.dot(a1 + a2) < 0 ? -1 : 1;
  n *= sign / length;
  return true;
}

int box_edge(const PlacedPolyhedron& box, int i, const Vector3d& n) {
  int corner = 0;
  for (int k = 0; k < 3; ++k)
    if (k != i && n.dot(box.half_axis(k)) > 0) corner |= 1 << k;
  return cube_edge(corner, corner | 1 << i);
}

bool AxisSearch::run(double reach) {
  if (a_.now.is_box() && b_.now.is_box()) return boxes(reach);
  if (!faces(a_, b_, Axis::face_of_a, reach)) return false;
  if (!faces(b_, a_, Axis::face_of_b, reach)) return false;
  if (!(a_.now.flat() || b_.now.flat() ? flat_edges(reach) : edges(reach))) return false;
  left_ = rim_ && best_.rank() == 0 && best_.now < forbidden_ - kClip;
  return !left_;
}

bool AxisSearch::boxes(double reach) {
  const PlacedPolyhedron &a = a_.now, &b = b_.now;
  const BoxPair now(a, b);
  std::array<double, 6> of_a, of_b;
  for (int f = 0; f < 6; ++f) {
    of_a[static_cast<std::size_t>(f)] = now.face_of_a(f);
    of_b[static_cast<std::size_t>(f)] = now.face_of_b(f);
    if (of_a[static_cast<std::size_t>(f)] > reach || of_b[static_cast<std::size_t>(f)] > reach)
      return false;
  }
  std::array<double, 9> of_edges;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double& apart = of_edges[static_cast<std::size_t>(3 * i + j)];
      const double sine = now.sine(i, j);
      apart =
          sine < kParallel ? Axis().now : (std::abs(now.middle(i, j)) - now.extent(i, j)) / sine;
      if (apart > reach) return false;
    }
  std::optional<BoxPair> next;
  const auto after = [&]() -> const BoxPair& {
    if (!next) next.emplace(a_.next, b_.next);
    return *next;
  };
  for (int f = 0; f < 6; ++f)
    if (const double apart = of_a[static_cast<std::size_t>(f)]; !worse(apart))
      offer({{apart, moving_ ? after().face_of_a(f) : apart}, Axis::face_of_a, f, 0, a.normal(f)});
  for (int f = 0; f < 6; ++f)
    if (const double apart = of_b[static_cast<std::size_t>(f)]; !worse(apart))
      offer({{apart, moving_ ? after().face_of_b(f) : apart}, Axis::face_of_b, f, 0, -b.normal(f)});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double apart = of_edges[static_cast<std::size_t>(3 * i + j)];
      if (worse(apart)) continue;
      const double side = now.middle(i, j) < 0 ? -1 : 1;
      double then = apart;
      if (moving_) {
        const double sine = after().sine(i, j);
        if (sine == 0) continue;
        then = (side * after().middle(i, j) - after().extent(i, j)) / sine;
      }
      const Vector3d n = side * a.normal(2 * i).cross(b.normal(2 * j)).normalized();
      // Which of four parallel edges it is, the signs of the normal tell.
      offer({{apart, then}, Axis::edges, box_edge(a, i, n), box_edge(b, j, -n), n});
    }
  return true;
}

bool AxisSearch::faces(const MovingPolyhedron& p, const MovingPolyhedron& q, Axis::Type type,
                       double reach) {
  const bool of_triangle = rim_ && type == Axis::face_of_a;
  for (int f = 0; f < p.now.face_count(); ++f) {
    if (of_triangle && f == 1) break;
    const Vector3d& n = p.now.normal(f);
    const int corner = p.now.corner(p.now.face(f), 0);
    const double now = q.now.lowest(n) - n.dot(p.now.vertex(corner));
    if (now > reach) return false;
    if (worse(now)) continue;
    if (rim_ && !of_triangle && forbids(-n, now)) continue;
    double next = now;
    if (moving_) {
      const Vector3d& m = p.next.normal(f);
      next = q.next.lowest(m) - m.dot(p.next.vertex(corner));
    }
    offer({{now, next}, type, f, 0, type == Axis::face_of_a ? n : Vector3d(-n)});
  }
  return true;
}

bool AxisSearch::edges(double reach) {
  return for_meeting_edges(a_.now, b_.now, [&](int i, int j, const Vector3d& n, double sign) {
    const double now = n.dot(b_.now.vertex(b_.now.edges()[static_cast<std::size_t>(j)].from) -
                             a_.now.vertex(a_.now.edges()[static_cast<std::size_t>(i)].from));
    if (now > reach) return false;
    if (!worse(now)) offer_edges(i, j, n, sign, now);
    return true;
  });
}

// The normals at an edge of a flat polyhedron are opposite: their arc is any half circle.
bool AxisSearch::flat_edges(double reach) {
  const auto& ea = a_.now.edges();
  const auto& eb = b_.now.edges();
  Vector3d middle = Vector3d::Zero();
  for (int v = 0; v < a_.now.vertex_count(); ++v) middle += a_.now.vertex(v);
  middle /= a_.now.vertex_count();
  for (int i = 0; i < static_cast<int>(ea.size()); ++i) {
    const Polyhedron::Edge& e = ea[static_cast<std::size_t>(i)];
    const Vector3d& pa = a_.now.vertex(e.from);
    const Vector3d da = a_.now.vertex(e.to) - pa;
    for (int j = 0; j < static_cast<int>(eb.size()); ++j) {
      const Polyhedron::Edge& g = eb[static_cast<std::size_t>(j)];
      const double c = b_.now.normal(g.left).dot(da), d = b_.now.normal(g.right).dot(da);
      if (c * d >= 0) continue;
      const Vector3d db = b_.now.vertex(g.to) - b_.now.vertex(g.from);
      Vector3d n = da.cross(db);
      const double length = n.norm();
      if (length < kParallel * da.norm() * db.norm()) continue;
      const double sign = n.dot(middle - pa) > 0 ? -1 : 1;
      n *= sign / length;
      const double now = b_.now.lowest(n) - a_.now.highest(n);
      if (now > reach) return false;
      if (!worse(now) && !(rim_ && forbids(n, now))) offer_edges(i, j, n, sign, now);
    }
  }
  return true;
}

void AxisSearch::offer_edges(int i, int j, const Vector3d& n, double sign, double now) {
  double next = now;
  if (moving_) {
    const Polyhedron::Edge& e = a_.now.edges()[static_cast<std::size_t>(i)];
    const Polyhedron::Edge& g = b_.now.edges()[static_cast<std::size_t>(j)];
    Vector3d m = (a_.next.vertex(e.to) - a_.next.vertex(e.from))
                     .cross(b_.next.vertex(g.to) - b_.next.vertex(g.from));
    const double length = m.norm();
    if (length == 0) return;
    m *= sign / length;
    next = b_.next.lowest(m) - a_.next.highest(m);
  }
  offer({{now, next}, Axis::edges, i, j, n});
}

bool AxisSearch::forbids(const Vector3d& d, double now) {
  if (d.dot(a_.now.normal(0)) > -kParallel && rim_->allows(d)) return false;
  forbidden_ = std::max(forbidden_, now);
  return true;
}

}  // namespace perpend::sim
