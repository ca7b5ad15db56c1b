// Which face of a group pushes, once it is known where the step leads.
//
// Before a step face u is the one with the largest gap predicted from the free motion (DESIGN
// 2.1). Other contacts may change that motion: a box that slides slowly over a seam would fall by
// gravity alone and so seem to meet the side of the next tile, while the last tile holds it up. A
// face that pushes although another face of its group stays open by itself is therefore a solution
// of eq. 21 of Nguyen and Trinkle 2010 that nobody wants, and the other face takes its place.
#pragma once

#include "perpend/system.hpp"

namespace perpend::sim {

class GroupSettler {
 public:
  // Gives some groups another face u after a solve and moves nothing else; false when all stay.
  // `impulses` becomes a start for the next solve. Every face of a group gets its turn once at
  // most.
  bool settle(System&, Impulses& impulses);

 private:
  std::vector<std::vector<bool>> had_;  // of every group: the faces that were u
};

}  // namespace perpend::sim
