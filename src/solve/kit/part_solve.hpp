// A part of a problem as a problem of its own, with a Progress of its own that the Progress of the
// whole goes along with.
#pragma once

#include "perpend/solve.hpp"
#include "solve/kit/parts.hpp"

namespace perpend {

// An iteration of a part is that part of one of the whole; Progress hears of whole ones.
class PartSolves {
 public:
  PartSolves(const System& whole, Progress& progress) : whole_(whole), progress_(progress) {}

  // Solves the part of these block rows from what `lambda` holds of it, by run(problem, progress),
  // and puts the answer there. The errors of the part's Result are not measured.
  using Run = std::function<void(const ConeProblem&, Progress&)>;
  Result operator()(std::span<const Index> rows, Impulses& lambda, const Run& run);

 private:
  const System& whole_;
  Progress& progress_;
  double iterations_ = 0;  // of the whole, not told yet
  std::array<double, kWorks> work_{};
};

}  // namespace perpend
