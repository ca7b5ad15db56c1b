// How much memory a formulation takes.
#pragma once

#include "perpend/formulate.hpp"

namespace perpend {

// Bytes at its peak, about, found without making anything large.
double formulation_bytes(const System&, std::string_view formulation, const FormulationOptions&);

}  // namespace perpend
