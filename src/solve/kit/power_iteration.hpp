// The largest eigenvalue of a positive semidefinite matrix that is known by its products.
#pragma once

#include <functional>

#include "perpend/solve.hpp"

namespace perpend {

// No symmetry of a scene may hide the largest one: no two entries are alike.
double uneven(Index row);
// By power iteration from `start`, with a margin because it comes from below; at least 1.
double largest_eigenvalue(VectorXd start, const std::function<VectorXd(const VectorXd& v)>& product,
                          Progress&);

}  // namespace perpend
