// Between Bullet's vectors and Eigen's.
#pragma once

#include <LinearMath/btTransform.h>

#include "perpend/scene.hpp"

namespace perpend::sim {

inline Vector3d from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline btVector3 to_bullet(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Matrix3d from_bullet(const btMatrix3x3& m) {
  Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = m[i][j];
  return out;
}
inline btTransform to_bullet(const Pose& pose) {
  const Eigen::Quaterniond q = pose.orientation.normalized();
  return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), to_bullet(pose.position));
}

}  // namespace perpend::sim
