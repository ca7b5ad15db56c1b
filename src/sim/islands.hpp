// Islands of a frame: moving bodies that contacts and joints connect. Fixed bodies connect nothing.
#pragma once

#include <vector>

#include "perpend/frame.hpp"

namespace perpend::sim {

struct Island {
  std::vector<Index> bodies;    // ascending, the fixed ones it touches included
  std::vector<Index> contacts;  // ascending
  std::vector<Index> joints;    // ascending
  std::vector<Index> joint_rows;
};

// Only islands with contacts or joints; in the order of their first moving body.
std::vector<Island> islands(const Frame&);

// Numbers of islands, those with the most rows first: threads that take them in this order end at
// about the same time.
std::vector<std::size_t> largest_first(const std::vector<Island>&);

// Of each island of `now`, which island of `before` it is with the same bodies, contacts and joint
// rows, bit for bit; -1: none. Both frames have the same bodies.
std::vector<Index> unchanged(const Frame& before, const std::vector<Island>& islands_before,
                             const Frame& now, const std::vector<Island>& islands_now);

// It has every body, contact and joint of the frame, in its order.
bool is_all(const Frame&, const Island&);

// The island as a frame of its own.
Frame part(const Frame&, const Island&);

}  // namespace perpend::sim
