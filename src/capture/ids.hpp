// Ids of bodies in the frames.
#pragma once

#include <cstdint>
#include <vector>

#include "perpend/scene.hpp"

namespace perpend::capture {

// Of a scene's bodies: their place where none has an id, else those without come after all ids.
std::vector<std::int64_t> body_ids(const Scene&);

}  // namespace perpend::capture
