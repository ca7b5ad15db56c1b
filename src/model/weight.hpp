// Masses and extents of links, as `build` sums them up.
#pragma once

#include "model/assembly.hpp"

namespace perpend::model {

constexpr double kBallRadius = 0.05;  // m, of links with neither inertia nor shape

// Mass, centre and inertia about the centre, in the world.
struct Weight {
  double mass = 0;
  Vector3d centre = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();
};

Weight sum(const Weight&, const Weight&);
// The same inertia in other axes.
Matrix3d turned(const Matrix3d& inertia, const Eigen::Quaterniond& turn);

// A shape without an end or an inside, which cannot move.
bool endless(Shape::Type);
// Of the shapes at uniform density, in the link.
Weight weight_of(const std::vector<LinkShape>&, double density);
// Height of the lowest point, m; infinite: there is none.
double lowest_of(const Shape&, const Pose&);

}  // namespace perpend::model
