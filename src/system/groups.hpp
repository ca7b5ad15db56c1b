// Which face of a group of alternative contacts pushes (Nguyen and Trinkle 2010, eqs. 14-21).
#pragma once

#include "perpend/system.hpp"

namespace perpend {

// Among the faces with gap >= -1e-6 m now, the one with the largest predicted gap
// psi + h G_n^T (v + h M^-1 f); none: the largest psi; ties: the lowest index. The wrong face is a
// catapult.
Index pushing_face(const std::vector<Index>& faces, const VectorXd& gap,
                   const VectorXd& predicted_gap);

}  // namespace perpend
