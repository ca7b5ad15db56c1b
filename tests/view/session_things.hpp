// Shared by the tests of runs: small scenes, and what hands do to them.
#pragma once

#include <gtest/gtest.h>

#include "view/session.hpp"

namespace session_things {

using namespace perpend;
using namespace perpend::view;

inline Executor serial;

inline Body cube(const char* name, double mass, const Vector3d& at, double half = 0.5) {
  Body body;
  body.name = name;
  body.shape.half_extents.setConstant(half);
  body.mass = mass;
  body.pose.position = at;
  return body;
}

// A cube of 2 kg on a wide floor, and one of 1 kg on top.
inline Scene two_cubes() {
  Scene scene;
  scene.name = "two cubes";
  scene.bodies = {cube("floor", 0, {0, 0, -10}, 10), cube("low", 2, {0, 0, 0.5}),
                  cube("high", 1, {0, 0, 1.5})};
  return scene;
}

inline Scene pendulum() {
  Scene scene;
  scene.name = "pendulum";
  scene.bodies = {cube("bob", 1, {1, 0, 0}, 0.1)};
  Joint joint;
  joint.type = Joint::Type::point;
  joint.second = 0;
  scene.joints = {joint};
  return scene;
}

template <class Made>
Drag drag(Made body, const field::vector& target, const field::vector& point = {0, 0, 0}) {
  Drag out;
  out.body = static_cast<std::uint32_t>(body);
  out.point = point;
  out.target = target;
  return out;
}
inline Set set(const char* name, const char* value) {
  Set out;
  out.name = name;
  out.value = value;
  return out;
}
inline Release release(std::uint32_t body) {
  Release out;
  out.body = body;
  return out;
}
inline Throw ball() {
  Throw out;
  out.position = {-3, 0, 1.5};
  out.velocity = {8, 0, 0};
  out.radius = 0.3;
  out.mass = 2;
  return out;
}

// Of a Session or of Panes.
template <class Run>
void make(Run& run, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_EQ(run.step(), "");
}
template <class Run>
void act(Run& run, const Message& message) {
  ASSERT_EQ(run.act(message), "");
}
inline Vector3d place(const Session& session, std::size_t body) {
  const StateMessage state = session.state_message();
  return {state.poses[7 * body], state.poses[7 * body + 1], state.poses[7 * body + 2]};
}
inline Hand hand_of(const Session& session) {
  return hand_from_json(session.events_message().json, "session");
}

// A person who does everything a hand can do.
template <class Run>
void busy_hand(Run& session) {
  make(session, 5);
  act(session, drag(2, {0.5, 0.2, 1.8}, {0.5, 0.5, 0.5}));
  make(session, 10);
  act(session, set("solver", "box/nncg"));
  act(session, set("iterations", "50"));
  act(session, drag(2, {0.9, 0.3, 2}, {0.5, 0.5, 0.5}));
  make(session, 10);
  act(session, release(2));
  act(session, set("h", "0.01"));
  act(session, set("friction", "0.5"));
  act(session, set("gravity", "3.7"));
  act(session, ball());
  make(session, 20);
  Twist twist;
  twist.body = 1;
  twist.torque = {0, 0, 30};
  act(session, twist);
  act(session, set("effort", "20"));
  act(session, set("contacts", "conjunctive"));
  make(session, 15);
}

}  // namespace session_things
