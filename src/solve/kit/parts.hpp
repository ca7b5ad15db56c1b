// The parts of a system: contacts and joint rows that no moving body and no block of A connects
// with others. Each is a problem of its own.
#pragma once

#include <span>
#include <vector>

#include "perpend/system.hpp"

namespace perpend {

// Numbers of block rows (contact i, then joint row j as m + j), part after part, each ascending;
// parts in the order of their first row.
struct Parts {
  std::vector<Index> rows;
  std::vector<std::size_t> start;  // (parts + 1)

  std::size_t count() const { return start.size() - 1; }
  std::span<const Index> operator[](std::size_t part) const {
    return std::span(rows).subspan(start[part], start[part + 1] - start[part]);
  }
};
Parts parts_of(const System&);

// The system of some block rows, ascending; of bodies those that move them. What only whole systems
// have is left out: groups, and the dynamics of generalized coordinates.
System part(const System&, std::span<const Index> rows);
// Impulses of these block rows, and back into those of the whole.
Impulses gather(const System& whole, std::span<const Index> rows, const Impulses&);
void scatter(const System& whole, std::span<const Index> rows, const Impulses& part, Impulses&);

}  // namespace perpend
