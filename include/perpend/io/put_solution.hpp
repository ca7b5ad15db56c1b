// Solutions in a file under construction.
#pragma once

#include <string>

#include "perpend/io.hpp"

namespace perpend::io {

// Like add_solution, in the file itself: for one that nobody else sees yet, because a failure
// leaves it broken. `called`: what messages call it; empty: by its path.
void put_solution(const std::string& path, const StoredSolution&, const std::string& called = {});

}  // namespace perpend::io
