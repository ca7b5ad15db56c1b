#include <algorithm>
#include <numeric>

#include "perpend/base.hpp"

namespace perpend {

DisjointSets::DisjointSets(std::ptrdiff_t count) : above_(static_cast<std::size_t>(count)) {
  std::iota(above_.begin(), above_.end(), std::ptrdiff_t{0});
}

std::ptrdiff_t DisjointSets::of(std::ptrdiff_t member) {
  while (above(member) != member) member = above(member) = above(above(member));
  return member;
}

void DisjointSets::join(std::ptrdiff_t one, std::ptrdiff_t other) {
  const std::ptrdiff_t a = of(one), b = of(other);
  above(std::max(a, b)) = std::min(a, b);
}

}  // namespace perpend
