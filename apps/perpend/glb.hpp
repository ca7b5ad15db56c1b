// Runs as a binary glTF file, for Blender, three.js and others.
#pragma once

#include <string>
#include <vector>

#include "perpend/draw.hpp"

namespace perpend::app {

bool has_gltf();  // built with tinygltf
// A node for each body, with its name, a mesh for each part of its shape, and an animation of its
// poses. Clips stand beside each other. `slow`: the film takes so many times as long as the run.
std::string glb(const std::vector<draw::Clip>&, double slow);

}  // namespace perpend::app
