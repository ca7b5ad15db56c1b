// How well a Bullet world, ours or stock, keeps its bodies apart and its joints closed, by geometry
// alone.
#pragma once

class btDiscreteDynamicsWorld;

namespace perpend::sim {

class ContactFinder;

// Deepest overlap of two bodies that may push each other. m
double penetration(btDiscreteDynamicsWorld&, ContactFinder&);
// Largest distance between anchor points along the directions a joint holds. m
double joint_violation(btDiscreteDynamicsWorld&);

}  // namespace perpend::sim
