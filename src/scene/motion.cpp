#include <algorithm>
#include <cmath>

#include "perpend/scene.hpp"

namespace perpend {

Eigen::Quaterniond exponential(const Vector3d& turn) {
  const double angle = turn.norm();
  // sin(a/2)/a, by its series where the quotient loses digits
  const double s = angle < 1e-4 ? 0.5 - angle * angle / 48 : std::sin(angle / 2) / angle;
  return Eigen::Quaterniond(std::cos(angle / 2), s * turn.x(), s * turn.y(), s * turn.z());
}

Pose moved(const Pose& start, const Motion& motion, double time) {
  Pose pose = start;
  if (motion.type == Motion::Type::vibration) {
    constexpr double kTurn = 2 * 3.14159265358979323846;
    pose.position += motion.direction.normalized() * motion.amplitude *
                     std::sin(kTurn * motion.frequency * time + motion.phase);
  } else if (motion.type == Motion::Type::path) {
    for (std::size_t k = 0; k < motion.keys.size(); ++k) {
      const double from = motion.keys[k].time;
      const double to = k + 1 < motion.keys.size() ? motion.keys[k + 1].time : time;
      const double during = std::min(to, time) - from;
      if (during <= 0) break;
      pose.position += during * motion.keys[k].velocity.head<3>();
      pose.orientation = exponential(during * motion.keys[k].velocity.tail<3>()) * pose.orientation;
    }
  }
  return pose;
}

}  // namespace perpend
