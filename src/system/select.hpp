// A system restricted to some of its contacts; all joint rows stay, groups are dropped.
#pragma once

#include "perpend/system.hpp"

namespace perpend {

System select_contacts(const System&, const std::vector<Index>& kept);

}  // namespace perpend
