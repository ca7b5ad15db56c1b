// The walk over a model's XML that lists what does not come over, against the table of tags.
#pragma once

#include "model/assembly.hpp"
#include "model/xml.hpp"

namespace perpend::model {

void walk(const Element& root, Format, Report&);

}  // namespace perpend::model
