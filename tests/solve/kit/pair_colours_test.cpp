#include "solve/kit/pair_colours.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace perpend {
namespace pair_colours_test {

// Each contact is visited once, a visit's lanes and a colour's chunks share no moving body, and the
// contacts of a pair come in their order.
void expect_sound(const std::vector<ContactOfPair>& contacts, const std::vector<bool>& moves) {
  const ColouredPairs order = colour_pairs(contacts, moves);
  std::map<std::int32_t, ContactOfPair> by_number;
  for (const ContactOfPair& c : contacts) by_number[c.contact] = c;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> last;
  std::size_t visited = 0;
  std::int32_t next_quad = 0;
  for (std::size_t colour = 0; colour < order.colours(); ++colour) {
    std::set<std::int32_t> used;
    for (std::int32_t c = order.colour_start[colour]; c < order.colour_start[colour + 1]; ++c) {
      const ColouredPairs::Chunk& chunk = order.chunks[static_cast<std::size_t>(c)];
      EXPECT_EQ(chunk.begin, next_quad);
      next_quad = chunk.end;
      for (std::int32_t q = chunk.begin; q < chunk.end; ++q) {
        const ColouredPairs::Quad& quad = order.quads[static_cast<std::size_t>(q)];
        for (std::size_t lane = 0; lane < 4; ++lane) {
          for (const std::int32_t body : {quad.first[lane], quad.second[lane]}) {
            if (body >= 0 && moves[static_cast<std::size_t>(body)]) {
              EXPECT_TRUE(used.insert(body).second) << "body " << body << " twice in a colour";
            }
          }
          for (std::int32_t v = quad.begin; v < quad.end; ++v) {
            const std::int32_t contact = order.visits[static_cast<std::size_t>(v)][lane];
            if (contact < 0) continue;
            ++visited;
            const ContactOfPair& of = by_number.at(contact);
            const std::pair key(std::min(of.first, of.second), std::max(of.first, of.second));
            EXPECT_EQ(key, std::pair(quad.first[lane], quad.second[lane]));
            const auto before = last.find(key);
            if (before != last.end()) {
              EXPECT_LT(before->second, contact);
            }
            last[key] = contact;
          }
        }
      }
    }
  }
  EXPECT_EQ(visited, contacts.size());
  EXPECT_EQ(static_cast<std::size_t>(next_quad), order.quads.size());
}

TEST(PairColours, AGridOfBoxesOnAFixedFloor) {
  // Body 0 is the floor; 10 x 10 boxes beside each other, four contacts a pair, now and then named
  // the other way round.
  std::vector<ContactOfPair> contacts;
  std::int32_t number = 0;
  const auto touch = [&](std::int32_t a, std::int32_t b) {
    for (int k = 0; k < 4; ++k, ++number)
      contacts.push_back(number % 3 == 0 ? ContactOfPair{number, b, a}
                                         : ContactOfPair{number, a, b});
  };
  for (std::int32_t y = 0; y < 10; ++y)
    for (std::int32_t x = 0; x < 10; ++x) {
      const std::int32_t box = 1 + 10 * y + x;
      touch(0, box);
      if (x < 9) touch(box, box + 1);
      if (y < 9) touch(box, box + 10);
    }
  std::vector<bool> moves(101, true);
  moves[0] = false;
  expect_sound(contacts, moves);
  // Five neighbours at most, the floor among them, which does not count: first fit takes few.
  EXPECT_LE(colour_pairs(contacts, moves).colours(), 7u);
}

TEST(PairColours, AMovingPlateUnderManyBodies) {
  // No two of its pairs can be visited at once; there are more of them than colours with a bit.
  std::vector<ContactOfPair> contacts;
  for (std::int32_t i = 0; i < 100; ++i) contacts.push_back({i, 0, i + 1});
  expect_sound(contacts, std::vector<bool>(101, true));
}

TEST(PairColours, PairsWithAsManyContactsShareAQuad) {
  // Four pairs of one contact and four of three, mixed: two quads without an empty lane.
  std::vector<ContactOfPair> contacts;
  std::int32_t number = 0;
  for (std::int32_t pair = 0; pair < 8; ++pair)
    for (int k = 0; k < (pair % 2 == 0 ? 1 : 3); ++k)
      contacts.push_back({number++, 2 * pair, 2 * pair + 1});
  const std::vector<bool> moves(16, true);
  expect_sound(contacts, moves);
  EXPECT_EQ(colour_pairs(contacts, moves).visits.size(), 4u);
}

}  // namespace pair_colours_test
}  // namespace perpend
