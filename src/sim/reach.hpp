// Bodies that a step sends farther than their contacts were looked for: a blow that is passed on.
// Where such a body would now touch something that is not among its contacts, these are looked for
// again, as far as it and those it is connected with really go. All others keep what they have, as
// if they were alone in the world.
#pragma once

#include "sim/bodies.hpp"
#include "sim/islands.hpp"

namespace perpend::sim {

// Rows of those who go farther than their reach; of those that are left alone (project.hpp; empty:
// nobody), by more than half their radius.
std::vector<Index> gone_farther(const StepBodies&, const Rows6& velocities_plus, double h,
                                const std::vector<bool>& alone = {});

// With the ways that these rows go with v+, and a reach for it.
StepBodies reaching(StepBodies, const std::vector<Index>& rows, const Rows6& velocities_plus,
                    double h);

// Which moving bodies meet, among the contacts of `wider` and with the v+ of `before`, something
// that is not among the contacts of `before`.
std::vector<bool> would_hit(const Frame& before, const Frame& wider, const Rows6& velocities_plus);

// All bodies of the islands in which somebody was hit.
std::vector<bool> connected_with(const std::vector<bool>& hit, const std::vector<Island>&);

}  // namespace perpend::sim
