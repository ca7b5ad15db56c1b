// The walk over a model's XML that lists what does not come over, against the table of tags.
#pragma once

#include <functional>
#include <optional>

#include "model/assembly.hpp"
#include "model/xml.hpp"

namespace perpend::model {

// `included`: the root of the document that an <include> stands for, of MJCF.
using Included = std::function<std::optional<Element>(const Element&)>;
void walk(const Element& root, Format, Report&, const Included& included = {});

}  // namespace perpend::model
