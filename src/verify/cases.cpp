#include "verify/cases.hpp"

#include <algorithm>

namespace perpend::verify {

std::span<const Case> cases() {
  static const std::vector<Case> list{
      projectile(),    free_top(),    bouncing_ball(), two_bodies(),     sliding_block(),
      slope(),         yaw(),         conveyor(),      rolling_sphere(), tipping_block(),
      leaning_stack(), falling_rod(), painleve_rod(),  pendulum(),       double_pendulum(),
      gyroscope(),     servo(),       rotated(),       rescaled(),
  };
  return list;
}

const Case* case_named(std::string_view name) {
  const auto list = cases();
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Case& one) { return one.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace perpend::verify
