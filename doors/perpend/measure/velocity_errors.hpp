// velocity_error by contacts: where an answer is wrong.
#pragma once

#include "perpend/measure.hpp"

namespace perpend {

// Each contact's part of velocity_error, which is the largest of them, then each joint row's: m/s.
// Of a group of alternatives the faces that are judged; the others have 0.
VectorXd velocity_errors(const System&, const Impulses&);

}  // namespace perpend
