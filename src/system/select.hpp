// Systems restricted to some of their rows.
#pragma once

#include <span>

#include "perpend/system.hpp"

namespace perpend {

// These block rows and columns, in ascending order.
Blocks select_rows(const Blocks&, std::span<const Index> rows);

// Some of the contacts, ascending; all joint rows stay, groups are dropped.
System select_contacts(const System&, const std::vector<Index>& kept);

}  // namespace perpend
