// The one table of signs: how each engine counts what a file holds, and how its numbers become the
// file's. Recorders turn their numbers with it; docs/capture.md shows it ("Signs in one table").
//
// In the file a normal points from the first body to the second, impulses act on the second body
// along n, t, o, a gap is negative where bodies overlap, quaternions are w, x, y, z, and vectors of
// six have the linear part first.
//
// C++17, because files that include Siconos are.
#pragma once

#include <Eigen/Core>
#include <stdexcept>
#include <string_view>

namespace perpend::capture {

struct Signs {
  enum class Body { first, second };
  enum class Order { kept, swapped };
  enum class Impulse { of_row, on_first };
  enum class Distance { gap, depth };
  enum class Quaternion { wxyz, xyzw };
  enum class Six { linear, angular };

  std::string_view engine;
  Body normal_to;         // the body of the engine's pair that its normal points to
  Order pair;             // how its pair becomes the file's
  Impulse impulse;        // told as a row's multiplier, or as the impulse on the first body
  Distance distance;      // positive apart, or positive inside
  Quaternion quaternion;  // order of numbers in its memory
  Six six;                // the part of its spatial vectors that comes first

  // +1 or -1: what a direction of its contacts (n, t, o) is multiplied by.
  constexpr double direction() const {
    return (normal_to == Body::second) != (pair == Order::swapped) ? 1 : -1;
  }
  Eigen::Vector3d direction(const Eigen::Vector3d& its) const { return direction() * its; }
  // Its first or second body in the file's pair.
  template <class Index>
  constexpr Index first(Index its_first, Index its_second) const {
    return pair == Order::kept ? its_first : its_second;
  }
  template <class Index>
  constexpr Index second(Index its_first, Index its_second) const {
    return pair == Order::kept ? its_second : its_first;
  }
  // z along a direction of the file, from what the engine tells along it. A row's multiplier pushes
  // apart where it is positive, in every engine and in the file.
  constexpr double z(double its) const { return impulse == Impulse::of_row ? its : -its; }
  constexpr double gap(double its) const { return distance == Distance::gap ? its : -its; }
  template <class Scalar>
  Eigen::Vector4d wxyz(const Scalar* its) const {
    return quaternion == Quaternion::wxyz ? Eigen::Vector4d(its[0], its[1], its[2], its[3])
                                          : Eigen::Vector4d(its[3], its[0], its[1], its[2]);
  }
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  Eigen::Vector3d linear(const Vector6& its) const {
    return six == Six::linear ? its.head<3>() : its.tail<3>();
  }
  Eigen::Vector3d angular(const Vector6& its) const {
    return six == Six::linear ? its.tail<3>() : its.head<3>();
  }
};

// Worlds of Gazebo are recorded in DART.
inline constexpr Signs kSigns[] = {
    {"bullet", Signs::Body::first, Signs::Order::kept, Signs::Impulse::of_row, Signs::Distance::gap,
     Signs::Quaternion::xyzw, Signs::Six::linear},
    {"dart", Signs::Body::first, Signs::Order::kept, Signs::Impulse::of_row, Signs::Distance::depth,
     Signs::Quaternion::xyzw, Signs::Six::angular},
    {"mujoco", Signs::Body::second, Signs::Order::kept, Signs::Impulse::of_row,
     Signs::Distance::gap, Signs::Quaternion::wxyz, Signs::Six::angular},
    {"ode", Signs::Body::first, Signs::Order::kept, Signs::Impulse::on_first,
     Signs::Distance::depth, Signs::Quaternion::wxyz, Signs::Six::linear},
    {"siconos", Signs::Body::first, Signs::Order::swapped, Signs::Impulse::of_row,
     Signs::Distance::gap, Signs::Quaternion::wxyz, Signs::Six::linear},
};

constexpr const Signs& signs_of(std::string_view engine) {
  for (const Signs& one : kSigns)
    if (one.engine == engine) return one;
  throw std::logic_error("an engine without signs");
}

}  // namespace perpend::capture
