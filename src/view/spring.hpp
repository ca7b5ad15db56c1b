// The force of a hand: a critically damped spring between a point of a body and the hand, capped.
//
// The spring pulls with k d - c v, where d points from the point to the hand, v is the point's
// velocity, k = m w^2 and c = 2 m w with w = 20 rad/s. It is taken at the end of the step, where it
// is stable for any step: with v+ = v + h W F (v: the velocity that gravity alone leads to, W: how
// the point's velocity answers to an impulse there) and d+ = d - h v+,
//
//   (1 + h (c + h k) W) F = k d - (c + h k) v.
//
// An uncapped spring tunnels: |F| is at most `strength` times the weight of the body on Earth.
//
// A spring at a point does not stop a body from swinging about it. Fingers do: the hand also turns
// against the rotation w of the body, with the torque -5/s I w, taken at the end of the step.
#pragma once

#include "perpend/frame.hpp"

namespace perpend::view {

struct Grip {
  double mass = 0;                              // kg
  Matrix3d inverse_inertia = Matrix3d::Zero();  // 1/(kg m^2), world axes
  Vector3d arm = Vector3d::Zero();              // m, from the centre of mass to the point
  Vector3d velocity = Vector3d::Zero();         // m/s, of the point, with what gravity adds
  Vector3d distance = Vector3d::Zero();         // m, from the point to the hand
};

Vector3d spring_force(const Grip&, double h, double strength);  // N
// Against a rotation, rad/s in world axes, N m.
Vector3d grip_torque(const Grip&, const Vector3d& rotation, double h);
// A torque of at most the same strength on an arm of the body's radius, N m.
Vector3d capped_torque(const Vector3d& torque, double mass, double radius, double strength);

}  // namespace perpend::view
