// The cases, by the file they are in; the table in cases.cpp is their order.
#pragma once

#include "perpend/verify.hpp"

namespace perpend::verify {

// flight.cpp
Case projectile();
Case free_top();
// impacts.cpp
Case bouncing_ball();
Case two_bodies();
// sliding.cpp
Case sliding_block();
Case slope();
Case rolling_sphere();
Case conveyor();
Case yaw();
// toppling.cpp
Case tipping_block();
Case leaning_stack();
Case falling_rod();
Case painleve_rod();
// swinging.cpp
Case pendulum();
Case double_pendulum();
Case gyroscope();
// driven.cpp
Case servo();
// invariance.cpp
Case rotated();
Case rescaled();

}  // namespace perpend::verify
