// Velocities from an answer along Siconos' own rows, which its recordings have in /system/.
#pragma once

#include <Eigen/LU>

#include "perpend/io.hpp"

namespace perpend::capture::from_siconos {

// v+ of the moving bodies from reactions along Siconos' own rows.
inline VectorXd velocities(const io::Record& record, const VectorXd& reactions) {
  const Bodies& b = record.frame.bodies;
  VectorXd momentum = VectorXd::Zero(record.system.v.size());
  std::size_t entry = 0;
  for (Index row = 0; row < reactions.size(); ++row)
    for (std::int64_t k = 0; k < record.system.J.rows[static_cast<std::size_t>(row)]; ++k, ++entry)
      momentum[record.system.J.columns[entry]] +=
          record.system.J.values[static_cast<Index>(entry)] * reactions[row];
  VectorXd out(momentum.size());
  for (Index i = 0; 6 * i < out.size(); ++i) {
    const Matrix3d inertia = b.inertia.row(i).reshaped<Eigen::RowMajor>(3, 3);
    const Vector6 impulse =
        momentum.segment<6>(6 * i) + record.frame.step * b.forces.row(i).transpose();
    out.segment<3>(6 * i) =
        b.velocities.row(i).head<3>().transpose() + impulse.head<3>() / b.masses[i];
    out.segment<3>(6 * i + 3) =
        b.velocities.row(i).tail<3>().transpose() + inertia.inverse() * impulse.tail<3>();
  }
  return out;
}

// v^T M v of the moving bodies.
inline double squared_norm(const io::Record& record, const VectorXd& v) {
  const Bodies& b = record.frame.bodies;
  double sum = 0;
  for (Index i = 0; 6 * i < v.size(); ++i) {
    const Matrix3d inertia = b.inertia.row(i).reshaped<Eigen::RowMajor>(3, 3);
    const Vector3d omega = v.segment<3>(6 * i + 3);
    sum += b.masses[i] * v.segment<3>(6 * i).squaredNorm() + omega.dot(inertia * omega);
  }
  return sum;
}

}  // namespace perpend::capture::from_siconos
