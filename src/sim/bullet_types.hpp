// Between Bullet's vectors and Eigen's.
#pragma once

#include "perpend/bullet.hpp"

namespace perpend::sim {

using bullet::from_bullet;
using bullet::to_bullet;

}  // namespace perpend::sim
