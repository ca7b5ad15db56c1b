// Frames of axis-aligned boxes for tests: a floor, boxes, four contacts where two faces meet.
#pragma once

#include <limits>

#include "perpend/system.hpp"

namespace perpend::boxes {

inline constexpr double kGravity = 9.81;
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class World {
 public:
  explicit World(double h = 0.01) { frame_.step = h; }

  // A fixed body; what must not be read of it is NaN.
  Index fixed(const Vector3d& position = Vector3d::Zero(),
              const Vector3d& velocity = Vector3d::Zero()) {
    const Index i = add(0, position);
    frame_.bodies.inertia.row(i).setConstant(kNaN);
    frame_.bodies.forces.row(i).setConstant(kNaN);
    frame_.bodies.velocities.row(i).head<3>() = velocity;
    return i;
  }
  // A cube of that edge under gravity along `down`.
  Index cube(double mass, double edge, const Vector3d& position,
             const Vector3d& down = -Vector3d::UnitZ()) {
    const Index i = add(mass, position);
    frame_.bodies.inertia.row(i).setZero();
    for (Index k : {0, 4, 8}) frame_.bodies.inertia(i, k) = mass * edge * edge / 6;
    frame_.bodies.forces.row(i).head<3>() = mass * kGravity * down;
    return i;
  }
  // One contact at a world point on the surface of `first`.
  Index contact(Index first, Index second, const Vector3d& point, const Vector3d& normal, double mu,
                double gap = 0) {
    Contacts& k = frame_.contacts;
    const Index i = k.count();
    k.pairs.conservativeResize(i + 1, 2);
    k.pairs.row(i) << first, second;
    append(k.normals, normal);
    append(k.points, Vector3d(point - frame_.bodies.positions.row(first).transpose()));
    k.gap.conservativeResize(i + 1);
    k.gap[i] = gap;
    k.mu.conservativeResize(i + 1);
    k.mu[i] = mu;
    return i;
  }
  // Four corners of a horizontal square of that edge, centred at `centre`, below body `second`.
  void face(Index first, Index second, const Vector3d& centre, double edge, double mu,
            double gap = 0) {
    for (double x : {-0.5, 0.5})
      for (double y : {-0.5, 0.5})
        contact(first, second, centre + Vector3d(x * edge, y * edge, 0), Vector3d::UnitZ(), mu,
                gap);
  }
  // Four corners of the part from x = low to x = high of a horizontal face of edge 1 at height z.
  void strip(Index first, Index second, double low, double high, double z, double mu) {
    for (double y : {-0.5, 0.5})
      for (double x : {low, high}) contact(first, second, {x, y, z}, Vector3d::UnitZ(), mu);
  }
  Frame& frame() { return frame_; }

 private:
  Index add(double mass, const Vector3d& position) {
    Bodies& b = frame_.bodies;
    const Index i = b.count();
    b.ids.push_back(i);
    b.masses.conservativeResize(i + 1);
    b.masses[i] = mass;
    append(b.inertia, Eigen::Matrix<double, 9, 1>::Zero().eval());
    append(b.positions, position);
    append(b.quaternions, Eigen::Vector4d(1, 0, 0, 0));
    append(b.velocities, Vector6::Zero().eval());
    append(b.forces, Vector6::Zero().eval());
    return i;
  }
  template <class Rows, class Vector>
  static void append(Rows& rows, const Vector& row) {
    rows.conservativeResize(rows.rows() + 1, row.size());
    rows.row(rows.rows() - 1) = row.transpose();
  }

  Frame frame_ = make_frame(0, 0);
};

// `count` cubes of 1 m, the masses of the lowest and of the highest given, at rest on a floor.
inline Frame column(Index count, double mass, double top_mass, double mu = 0.5) {
  World w;
  Index below = w.fixed();
  for (Index i = 0; i < count; ++i) {
    const double z = static_cast<double>(i);
    const Index cube = w.cube(i + 1 == count ? top_mass : mass, 1, {0, 0, z + 0.5});
    w.face(below, cube, {0, 0, z}, 1, mu);
    below = cube;
  }
  return w.frame();
}

// A pyramid of unit cubes: `layers` cubes below, one on top, each on halves of two; four contacts
// on each half.
inline Frame pyramid(Index layers, double mu = 0.5) {
  World w;
  const Index floor = w.fixed();
  std::vector<Index> below;
  for (Index layer = 0; layer < layers; ++layer) {
    std::vector<Index> row;
    const double z = static_cast<double>(layer);
    for (Index i = 0; i < layers - layer; ++i) {
      const double x = static_cast<double>(i) + 0.5 * z;
      const Index cube = w.cube(1, 1, {x, 0, z + 0.5});
      row.push_back(cube);
      if (layer == 0) {
        w.strip(floor, cube, x - 0.5, x + 0.5, z, mu);
      } else {
        w.strip(below[static_cast<std::size_t>(i)], cube, x - 0.5, x, z, mu);
        w.strip(below[static_cast<std::size_t>(i) + 1], cube, x, x + 0.5, z, mu);
      }
    }
    below = row;
  }
  return w.frame();
}

// A wall of unit cubes in running bond: `layers` layers of `width` cubes, half an edge shifted,
// two contacts along each edge of every overlap of half a face.
inline Frame wall(Index width, Index layers, double mu = 0.5) {
  World w;
  const Index floor = w.fixed();
  std::vector<Index> below;
  for (Index layer = 0; layer < layers; ++layer) {
    std::vector<Index> row;
    const double shift = layer % 2 == 0 ? 0 : 0.5, z = static_cast<double>(layer);
    for (Index i = 0; i < width; ++i) {
      const double x = static_cast<double>(i) + shift;
      const Index cube = w.cube(1, 1, {x, 0, z + 0.5});
      row.push_back(cube);
      if (layer == 0) {
        w.strip(floor, cube, x - 0.5, x + 0.5, z, mu);
        continue;
      }
      for (Index j : {i - 1, i, i + 1}) {
        if (j < 0 || j >= width) continue;
        const double other = static_cast<double>(j) + 0.5 - shift;
        const double low = std::max(x, other) - 0.5, high = std::min(x, other) + 0.5;
        if (high - low > 1e-9) w.strip(below[static_cast<std::size_t>(j)], cube, low, high, z, mu);
      }
    }
    below = row;
  }
  return w.frame();
}

}  // namespace perpend::boxes
