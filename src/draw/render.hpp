// A stage seen by its camera, lit by the sun and a bright sky.
#pragma once

#include "draw/stage.hpp"

namespace perpend::draw {

// Where nothing is drawn.
inline constexpr std::array<std::uint8_t, 3> kGround{0xf7, 0xf8, 0xfa};

// Pictures are lit finely; for a film four and sixteen lights are enough, and quick.
enum class Quality { fine, quick };

Image render(const Stage&, double half_width, int width, int height, Quality = Quality::fine);

}  // namespace perpend::draw
