#include "sim/reach.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace perpend::sim {
namespace {

// A body that goes farther than its reach by less than this has met nothing new. m
constexpr double kOverlook = 1e-9;
constexpr double kOverlookAlone = 0.5;  // of the radius of one that is left alone

}  // namespace

std::vector<Index> gone_farther(const StepBodies& bodies, const Rows6& velocities_plus, double h,
                                const std::vector<bool>& alone) {
  std::vector<Index> rows;
  for (Index i = 0; i < bodies.count(); ++i) {
    const StepBody& m = bodies[i];
    if (!m.moves) continue;
    const Vector3d v = velocities_plus.row(i).head<3>().transpose();
    const Vector3d w = velocities_plus.row(i).tail<3>().transpose();
    const double overlook = !alone.empty() && alone[static_cast<std::size_t>(i)]
                                ? kOverlookAlone * m.radius
                                : kOverlook;
    if (h * (v.norm() + w.norm() * m.radius) > m.reach + overlook) rows.push_back(i);
  }
  return rows;
}

StepBodies reaching(StepBodies bodies, const std::vector<Index>& rows, const Rows6& velocities_plus,
                    double h) {
  for (Index i : rows) {
    const Vector3d v = velocities_plus.row(i).head<3>().transpose();
    const Vector3d w = velocities_plus.row(i).tail<3>().transpose();
    bodies[i].way = h * v;
    bodies[i].angle = h * w;
    bodies[i].extend(h * v.norm(), h * w.norm());
  }
  return bodies;
}

std::vector<bool> would_hit(const Frame& before, const Frame& wider, const Rows6& velocities_plus) {
  std::vector<std::int64_t> known = before.contacts.ids;
  std::sort(known.begin(), known.end());
  std::vector<bool> hit(static_cast<std::size_t>(wider.bodies.count()), false);
  for (Index i = 0; i < wider.contacts.count(); ++i) {
    if (std::binary_search(known.begin(), known.end(),
                           wider.contacts.ids[static_cast<std::size_t>(i)]))
      continue;
    const Index a = wider.contacts.pairs(i, 0), b = wider.contacts.pairs(i, 1);
    const Vector3d n = wider.contacts.normals.row(i).transpose();
    const Vector3d r1 = wider.contacts.points.row(i).transpose();
    const Vector3d r2 = second_point(wider, i);
    const auto speed = [&](Index body, const Vector3d& r) -> Vector3d {
      return velocities_plus.row(body).head<3>().transpose() +
             Vector3d(velocities_plus.row(body).tail<3>().transpose()).cross(r);
    };
    const double rate = n.dot(speed(b, r2) - speed(a, r1));
    if (wider.contacts.asked_gap()[i] + wider.step * rate >= -kOverlook) continue;
    for (Index body : {a, b})
      if (!wider.bodies.fixed(body)) hit[static_cast<std::size_t>(body)] = true;
  }
  return hit;
}

std::vector<bool> connected_with(const std::vector<bool>& hit, const std::vector<Island>& islands) {
  std::vector<bool> connected(hit.size(), false);
  for (const Island& island : islands)
    if (std::any_of(island.bodies.begin(), island.bodies.end(),
                    [&](Index body) { return hit[static_cast<std::size_t>(body)]; }))
      for (Index body : island.bodies) connected[static_cast<std::size_t>(body)] = true;
  return connected;
}

}  // namespace perpend::sim
