// Contacts of a convex piece with the triangles of a mesh or height field.
//
// Every triangle within reach is a flat, one-sided convex piece: its front has a face, its edges
// and corners count only where the surface is really an edge or a corner there. Where it goes on
// flat, or turns up, the neighbour is what the piece touches; otherwise a box that slides over a
// flat mesh would stumble over each of its edges. Neighbours are recognized by their corners.
#include <algorithm>

#include "sim/contact_pair.hpp"
#include "sim/triangles.hpp"

namespace perpend::sim {
namespace {

bool same(const Vector3d& a, const Vector3d& b) {
  constexpr double kSame = 1e-9;  // m
  return (a - b).squaredNorm() < kSame * kSame;
}

TriangleRim rim_of(const std::vector<Triangle>& all, std::size_t which) {
  constexpr double kFlat = 1e-6;  // rad, between two triangles that are one face
  const Triangle& t = all[which];
  TriangleRim rim;
  rim.corners = t.corners;
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (other == which) continue;
    const Triangle& o = all[other];
    std::array<int, 3> match{-1, -1, -1};  // corner of t -> corner of o
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t m = 0; m < 3; ++m)
        if (same(t.corners[k], o.corners[m])) match[k] = static_cast<int>(m);
    TriangleRim::Neighbour neighbour{o.normal};
    for (std::size_t k = 0; k < 3; ++k)
      neighbour.at_edge[k] = match[k] >= 0 && match[(k + 1) % 3] >= 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (match[k] < 0) continue;
      rim.faces[k].push_back(neighbour);
      for (const Vector3d& x : o.corners) rim.around[k].push_back(x);
      const std::size_t l = (k + 1) % 3;
      if (match[l] < 0) continue;
      const Vector3d& opposite = o.corners[static_cast<std::size_t>(3 - match[k] - match[l])];
      const Vector3d into = opposite - t.corners[k];
      const Vector3d edge = (t.corners[l] - t.corners[k]).normalized();
      const double width = edge.cross(into).norm();
      if (t.normal.dot(into) > -kFlat * width) rim.edge[k] = false;
    }
  }
  for (std::size_t k = 0; k < 3; ++k) rim.corner[k] = rim.edge[k] || rim.edge[(k + 2) % 3];
  return rim;
}

// A triangle that is overlapped less along a direction that belongs to its neighbours has left the
// contacts to them, and they perhaps to it: over a flat mesh, the plane of each triangle goes on
// below all of them. What lies over its face is held all the same, unless it is behind the face
// and less deep behind another one that looks elsewhere.
void take_what_was_left(const std::vector<ContactPoint>& left, std::size_t begin,
                        const Sink& sink) {
  constexpr double kElsewhere = 0.5;  // cosine
  const auto place = [&](const ContactPoint& c) { return sink.swapped ? c.first : c.second; };
  for (std::size_t i = 0; i < left.size(); ++i) {
    const ContactPoint& c = left[i];
    const auto instead = [&](const ContactPoint& o) {
      if ((place(o) - place(c)).squaredNorm() >= kMerge * kMerge) return false;
      const double cosine = o.normal.dot(c.normal);
      return cosine > 1 - kClip || (c.gap < -kClip && o.gap > c.gap && cosine < kElsewhere);
    };
    if (std::none_of(sink.out.begin() + static_cast<std::ptrdiff_t>(begin), sink.out.end(),
                     instead) &&
        std::none_of(left.begin() + static_cast<std::ptrdiff_t>(i + 1), left.end(), instead))
      sink.out.push_back(c);
  }
}

}  // namespace

void drop_behind(std::vector<ContactPoint>& contacts, std::size_t from, double apart) {
  if (apart <= kClip) return;
  contacts.erase(
      std::remove_if(contacts.begin() + static_cast<std::ptrdiff_t>(from), contacts.end(),
                     [](const ContactPoint& c) { return c.gap < -kClip; }),
      contacts.end());
}

void contacts_on_mesh(const Piece& mesh, const Piece& piece, HullCache& hulls, const Sink& sink) {
  const std::vector<Triangle> triangles =
      triangles_near(*mesh.shape, mesh.now, *piece.shape, piece.now, sink.reach);
  MovingConvex convex;
  convex.place(piece, sink.moving, hulls);
  const Matrix3d to_mesh = mesh.now.rotation.transpose();
  const Placement back{to_mesh, -(to_mesh * mesh.now.position)};
  const std::size_t begin = sink.out.size();
  std::vector<ContactPoint> left;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const TriangleRim rim = rim_of(triangles, i);
    MovingConvex triangle;
    triangle.place_triangle(triangles[i].corners, mesh.next * back, sink.moving);
    Sink own = sink;
    own.seed = mixed(sink.seed, triangles[i].id);
    own.left = &left;
    const std::size_t before = sink.out.size();
    contacts_of_convex(triangle, convex, &rim, own);
    // A point over the common edge of two triangles is there twice; with its alternatives, if so.
    const auto there = [&](const ContactPoint& c) {
      return std::any_of(sink.out.begin() + static_cast<std::ptrdiff_t>(begin),
                         sink.out.begin() + static_cast<std::ptrdiff_t>(before),
                         [&](const ContactPoint& o) {
                           return (o.second - c.second).squaredNorm() < kMerge * kMerge &&
                                  (o.normal - c.normal).squaredNorm() < kClip * kClip;
                         });
    };
    std::size_t kept = before;
    for (std::size_t k = before, next = k; k < sink.out.size(); k = next) {
      const ContactPoint& first = sink.out[k];
      next = k + 1;
      while (first.group != 0 && next < sink.out.size() && sink.out[next].group == first.group)
        ++next;
      if (there(first)) continue;
      for (std::size_t at = k; at < next; ++at) sink.out[kept++] = sink.out[at];
    }
    sink.out.resize(kept);
  }
  take_what_was_left(left, begin, sink);
}

}  // namespace perpend::sim
