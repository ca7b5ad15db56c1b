// The built-in scenes, family by family. Each takes its parameter and its seed; most need neither.
#pragma once

#include "perpend/scene.hpp"

namespace perpend::scene {

// stacks.cpp: cubes and bricks that stand.
Scene column(double count, std::uint64_t);  // stack:N
Scene stack(double, std::uint64_t);
Scene stack_small(double, std::uint64_t);
Scene heavy_top(double, std::uint64_t);
Scene heavy_column(double, std::uint64_t);
Scene mass_ratio(double ratio, std::uint64_t);  // mass-ratio:R
Scene tower(double, std::uint64_t);
Scene pyramid(double base, std::uint64_t);  // pyramid:N
Scene crates(double base, std::uint64_t);   // crates:N
Scene wall(double, std::uint64_t);
Scene wall_of(double rows, std::uint64_t);  // wall:N

// friction.cpp: what holds by friction alone, or slides.
Scene slope(double, std::uint64_t);
Scene friction_stack(double, std::uint64_t);
Scene creep(double, std::uint64_t);
Scene yaw(double, std::uint64_t);
Scene plate(double, std::uint64_t);
Scene painleve(double, std::uint64_t);

// crevices.cpp: cracks, holes and seams.
Scene cracked_ramp(double, std::uint64_t);
Scene hole(double, std::uint64_t);
Scene notch(double, std::uint64_t);
Scene tiles(double, std::uint64_t);

// gears.cpp: standing gears of twelve teeth in a triangle.
Scene gears_small(double, std::uint64_t);
Scene gears(double, std::uint64_t);

// links.cpp: chains of boxes and hinges.
Scene arch(double, std::uint64_t);
Scene snake(double, std::uint64_t);
Scene chain(double count, std::uint64_t);  // chain:N

// piles.cpp: what falls from random places.
Scene spheres(double, std::uint64_t seed);
Scene logs(double, std::uint64_t seed);
Scene pile_spheres(double count, std::uint64_t seed);  // pile-spheres:N
Scene pile_boxes(double count, std::uint64_t seed);    // pile-boxes:N

Scene hose(double, std::uint64_t);           // hose.cpp
Scene hose_humanoid(double, std::uint64_t);  // hose_humanoid.cpp
Scene ragdolls(double, std::uint64_t);       // ragdolls.cpp

}  // namespace perpend::scene
