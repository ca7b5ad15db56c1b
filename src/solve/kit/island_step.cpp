#include "solve/kit/island_step.hpp"

#include <numeric>

#include "perpend/base.hpp"
#include "system/blocks.hpp"

namespace perpend {
namespace {

// Numbers the roots in the order in which they are met.
class Numbers {
 public:
  explicit Numbers(Index count) : number_(static_cast<std::size_t>(count), -1) {}
  Index of(Index root) {
    Index& n = number_[static_cast<std::size_t>(root)];
    if (n < 0) n = count_++;
    return n;
  }
  Index count() const { return count_; }

 private:
  std::vector<Index> number_;
  Index count_ = 0;
};

Islands islands_of(const System&, const BodySpace& a) {
  std::vector<bool> moves(static_cast<std::size_t>(a.bodies), false);
  const auto mark = [&](Index body, const auto& w) {
    if (!w.isZero(0)) moves[static_cast<std::size_t>(body)] = true;
  };
  for (const BodySpace::Contact& c : a.contacts) {
    mark(c.first, c.w1);
    mark(c.second, c.w2);
  }
  for (const auto* list : {&a.joints, &a.others})
    for (const BodySpace::JointRow& q : *list) {
      mark(q.first, q.w1);
      mark(q.second, q.w2);
    }
  const auto moving = [&](Index body) { return moves[static_cast<std::size_t>(body)]; };
  DisjointSets parts(a.bodies);
  const auto join = [&](Index i, Index j) {
    if (moving(i) && moving(j)) parts.join(i, j);
  };
  for (const BodySpace::Contact& c : a.contacts) join(c.first, c.second);
  const auto one_of = [&](const BodySpace::JointRow& q) {
    return moving(q.first) ? q.first : q.second;
  };
  for (const BodySpace::JointRow& q : a.joints)
    for (const BodySpace::JointRow* pair = &q; pair; pair = a.other(*pair)) {
      join(pair->first, pair->second);
      join(one_of(q), one_of(*pair));
    }

  Islands found;
  Numbers numbers(a.bodies);
  const auto island = [&](Index first, Index second) {
    return numbers.of(parts.of(moving(first) ? first : second));
  };
  for (const BodySpace::Contact& c : a.contacts)
    found.of_row.insert(found.of_row.end(), 3, island(c.first, c.second));
  for (const BodySpace::JointRow& q : a.joints) found.of_row.push_back(island(q.first, q.second));
  found.of_body.assign(static_cast<std::size_t>(a.bodies), -1);
  for (Index b = 0; b < a.bodies; ++b)
    if (moving(b)) found.of_body[static_cast<std::size_t>(b)] = numbers.of(parts.of(b));
  found.count = numbers.count();
  return found;
}

Islands islands_of(const System& s, const Blocks& a) {
  DisjointSets parts(a.block_rows());
  for_each_block(a, [&](Index i, Index j, const double*) { parts.join(i, j); });
  Islands found;
  Numbers numbers(a.block_rows());
  for (Index i = 0; i < a.block_rows(); ++i)
    found.of_row.insert(found.of_row.end(), i < s.contacts() ? 3 : 1, numbers.of(parts.of(i)));
  found.count = numbers.count();
  return found;
}

}  // namespace

Islands find_islands(const System& s) {
  return std::visit([&](const auto& a) { return islands_of(s, a); }, s.A);
}

}  // namespace perpend
