#include "solve/kit/pair_colours.hpp"

#include <algorithm>
#include <bit>

namespace perpend {
namespace {

// A body of more pairs than this leaves the rest of them to colours of one pair each.
constexpr int kMostColours = 64;
// Visits of a chunk: long beside what it costs a thread to take it, short beside a colour.
constexpr std::int32_t kChunk = 24;

struct Pair {
  std::int32_t begin, end;  // contacts, in the sorted list
};

}  // namespace

ColouredPairs colour_pairs(std::span<const ContactOfPair> contacts,
                           const std::vector<bool>& moves) {
  // By bodies, the lower one first; contacts of one pair stay in their order.
  std::vector<ContactOfPair> list(contacts.begin(), contacts.end());
  for (ContactOfPair& c : list)
    if (c.second < c.first) std::swap(c.first, c.second);
  const auto before = [](const ContactOfPair& a, const ContactOfPair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  };
  if (!std::is_sorted(list.begin(), list.end(), before))
    std::stable_sort(list.begin(), list.end(), before);
  const auto sorted = [&](std::int32_t k) -> const ContactOfPair& {
    return list[static_cast<std::size_t>(k)];
  };

  // The lowest colour that neither body has.
  std::vector<std::uint64_t> taken(moves.size(), 0);
  std::vector<std::vector<Pair>> colours;
  const auto total = static_cast<std::int32_t>(list.size());
  std::vector<Pair> rest;
  for (std::int32_t begin = 0; begin < total;) {
    const ContactOfPair& c = sorted(begin);
    std::int32_t end = begin + 1;
    while (end < total && sorted(end).first == c.first && sorted(end).second == c.second) ++end;
    std::uint64_t used = 0;
    for (const std::int32_t body : {c.first, c.second})
      if (moves[static_cast<std::size_t>(body)]) used |= taken[static_cast<std::size_t>(body)];
    const int colour = std::countr_one(used);
    if (colour == kMostColours) {
      rest.push_back({begin, end});
    } else {
      for (const std::int32_t body : {c.first, c.second})
        taken[static_cast<std::size_t>(body)] |= std::uint64_t{1} << colour;
      if (static_cast<std::size_t>(colour) == colours.size()) colours.emplace_back();
      colours[static_cast<std::size_t>(colour)].push_back({begin, end});
    }
    begin = end;
  }
  for (const Pair& pair : rest) colours.push_back({pair});

  ColouredPairs out;
  out.visits.reserve(contacts.size() / 3);
  for (std::vector<Pair>& pairs : colours) {
    out.colour_start.push_back(static_cast<std::int32_t>(out.chunks.size()));
    // Pairs with as many contacts fill a quad.
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
      return a.end - a.begin > b.end - b.begin;
    });
    std::int32_t visits_of_chunk = kChunk;
    for (std::size_t p = 0; p < pairs.size(); p += wide::kLanes) {
      ColouredPairs::Quad quad;
      quad.first.fill(-1);
      quad.second.fill(-1);
      quad.begin = static_cast<std::int32_t>(out.visits.size());
      quad.end = quad.begin + pairs[p].end - pairs[p].begin;
      out.visits.resize(static_cast<std::size_t>(quad.end), {-1, -1, -1, -1});
      for (std::size_t lane = 0; lane < wide::kLanes && p + lane < pairs.size(); ++lane) {
        const Pair& pair = pairs[p + lane];
        quad.first[lane] = sorted(pair.begin).first;
        quad.second[lane] = sorted(pair.begin).second;
        for (std::int32_t k = pair.begin; k < pair.end; ++k)
          out.visits[static_cast<std::size_t>(quad.begin + k - pair.begin)][lane] =
              sorted(k).contact;
      }
      if (visits_of_chunk >= kChunk) {
        const auto first = static_cast<std::int32_t>(out.quads.size());
        out.chunks.push_back({first, first});
        visits_of_chunk = 0;
      }
      visits_of_chunk += quad.end - quad.begin;
      out.quads.push_back(quad);
      out.chunks.back().end = static_cast<std::int32_t>(out.quads.size());
    }
  }
  out.colour_start.push_back(static_cast<std::int32_t>(out.chunks.size()));
  return out;
}

}  // namespace perpend
