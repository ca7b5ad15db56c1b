// A stage seen by its camera, lit by the sun and a bright sky.
#pragma once

#include "draw/stage.hpp"

namespace perpend::draw {

// Where nothing is drawn.
inline constexpr std::array<std::uint8_t, 3> kGround{0xf7, 0xf8, 0xfa};

// Pictures are lit finely; for a film four and sixteen lights are enough, and quick.
enum class Quality { fine, quick };

Image render(const Stage&, double half_width, int width, int height, Quality = Quality::fine);

// What is seen where of the pieces that stay, for all frames of a film.
struct Backdrop {
  std::vector<float> depth;
  std::vector<std::uint32_t> seen;  // triangles
  std::size_t triangles = 0;        // of the whole stage
};
Backdrop backdrop(const Stage&, double half_width, int width, int height);
// A frame of a film. The backdrop is used if the stage has as many triangles.
Image render(const Stage&, double half_width, int width, int height, const Backdrop&);

}  // namespace perpend::draw
