// An order of contacts in which many can be visited at once, from the graph of bodies alone.
//
// Contacts between the same two bodies are a pair. Pairs of one colour share no body that moves.
// Four pairs of a colour are a quad: their first contacts are visited together, then their second
// ones, and so on. Quads of a colour are cut into chunks, which threads may take.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "perpend/system.hpp"
#include "solve/kit/wide.hpp"

namespace perpend {

struct ColouredPairs {
  struct Quad {
    std::array<std::int32_t, wide::kLanes> first, second;  // bodies, first < second; -1: none
    std::int32_t begin, end;                               // visits
  };
  struct Chunk {
    std::int32_t begin, end;  // quads
  };
  std::vector<Quad> quads;
  std::vector<Chunk> chunks;
  std::vector<std::int32_t> colour_start;  // first chunk of each colour, and the end
  // Contacts of each visit; -1: the lane is empty.
  std::vector<std::array<std::int32_t, wide::kLanes>> visits;

  std::size_t colours() const { return colour_start.size() - 1; }
};

struct ContactOfPair {
  std::int32_t contact, first, second;  // its number, its bodies
};
// `moves`: of each body.
ColouredPairs colour_pairs(std::span<const ContactOfPair>, const std::vector<bool>& moves);

}  // namespace perpend
