// The frames that nothing can solve, for the two verdicts about them.
#pragma once

#include "doctor/examination.hpp"

namespace perpend::doctor {

struct Contradiction {
  Index frame = -1;
  io::Record record;
  Infeasible proof;
  Index contact = -1, other = -1;  // the two worst contacts; -1: none
  Index joint_row = -1;            // the worst
  bool limit = false;              // it is one-sided
  double apart = 0;                // the worst violation as a distance: its speed times h
  std::string unit = "m";          // of it; rad: of a rotation
  double part = 0;                 // of the body's size; for rows of rotations rad
};
// Of the frames that are worst by velocity_error, the first that no motion satisfies.
std::optional<Contradiction> contradiction(const Examination&);

}  // namespace perpend::doctor
