// Forces, friction cones and errors of contacts, drawn over a picture.
#pragma once

#include "perpend/draw.hpp"

namespace perpend::draw {

// The picture shows the scene as this camera sees it.
void mark_contacts(Image&, const Scene&, const std::vector<ContactForce>&, const Show&,
                   const Camera&);

}  // namespace perpend::draw
