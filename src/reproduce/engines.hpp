// Runs of a scene in engines, each recorded by its program perpend-capture-ENGINE, and in our own
// world: the errors of their answers, step by step.
#pragma once

#include "reproduce/kit.hpp"

namespace perpend::reproduce {

struct World {
  std::string title;   // "ODE, QuickStep"
  std::string engine;  // "ode"; empty: our own world
  std::string solver;  // one whose iterations can be limited
};

struct WorldTask {
  World world;
  Scene scene;
  Index steps = 0;
  long iterations = 0;   // a step
  Index watched = -1;    // a body, in the order of the scene; -1: none
  Index keep_every = 0;  // keeps the problems of the steps 0, keep_every, ...; 0: none
};

struct WorldRun {
  std::vector<double> times;  // s
  std::vector<double> rms;    // m/s, rms_violation
  std::vector<double> own;    // m/s, own_error: of what the world meant to solve
  std::vector<double> open;   // m, left_open of the problem
  double sunk = 0;            // m, along gravity: the watched body, from the first step to the last
  std::vector<Frame> kept;    // problems of steps
  std::string missing;        // why there is no run: its recorder is not there, or it failed
};

// What steps before have left in the positions, m (angles rad): root mean square of the overlaps of
// all contacts and of how far joints are open and limits passed.
double left_open(const Frame&);

std::vector<WorldRun> runs(const std::vector<WorldTask>&, const Settings&);

}  // namespace perpend::reproduce
