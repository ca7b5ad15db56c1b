// Contacts that the last step closed, and that the next one need not close again.
//
// A contact that carried load ended the last step with a gap of 0 along its straight line. The gap
// it has now is what the curved way added: a ball that rolls over another with 0.03 m/s is 1e-7 m
// above it. To close it takes a velocity of gap/h. A heap has more rows of loaded contacts than
// coordinates, so such velocities contradict each other, and an answer must let dozens of contacts
// slip by 1e-9 to 1e-5 m/s, just the right ones. Near the impulses of the last step there is often
// no such answer: the branch of answers that leads from there turns back. Solvers then end at about
// 1e-7 m/s, which is a gap again in the next step.
//
// So in such islands, where something slides, loaded contacts count as closed
// - at gaps and overlaps that positions are not corrected for (kAccurate): 1e-10 m are 6e-9 m/s;
// - at gaps below 1e-5 of the smaller body's radius, unless the bodies pass each other so fast that
//   this would last for a few steps only. Of pairs with one contact: where there are more, one
//   opens as another closes, and its gap is no remnant.
// Larger overlaps are pushed out as ever. What rests, and what has not more such rows than
// coordinates, keeps every digit.
#pragma once

#include "sim/islands.hpp"
#include "sim/memory.hpp"

namespace perpend::sim {

// `islands`: of the frame. `start`: of the last step, in the order of the frame's contacts.
void keep_closed(Frame&, const std::vector<Island>& islands, const StepBodies&, const Start& start);

}  // namespace perpend::sim
