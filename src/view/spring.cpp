#include "view/spring.hpp"

#include <Eigen/LU>

namespace perpend::view {
namespace {

constexpr double kFrequency = 20;  // rad/s
constexpr double kSwing = 5;       // 1/s
constexpr double kEarth = 9.81;    // m/s^2

Vector3d capped(const Vector3d& vector, double most) {
  const double length = vector.norm();
  return length > most ? Vector3d(vector * (most / length)) : vector;
}

Matrix3d cross(const Vector3d& v) {
  Matrix3d out;
  out << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return out;
}

}  // namespace

Vector3d spring_force(const Grip& grip, double h, double strength) {
  const double k = grip.mass * kFrequency * kFrequency, c = 2 * grip.mass * kFrequency;
  const double most = strength * grip.mass * kEarth;
  const Matrix3d arm = cross(grip.arm);
  const Matrix3d response = Matrix3d::Identity() / grip.mass - arm * grip.inverse_inertia * arm;
  const Matrix3d left = Matrix3d::Identity() + h * (c + h * k) * response;
  // A hand far away pulls no harder than one at the distance where the cap is reached.
  const Vector3d distance = capped(grip.distance, most / k);
  return capped(left.partialPivLu().solve(k * distance - (c + h * k) * grip.velocity), most);
}

Vector3d grip_torque(const Grip& grip, const Vector3d& rotation, double h) {
  return -kSwing / (1 + h * kSwing) * grip.inverse_inertia.fullPivLu().solve(rotation);
}

Vector3d capped_torque(const Vector3d& torque, double mass, double radius, double strength) {
  return capped(torque, strength * mass * kEarth * radius);
}

}  // namespace perpend::view
