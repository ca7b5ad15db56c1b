// The summary and the profiles of the page, for each choice that it offers. The page draws them.
//
// A choice is a group of problems (all, those of a tag, those of a file), an error, a tolerance and
// a cost. Of each group there is one text, base64 of a zlib stream with these columns over the
// choices (own_error, velocity_error; within them the tolerances; within these seconds,
// iterations):
//   f32 medians of the ratio, per choice and solver
//   f32 medians of the cost, per choice and solver
//   u32 steps of the performance profile and of the data profile, per choice
//   u32 x of every step of both profiles: the first bits of a float32
//   u32 counts of every solver at every step
// The last two are distances from the step before. Then, of every measure of the histories:
//   f32 problems and quantiles (distribution.hpp), per measure, stage and solver
#pragma once

#include <string>
#include <vector>

#include "bench/json.hpp"
#include "bench/profile.hpp"

namespace perpend::bench {

struct Group {
  std::string kind, name;      // all, tag, file
  std::vector<bool> problems;  // which belong to it
  std::size_t figures = 0;     // number of its text: groups of the same problems share one
};
// All, then tags and files, of which there are a few: of many no group would be worth its room.
std::vector<Group> groups(const Results&);

// The texts, one per line.
std::string figures_of(const Results&, const std::vector<Group>&, const Moments& own,
                       const Moments& velocity);

}  // namespace perpend::bench
