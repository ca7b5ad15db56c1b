// Reading the one-step problem of a simulation: what it was asked, and its answer.
#pragma once

#include "perpend/capture/siconos.hpp"
//
#include <Eigen/Dense>
#include <siconos/kernel/NewtonEulerDS.hpp>
#include <siconos/kernel/SiconosVector.hpp>
#include <vector>

#include "capture/siconos/step.hpp"
#include "capture/signs.hpp"

namespace perpend::capture::from_siconos {

inline constexpr Signs kSiconos = signs_of("siconos");

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// Siconos' quaternions are of unit length to 1e-12 only.
inline Eigen::Matrix3d rotation(const SiconosVector& q) {
  return Eigen::Quaterniond(q.getValue(3), q.getValue(4), q.getValue(5), q.getValue(6))
      .normalized()
      .toRotationMatrix();
}
inline Eigen::Vector3d three(const SiconosVector& v, unsigned first = 0) {
  return {v.getValue(first), v.getValue(first + 1), v.getValue(first + 2)};
}
template <std::size_t N, class Vector>
void put(std::array<double, N>& out, const Vector& v) {
  for (std::size_t i = 0; i < N; ++i) out[i] = v(static_cast<Eigen::Index>(i));
}

// A body before its state is updated.
struct Before {
  NewtonEulerDS* body;
  std::size_t place;     // in the step
  Eigen::Matrix3d turn;  // from the body's axes to the world's, as H has it
  Vector6 free;
  Matrix6 W;
  bool driven;  // its velocity is given
};

// Fills in contacts, joints, A, b, the solver's name and iterations. Throws std::runtime_error for
// what a frame cannot hold.
void read_problem(Simulation&, const std::vector<Before>&, const RecordingMoreauJean&,
                  SiconosStep&);

}  // namespace perpend::capture::from_siconos
