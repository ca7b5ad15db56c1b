// A peer's solver as one of ours: what is asked of it, and how often. Its time is the sum of its
// own calls, measured in its process; the time limit counts the same.
#pragma once

#include "perpend/solve.hpp"

namespace perpend::peers {

// How a peer is brought to a tolerance of ours.
enum class Manner {
  // It does a number of sweeps from where it was, again and again.
  sweeps,
  // It stops at a tolerance of its own meaning: called with one that is half of it or less, from
  // its last answer, until the error as we measure it is small enough.
  tolerance,
  // It solves a problem with fixed bounds and a regular, symmetric A to the end. A is made so, what
  // that changes goes to the right-hand side with the last answer (a proximal point iteration), and
  // the friction bounds are those of the last answer.
  exact,
};

struct PeerInfo {
  const char* name;
  const char* title;
  const char* reference;
  const char* origin;  // library and version
  Manner manner;
  bool joints;
  Work work;               // what its iterations are
  const char* iterations;  // that it may do in one call
  double matrices;         // dense n x n that it needs; 0: sparse
  bool scale;              // whether a dimensionless problem suits it, measured
  bool couples;            // exact: knows friction bounds that depend on normal impulses
};

SolverInfo solver_info(const PeerInfo&, const std::string& program);

}  // namespace perpend::peers
