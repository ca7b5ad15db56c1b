// The frame of a step, from values alone: bodies, touches and held joints as columns. Surfaces of
// driven bodies that turn have their mean velocity of the step.
#pragma once

#include "sim/held_joints.hpp"
#include "sim/islands.hpp"
#include "sim/touches.hpp"

namespace perpend::sim {

// The step opens or closes this gap in place of the contact's own, m.
void ask_for(Contacts&, Index contact, double gap);

// `deepest`: the step is asked to open no more than this of an overlap, m.
Contacts contact_columns(const Touches&, const Bodies&, double deepest);
Joints joint_columns(const HeldJoints&);
// One fixed row more: the world itself, with the id -1.
Bodies with_world(const Bodies&);

// `max_push`: the highest speed at which overlaps open, m/s.
Frame step_frame(Bodies, const Touches&, const HeldJoints&, double h, Stepper, double max_push);

// What a step is made of, and its frame.
struct StepSetup {
  StepBodies bodies;
  Touches touches;
  HeldJoints joints;
  Frame frame;
  std::vector<Island> islands;  // of the frame, before it is solved
};

}  // namespace perpend::sim
