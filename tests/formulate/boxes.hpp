// Frames of boxes made by hand: single boxes, columns, pyramids. Gravity is 9.81 m/s^2 along -z,
// h = 1/64 s, density 1000 kg/m^3, everything at rest and touching exactly.
#pragma once

#include <cstdint>
#include <vector>

#include "perpend/frame.hpp"

namespace perpend::boxes {

inline constexpr double kGravity = 9.81;
inline constexpr double kStep = 1.0 / 64;

class Builder {
 public:
  // Body 0 is the floor, z <= 0.
  Builder() { add({0, 0, 0}, {0, 0, 0}, 0); }

  // A box of given half sides; returns its body.
  Index add(const Vector3d& centre, const Vector3d& half, double density) {
    bodies_.push_back({centre, half, 8 * density * half.prod()});
    return static_cast<Index>(bodies_.size()) - 1;
  }
  // The upper box stands on the lower one (or the floor): the corners of the common rectangle.
  void stand(Index lower, Index upper, double mu) {
    const Body& a = bodies_[static_cast<std::size_t>(lower)];
    const Body& b = bodies_[static_cast<std::size_t>(upper)];
    const double z = b.centre[2] - b.half[2];
    Eigen::Vector2d low = (b.centre - b.half).head<2>(), high = (b.centre + b.half).head<2>();
    if (lower != 0) {
      low = low.cwiseMax((a.centre - a.half).head<2>());
      high = high.cwiseMin((a.centre + a.half).head<2>());
    }
    for (const double x : {low[0], high[0]})
      for (const double y : {low[1], high[1]}) contacts_.push_back({lower, upper, {x, y, z}, mu});
  }

  Frame frame() const {
    Frame f = make_frame(static_cast<Index>(bodies_.size()), static_cast<Index>(contacts_.size()));
    f.step = kStep;
    for (Index i = 0; i < f.bodies.count(); ++i) {
      const Body& b = bodies_[static_cast<std::size_t>(i)];
      f.bodies.ids[static_cast<std::size_t>(i)] = i;
      f.bodies.masses[i] = b.mass;
      f.bodies.positions.row(i) = b.centre;
      if (b.mass == 0) continue;
      const Vector3d square = b.half.cwiseAbs2();
      Matrix3d inertia = Matrix3d::Zero();
      inertia.diagonal() = b.mass / 3 * (square.sum() - square.array()).matrix();
      f.bodies.inertia.row(i) = inertia.reshaped<Eigen::RowMajor>();
      f.bodies.forces(i, 2) = -kGravity * b.mass;
    }
    for (Index k = 0; k < f.contacts.count(); ++k) {
      const Contact& c = contacts_[static_cast<std::size_t>(k)];
      f.contacts.pairs.row(k) << c.lower, c.upper;
      f.contacts.normals.row(k) << 0, 0, 1;
      f.contacts.points.row(k) = c.point - bodies_[static_cast<std::size_t>(c.lower)].centre;
      f.contacts.mu[k] = c.mu;
    }
    return f;
  }

 private:
  struct Body {
    Vector3d centre, half;
    double mass;
  };
  struct Contact {
    Index lower, upper;
    Vector3d point;
    double mu;
  };
  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
};

// n unit boxes on top of each other, 4 contacts each.
inline Frame column(Index n, double mu = 0.5) {
  Builder b;
  for (Index i = 0; i < n; ++i)
    b.stand(i, b.add({0, 0, static_cast<double>(i) + 0.5}, {0.5, 0.5, 0.5}, 1000), mu);
  return b.frame();
}

// A wall with `base` boxes in its lowest row, one fewer in each next, each box on two; and one more
// box on its top. 4 base + 4 base (base - 1) + 4 contacts: a base of 7 makes 200.
inline Frame pyramid(Index base, double mu = 0.5) {
  Builder b;
  const Vector3d half(0.5, 0.25, 0.25);
  std::vector<Index> below;
  double z = half[2];
  for (Index row = 0; row < base; ++row, z += 2 * half[2]) {
    std::vector<Index> here;
    for (Index k = 0; k < base - row; ++k) {
      const double x = static_cast<double>(k) + 0.5 * static_cast<double>(row);
      const Index box = b.add({x, 0, z}, half, 1000);
      if (row == 0) b.stand(0, box, mu);
      for (Index side = 0; row > 0 && side < 2; ++side)
        b.stand(below[static_cast<std::size_t>(k + side)], box, mu);
      here.push_back(box);
    }
    below = here;
  }
  b.stand(below[0], b.add({0.5 * static_cast<double>(base - 1), 0, z}, half, 1000), mu);
  return b.frame();
}

// The same frame with every box thrown about a little, repeatable: no two contacts alike.
inline Frame shaken(Frame f, double speed, std::uint64_t seed = 1) {
  for (Index i = 0; i < f.bodies.count(); ++i)
    for (Index k = 0; k < 6 && !f.bodies.fixed(i); ++k) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      const double unit = static_cast<double>(seed >> 11) / 9007199254740992.0;  // 2^53
      f.bodies.velocities(i, k) = speed * (2 * unit - 1);
    }
  return f;
}

}  // namespace perpend::boxes
